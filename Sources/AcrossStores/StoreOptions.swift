// SPDX-License-Identifier: Apache-2.0

package import CrashStore
package import EventStore
package import MessageStore

/// The options of all stores of a folder.
package struct StoreOptions: Sendable {
    package var events = EventStoreOptions()
    package var messages = MessageBounds()
    package var crashes = CrashBounds()
    /// Seconds that counting the people of a day may take before its rows go.
    package var peopleSeconds = 120.0

    package init(events: EventStoreOptions = EventStoreOptions()) {
        self.events = events
    }
}
