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
            for store in companions { try await store.forgetDeletedApps() }
        }
    }
}
