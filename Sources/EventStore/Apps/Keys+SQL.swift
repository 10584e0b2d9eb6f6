// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
import Crypto
import Database
package import Platform
import SQLite

extension EventStore {
    /// Creates an app with a key for each role and with settings, all or none.
    ///
    /// Only this call returns the keys' secrets.
    package func createAppWithKeys(
        named name: String, settings: [(name: String, value: String)] = []
    ) async throws -> (App, [(role: Role, secret: String)]) {
        try App.check(name)
        let stored = try AppSettings().texts(of: settings)
        let secrets = Role.ofFirstKeys.map { (role: $0, secret: $0.newSecret()) }
        let id = try await changeDirectory { context in
            let id = try context.insertApp(named: name)
            try context.keepSettings(stored, of: id)
            for (role, secret) in secrets {
                try context.insertKey(secret, NewKey(app: id, role: role, label: "first"))
            }
            return id
        }
        return (try app(id), secrets)
    }

    /// Creates a key.
    ///
    /// The secret is returned here only, except for ingest keys, which are stored.
    package func createKey(
        app id: AppID, role: Role, label: String, restrictions: KeyRestrictions, expires: Timestamp? = nil, account: ServiceAccountDraft? = nil
    ) async throws -> (key: APIKey, secret: String) {
        guard label.unicodeScalars.count <= 100, label.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw Refusal(
                .invalid, "The key label is invalid.", hint: "Use at most 100 printable characters.",
                fields: [.init("label", "bad_label", "must have at most 100 printable characters")])
        }
        _ = try app(id)
        let secret = role.newSecret()
        try await changeDirectory { context in
            try context.insertKey(secret, NewKey(app: id, role: role, label: label, restrictions: restrictions, expires: expires, account: account))
        }
        guard let key = directory.now.key(secret) else { throw Refusal(.internalError, "The key could not be created.") }
        return (key, secret)
    }

    package func revokeKey(app id: AppID, _ key: Int64) async throws {
        try await changeDirectory { context in
            try context.main.statement("DELETE FROM keys WHERE id = ? AND app = ?").run(.integer(key), .integer(id.rawValue))
            guard context.main.changes == 1 else {
                throw Refusal(.notFound, "This app has no key \(key).", hint: "`ingestd key list --app \(id.rawValue)` lists its keys.")
            }
        }
    }
}

extension Directory {
    /// Returns the key of a presented secret.
    package func key(_ text: String) -> APIKey? {
        keys[SHA256.hash(Array(text.utf8))]
    }
}

extension Role {
    /// The roles of keys.
    ///
    /// The operator has no key.
    package static let ofKeys: [Role] = [.ingest, .read, .send, .accounts, .data, .admin]
    /// The roles of the keys that a new app gets.
    package static let ofFirstKeys: [Role] = [.ingest, .read, .send, .admin]

    func newSecret() -> String {
        randomToken(prefix: "sb_\(rawValue)_", bits: 192)
    }
}

/// The facts of a key to create, besides its secret.
struct NewKey: Sendable {
    var app: AppID
    var role: Role
    var label: String
    var restrictions = KeyRestrictions()
    var expires: Timestamp?
    var replaces: Int64?
    var account: ServiceAccountDraft?
}

extension ChangeContext {
    func insertKey(_ secret: String, _ key: NewKey) throws {
        try main.statement(
            """
            INSERT INTO keys (app, role, label, hash, secret, hint, created, bundle_ids, origins, events_per_minute,
                public_key, audience, expires, replaces)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).run(
            .integer(key.app.rawValue), .text(key.role.rawValue), .text(key.label), .blob(SHA256.hash(Array(secret.utf8))),
            .text(key.role == .ingest ? secret : nil),
            .text(key.account == nil ? "\(secret.prefix(secret.count - 30))…\(secret.suffix(4))" : "service account"), .integer(now.milliseconds),
            .text(key.restrictions.bundleIDs.joined(separator: ",")), .text(key.restrictions.origins.joined(separator: ",")),
            .integer(key.restrictions.eventsPerMinute), key.account.map { .blob($0.publicKey) } ?? .null, .text(key.account?.audience),
            .integer(key.expires?.milliseconds), .integer(key.replaces))
    }
}
