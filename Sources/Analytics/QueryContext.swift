// SPDX-License-Identifier: Apache-2.0

package import Database
import EventStore
import Events
package import Platform
import SQLite

/// Thrown by a query that was expected to need only counters and needs rows.
struct RowsNeededError: Error {}

/// The context of one query: the app and its files. Each kind of query is an extension in a file of its own.
package struct QueryContext: Sendable {
    package let session: ReadSession
    package let app: AppID
    let hash: KeyedHash
    let kept: PeopleCounts
    let snapshot: EventSnapshot
    let openSessions: OpenSessions
    let recent: RecentPeople
    /// Presence and figures in memory, with which a result may be a second old. Nil for figures that outlive their rows, which are counted
    /// from the files.
    var memory: PeopleMemory?
    /// False for a query that runs in the lane of queries that need only counters.
    var mayReadRows = true

    func key(_ domain: KeyedHash.Domain, _ text: String) -> UInt64 {
        hash(domain, app: app, Array(text.utf8).span)
    }

    /// Returns the day files with events or aliases of the app that happened in a time range. A file holds the events received on its day.
    package func days(from: Timestamp, to: Timestamp) throws -> [Day] {
        let (first, last) = (Day(of: from), Day(of: to - .init(milliseconds: 1)))
        let holds = try session.each(of: session.days()) { file, day in
            try file.statement("SELECT 1 FROM rollups WHERE app = ? AND metric IN (?, ?, ?) AND grain = ? AND bucket BETWEEN ? AND ? LIMIT 1").first(
                .integer(app.rawValue), .integer(RollupMetric.events.rawValue), .integer(RollupMetric.aliases.rawValue),
                .integer(RollupMetric.withdrawn.rawValue), .integer(Grain.day.rawValue),
                .integer(Int64(first.number)),
                .integer(Int64(last.number))
            ) { _ in day }
        }
        return holds.compactMap { $0 }
    }
}
