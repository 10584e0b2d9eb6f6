// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import Events
import Platform
import SQLite

/// The writer of the main file and of today's file.
///
/// It turns groups of jobs into transactions and checkpoints both files.
///
/// All counts are in the day's transaction. The main file is committed before it, and takes from ingest only facts that may be written
/// twice, so a kill between the two commits neither doubles nor loses a count:
///
///     day:   BEGIN  events 1…900, counters, ids                    COMMIT (2)
///     main:         BEGIN  a changed setting        COMMIT (1)
///
/// At the first group received on a new day, `turn(to:)` hands the old file to `SealedDays`.
final class EventWriter: DatabaseWriter {
    private let parts: Parts
    private let commit: DayCommit
    private let sealer: Sealer
    let files: WriterFiles
    private let main: MainDB
    private var day: DayFile
    /// The last number given.
    private var seq: Int64
    private var forgotten = Forgotten()

    init(_ parts: Parts, _ main: MainDB, _ day: DayFile, after seq: Int64) throws {
        self.parts = parts
        self.main = main
        self.day = day
        self.seq = seq
        files = WriterFiles(
            day.db.connection, joining: main.connection, checkpointPages: parts.options.checkpointPages, parts.failStop,
            failedCommits: parts.gauges.failedCommits, walBytes: parts.gauges.walBytes, operation: "could not commit events", parts.troubles,
            SpareSpace(parts.paths))
        sealer = Sealer(parts.troubles)
        let limits = QuarantineLedger.Limits(rows: parts.options.quarantineRows, bytes: parts.options.quarantineBytes)
        let idsSince = try DedupeHistory.firstDayOfIDs(knownOn: day.day, parts.options.dedupeDays, parts.paths)
        commit = DayCommit(
            seen: try DedupeHistory(parts.paths, today: day.day, idsSince: idsSince, parts.options),
            quarantine: try QuarantineLedger(day, limits: limits), withdrawing: Withdrawing(parts.withdrawals, parts.hash))
        try commit.resume(day)
        try parts.sessions.begin(day, SessionTimeouts(parts.directory.now))
        parts.sealed.post(commit.seen.ids)
        parts.gauges.update { $0.lastSeq = seq }
    }

    func rememberFiles(_ names: [String]) throws { try main.rememberFiles(names) }

    let nextWork = NextWork.none

    func work() -> Never? { nil }

    /// Commits a group: its changes in one transaction, its events in one per day of receipt.
    ///
    /// Changes and events are separate because a change may write to the main file. If events of the same transaction failed after the main
    /// file's commit, the change would be answered as failed and kept all the same.
    func process(_ jobs: [EventJob], in queue: WriteQueue<EventJob>) -> Never? {
        let changes = jobs.filter(\.isChange)
        if !changes.isEmpty { commit(changes, under: dayOfReceipt(parts.clock.now()), queue) }
        var rest = jobs.filter { !$0.isChange }[...]
        while let first = rest.first {
            let today = dayOfReceipt(of: first)
            let end = rest.firstIndex { dayOfReceipt(of: $0) > today } ?? rest.endIndex
            commit(Array(rest[..<end]), under: today, queue)
            rest = rest[end...]
        }
        return nil
    }

    private func commit(_ jobs: [EventJob], under today: Day, _ queue: WriteQueue<EventJob>) {
        defer { if jobs.contains(where: \.isRemoval) { files.giveSpareSpaceBack() } }
        do { try commitOnce(jobs, under: today, queue) } catch {
            let removals = Refusal.isFullDisk(error) ? jobs.filter(\.isRemoval) : []
            reject(removals.isEmpty ? jobs : jobs.filter { !$0.isRemoval }, error, queue)
            if removals.isEmpty { return }
            do { try files.retryOnFullDisk { try commitOnce(removals, under: today, queue) } } catch { reject(removals, error, queue) }
        }
    }

    private func commitOnce(_ jobs: [EventJob], under today: Day, _ queue: WriteQueue<EventJob>) throws {
        if today > day.day { try countingFailure { try turn(to: today) } }
        try commitTogether(jobs, queue)
    }

    private func reject(_ jobs: [EventJob], _ error: any Error, _ queue: WriteQueue<EventJob>) {
        parts.failStop.endIfUnsynced(error)
        let refusal = Refusal.storage(error)
        parts.gauges.update { $0.trouble = refusal }
        for job in jobs { queue.reject(job, refusal) }
    }

    private func countingFailure(_ body: () throws -> Void) throws {
        do { try body() } catch {
            parts.gauges.failedCommits.add()
            throw error
        }
    }

    /// Ends the writer's work and stores parts of sessions, or the next start reads their events again. Pages for which a file has no space stay in its log, where the next start finds them.
    func close() {
        try? parts.sessions.store(in: day.db, ifMany: false)
        files.close()
        // The next process that opens the folder must not see a run disappear.
        sealer.wait()
    }

    // MARK: A transaction

