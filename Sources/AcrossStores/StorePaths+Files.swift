// SPDX-License-Identifier: Apache-2.0

import AppDirectory
package import Database
import EventStore
import Platform

extension StorePaths {
    /// Rejects a folder with data but without a main file.
    ///
    /// A new main file would assign the same app IDs again, and with them other apps' data.
    ///
    /// The main file is created first and synced, so an interrupted first start does not lead to this.
    package func requireMainBesideData() throws {
        guard Folder.size(of: main) == 0 else { return }
        let hasDays = try Folder.exists(events) && !days().isEmpty
        guard !hasDays, !Stores.companionKinds.contains(where: { Folder.exists("\(root)/\($0.fileName)") }) else {
            throw StoreError.mainFileMissing(path: main)
        }
    }
}
