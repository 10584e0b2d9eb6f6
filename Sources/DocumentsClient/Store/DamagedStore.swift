// SPDX-License-Identifier: Apache-2.0

import Foundation

extension LocalStore {
    /// The ending of a file that was set aside.
    static let damagedSuffix = ".damaged"

    /// Opens a store. One that is damaged is set aside and another one begun, since waiting does not bring its documents and writes back.
    ///
    ///     documents.db   →   documents.db.damaged
    static func open(_ path: String, cacheBytes: Int) throws(DocumentError) -> LocalStore {
        do throws(DocumentError) { return try LocalStore(path, cacheBytes: cacheBytes) } catch {
            guard error.isOfDamagedFile else { throw error }
            let aside = path + damagedSuffix
            try? FileManager.default.removeItem(atPath: aside)
            do { try FileManager.default.moveItem(atPath: path, toPath: aside) } catch let failure {
                throw DocumentError(.dataLoss, "The local store is damaged and cannot be set aside: \(failure.localizedDescription)")
            }
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
            return try LocalStore(path, cacheBytes: cacheBytes)
        }
    }
}
