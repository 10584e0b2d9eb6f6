// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import SQLite

/// The one writer of the main file and of today's: turns groups of work into transactions, and does both files' checkpoints.
///
/// It lives on one thread. Whatever counts is in the day's transaction; the main file is committed before it, and takes from
/// ingest only facts that may be told twice, so no kill between the two can double or lose a count.
final class Writer {
    /// What it shares with the rest of the store.
    struct Parts {
        var paths: StorePaths
        var options: StoreOptions
        var directory: DirectoryCache
        var gauges: StoreGauges
        var clock: WallClock
        var clockWatch: ClockWatch
        var queue: WorkQueue
        var closed: ClosedDays
        var tail: Tail
        var lastResort: LastResort
        var sealed: SealedBoard
        var troubles: TroubleLog
    }

    private let parts: Parts
    private let commit: DayCommit
    private let sealer: Sealer
    private var files: FilePair
    /// The last number given.
    private var seq: Int64
    /// Whose presence the memories shall no longer know once the transaction is committed; nil for nothing to forget.
    private var departed: Set<UInt64>?
    private var logsAreToBeEmptied = false

    init(_ parts: Parts, _ files: FilePair, after seq: Int64) throws {
        self.parts = parts
        self.files = files
        self.seq = seq
        sealer = Sealer(parts.troubles)
        let day = files.day
        let limits = QuarantineLedger.Limits(rows: parts.options.quarantineRows, bytes: parts.options.quarantineBytes)
        let idsSince = try SeenHistory.firstDayOfIDs(knownOn: day.day, parts.options.dedupeDays, parts.paths)
        commit = DayCommit(
            seen: try SeenHistory(parts.paths, today: day.day, idsSince: idsSince, parts.options),
            quarantine: try QuarantineLedger(day, limits: limits))
        try commit.resume(day)
        parts.sealed.post(commit.seen.ids)
        parts.gauges.update { $0.lastSeq = seq }
    }

    /// Commits a group: its changes in one transaction, its events in one for each day of receipt.
    ///
    /// They are kept apart because a change may write to the main file: were events of the same transaction to fail after that was
    /// committed, the change would be answered as failed and kept all the same.
    func process(_ group: [Work]) {
        let changes = group.filter(\.isChange)
        if !changes.isEmpty { commit(changes, under: dayOfReceipt(parts.clock.now())) }
        var rest = group.filter { !$0.isChange }[...]
        while let first = rest.first {
            let today = dayOfReceipt(of: first)
            let end = rest.firstIndex { dayOfReceipt(of: $0) > today } ?? rest.endIndex
            commit(Array(rest[..<end]), under: today)
            rest = rest[end...]
        }
    }

    private func commit(_ works: [Work], under today: Day) {
        do {
            if today > files.day.day { try turn(to: today) }
            commitTogether(works)
        } catch {
            refuse(works, error)
        }
    }

    /// Ends the writer's work: nothing in the logs that is not in the files. What there is no room for stays in the logs, where the
    /// next start finds it.
    func close() {
        for connection in files.connections {
            do { try connection.checkpoint(.truncate) } catch { parts.lastResort.endIfUnsynced(error) }
        }
        // Whoever opens the folder next must not see a run go.
        sealer.wait()
    }

    // MARK: A transaction

    private func commitTogether(_ works: [Work]) {
        let start = ContinuousClock.now
        let written = files.totalChanges
        let outcomes: [Work.Outcome]
        do {
            try files.day.db.connection.begin()
            outcomes = try works.map(take)
            let last = try commit.write(to: files.day, after: seq)
            try files.commit()
            if last > seq { parts.tail.committed(through: last) { commit.written(after: seq) } }
            seq = last
        } catch {
            undo()
            refuse(works, error)
            return
        }
        commit.committed()
        if let departed { commit.forget(departed) }
        departed = nil
        // Whoever is answered finds it counted.
        parts.gauges.committed(outcomes, through: seq, in: ContinuousClock.now - start, at: parts.clock.now())
        for (work, outcome) in zip(works, outcomes) { parts.queue.answer(work, outcome) }
        // Only a commit that wrote something shows that writing works again.
        if files.totalChanges > written { parts.gauges.update { $0.trouble = nil } }
        maintain()
    }

