// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import EventStore
package import Platform

extension Stores {
    /// Removes an app.
    ///
    /// Its keys and persons are removed at once; registrations, messages, crashes and issues by background work; events by the next round
    /// of data retention.
    package func deleteApp(_ id: AppID) async throws {
        try await SpareSpace.forRemoval {
            try await events.deleteApp(id)
            // After an interruption here, the next round of data retention does it.
            for store in companions {
                try await store.forgetDeletedApps()
                await takeSpareSpaceBack(from: store)
            }
        }
    }

    /// Lets the next store have the spare space of a full disk. Where a query reads the log, the space stays in it for now.
    func takeSpareSpaceBack(from store: any CompanionStore) async {
        if spare.isInUse { try? await store.emptyLog() }
    }
}
