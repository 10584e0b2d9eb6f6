// SPDX-License-Identifier: Apache-2.0

import CrashStore
import EventStore
import MessageStore
package import Platform

extension Stores {
    /// Removes an app with its keys and persons at once. Its registrations, messages, crashes and issues go from then on, piece by piece, its
    /// events with the next round of data retention.
    package func deleteApp(_ id: AppID) async throws {
        try await events.deleteApp(id)
        // After a kill in between the next round of retention does it.
        try await messages.forgetDeletedApps()
        try await crashes.forgetDeletedApps()
    }
}
