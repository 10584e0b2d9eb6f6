// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
package import Platform
import SQLite

extension EventStore {
    /// Gives a key a successor with the same role, label and restrictions. The old key is valid for the overlap.
    ///
    ///     key 4, never expires; rotated with an overlap of 24 h
    ///     key 9    a new secret, replaces 4
    ///     key 4    expires in 24 h
    ///
    /// Without a given expiry the successor lives as long as the old key was to live; forever if that had no expiry.
    package func rotateKey(_ id: Int64, overlap: Timestamp.Span, expires: Timestamp? = nil) async throws -> (key: APIKey, secret: String) {
        guard let role = directory.now.keys.values.first(where: { $0.id == id })?.role else { throw EventStore.noKey(id) }
        let secret = role.newSecret()
        try await changeDirectory { context in
            let old = try context.main.rotatableKey(id, at: context.now)
            let life = old.expires.map { $0 - old.created }
            try context.insertKey(
                secret,
                NewKey(
                    app: old.app, role: old.role, label: old.label, restrictions: old.restrictions, expires: expires ?? life.map { context.now + $0 },
                    replaces: id))
            let end = min(old.expires ?? context.now + overlap, context.now + overlap)
            try context.main.statement("UPDATE keys SET expires = ? WHERE id = ?").run(.integer(end.milliseconds), .integer(id))
        }
        guard let key = directory.now.key(secret) else { throw Refusal(.internalError, "The key could not be created.") }
        return (key, secret)
    }

    private static func noKey(_ id: Int64) -> Refusal {
        Refusal(.notFound, "There is no key \(id).", hint: "`ingestd key list` lists all keys.")
    }
}

extension MainDB {
    /// Returns a key that may get a successor. A key has at most one, so that its overlap is not extended by another rotation.
    fileprivate func rotatableKey(_ id: Int64, at now: Timestamp) throws -> APIKey {
        let sql = """
            SELECT hash, id, app, role, label, secret, hint, created, bundle_ids, origins, events_per_minute, public_key, audience, expires, replaces
            FROM keys WHERE id = ?
            """
        let found = try statement(sql).first(.integer(id)) { row in (key: APIKey(row), isAccount: !row.isNull(12)) }
        guard let found, let key = found.key else { throw Refusal(.notFound, "There is no key \(id).", hint: "`ingestd key list` lists all keys.") }
        if found.isAccount {
            throw Refusal(.invalid, "A service account cannot be rotated.", hint: "Create another one, then revoke this one.")
        }
        guard key.isValid(at: now) else { throw Refusal(.conflict, "The key \(id) has expired.", hint: "Create a new key.") }
        if let next = try statement("SELECT id FROM keys WHERE replaces = ?").first(.integer(id), row: { $0.integer(0) }) {
            throw Refusal(.conflict, "The key \(id) was already replaced by the key \(next).", hint: "Rotate or revoke the key \(next).")
        }
        return key
    }
}
