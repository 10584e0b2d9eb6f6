// SPDX-License-Identifier: Apache-2.0

import Database
import Events
import Platform
import SQLite

/// The rows that one transaction adds to a day's file.
///
/// They are gathered from all submissions of a group, then written in a few statements.
///
/// Example: the last number is 100, and a submission has the events a, b, a and one without a name.
///
///     add         a and b are gathered, the second a is a duplicate, the last is quarantined
///     write       events 101 and 102 with details and roll-ups; quarantine 103; one row of `seen` with the keys of a and b
///     committed   `seen` may be sealed up to that row; the buffers are emptied
///
/// If the transaction fails, `undo` removes a and b from the dedupe index, so that a retry is not a duplicate.
///
/// Invariants: a count is written in the transaction of its rows. The caches (dedupe index, presence, quarantine use) are ahead of the file
/// only between `add` and `committed` or `undo`.
final class DayCommit {
    var seen: DedupeHistory
    private var presence = PresenceRows()
    /// Committed presence that is not folded yet.
    private(set) var unfolded = Unfolded()
    private var quarantine: QuarantineLedger
    let events = EventRows()
    private let details = DetailRows()
    let rollups = RollupRows()
    private let purchases = PurchaseRows()
    /// The names of the events, each once for a minute or more often.
    private(set) var names: [StoredName] = []
    var newIDs: [UInt64] = []
    var newTransactions: [UInt64] = []
    var withdrawing: Withdrawing
    /// The last row written to the `seen` table. Runs may cover it after the commit.
    private var logged: Int64?

    /// The limit of different screens per app and day in the roll-ups. The others are counted together as word 0.
    private static let screensLimit = 2_000

    init(seen: DedupeHistory, quarantine: QuarantineLedger, withdrawing: Withdrawing) {
        self.seen = seen
        self.withdrawing = withdrawing
        self.quarantine = quarantine
    }

    // MARK: Gathering

    /// Gathers the events of a submission. Returns the verdicts that hold if the transaction is committed.
    func add(_ submission: EventSubmission, _ prefetched: Prefetched?, nameLimit: Int, to file: DayFile) throws -> EventOutcome {
        details.submissions.append(submission)
        defer { details.ends.append(details.rows.count) }
        let contexts = try submission.contexts.map { context in
            try file.contexts.number(app: submission.app.rawValue, context) { submission.text($0) }
        }
        var rejected: [Verdict] = []
        for (place, record) in submission.records.enumerated() {
            let name = try file.words.number(.name, app: submission.app.rawValue, key: record.nameKey, limit: nameLimit) {
                submission.text(record.name)
            }
            guard let name else {
                rejected.append(tooManyNames(record, in: submission))
                continue
            }
            if let reason = try alreadySeen(record, of: submission.app, prefetched, on: file.day) {
                rejected.append(submission.duplicate(record, reason))
                continue
            }
            try count(record, name: name, in: submission, to: file)
            keep(record, name: name, context: contexts[Int(record.context)], of: submission, at: place)
        }
        for event in submission.quarantined { quarantine.add(event, of: submission) }
        return submission.outcome(except: rejected)
    }

    private func count(_ record: EventRecord, name: UInt32, in submission: EventSubmission, to file: DayFile) throws {
        let (app, time) = (submission.app.rawValue, record.time.milliseconds)
        presence.add(record, of: submission)
        if rollups.tally.count(.events, app: app, word: Int64(name), time: time) {
            names.append(StoredName(app: submission.app, key: record.nameKey))
        }
        if record.flags.contains(.late) { rollups.tally.count(.late, app: app, word: 0, time: time) }
        switch record.kind {
        case .screenView where record.subjectKey != 0:
            let screen = try file.words.number(.screen, app: app, key: record.subjectKey, limit: DayCommit.screensLimit) {
                submission.text(record.subject)
            }
            rollups.tally.count(.screens, app: app, word: Int64(screen ?? 0), time: time)
        case .purchase, .inAppPurchase, .refund:
            countMoney(record, app: app, time: time)
        default: break
        }
    }

    private func countMoney(_ record: EventRecord, app: Int64, time: Int64) {
        purchases.rows.append(
            .init(
                event: events.rows.count, app: app, kind: record.kind, transaction: record.subjectKey, amount: record.amount,
                currency: record.currency))
        guard record.currency != 0 else { return }
        let metric: RollupMetric = record.kind == .refund ? .refunds : .purchases
        rollups.tally.count(metric, app: app, word: Int64(record.currency), time: time, amount: record.amount)
    }

    private func keep(_ record: EventRecord, name: UInt32, context: UInt32, of submission: EventSubmission, at place: Int) {
        events.rows.append(
            .init(
                app: submission.app.rawValue, name: name, context: context, time: record.time.milliseconds,
                received: submission.received.milliseconds, user: record.userKey, installation: record.installationKey,
                session: record.sessionKey, flags: record.flags.rawValue, mark: SessionMark(of: record, in: submission)))
        details.add(record, at: place)
    }

