// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import EventStore
import Platform

extension Backup {
    /// Restores a backup into a new folder, checks every database, opens it as a daemon does, and removes the folder.
    ///
    /// Returns the manifest and the number of apps. It proves that a restoration works, which sums alone do not.
    package static func prove(
        _ folder: String, _ key: BackupKey?, accountsKey: AccountsKeyPlace = .backup, in temporary: String
    ) async throws -> (manifest: BackupManifest, apps: Int) {
        guard !Folder.exists(temporary) else {
            throw Refusal(.conflict, "The temporary folder exists.", hint: "Name a folder that does not exist.")
        }
        defer { removeTree(temporary, depth: 4) }
        let manifest = try restore(folder, key, accountsKey: accountsKey, into: temporary)
        for entry in manifest.entries where entry.path.description.hasSuffix(".db") {
            guard let problem = try FileSnapshot("\(temporary)/\(entry.path)").problem() else { continue }
            throw Refusal(.invalid, "\(entry.path) is damaged: \(problem).", hint: "Use another backup.")
        }
        return (manifest, try await apps(in: temporary))
    }

    private static func apps(in data: String) async throws -> Int {
        let stores = try Stores(data) { fatalError($0) }
        async let running: Void = stores.run()
        let count = stores.events.directory.now.apps.count
        stores.close()
        await running
        return count
    }

    private static func removeTree(_ path: String, depth: Int) {
        for name in (try? Folder.names(in: path)) ?? [] {
            let inner = "\(path)/\(name)"
            if depth > 0, (try? Folder.names(in: inner)) != nil { removeTree(inner, depth: depth - 1) } else { try? Folder.remove(inner) }
        }
        try? Folder.removeEmpty(path)
    }
}
