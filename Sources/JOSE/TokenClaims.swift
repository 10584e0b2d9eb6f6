// SPDX-License-Identifier: Apache-2.0

import JSON
package import Platform

/// Claims of a checked token. The usual ones are read once; others are looked up in the JSON.
package struct TokenClaims: Sendable {
    package let issuer: String
    package let subject: String
    package let audiences: [String]
    package let issued: Timestamp
    package let expires: Timestamp
    /// The time of the sign-in (`auth_time`), which stays over refreshes.
    package let authenticated: Timestamp?
    /// Of our own tokens: the app's ID (`sb_app`).
    package let app: Int64?
    /// Of our own tokens: the ID of the session's ingest key (`sb_key`).
    package let key: Int64?
    /// Of our own tokens: the session's ID (`sid`).
    package let session: String?
    /// Of our own tokens: the counter of the refresh token that was issued with it (`gen`).
    package let generation: UInt32?
    private let notBefore: Timestamp?
    /// All claims as they were signed.
    package let json: [UInt8]

    /// The difference between two clocks that is tolerated.
    static let skew = Timestamp.Span.seconds(60)

    /// - Parameter isOwn: Whether we signed the token. Claims of our own mean nothing in tokens of others.
    init(_ json: [UInt8], isOwn: Bool = false) throws(TokenError) {
        guard let object = StrictObject(json) else { throw .malformed }
        guard let issuer = object.text("iss"), let subject = object.text("sub"), TokenClaims.isSubject(subject) else { throw .claim }
        guard let audiences = object.texts("aud") else { throw .audience }
        guard let issued = object.seconds("iat"), let expires = object.seconds("exp") else { throw .claim }
        (self.issuer, self.subject, self.audiences, self.json) = (issuer, subject, audiences, json)
        (self.issued, self.expires) = (Timestamp(milliseconds: issued * 1_000), Timestamp(milliseconds: expires * 1_000))
        notBefore = try TokenClaims.time("nbf", object)
        authenticated = try TokenClaims.time("auth_time", object)
        app = isOwn ? object.integer("sb_app") : nil
        key = isOwn ? object.integer("sb_key") : nil
        session = isOwn ? object.text("sid") : nil
        generation = !isOwn ? nil : object.integer("gen").flatMap(UInt32.init(exactly:))
    }

    /// Rejects a token outside its times by more than a minute.
    package func checkTimes(_ now: Timestamp) throws(TokenError) {
        guard now - TokenClaims.skew < expires else { throw .expired }
        guard issued <= now + TokenClaims.skew, notBefore.map({ $0 <= now + TokenClaims.skew }) ?? true else { throw .notYetValid }
    }

    /// Returns the text of a claim; nil for any other value.
    package func text(_ name: String) -> String? { member(name)?.string }

    package func integer(_ name: String) -> Int64? { member(name)?.integer }

    /// Returns the value of a claim that is `true` or `false`, as a text, too: Apple writes `"email_verified": "true"`.
    package func flag(_ name: String) -> Bool? {
        guard let value = member(name) else { return nil }
        return switch value.string ?? String(decoding: value.json, as: UTF8.self) {
        case "true": true
        case "false": false
        default: nil
        }
    }

    /// Returns a claim as JSON.
    package func json(_ name: String) -> [UInt8]? { member(name).map { Array($0.json) } }

    private func member(_ name: String) -> JSONValue? {
        // `JSONValue` compares by canonical equivalence.
        (try? JSONValue(json))?.fields.first { $0.name.hasSameBytes(as: name) }?.value
    }

    private static func time(_ name: StaticString, _ object: StrictObject) throws(TokenError) -> Timestamp? {
        guard object.has(name) else { return nil }
        guard let seconds = object.seconds(name) else { throw .claim }
        return Timestamp(milliseconds: seconds * 1_000)
    }

    /// Whether a text may be the ID of a user, of our accounts or another issuer's.
    package static func isSubject(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && !text.unicodeScalars.contains(where: \.isControl)
    }
}
