// SPDX-License-Identifier: Apache-2.0

package import Platform
import Synchronization

/// The presence that commits add, for a reader that keeps what it has read of the files.
///
/// A reader calls `open`, reads the files once, and from then on takes only the news. Rows that are committed meanwhile may reach it twice,
/// which changes nothing, because presence is a union of bits and a first sighting a minimum:
///
///     reader   open(app)          the feed records
///     writer   commits u 08:00    recorded: u 08:00
///     reader   reads the files    u 08:00
///     reader   take(app)          u 08:00 once more
///     writer   commits v 08:15    recorded: v 08:15
///     reader   take(app)          v 08:15
///
/// A reader that does not return loses its place: beyond the limit of rows the feed forgets the app with the most.
package final class PresenceFeed: Sendable {
    /// A person in a quarter-hour. The installation or the user is 0 if the event has none.
    package struct Sighting: Sendable {
        package var installation: UInt64
        package var user: UInt64
        /// The number of the quarter-hour since 1970.
        package var quarter: Int32
        /// The day of the file.
        package var file: Int32
    }

    /// A first sighting that no event shows, reported with a person's properties.
    package struct FirstSighting: Sendable {
        package var key: UInt64
        package var time: Int64
    }

    package struct News: Sendable {
        package var sightings: [Sighting] = []
        package var firsts: [FirstSighting] = []

        var count: Int { sightings.count + firsts.count }
    }

    fileprivate struct Recording: Sendable {
        /// The number of the `open` that began it.
        var number: Int
        var news = News()
    }

    fileprivate struct State: Sendable {
        var apps: [AppID: Recording] = [:]
        var count = 0
        var opened = 0

        mutating func forget(_ app: AppID) {
            count -= apps.removeValue(forKey: app)?.news.count ?? 0
        }

        /// Forgets the app with the most rows until the others are within the limit.
        mutating func trim(to limit: Int) {
            while count > limit, let most = apps.max(by: { $0.value.news.count < $1.value.news.count }) {
                forget(most.key)
            }
        }
    }

    /// The limit of rows of all apps, 24 bytes each.
    private let limit: Int
    private let state = Mutex(State())

    package init(limit: Int = 500_000) {
        self.limit = limit
    }

    /// Starts to record an app, without rows. Returns the number of the recording.
    package func open(_ app: AppID) -> Int {
        state.withLock { state in
            state.forget(app)
            state.opened += 1
            state.apps[app] = Recording(number: state.opened)
            return state.opened
        }
    }

    /// Returns and removes the rows since the last call; nil if the recording ended or its rows were lost.
    package func take(_ app: AppID, of recording: Int) -> News? {
        state.withLock { state in
            guard let known = state.apps[app], known.number == recording else { return nil }
            state.count -= known.news.count
            state.apps[app]?.news = News()
            return known.news
        }
    }

    /// Stops recording an app. Its reader reads the files again.
    package func forget(_ app: AppID) {
        state.withLock { $0.forget(app) }
    }

    /// Records the rows of a commit. Called by the writer before the commit's responses are sent.
    func committed(_ rows: [ActiveRows.Row], in file: Day) {
        if rows.isEmpty { return }
        state.withLock { state in
            if state.apps.isEmpty { return }
            var start = 0
            while start < rows.count {
                let app = rows[start].entry.app
                let end = rows[start...].firstIndex { $0.entry.app != app } ?? rows.count
                state.add(rows[start..<end], of: AppID(rawValue: app), in: file)
                start = end
            }
            state.trim(to: limit)
        }
    }

    /// Records first sightings that are durable in the main file.
    func firstSeen(_ firsts: [FirstSighting], of app: AppID) {
        state.withLock { state in
            guard state.apps[app] != nil else { return }
            state.apps[app]?.news.firsts += firsts
            state.count += firsts.count
            state.trim(to: limit)
        }
    }
}

extension PresenceFeed.State {
    fileprivate mutating func add(_ rows: ArraySlice<ActiveRows.Row>, of app: AppID, in file: Day) {
        guard apps[app] != nil else { return }
        apps[app]?.news.sightings += rows.lazy.map { row in
            .init(
                installation: row.entry.installation, user: row.entry.user,
                quarter: row.entry.day &* 96 &+ Int32(truncatingIfNeeded: row.bits.first), file: file.number)
        }
        count += rows.count
    }
}