    private func tooManyNames(_ record: EventRecord, in submission: EventSubmission) -> Verdict {
        let verdict = Verdict(
            index: Int(record.index), id: submission.id(of: record), result: .quarantined, reason: .tooManyNames, field: "name",
            message: "The app has reached its daily limit of distinct event names.")
        let event = QuarantinedEvent(
            verdict: verdict, raw: record.raw, time: record.time, user: record.userKey, installation: record.installationKey)
        quarantine.add(event, of: submission)
        return verdict
    }

    // MARK: Writing

    /// Writes the gathered rows. Returns the last number given.
    func write(to file: DayFile, after seq: Int64) throws -> Int64 {
        assert(file.db.connection.inTransaction, "rows and their counts must be written in one transaction")
        let first = seq + 1
        events.firstSeq = first
        details.firstSeq = first
        purchases.firstSeq = first
        try file.batch.insert(events, EventRows.insert)
        try file.batch.insert(details, DetailRows.insert)
        try file.batch.insert(purchases, PurchaseRows.insert)
        try withdraw(in: file)
        rollups.tally.addCoarserGrains()
        try file.batch.insert(rollups, RollupRows.insert)
        try presence.write(to: file)
        let afterEvents = seq + Int64(events.rows.count)
        let last = try quarantine.write(to: file, after: afterEvents)
        try log(newIDs, .ids, in: file)
        try log(newTransactions, .transactions, in: file)
        return last
    }

    private func log(_ keys: [UInt64], _ kind: DedupeKind, in file: DayFile) throws {
        if keys.isEmpty { return }
        try file.db.statement("INSERT INTO seen (kind, keys) VALUES (?, ?)").run(.integer(kind.rawValue), .words(keys))
        logged = file.db.connection.lastInsertedRow
    }

    /// Returns the committed rows for open tails.
    ///
    /// They are copies, because a tail keeps them for a while and the buffers have the capacity of the largest commit.
    func written(after seq: Int64) -> TailCommit {
        TailCommit(
            firstSeq: seq + 1, submissions: details.submissions.map(\.recordsAlone), ends: details.ends.fitted, events: details.rows.fitted,
            quarantined: quarantine.rowsToKeep.fitted, withdrawn: withdrawing.ofToday)
    }

    /// The presence rows of the transaction, and its persons by minute.
    var presentRows: [ActiveRows.Row] { presence.rows }
    var sightings: [RecentPeople.Sighting] { presence.sightings }

    /// Returns the space of events that have left the quarantine to their app's limit.
    func giveBack(_ gone: QuarantineLedger.Use, app: AppID) {
        quarantine.giveBack(gone, app: app)
    }

    /// Empties the buffers after a commit and hands over the presence to fold.
    func committed() {
        if let logged { seen.lastLogged = logged }
        unfolded.rows += presence.rowCount
        unfolded.people += presence.takePeople()
        clear()
    }

    private func clear() {
        events.rows.removeAll(keepingCapacity: true)
        details.removeAll()
        rollups.tally.removeAll()
        names.removeAll(keepingCapacity: true)
        purchases.rows.removeAll(keepingCapacity: true)
        presence.clear()
        quarantine.clear()
        newIDs.removeAll(keepingCapacity: true)
        newTransactions.removeAll(keepingCapacity: true)
        withdrawing.clear()
        logged = nil
    }

    /// Removes the keys of a failed transaction from the caches.
    func undo(in file: DayFile) throws {
        for key in newIDs { seen.ids.remove(key) }
        for key in newTransactions { seen.transactions.remove(key) }
        presence.forget()
        clear()
        quarantine = try QuarantineLedger(file, limits: quarantine.limits)
    }

    /// Drops erased persons: their facts for the main file, and the cache of stored presence, which is no longer true.
    func forget(_ removedKeys: Set<UInt64>) {
        unfolded.people.removeAll { removedKeys.contains($0.key) }
        presence.forget()
    }

    /// Folds the committed presence into the indexed tables, the main file's first.
    func fold(_ file: DayFile, into main: MainDB) throws {
        try unfolded.fold(file, into: main)
    }

    /// Reads the presence that an earlier process left unfolded.
    func resume(_ file: DayFile) throws {
        // On a connection of its own, whose page cache is freed with it.
        unfolded = try Unfolded(leftIn: try DayDB.open(reading: file.db.connection.path))
    }

    /// Prepares for the file of a new day. The dedupe index stays.
    func turn(to file: DayFile) throws {
        presence.forget()
        quarantine = try QuarantineLedger(file, limits: quarantine.limits)
    }
}

extension Array {
    /// A copy without spare capacity.
    fileprivate var fitted: [Element] { map { $0 } }
}
