// SPDX-License-Identifier: Apache-2.0

package import EventStore
import AppDirectory
package import Database
package import Events
package import Platform

/// Queries over the counters and rows of the event store. Results are the types in the module Events.
package final class Analytics: Sendable {
    let events: EventStore
    let people: PeopleCounts
    /// Rejects a query in SQL while another is running, because each may use much time and memory.
    let sqlGate = Gate("Another SQL query is running.")

    package init(_ events: EventStore) {
        self.events = events
        people = PeopleCounts(events.erasures)
    }

    var readers: ReaderPool { events.readers }

    /// Returns the context of a query for an app, over the files of a session.
    package func context(_ session: ReadSession, _ app: AppID, mayReadRows: Bool = true) -> QueryContext {
        QueryContext(session: session, app: app, hash: events.hash, kept: people, mayReadRows: mayReadRows)
    }

    /// Runs a query in the lane of its cost.
    ///
    /// A query that was expected to need only counters is run again in the other lane if it needs rows.
    package func run<Body>(
        _ app: AppID, mayReadRows: Bool, _ body: @escaping @Sendable (QueryContext) throws -> RangedResult<Body>
    ) async throws -> RangedResult<Body> {
        do {
            return try await readers.read(mayReadRows ? .large : .small) { try body(self.context($0, app, mayReadRows: mayReadRows)) }
        } catch is RowsNeededError {
            return try await readers.read(.large) { try body(self.context($0, app)) }
        }
    }
}
