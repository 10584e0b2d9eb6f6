// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

/// A user of an identity provider that an imported account signs in with.
package struct ImportedIdentity: Sendable, Equatable {
    /// As the setting `accounts.providers` names it: `google.com`.
    package var provider: String
    package var subject: String
    package var email: String?

    package static let most = 20

    /// Reads `{"provider": "google.com", "subject": "1234", "email": "ana@example.org"}`.
    static func native(_ object: JSONValue) throws(ImportProblem) -> ImportedIdentity? {
        let fields = try ImportFields(object)
        return try read(fields, try fields.text("provider"), "subject", email: try fields.text("email"), "identities")
    }

    /// Reads `{"providerId": "google.com", "rawId": "1234"}` of an export of Firebase. Its password and phone entries are no identities, and
    /// neither are entries without an ID.
    static func firebase(_ object: JSONValue) throws(ImportProblem) -> ImportedIdentity? {
        let fields = try ImportFields(object)
        guard let provider = try fields.text("providerId"), !["password", "phone", "emailLink"].contains(provider), fields.has("rawId") else {
            return nil
        }
        return try read(fields, provider, "rawId", email: try fields.text("email"), "providerUserInfo")
    }

    /// Reads `{"provider": "google", "provider_id": "1234"}` of an export of Supabase, which writes the names of providers short.
    static func supabase(_ object: JSONValue) throws(ImportProblem) -> ImportedIdentity? {
        let fields = try ImportFields(object)
        let names = ["google": "google.com", "apple": "apple.com", "azure": "microsoft.com"]
        guard let provider = try fields.text("provider").flatMap({ names[$0] }) else { return nil }
        return try read(fields, provider, "provider_id", email: try fields.text("email"), "identities")
    }

    private static func read(
        _ fields: ImportFields, _ provider: String?, _ subject: String, email: String?, _ list: String
    ) throws(ImportProblem) -> ImportedIdentity {
        guard let provider, let subject = try fields.text(subject) else { throw ImportProblem(list, "must name a provider and its user") }
        return ImportedIdentity(provider: provider, subject: subject, email: email.flatMap { EmailAddress($0)?.text })
    }
}

extension ImportFields {
    /// The identities of a list, each provider once.
    func identities(
        _ name: String, _ read: (JSONValue) throws(ImportProblem) -> ImportedIdentity?
    ) throws(ImportProblem) -> [ImportedIdentity] {
        guard let list = value(name) else { return [] }
        guard list.json.first == UInt8(ascii: "["), list.elements.count <= ImportedIdentity.most else {
            throw ImportProblem(name, "must be a list of at most \(ImportedIdentity.most)")
        }
        var found: [ImportedIdentity] = []
        for element in list.elements {
            guard let identity = try read(element) else { continue }
            guard !found.contains(where: { $0.provider.hasSameBytes(as: identity.provider) }) else {
                throw ImportProblem(name, "names a provider twice")
            }
            found.append(identity)
        }
        return found
    }
}
