// SPDX-License-Identifier: Apache-2.0

import Crypto
import JOSE
import JSON
package import Platform

/// The second factors, recovery codes and sessions of an account in an export of ours.
///
///     "factors":        [{"id": "factor_…", "kind": "totp", "secret": "…", "created_at": "…", "confirmed_at": "…"}]
///     "recovery_codes": ["FbW8…="]
///     "sessions":       [{"id": "0190…", "created_at": "…", "last_used_at": "…", "number": 7, "method": "password"}]
///
/// Secrets are encrypted with `accounts.key`, recovery codes are hashed and refresh tokens sealed with it. With another key factors are
/// rejected, because the account would be without its protection, and the others are left out.
package struct ImportedParts: Sendable {
    package struct Factor: Sendable {
        /// The ID that its secret is bound to.
        package var id: String
        package var kind: String
        package var name: String?
        /// Encrypted.
        package var secret: [UInt8]
        /// The half minute of the last code.
        package var lastStep: Int64?
        package var created: Timestamp
        package var confirmed: Timestamp

        package init(id: String, kind: String, name: String?, secret: [UInt8], lastStep: Int64?, created: Timestamp, confirmed: Timestamp) {
            (self.id, self.kind, self.name, self.secret, self.lastStep) = (id, kind, name, secret, lastStep)
            (self.created, self.confirmed) = (created, confirmed)
        }
    }

    package struct Session: Sendable {
        package var id: SessionID
        package var created: Timestamp
        package var state: RefreshState
        package var method: String
        package var client: String
        package var place: String
        package var claims: String?
        package var secondFactor: String?
    }

    private static let mostFactors = 5
    private static let mostSessions = 100

    package var factors: [Factor] = []
    /// The unused recovery codes, as they are stored; none without a factor.
    package var recoveryCodes: [[UInt8]] = []
    package var sessions: [Session] = []

    package init() {}

    /// - Parameter hasKey: Whether the export was made with the key of this daemon.
    init(_ fields: ImportFields, hasKey: Bool) throws(ImportProblem) {
        let factors = try ImportedParts.objects("factors", fields, most: ImportedParts.mostFactors)
        guard hasKey else {
            guard factors.isEmpty else { throw ImportProblem("factors", "were encrypted with the accounts.key of another daemon") }
            return
        }
        for object in factors { self.factors.append(try Factor(object)) }
        let codes = try fields.recoveryCodes("recovery_codes")
        if !factors.isEmpty { recoveryCodes = codes }
        for object in try ImportedParts.objects("sessions", fields, most: ImportedParts.mostSessions) { sessions.append(try Session(object)) }
    }

    private static func objects(_ name: String, _ fields: ImportFields, most: Int) throws(ImportProblem) -> [ImportFields] {
        guard let value = fields.value(name) else { return [] }
        let elements = value.elements
        guard value.json.first == UInt8(ascii: "["), elements.count <= most else {
            throw ImportProblem(name, "must be a list of at most \(most) objects")
        }
        var objects: [ImportFields] = []
        for element in elements { objects.append(try ImportFields(element)) }
        return objects
    }
}

extension ImportFields {
    /// Hashes of HMAC-SHA256.
    fileprivate func recoveryCodes(_ name: String) throws(ImportProblem) -> [[UInt8]] {
        guard let value = value(name) else { return [] }
        let codes = value.elements.compactMap { $0.string.flatMap { Base64.decode($0) } }
        guard value.json.first == UInt8(ascii: "["), codes.count == value.elements.count, codes.count <= RecoveryCodes.count,
            codes.allSatisfy({ $0.count == 32 })
        else { throw ImportProblem(name, "must be a list of at most \(RecoveryCodes.count) hashes") }
        return codes
    }

    fileprivate func needed(_ name: String, limit: Int = 256) throws(ImportProblem) -> String {
        guard let text = try text(name, limit: limit) else { throw ImportProblem(name, "is missing") }
        return text
    }

    fileprivate func neededTime(_ name: String) throws(ImportProblem) -> Timestamp {
        guard let time = try time(name) else { throw ImportProblem(name, "is missing") }
        return time
    }
}

extension ImportedParts.Factor {
    fileprivate init(_ fields: ImportFields) throws(ImportProblem) {
        (id, kind, name) = (try fields.needed("id"), try fields.needed("kind", limit: 16), try fields.text("name"))
        guard let secret = try fields.bytes("secret") else { throw ImportProblem("secret", "is missing") }
        self.secret = secret
        lastStep = try fields.number("last_step").map { Int64($0) }
        (created, confirmed) = (try fields.neededTime("created_at"), try fields.neededTime("confirmed_at"))
    }
}

extension ImportedParts.Session {
    fileprivate init(_ fields: ImportFields) throws(ImportProblem) {
        guard let id = SessionID(try fields.needed("id")) else { throw ImportProblem("id", "is no ID of a session") }
        guard let number = try fields.number("number").flatMap({ UInt32(exactly: $0) }) else {
            throw ImportProblem("number", "is missing or beyond its bounds")
        }
        (self.id, created) = (id, try fields.neededTime("created_at"))
        state = RefreshState(
            counter: number, refreshed: try fields.neededTime("last_used_at"), lost: LostAnswers(packed: Int64(try fields.number("lost") ?? 0)))
        (method, client) = (try fields.needed("method", limit: 64), try fields.text("client", limit: 1_024) ?? "")
        (place, secondFactor) = (try fields.text("place", limit: 64) ?? "", try fields.text("second_factor", limit: 16))
        guard let value = fields.value("claims") else { return }
        do throws(CustomClaims.Problem) { _ = try CustomClaims(json: Array(value.json)) } catch {
            throw ImportProblem("claims", "must be an object of at most 1,000 bytes without names that ID tokens use themselves")
        }
        claims = String(decoding: value.json, as: UTF8.self)
    }
}
