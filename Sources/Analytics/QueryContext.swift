// SPDX-License-Identifier: Apache-2.0

package import Database
import EventStore
import Events
package import Platform
import SQLite

/// Thrown where a query that was expected to need counters only needs rows.
struct RowsAreNeeded: Error {}

/// The context of one query: the app and the files it reads. Each kind of query adds its own functions in the file of its name.
package struct QueryContext: Sendable {
    package let session: ReadSession
    package let app: AppID
    let hash: KeyedHash
    let kept: PeopleCounts
    /// False for a query that is expected to need counters only, in the lane of such queries.
    var mayReadRows = true

    func key(_ domain: KeyedHash.Domain, _ text: String) -> UInt64 {
        hash(domain, app: app, Array(text.utf8).span)
    }

    /// The files that hold events of the app which happened in a stretch of time.
    package func days(from: Timestamp, to: Timestamp) throws -> [Day] {
        let (first, last) = (Day(of: from), Day(of: to - .init(milliseconds: 1)))
        let holds = try session.each(of: session.days()) { file, day in
            try file.statement("SELECT 1 FROM rollups WHERE app = ? AND metric = ? AND grain = ? AND bucket BETWEEN ? AND ? LIMIT 1").first(
                .integer(app.rawValue), .integer(RollupMetric.events.rawValue), .integer(Grain.day.rawValue), .integer(Int64(first.number)),
                .integer(Int64(last.number))
            ) { _ in day }
        }
        return holds.compactMap { $0 }
    }
}
