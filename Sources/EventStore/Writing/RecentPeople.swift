// SPDX-License-Identifier: Apache-2.0

import AppDirectory
package import Platform
import Synchronization

/// The people of the last half hour, by the minute of their newest event. The stored presence has only quarter-hours.
///
///     12:10  event of u           12:38, people since 12:09   →  u counts
///                                 12:41, people since 12:12   →  u does not count
///
/// The writer hands over the sightings of a commit that its cache of presence does not know for the same minute. They are folded into a
/// table in batches or by the next query, so a commit never waits for a query. The memory is bounded: beyond the limit, and after a start,
/// it knows only what comes then, and queries use the stored presence.
package final class RecentPeople: Sendable {
    /// A person in a minute. The installation or the user is 0 if the event has none.
    package struct Sighting: Sendable {
        var app: Int64
        var installation: UInt64
        var user: UInt64
        /// The number of the minute since 1970.
        var minute: Int32
    }

    /// Sightings that are not folded yet.
    private struct News: Sendable {
        var sightings: [Sighting] = []
        /// Whether sightings were dropped because nothing folded them.
        var isIncomplete = false
    }

    private let news = Mutex(News())
    private let table: Mutex<RecentTable>
    private static let foldCount = 32_768
    private static let newsLimit = 500_000

    /// - Parameter knowsAll: Whether there are no older events.
    init(knowsAll: Bool, now: Timestamp) {
        let minute = RecentPeople.minute(now.milliseconds)
        table = Mutex(RecentTable(since: knowsAll ? .min : minute + 1, now: minute))
    }

    static func minute(_ milliseconds: Int64) -> Int32 {
        Int32(truncatingIfNeeded: milliseconds.flooredQuotient(by: 60_000))
    }

    /// Takes the sightings of a commit before its responses are sent.
    func committed(_ sightings: [Sighting], at now: Timestamp) {
        if sightings.isEmpty { return }
        let count = news.withLock { news in
            if news.sightings.count > RecentPeople.newsLimit { (news.sightings, news.isIncomplete) = ([], true) }
            news.sightings += sightings
            return news.sightings.count
        }
        guard count >= RecentPeople.foldCount else { return }
        _ = table.withLockIfAvailable { fold(into: &$0, now) }
    }

    /// Drops an erased person, or renames an anonymised one, as the rows of the files are.
    func remove(_ removal: PersonRemoval, at now: Timestamp) {
        table.withLock { table in
            fold(into: &table, now)
            table.remove(removal)
        }
    }

    /// Returns the number of people in whole minutes that end now. Nil if not all of their events are known.
    package func count(app: AppID, from: Timestamp, to: Timestamp) -> Int? {
        table.withLock { table in
            fold(into: &table, to - .minutes(1))
            return table.count(app: app.rawValue, from: RecentPeople.minute(from.milliseconds), to: RecentPeople.minute(to.milliseconds))
        }
    }

    private func fold(into table: inout RecentTable, _ now: Timestamp) {
        let taken = news.withLock { news in
            defer { news = News() }
            return news
        }
        table.advance(to: RecentPeople.minute(now.milliseconds))
        if taken.isIncomplete { table.reset() }
        table.note(taken.sightings)
    }
}
