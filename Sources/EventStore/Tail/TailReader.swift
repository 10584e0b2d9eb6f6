// SPDX-License-Identifier: Apache-2.0

import Events
import Platform

/// A record as a tail shows it.
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

/// Reads the records after a number: from the files until it has caught up, then from memory as they are committed.
///
/// Example: a tail resumes after 100. The ring has the commits with 901…950 and 951…1,000.
///
///     next → .records    101… from the files, 500 at a time, up to 900
///     next → .records    901…950 from the ring, then 951…1,000
///     next               waits for a wake-up
///     next → .gap        if the ring has dropped commits that this reader had not reached
package struct TailReader {
    package enum Update: Sendable {
        /// Records in the order of their numbers, a limited number at a time.
        case records([TailRecord])
        /// The reader was too slow and has skipped records of the app, up to a number.
        case gap(missed: Int, after: Int64)
        /// Crashes since the last call; `missed` ones were dropped before them.
        case crashes([TailCrash], missed: Int)
        /// A wake-up without new records.
        case silence
    }

    private let store: EventStore
    private let listener: TailListener
    private let filter: TailFilter
    private let keys: TailKeys
    private var wakeUps: AsyncStream<Void>.Iterator
    private var place: TailRing.Place
    /// The commit that is being read, and its next row.
    private var current: (commit: TailCommit, row: Int)?
    private var pace = Pace()

    private static let page = 500

    /// Begins after a number, or with the next record if it is nil.
    package init(_ store: EventStore, _ listener: TailListener, after seq: Int64?, _ filter: TailFilter) {
        self.store = store
        self.listener = listener
        self.filter = filter
        keys = TailKeys(filter, app: listener.app, store.hash)
        wakeUps = listener.wakeUps.makeAsyncIterator()
        place = TailRing.Place(seq: min(seq ?? listener.last, listener.last), seen: nil)
    }

    /// Waits for the next records.
    ///
    /// Returns nil at the end of the tail.
    package mutating func next() async throws -> Update? {
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

    /// Returns the next records of the current commit and releases it when all are read.
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
            return .quarantined(commit.quarantinedEvent(at: row))
        }
        guard filter.wantsEvents, keys.admit(commit.record(at: row)) else { return nil }
        let event = commit.event(at: row)
        return filter.shows(event) ? .event(event) : nil
    }
}

/// Limits a tail to 2,000 records per second, so that ingest keeps the processor.
///
/// A tail with more falls behind and gets a gap.
private struct Pace {
    private static let cost = Duration.microseconds(500)
    /// The credit for a burst: records of ten seconds are passed on at once.
    private static let burst = Duration.seconds(10)
    private var spent = ContinuousClock.now - burst

    mutating func spend(_ records: Int) async throws {
        let now = ContinuousClock.now
        spent = max(spent, now - Pace.burst) + Pace.cost * records
        if spent > now { try await Task.sleep(until: spent, clock: .continuous) }
    }
}
