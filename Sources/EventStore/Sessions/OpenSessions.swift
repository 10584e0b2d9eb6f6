// SPDX-License-Identifier: Apache-2.0

import Database
package import Platform
import SQLite
import Synchronization

/// The sessions of today's file: parts that are not stored yet.
///
/// A commit's events are folded into parts in memory, and the parts are stored when there are many. The events themselves are the log: the
/// file records the number through which they are in stored parts, and a start folds the later ones again. A query takes the parts in memory
/// first and then reads the stored ones, so parts stored in between are seen twice, which changes nothing.
///
///     commit      events 1…900                    parts in memory: 60
///     commit      events 901…1,200,000            parts in memory: 150,000
///     maintain    chunks of 150,000 parts, sessions_through = 1,200,000        parts in memory: none
///     commit      events 1,200,001…1,200,500      parts in memory: 40
///     killed; the start folds events 1,200,001…1,200,500
package final class OpenSessions: Sendable {
    /// The parts in memory at a moment.
    package struct Snapshot: Sendable {
        package fileprivate(set) var day: Day
        /// Whether stored parts and these contain all events of the day's file. False for a large file that an older version began; it is
        /// cut when the day is sealed.
        package fileprivate(set) var isComplete = false
        package fileprivate(set) var fold = SessionFold()
        /// The last number that was folded.
        fileprivate var through: Int64 = 0
        fileprivate var eventsSinceStored = 0

        init(day: Day) { self.day = day }

        /// Calls a closure with the parts of an app on some days of events, of the subjects in a range.
        package func eachPart(of app: AppID, _ days: ClosedRange<Day>, _ subjects: ClosedRange<Int64>, _ body: (SessionPart) -> Void) {
            for entry in fold.entries where entry.app == app.rawValue && subjects.contains(Int64(bitPattern: entry.part.subject)) {
                if days.contains(entry.part.day) { body(entry.part) }
            }
        }
    }

    /// Limits of what is in memory.
    package struct Limits: Sendable {
        /// The parts from which they are stored. A part has 88 bytes here and 64 on the disk.
        package var parts = 150_000
        /// The events from which parts are stored. A start folds at most that many.
        package var events = 1_000_000
    }

    /// A snapshot of many parts, which queries share for a moment, because the next commit copies it.
    private struct Shared {
        var snapshot: Snapshot
        var taken = ContinuousClock.now

        var isNew: Bool { ContinuousClock.now - taken < .milliseconds(250) }
    }

    /// The number of parts from which snapshots are shared.
    private static let manyParts = 20_000
    private struct State: Sendable {
        var open: Snapshot
        var feed = SessionFeed()

        mutating func collect() { feed.collect(from: open.fold, of: open.day) }
    }

    private let state: Mutex<State>
    private let shared = Mutex<Shared?>(nil)
    private let limits: Limits

    init(_ day: Day, _ limits: Limits) {
        state = Mutex(State(open: Snapshot(day: day)))
        self.limits = limits
    }

    /// The parts in memory. Those of many are up to a quarter of a second old.
    package var now: Snapshot {
        shared.withLock { shared in
            if let shared, shared.isNew { return shared.snapshot }
            let snapshot = newest
            shared = snapshot.fold.entries.count < OpenSessions.manyParts ? nil : Shared(snapshot: snapshot)
            return snapshot
        }
    }

    private var newest: Snapshot { state.withLock { $0.open } }

    /// The number of parts in memory.
    var count: Int { state.withLock { $0.open.fold.entries.count } }

    /// Ends the use of a snapshot: at once, because its parts were removed or stored, or once it is old.
    private func endSharing(onlyOld: Bool = false) {
        shared.withLock { if !onlyOld || $0?.isNew == false { $0 = nil } }
    }

    /// Adds the events of a commit.
    func add(_ rows: [EventRows.Row], after seq: Int64, through last: Int64, _ timeouts: SessionTimeouts, _ file: DayFile) {
        endSharing(onlyOld: true)
        state.withLock { state in
            guard state.open.isComplete, !rows.isEmpty else { return }
            var (app, timeout): (Int64, Int64) = (0, 0)
            let isRecorded = state.feed.isRecording
            for place in rows.indices {
                let row = rows[place]
                if row.app != app { (app, timeout) = (row.app, timeouts[row.app]) }
                guard
                    let part = SessionPart(
                        user: row.user, installation: row.installation, session: row.session, time: row.time, context: row.context,
                        seq: seq + 1 + Int64(place), row.mark)
                else { continue }
                let entry = state.open.fold.add(part, app: row.app, timeout: timeout) { file.version(of: $0) }
                if isRecorded { state.feed.touch(entry) }
            }
            state.open.eventsSinceStored += rows.count
            state.open.through = last
        }
    }

    /// Stores the parts if there are many, or in any case.
    func store(in file: DayDB, ifMany: Bool) throws {
        let snapshot = newest
        let isDue = snapshot.fold.entries.count >= limits.parts || snapshot.eventsSinceStored >= limits.events
        guard snapshot.isComplete, isDue || !ifMany && snapshot.eventsSinceStored > 0 else { return }
        try file.connection.begin()
        do {
            try file.add(snapshot.fold.entries)
            try file.keep(sessionsThrough: snapshot.through)
            try file.connection.commit()
        } catch {
            file.connection.rollback()
            throw error
        }
        state.withLock { state in
            state.collect()
            state.open.fold.removeAll()
            state.open.eventsSinceStored = 0
        }
        endSharing()
    }

    /// Begins a day's file, or goes on with it after a start.
    func begin(_ file: DayFile, _ timeouts: SessionTimeouts) throws {
        var begun = Snapshot(day: file.day)
        let (last, through) = (try file.db.lastEvent(), try file.db.sessionsThrough())
        if through != nil || last <= Int64(limits.events) {
            (begun.isComplete, begun.through) = (true, through ?? 0)
            if begun.through < last {
                // On a connection of its own, whose page cache is freed with it.
                try DayDB.open(reading: file.db.connection.path).fold(begun.through + 1...last, into: &begun.fold, timeouts)
                begun.eventsSinceStored = Int(clamping: last - begun.through)
                begun.through = last
            }
        }
        state.withLock { [begun] state in
            state.collect()
            state.open = begun
        }
        endSharing()
    }

    /// Drops parts that a change has stored anew or removed: those of subjects, or of a whole app.
    func forget(_ subjects: Set<UInt64>, _ apps: Set<AppID>) {
        if subjects.isEmpty && apps.isEmpty { return }
        state.withLock { state in
            state.collect()
            for app in apps { state.feed.forget(app) }
            state.open.fold.remove { subjects.contains($0.part.subject) || apps.contains(AppID(rawValue: $0.app)) }
        }
        endSharing()
    }

    // MARK: News

    /// Starts to record an app's parts. Returns the number of the recording and the parts in memory before it.
    package func record(_ app: AppID) -> (recording: Int, before: Snapshot) {
        state.withLock { state in
            state.collect()
            return (state.feed.open(app), state.open)
        }
    }

    /// Returns and removes the news since the last call; nil if the recording ended or its parts were lost.
    package func news(of app: AppID, _ recording: Int) -> SessionFeed.News? {
        state.withLock { state in
            state.collect()
            return state.feed.take(app, of: recording)
        }
    }

    /// Ends the recording of an app. Its reader reads the files again.
    package func stopRecording(_ app: AppID) {
        state.withLock { $0.feed.forget(app) }
    }

    /// Records aliases that are durable.
    func committed(_ aliases: [Alias]) {
        if aliases.isEmpty { return }
        state.withLock { $0.feed.add(aliases) }
    }
}
