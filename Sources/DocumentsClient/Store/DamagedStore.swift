// SPDX-License-Identifier: Apache-2.0

import Foundation

extension LocalStore {
    /// The ending of a file that was set aside.
    static let damagedSuffix = ".damaged"

    /// Opens a store. One that is damaged is set aside and another one begun, since waiting does not bring its documents and writes back.
    static func open(_ path: String, cacheBytes: Int) throws(DocumentError) -> LocalStore {
        do throws(DocumentError) { return try LocalStore(path, cacheBytes: cacheBytes) } catch {
            guard error.isOfDamagedFile else { throw error }
            try setAside(path)
            return try LocalStore(path, cacheBytes: cacheBytes)
        }
    }

    /// Renames a store's file and its log, in which the latest writes may be, so that SQLite's tools find both. Those set aside before are removed.
    ///
    ///     documents.db       →   documents.db.damaged
    ///     documents.db-wal   →   documents.db.damaged-wal
    static func setAside(_ path: String) throws(DocumentError) {
        let (files, aside) = (FileManager.default, path + damagedSuffix)
        for suffix in ["", "-wal"] { try? files.removeItem(atPath: aside + suffix) }
        do { try files.moveItem(atPath: path, toPath: aside) } catch let failure {
            throw DocumentError(.dataLoss, "The local store is damaged and cannot be set aside: \(failure.localizedDescription)")
        }
        try? files.moveItem(atPath: path + "-wal", toPath: aside + "-wal")
        try? files.removeItem(atPath: path + "-shm")
    }
}
