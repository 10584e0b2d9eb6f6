// SPDX-License-Identifier: Apache-2.0

import CrashStore
package import Database
import EventStore
import MessageStore
import Platform

extension StorePaths {
    /// Rejects a folder whose main file is gone: a new one would give its numbers of apps anew, and with them the data of others.
    ///
    /// The main file is made, durably, before any other, so that no first start that is cut short comes to this.
    package func requireMainBesideData() throws {
        guard Folder.size(of: main) == 0 else { return }
        let hasDays = try Folder.exists(events) && !days().isEmpty
        guard !hasDays, !Folder.exists(messages), !Folder.exists(crashes) else { throw StoreError.mainFileMissing(path: main) }
    }
}
