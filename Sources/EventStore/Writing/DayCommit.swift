// SPDX-License-Identifier: Apache-2.0

import Database
import Events
import Platform
import SQLite

/// What one transaction adds to a day's file: gathered submission by submission in flat rows, then written in a few statements.
final class DayCommit {
    var seen: SeenHistory
    private var presence = PresenceRows()
    /// What waits to be folded.
    private(set) var unfolded = Unfolded()
    private var quarantine: QuarantineLedger
    private let events = EventRows()
    private let details = DetailRows()
    private let rollups = RollupRows()
    private let purchases = PurchaseRows()
    private var newIDs: [UInt64] = []
    private var newTransactions: [UInt64] = []
    /// The last row written to the `seen` table; runs may cover it once it is committed.
    private var logged: Int64?

    /// Different screens an app may have in a day's roll-ups; the others are counted together as word 0.
    private static let screensLimit = 2_000

    init(seen: SeenHistory, quarantine: QuarantineLedger) {
        self.seen = seen
        self.quarantine = quarantine
    }

    // MARK: Gathering

    /// Takes a submission's events in and says what becomes of each, should the transaction be committed.
    func add(_ submission: EventSubmission, _ asked: Prefetched?, nameLimit: Int, to file: DayFile) throws -> EventOutcome {
        details.submissions.append(submission)
        defer { details.ends.append(details.rows.count) }
        let contexts = try submission.contexts.map { context in
            try file.contexts.number(app: submission.app.rawValue, context) { submission.text($0) }
        }
        var refused: [Verdict] = []
        for (place, record) in submission.records.enumerated() {
            let name = try file.words.number(.name, app: submission.app.rawValue, key: record.nameKey, limit: nameLimit) {
                submission.text(record.name)
            }
            guard let name else {
                refused.append(tooManyNames(record, in: submission))
                continue
            }
            if let reason = try alreadySeen(record, asked) {
                refused.append(duplicate(record, reason, in: submission))
                continue
            }
            try count(record, name: name, in: submission, to: file)
            keep(record, name: name, context: contexts[Int(record.context)], of: submission, at: place)
        }
        for event in submission.quarantined { quarantine.add(event, of: submission) }
        return submission.outcome(refused: refused)
    }

    private func alreadySeen(_ record: EventRecord, _ asked: Prefetched?) throws -> Reason? {
        guard try seen.ids.insert(record.idKey, asked) else { return .eventDuplicate }
        newIDs.append(record.idKey)
        guard let transaction = record.transactionKey else { return nil }
        guard try seen.transactions.insert(transaction) else {
            seen.ids.remove(newIDs.removeLast())
            return .transactionDuplicate
        }
        newTransactions.append(transaction)
        return nil
    }

    private func count(_ record: EventRecord, name: UInt32, in submission: EventSubmission, to file: DayFile) throws {
        let (app, time) = (submission.app.rawValue, record.time.milliseconds)
        presence.add(record, of: submission)
        rollups.tally.count(.events, app: app, word: Int64(name), time: time)
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
                session: record.sessionKey, flags: record.flags.rawValue))
        details.add(record, at: place)
    }

    private func tooManyNames(_ record: EventRecord, in submission: EventSubmission) -> Verdict {
        let verdict = Verdict(
            index: Int(record.index), id: submission.id(of: record), result: .quarantined, reason: .tooManyNames, field: "name",
            message: "This app has used up its number of different event names for today.")
        let event = QuarantinedEvent(
            verdict: verdict, raw: record.raw, time: record.time, user: record.userKey, installation: record.installationKey)
        quarantine.add(event, of: submission)
        return verdict
    }

    private func duplicate(_ record: EventRecord, _ reason: Reason, in submission: EventSubmission) -> Verdict {
        let byTransaction = reason == .transactionDuplicate
        return Verdict(
            index: Int(record.index), id: submission.id(of: record), result: .duplicate, reason: reason,
            field: byTransaction ? "params.transaction_id" : "id",
            message: byTransaction ? "A purchase with this transaction_id is stored already." : "An event with this id is stored already.")
    }

    // MARK: Writing

    /// Writes everything gathered; answers the last number given.
    func write(to file: DayFile, after seq: Int64) throws -> Int64 {
        let first = seq + 1
        events.firstSeq = first
        details.firstSeq = first
        purchases.firstSeq = first
        rollups.tally.addCoarserGrains()
        try file.batch.insert(events, EventRows.insert)
        try file.batch.insert(details, DetailRows.insert)
        try file.batch.insert(purchases, PurchaseRows.insert)
        try file.batch.insert(rollups, RollupRows.insert)
        try presence.write(to: file)
        let afterEvents = seq + Int64(events.rows.count)
        let last = try quarantine.write(to: file, after: afterEvents)
        try log(newIDs, .ids, in: file)
        try log(newTransactions, .transactions, in: file)
        return last
    }

    private func log(_ keys: [UInt64], _ kind: SeenKind, in file: DayFile) throws {
        if keys.isEmpty { return }
        try file.db.statement("INSERT INTO seen (kind, keys) VALUES (?, ?)").run(.integer(kind.rawValue), .words(keys))
        logged = file.db.connection.lastInsertedRow
    }

    /// What was written after a number, for those who watch: copies, because it is kept for a while, and our rows have the room of the largest commit.
    func written(after seq: Int64) -> TailCommit {
        TailCommit(
            firstSeq: seq + 1, submissions: details.submissions.map(\.recordsAlone), ends: details.ends.fitted, events: details.rows.fitted,
            quarantined: quarantine.rowsToKeep.fitted)
    }

    /// Makes room again for refused events that have left the file.
    func giveBack(_ gone: QuarantineLedger.Use, app: AppID) {
        quarantine.giveBack(gone, app: app)
    }

    // MARK: Ending

    /// Makes room for the next transaction after this one was committed.
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
        purchases.rows.removeAll(keepingCapacity: true)
        presence.clear()
        quarantine.clear()
        newIDs.removeAll(keepingCapacity: true)
        newTransactions.removeAll(keepingCapacity: true)
        logged = nil
    }

    /// Takes back what the memories learned from a transaction that did not happen.
    func undo(in file: DayFile) throws {
        for key in newIDs { seen.ids.remove(key) }
        for key in newTransactions { seen.transactions.remove(key) }
        presence.forget()
        clear()
        quarantine = try QuarantineLedger(file, limits: quarantine.limits)
    }

    /// Forgets who has left: facts that wait for the main file, and what is remembered as stored and now is not.
    func forget(_ departed: Set<UInt64>) {
        unfolded.people.removeAll { departed.contains($0.key) }
        presence.forget()
    }

    /// Folds the day's news of presence: into the main file first, which takes a fact twice without harm.
    func fold(_ file: DayFile, into main: MainDB) throws {
        try unfolded.fold(file, into: main)
    }

    /// Takes over what an earlier run of the program left unfolded.
    func resume(_ file: DayFile) throws {
        // A connection of its own takes its page cache with it.
        unfolded = try Unfolded(leftIn: try DayDB.open(reading: file.db.connection.path))
    }

    /// Turns to the file of a new day.
    func turn(to file: DayFile) throws {
        presence.forget()
        quarantine = try QuarantineLedger(file, limits: quarantine.limits)
    }
}

extension Array {
    /// A copy with room for its elements and no more.
    fileprivate var fitted: [Element] { map { $0 } }
}