    private func commitTogether(_ jobs: [EventJob], _ queue: WriteQueue<EventJob>) throws {
        let start = ContinuousClock.now
        let written = files.totalChanges
        let (outcomes, last): ([EventJob.Outcome], Int64)
        do {
            (outcomes, last) = try files.commit { (try jobs.map(take), try commit.write(to: day, after: seq)) }
        } catch {
            undo()
            throw error
        }
        assert(last >= seq, "the sequence numbers of records must increase")
        if last > seq { parts.show(commit, after: seq, through: last) }
        parts.sessions.add(commit.events.rows, after: seq, through: last, SessionTimeouts(parts.directory.now), day)
        seq = last
        parts.recent.committed(commit.sightings, at: parts.clock.now())
        parts.presence.committed(commit.presentRows, in: day.day)
        parts.gauges.withdrawn.add(commit.withdrawing.count)
        commit.committed()
        if let keys = forgotten.keys { commit.forget(keys) }
        parts.sessions.forget(forgotten.subjects, forgotten.apps)
        for removal in forgotten.removals { parts.recent.remove(removal, at: parts.clock.now()) }
        forgotten = Forgotten()
        // Counted before the responses, so that a caller finds its own events in the metrics.
        parts.count(jobs, outcomes, in: ContinuousClock.now - start)
        for (job, outcome) in zip(jobs, outcomes) { queue.respond(to: job, outcome) }
        // Only a commit that wrote something shows that writing works again.
        if files.totalChanges > written { parts.gauges.update { $0.trouble = nil } }
    }

    private func take(_ job: EventJob) throws -> EventJob.Outcome {
        switch job {
        case .events(let submission, let prefetched, _):
            let directory = parts.directory.now
            let limit = directory.nameLimit(of: submission.app)
            return .events(try commit.add(submission.quarantining(directory.blocked), prefetched, nameLimit: limit, to: day))
        case .change(let change):
            return try make(change)
        }
    }

    /// Makes a change; if it fails, only its own writes are rolled back.
    private func make(_ change: Change<ChangeContext>) throws -> EventJob.Outcome {
        let context = ChangeContext(main, day, commit: commit, lastSeq: seq, now: parts.clock.now())
        if let error = try files.attempt({ try change.body(context) }) { return .failed(error) }
        for day in context.forgottenDays { commit.seen.forgetTransactions(of: day) }
        for (app, gone) in context.unquarantined { commit.giveBack(gone, app: app) }
        forgotten.add(context)
        if context.emptiesLogs { files.emptyLogs() }
        return .changed
    }

    private func undo() {
        forgotten = Forgotten()
        do {
            try commit.undo(in: day)
            try day.forget()
        } catch {
            parts.failStop.end("the store cannot be read after a failed commit: \(error); check the disk and restart")
        }
    }

    // MARK: Between transactions

    /// Folds presence, stores parts of sessions, checkpoints, and starts sealings.
    ///
    /// All responses have been sent, so a step that fails is tried again after the next commit.
    func maintain() {
        var trouble: Refusal?
        do {
            if commit.unfolded.rows >= parts.options.foldRows { try fold() }
            try parts.sessions.store(in: day.db, ifMany: true)
        } catch {
            parts.failStop.endIfUnsynced(error)
            trouble = Refusal.storage(error)
        }
        if let error = files.checkpoint() { trouble = Refusal.storage(error) }
        parts.gauges.update { [trouble] in $0.upkeepTrouble = trouble }
        remove(commit.seen.settle(parts.paths, with: sealer))
        commit.seen.seal(atLeast: parts.options.recentKeys, of: day.day, parts.paths, with: sealer)
        parts.gauges.holds(commit.seen, sessionParts: parts.sessions.count)
    }

    /// Folds presence. A failure leaves both files as they were.
    private func fold() throws {
        do { try commit.fold(day, into: main) } catch {
            for connection in [main.connection, day.db.connection] { connection.rollback() }
            throw error
        }
    }

    private func dayOfReceipt(of job: EventJob) -> Day {
        switch job {
        case .events(let submission, _, _): dayOfReceipt(submission.received)
        case .change: day.day
        }
    }

    /// Returns the day that work received at a time is stored under.
    ///
    /// A day never goes back, whatever the clock does: work received before the turn and committed after it goes to the new day. A clock
    /// that is not trusted begins no day.
    private func dayOfReceipt(_ time: Timestamp) -> Day {
        let (day, today) = (Day(of: time), self.day.day)
        return day > today && parts.clockWatch.isBelieved ? day : today
    }

    /// Turns to the file of a new day: folds presence, seals the old day's keys, opens the new file, closes the old one, and hands it to
    /// `SealedDays`.
    private func turn(to next: Day) throws {
        precondition(next > day.day, "a day never goes back")
        try fold()
        try parts.sessions.store(in: day.db, ifMany: false)
        try main.keep(lastSeq: seq)
        try sealKeys()
        let idsSince = try DedupeHistory.firstDayOfIDs(knownOn: next, parts.options.dedupeDays, parts.paths)
        let opened = try DayFile(next, at: parts.paths.file(of: next))
        try Folder.sync(parts.paths.events)
        // The last step that may fail. Until here nothing has changed, and the next group repeats all of it.
        try day.close()
        commit.seen.lastLogged = 0
        commit.seen.ids.forget(before: idsSince)
        parts.sealed.post(commit.seen.ids)
        day = opened
        files.turn(to: opened.db.connection)
        // The last reference to the old file's connection is gone.
        parts.sealedDays.take(daysBefore: next)
        try parts.sessions.begin(opened, SessionTimeouts(parts.directory.now))
        try commit.turn(to: opened)
    }

    /// Seals all keys of the day that ends.
    private func sealKeys() throws {
        sealer.wait()
        remove(commit.seen.settle(parts.paths, with: sealer))
        remove(try commit.seen.sealAll(of: day.day, parts.paths, with: sealer))
    }

    /// Removes the files of runs that others have replaced.
    private func remove(_ replaced: [KeyRun]) {
        // Lets go of them first.
        parts.sealed.post(commit.seen.ids)
        sealer.remove(replaced)
    }
}