    private func take(_ work: Work) throws -> Work.Outcome {
        switch work {
        case .events(let submission, let asked, _):
            let directory = parts.directory.now
            let limit = directory.nameLimit(of: submission.app)
            return .events(try commit.add(submission.refusing(directory.blocked), asked, nameLimit: limit, to: files.day))
        case .change(let change):
            return try make(change)
        }
    }

    /// Makes a change so that one that fails takes nothing else with it.
    private func make(_ change: Change<ChangeContext>) throws -> Work.Outcome {
        let context = ChangeContext(files, commit: commit, lastSeq: seq, now: parts.clock.now())
        if let error = try files.attempt({ try change.body(context) }) {
            parts.lastResort.endIfUnsynced(error)
            return .refused(error)
        }
        for day in context.forgottenDays { commit.seen.transactions.forget(day) }
        for (app, gone) in context.unquarantined { commit.giveBack(gone, app: app) }
        if let gone = context.departed { departed = (departed ?? []).union(gone) }
        if context.emptiesLogs { logsAreToBeEmptied = true }
        return .changed
    }

    private func undo() {
        departed = nil
        files.rollback()
        do {
            try commit.undo(in: files.day)
            try files.day.forget()
        } catch {
            parts.lastResort.end("the store cannot be read after a failed commit: \(error); check the disk and restart")
        }
    }

    private func refuse(_ works: [Work], _ error: any Error) {
        parts.lastResort.endIfUnsynced(error)
        let refusal = Refusal.storage(error)
        parts.gauges.failed(refusal)
        for work in works { parts.queue.refuse(work, refusal) }
    }

    // MARK: Between transactions

    /// Checkpoints and seals what has grown enough. No failure here can fail an answer that was already given: what was not done is
    /// tried again after the next commit.
    private func maintain() {
        var trouble: Refusal?
        func attempt(_ step: () throws -> Void) {
            do { try step() } catch {
                parts.lastResort.endIfUnsynced(error)
                trouble = Refusal.storage(error)
            }
        }
        if commit.unfolded.rows >= parts.options.foldRows { attempt(fold) }
        for connection in files.connections where connection.walPages >= parts.options.checkpointPages {
            attempt { try connection.checkpoint(.passive) }
        }
        // What was erased may still stand in the logs. While a reader needs them they are tried again after each commit.
        if logsAreToBeEmptied { attempt { logsAreToBeEmptied = try !files.emptyLogs() } }
        let found = trouble
        parts.gauges.update { $0.upkeepTrouble = found }
        let replaced = commit.seen.settle(parts.paths, with: sealer)
        parts.sealed.post(commit.seen.ids)
        sealer.remove(replaced)
        commit.seen.seal(atLeast: parts.options.recentKeys, of: files.day.day, parts.paths, with: sealer)
        parts.gauges.walBytes.set(Double(files.walPages * databasePageBytes))
        parts.gauges.filterBytes.set(Double(commit.seen.ids.filterBytes + commit.seen.transactions.filterBytes))
    }

    /// A fold that fails leaves everything as it was.
    private func fold() throws {
        do {
            try commit.fold(files.day, into: files.main)
        } catch {
            files.rollback()
            throw error
        }
    }

    // MARK: Days

    private func dayOfReceipt(of work: Work) -> Day {
        switch work {
        case .events(let submission, _, _): dayOfReceipt(submission.received)
        case .change: files.day.day
        }
    }

    /// A day never goes back, whatever the clock does: work from before the turn is filed under the new day. So it does not follow a leap at once.
    private func dayOfReceipt(_ time: Timestamp) -> Day {
        let (day, today) = (Day(of: time), files.day.day)
        return day > today && parts.clockWatch.isBelieved ? day : today
    }

    private func turn(to next: Day) throws {
        try fold()
        try files.main.keep(lastSeq: seq)
        let idsSince = try SeenHistory.firstDayOfIDs(knownOn: next, parts.options.dedupeDays, parts.paths)
        let opened = try DayFile(next, at: parts.paths.file(of: next))
        try Folder.sync(parts.paths.events)
        // The last step that may fail: up to here nothing has turned, and the next group tries all of it again.
        try files.day.close()
        let replaced = commit.seen.close(files.day.day, parts.paths, with: sealer)
        commit.seen.ids.forget(before: idsSince)
        parts.sealed.post(commit.seen.ids)
        sealer.remove(replaced)
        files.day = opened
        // The old file's connection is gone with its last holder.
        parts.closed.take(daysBefore: next)
        try commit.turn(to: opened)
    }
}
