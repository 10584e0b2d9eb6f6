// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The parts of sessions that commits change, for a reader that keeps the sessions of an app in memory.
///
/// A reader calls `open`, reads the files once, and from then on takes only the news. A part is news again after each change, and parts that
/// reach the reader twice change nothing:
///
///     reader   open, reads the files
///     writer   commits events of sessions s and t     touched: the parts of s and t
///     writer   commits an event of s                  touched: the same
///     reader   take                                   s and t
///     writer   stores its parts                       what is touched becomes news and is kept here
///
/// A reader that does not return loses its place: beyond the limit of parts the feed forgets the app with the most.
package struct SessionFeed: Sendable {
    package struct News: Sendable {
        /// An installation that named a user, without an event.
        package struct Naming: Sendable {
            package var installation: UInt64
            package var user: UInt64
            package var time: Int64

            package init(installation: UInt64, user: UInt64, time: Int64) {
                (self.installation, self.user, self.time) = (installation, user, time)
            }
        }

        /// The parts of each day's file. Their contexts are those of that file.
        package fileprivate(set) var parts: [Day: [SessionPart]] = [:]
        package fileprivate(set) var namings: [Naming] = []
        fileprivate var count = 0
    }

    private struct Recording: Sendable {
        /// The number of the `open` that began it.
        var number: Int
        var news = News()
    }

    private var recordings: [Int64: Recording] = [:]
    /// The places of changed entries, of all apps, and whether each entry is among them.
    private var touched: [UInt32] = []
    private var isTouched: [Bool] = []
    private var opened = 0
    private var count = 0
    /// The limit of parts of all apps, 64 bytes each.
    private let limit: Int

    init(limit: Int = 500_000) {
        self.limit = limit
    }

    var isRecording: Bool { !recordings.isEmpty }

    mutating func open(_ app: AppID) -> Int {
        forget(app)
        opened += 1
        recordings[app.rawValue] = Recording(number: opened)
        return opened
    }

    mutating func forget(_ app: AppID) {
        count -= recordings.removeValue(forKey: app.rawValue)?.news.count ?? 0
    }

    mutating func take(_ app: AppID, of number: Int) -> News? {
        guard let known = recordings[app.rawValue], known.number == number else { return nil }
        count -= known.news.count
        recordings[app.rawValue]?.news = News()
        return known.news
    }

    /// Notes that an entry of the fold has changed.
    mutating func touch(_ entry: Int) {
        if entry >= isTouched.count {
            isTouched += [Bool](repeating: false, count: max(entry + 1 - isTouched.count, isTouched.count))
        }
        if isTouched[entry] { return }
        isTouched[entry] = true
        touched.append(UInt32(truncatingIfNeeded: entry))
    }

    /// Turns what is touched into news. Called before entries of the fold move or leave.
    mutating func collect(from fold: SessionFold, of day: Day) {
        var (app, parts): (Int64, [SessionPart]) = (0, [])
        for place in touched {
            isTouched[Int(place)] = false
            let entry = fold.entries[Int(place)]
            if entry.app != app {
                add(parts, app, day)
                (app, parts) = (entry.app, [])
            }
            parts.append(entry.part)
        }
        add(parts, app, day)
        touched.removeAll(keepingCapacity: true)
        trim()
    }

    private mutating func add(_ parts: [SessionPart], _ app: Int64, _ day: Day) {
        if parts.isEmpty || recordings[app] == nil { return }
        recordings[app]?.news.parts[day, default: []] += parts
        recordings[app]?.news.count += parts.count
        count += parts.count
    }

    mutating func add(_ aliases: [Alias]) {
        for alias in aliases where recordings[alias.app.rawValue] != nil {
            recordings[alias.app.rawValue]?.news.namings.append(
                .init(installation: alias.installation, user: alias.user, time: alias.time))
            recordings[alias.app.rawValue]?.news.count += 1
            count += 1
        }
        trim()
    }

    /// Forgets the app with the most news until the others are within the limit.
    private mutating func trim() {
        while count > limit, let most = recordings.max(by: { $0.value.news.count < $1.value.news.count }) {
            forget(AppID(rawValue: most.key))
        }
    }
}
