// SPDX-License-Identifier: Apache-2.0

package import EventStore
import AppDirectory
package import Database
package import Events
package import Platform

/// Queries over the counters and rows of the event store.
package final class Analytics: Sendable {
    let events: EventStore
    let people: PeopleCounts
    /// A query in SQL may take much time and memory.
    let sqlGate = Gate("Another query in SQL is being answered.")

    package init(_ events: EventStore) {
        self.events = events
        people = PeopleCounts(events.erasures)
    }

    var readers: ReaderPool { events.readers }

    /// The context of a query about an app, over the files of a session.
    package func context(_ session: ReadSession, _ app: AppID, mayReadRows: Bool = true) -> QueryContext {
        QueryContext(session: session, app: app, hash: events.hash, kept: people, mayReadRows: mayReadRows)
    }

    /// Runs a query in the lane of its cost. A query that was expected to need counters only is run again in the other lane where it needs rows.
    package func run<Body>(
        _ app: AppID, mayReadRows: Bool, _ body: @escaping @Sendable (QueryContext) throws -> QueryAnswer<Body>
    ) async throws -> QueryAnswer<Body> {
        do {
            return try await readers.read(mayReadRows ? .large : .small) { try body(self.context($0, app, mayReadRows: mayReadRows)) }
        } catch is RowsAreNeeded {
            return try await readers.read(.large) { try body(self.context($0, app)) }
        }
    }
}
