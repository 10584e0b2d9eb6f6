// SPDX-License-Identifier: Apache-2.0

package import AccountStore
package import AuditStore
package import CrashStore
package import DocumentStore
package import EventStore
package import FileStore
package import FunctionStore
import Glibc
package import MessageStore

/// The options of all stores of a data folder.
package struct StoreOptions: Sendable {
    package var events = EventStoreOptions()
    package var messages = MessageBounds()
    package var crashes = CrashBounds()
    package var audit = AuditBounds()
    package var accounts = AccountBounds()
    package var documents = DocumentBounds()
    package var files = FileBounds()
    package var functions = FunctionBounds()
    /// The time limit for counting the people of a day before its rows are deleted.
    package var peopleSeconds = 120.0
    /// The limit of memory for the presence of all apps. With 0, presence is read from the files for each query.
    package var presenceBytes = 128 << 20
    /// The limit of memory for the sessions of all apps: an eighth of the machine's memory, at most 256 MiB. With 0, they are read from the
    /// files for each query.
    package var sessionBytes = min(256 << 20, sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE)) / 8)

    package init(events: EventStoreOptions = EventStoreOptions()) {
        self.events = events
    }
}
