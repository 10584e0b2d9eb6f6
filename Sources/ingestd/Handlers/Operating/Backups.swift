// SPDX-License-Identifier: Apache-2.0

import API
import Crypto
import HTTPServer
import Platform
import AcrossStores

/// Backups, for the operator of this machine.
struct Backups: Sendable {
    let store: Stores

    static let routes = [Route(.post, "/v1/backup", .operatorOnly, .task(\.backups, Backups.make), audit: .backupCreate)]

    func make(_ call: Call) async throws -> HandlerResponse {
        let body = try Body(call.json())
        try body.allow("directory", "passphrase", "key", "include_keys", "update")
        let folder = try body.text("directory")
        guard folder.hasPrefix("/") else { throw Refusal.field("directory", "relative", "must be an absolute path") }
        call.audit?.note(folder)
        let includesKeys = try body.flag("include_keys") ?? false
        let updates = try body.flag("update") ?? false
        let manifest = try await store.backUp(to: folder, try Backups.key(body), includesKeys: includesKeys, updates: updates)
        return try .json(
            BackupResponse(
                files: manifest.entries.count, bytes: manifest.entries.reduce(0) { $0 + Int64($1.bytes) }, keyApart: store.keyApart(from: manifest)))
    }

    /// The secret that encrypts the backup, if there is one.
    private static func key(_ body: Body) throws(Refusal) -> BackupKey? {
        let (passphrase, key) = (try body.optionalText("passphrase"), try body.optionalText("key"))
        if passphrase != nil, key != nil { throw .field("key", "both", "cannot be combined with passphrase") }
        if let passphrase {
            guard let secret = BackupKey.passphrase(ofFile: Array(passphrase.utf8)) else {
                throw .field("passphrase", "bad_passphrase", "must have \(BackupKey.shortestPassphrase) to 1,024 bytes and no line end")
            }
            return secret
        }
        guard let key else { return nil }
        guard let bytes = Base64.decode(key), bytes.count == 32 else { throw .field("key", "bad_key", "must be 32 bytes in Base64") }
        return .key(bytes)
    }
}
