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
    let memory: PeopleMemory
    let recent: RecentResults
    /// Rejects a query in SQL while another is running, because each may use much time and memory.
    let sqlGate = Gate("Another SQL query is running.")

    /// - Parameters:
    ///   - presenceBytes: The limit of memory for presence; with 0 it is read from the files for each query.
    ///   - sessionBytes: The limit of memory for sessions, likewise.
    package init(_ events: EventStore, presenceBytes: Int = 128 << 20, sessionBytes: Int = 256 << 20) {
        self.events = events
        people = PeopleCounts(events.erasures)
        recent = RecentResults(events)
        memory = PeopleMemory(events, presenceBytes: presenceBytes, sessionBytes: sessionBytes)
    }

    /// Frees the presence, the sessions and the figures in memory that nobody asked for in the last minutes.
    package func forgetUnused() {
        memory.forgetUnused()
    }

    var readers: ReaderPool { events.readers }

    /// Returns the context of a query for an app, over the files of a session alone.
    package func context(_ session: ReadSession, _ app: AppID, mayReadRows: Bool = true) -> QueryContext {
        QueryContext(
            session: session, app: app, hash: events.hash, kept: people, snapshot: events.snapshot, openSessions: events.sessions,
            recent: events.recent, mayReadRows: mayReadRows)
    }

    /// Runs a query in the lane of its cost.
    ///
    /// A query that was expected to need only counters is run again in the other lane if it needs rows.
    package func run<Body>(
        _ app: AppID, mayReadRows: Bool, _ body: @escaping @Sendable (QueryContext) throws -> RangedResult<Body>
    ) async throws -> RangedResult<Body> {
        func read(_ cost: ReaderPool.Cost, mayReadRows: Bool) async throws -> RangedResult<Body> {
            try await readers.read(cost) { session in
                var context = self.context(session, app, mayReadRows: mayReadRows)
                context.memory = self.memory
                return try body(context)
            }
        }
        do {
            return try await read(mayReadRows ? .large : .small, mayReadRows: mayReadRows)
        } catch is RowsNeededError {
            return try await read(.large, mayReadRows: true)
        }
    }
}
