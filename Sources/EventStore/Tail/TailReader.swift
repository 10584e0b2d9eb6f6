// SPDX-License-Identifier: Apache-2.0

import Events
import Platform

/// A record as a listener is told of it.
package enum TailRecord: Sendable {
    case event(StoredEvent)
    case quarantined(StoredQuarantine)

    package var seq: Int64 {
        switch self {
        case .event(let event): event.seq
        case .quarantined(let event): event.seq
        }
    }
}

/// Reads what comes after a number: from the disk until that is caught up with, then from memory as it is committed.
package struct TailReader {
    package enum News: Sendable {
        /// Records in the order of their numbers, a limited number at a time.
        case records([TailRecord])
        /// So many of the app's records went by unseen, up to a number.
        case gap(missed: Int, after: Int64)
        /// Crashes that came since the last, after so many that were let go of unseen.
        case crashes([TailCrash], missed: Int)
        /// It was woken, and there is nothing to tell.
        case silence
    }

    private let store: EventStore
    private let listener: TailListener
    private let filter: TailFilter
    private let keys: TailKeys
    private var wakeUps: AsyncStream<Void>.Iterator
    private var place: TailRing.Place
    /// The commit being read, and the next row of it.
    private var current: (commit: TailCommit, row: Int)?
    private var pace = Pace()

    private static let page = 500

    /// Without a number it begins with what comes next.
    package init(_ store: EventStore, _ listener: TailListener, after seq: Int64?, _ filter: TailFilter) {
        self.store = store
        self.listener = listener
        self.filter = filter
        keys = TailKeys(filter, app: listener.app, store.hash)
        wakeUps = listener.wakeUps.makeAsyncIterator()
        place = TailRing.Place(seq: min(seq ?? listener.last, listener.last), seen: nil)
    }

    /// Waits for what comes next; nil when nothing will come any more.
    package mutating func next() async throws -> News? {
        var wasWoken = false
        while true {
            try Task.checkCancellation()
            if current != nil {
                let records = recordsOfCommit()
                if records.isEmpty { continue }
                try await pace.spend(records.count)
                return .records(records)
            }
            let (crashes, missed) = listener.takeCrashes()
            let shown = crashes.filter(filter.shows)
            if !shown.isEmpty || missed > 0 && filter.wantsCrashes {
                try await pace.spend(shown.count)
                return .crashes(shown, missed: missed)
            }
            switch listener.next(&place) {
            case .commit(let commit): current = (commit, 0)
            case .gap(let missed, let after): return .gap(missed: missed, after: after)
            case .stored(let through):
                let page = try await store.tailPage(app: listener.app, after: place.seq, through: through, filter, limit: TailReader.page)
                place.seq = page.through
                if !page.records.isEmpty { return .records(page.records) }
            case .nothing:
                if wasWoken { return .silence }
                guard await wakeUps.next() != nil else { return nil }
                wasWoken = true
            }
        }
    }

    /// Some records of the current commit; lets go of it when it has been read.
    private mutating func recordsOfCommit() -> [TailRecord] {
        guard let (commit, first) = current else { return [] }
        var records: [TailRecord] = []
        var row = first
        while row < commit.rowCount, records.count < TailReader.page {
            if row < commit.events.count, commit.submission(at: row).app != listener.app {
                row = commit.endOfSubmission(at: row)
                continue
            }
            if commit.firstSeq + Int64(row) > place.seq, let record = record(of: commit, at: row) { records.append(record) }
            row += 1
        }
        current = row < commit.rowCount ? (commit, row) : nil
        if current == nil { place.seq = commit.lastSeq }
        return records
    }

    private func record(of commit: TailCommit, at row: Int) -> TailRecord? {
        if row >= commit.events.count {
            guard filter.wantsQuarantine, commit.quarantined[row - commit.events.count].app == listener.app.rawValue else { return nil }
            return .quarantined(commit.refusedEvent(at: row))
        }
        guard filter.wantsEvents, keys.admit(commit.record(at: row)) else { return nil }
        let event = commit.event(at: row)
        return filter.shows(event) ? .event(event) : nil
    }
}

/// Holds a listener to a rate that leaves the machine to ingest: one that wants more falls behind, and is told so.
private struct Pace {
    private static let cost = Duration.microseconds(500)
    /// A rush that long is shown whole.
    private static let burst = Duration.seconds(10)
    private var spent = ContinuousClock.now - burst

    mutating func spend(_ records: Int) async throws {
        let now = ContinuousClock.now
        spent = max(spent, now - Pace.burst) + Pace.cost * records
        if spent > now { try await Task.sleep(until: spent, clock: .continuous) }
    }
}
