import Events
import Platform
import SQLite

/// The one writer of the main file and of today's: turns groups of work into transactions, and does both files' checkpoints.
///
/// It lives on one thread. Whatever counts is in the day's transaction; the main file is committed before it, and takes from
/// ingest only facts that may be told twice, so no kill between the two can double or lose a count.
final class Writer {
    private let paths: StorePaths
    private let options: StoreOptions
    private let directory: DirectoryCache
    private let gauges: StoreGauges
    private let clock: WallClock
    private let clockWatch: ClockWatch
    private let queue: WorkQueue
    private let closed: ClosedDays
    private let tail: Tail
    private let sealer = Sealer()
    private let main: MainFile
    private var day: DayFile
    private let commit: DayCommit
    private var seq: Int64
    private let lastResort: LastResort
    /// Whose presence the memories shall no longer know once the transaction is committed; nil for nothing to forget.
    private var departed: Set<UInt64>?
    private var logsAreToBeEmptied = false

    init(_ parts: Parts, queue: WorkQueue, closed: ClosedDays, lastResort: LastResort) throws {
        paths = parts.paths
        options = parts.options
        directory = parts.directory
        gauges = parts.gauges
        clock = parts.clock
        clockWatch = parts.clockWatch
        main = parts.main
        day = parts.day
        seq = parts.seq
        tail = parts.tail
        self.queue = queue
        self.closed = closed
        self.lastResort = lastResort
        let limits = QuarantineLedger.Limits(rows: options.quarantineRows, bytes: options.quarantineBytes)
        commit = DayCommit(
            seen: try SeenHistory(paths, today: day, idsSince: paths.firstDay(ofIDsKnownOn: day.day, options.dedupeDays)),
            quarantine: try QuarantineLedger(day, limits: limits))
        try commit.resume(day)
        let last = seq
        gauges.update { $0.lastSeq = last }
    }

    /// Everything a writer starts from, opened and checked before its thread runs.
    struct Parts {
        var paths: StorePaths
        var options: StoreOptions
        var directory: DirectoryCache
        var gauges: StoreGauges
        var clock: WallClock
        var clockWatch: ClockWatch
        var main: MainFile
        var day: DayFile
        var seq: Int64
        var tail: Tail
    }

    /// Commits a group: its changes in one transaction, its events in one for each day of receipt.
    ///
    /// They are kept apart because a change may write to the main file: were events of the same transaction to fail after that was
    /// committed, the change would be answered as failed and kept all the same.
    func process(_ group: [Work]) {
        let changes = group.filter(\.isChange)
        if !changes.isEmpty { commit(changes, under: dayOfReceipt(clock.now())) }
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
            if today > day.day { try turn(to: today) }
            commitTogether(works)
        } catch {
            refuse(works, error)
        }
    }

    /// Ends the writer's work: nothing in the logs that is not in the files. What there is no room for stays in the logs, where the
    /// next start finds it.
    func close() {
        for connection in [main.connection, day.connection] {
            do { try connection.checkpoint(.truncate) } catch { lastResort.endIfUnsynced(error) }
        }
    }

    // MARK: A transaction

    private func commitTogether(_ works: [Work]) {
        let start = ContinuousClock.now
        let written = main.connection.totalChanges + day.connection.totalChanges
        let taken: [Taken]
        do {
            try day.connection.begin()
            taken = try works.map(take)
            let last = try commit.write(to: day, after: seq)
            if main.connection.inTransaction { try main.connection.commit() }
            try day.connection.commit()
            if last > seq { tail.committed(through: last) { commit.written(after: seq) } }
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
        record(taken, in: ContinuousClock.now - start)
        for (work, taken) in zip(works, taken) { answer(work, taken) }
        // Only a commit that wrote something shows that writing works again.
        if main.connection.totalChanges + day.connection.totalChanges > written { gauges.update { $0.trouble = nil } }
        maintain()
    }

    /// What came of a piece of work inside the transaction that is still open.
    private enum Taken {
        case events(EventOutcome)
        case changed
        case refused(any Error)
    }

    private func take(_ work: Work) throws -> Taken {
        switch work {
        case .events(let submission, _):
            let directory = directory.now
            let limit = directory.nameLimit(of: submission.app)
            return .events(try commit.add(submission.refusing(directory.blocked), nameLimit: limit, to: day))
        case .change(let change):
            return try make(change)
        }
    }

    /// Makes a change in a savepoint, so that one that fails takes nothing else with it.
    private func make(_ change: Change) throws -> Taken {
        if !main.connection.inTransaction { try main.connection.begin() }
        try main.connection.execute("SAVEPOINT change")
        try day.connection.execute("SAVEPOINT change")
        let context = ChangeContext(main: main, today: day, commit: commit, lastSeq: seq, now: clock.now())
        do {
            try change.body(context)
        } catch {
            try main.connection.execute("ROLLBACK TO change; RELEASE change")
            try day.connection.execute("ROLLBACK TO change; RELEASE change")
            lastResort.endIfUnsynced(error)
            return .refused(error)
        }
        try main.connection.execute("RELEASE change")
        try day.connection.execute("RELEASE change")
        for day in context.forgottenDays { commit.seen.transactions.forget(day) }
        for (app, gone) in context.unquarantined { commit.giveBack(gone, app: app) }
        if let gone = context.departed { departed = (departed ?? []).union(gone) }
        if context.emptiesLogs { logsAreToBeEmptied = true }
        return .changed
    }

    private func undo() {
        departed = nil
        main.connection.rollback()
        day.connection.rollback()
        do {
            try commit.undo(in: day)
            try day.forget()
        } catch {
            lastResort.end("the store cannot be read after a failed commit: \(error); check the disk and restart")
        }
    }

    private func answer(_ work: Work, _ taken: Taken) {
        queue.answered(work.weight)
        switch (work, taken) {
        case (.events(let submission, let reply), .events(let outcome)): reply(submission, .success(outcome))
        case (.change(let change), .refused(let error)): change.done(error)
        case (.change(let change), _): change.done(nil)
        case (.events, _): work.refuse(Refusal(.internalError, "The events were not taken."))
        }
    }

    private func refuse(_ works: [Work], _ error: any Error) {
        lastResort.endIfUnsynced(error)
        let refusal = Refusal.storage(error)
        gauges.failedCommits.add()
        gauges.update { $0.trouble = refusal }
        for work in works {
            queue.answered(work.weight)
            work.refuse(refusal)
        }
    }

    private func record(_ taken: [Taken], in time: Duration) {
        var accepted = 0
        for case .events(let outcome) in taken {
            accepted += outcome.accepted
            gauges.accepted.add(outcome.accepted)
            gauges.duplicates.add(outcome.duplicates)
            gauges.quarantined.add(outcome.quarantined)
        }
        gauges.commits.add()
        gauges.commitTime.observe(time)
        let (last, second) = (seq, clock.now().milliseconds.flooredQuotient(by: 1_000))
        gauges.update { state in
            state.lastSeq = last
            state.rate.add(accepted, at: second)
        }
    }

    // MARK: Between transactions

    /// Checkpoints and seals what has grown enough. No failure here can fail an answer that was already given: what was not done is
    /// tried again after the next commit.
    private func maintain() {
        var trouble: Refusal?
        func attempt(_ step: () throws -> Void) {
            do { try step() } catch {
                lastResort.endIfUnsynced(error)
                trouble = Refusal.storage(error)
            }
        }
        if commit.unfolded.rows >= options.foldRows { attempt(fold) }
        for connection in [main.connection, day.connection] where connection.walPages >= options.checkpointPages {
            attempt { try connection.checkpoint(.passive) }
        }
        if logsAreToBeEmptied { attempt(emptyLogs) }
        let found = trouble
        gauges.update { $0.upkeepTrouble = found }
        commit.seen.settle(sealer.collect())
        commit.seen.seal(atLeast: options.recentKeys, of: day.day, paths, with: sealer)
        gauges.walBytes.set(Double((main.connection.walPages + day.connection.walPages) * 8_192))
    }

    /// What was erased may still stand in the logs. While a reader needs them they are tried again after each commit.
    private func emptyLogs() throws {
        logsAreToBeEmptied = false
        for connection in [main.connection, day.connection] where try connection.checkpoint(.truncate).log != 0 { logsAreToBeEmptied = true }
    }

    /// A fold that fails leaves everything as it was.
    private func fold() throws {
        do {
            try commit.fold(day, into: main)
        } catch {
            main.connection.rollback()
            day.connection.rollback()
            throw error
        }
    }

    private func dayOfReceipt(of work: Work) -> Day {
        switch work {
        case .events(let submission, _): dayOfReceipt(submission.received)
        case .change: day.day
        }
    }

    /// A day never goes back, whatever the clock does: work from before the turn is filed under the new day. So it does not follow a leap at once.
    private func dayOfReceipt(_ time: Timestamp) -> Day {
        Day(of: time) > day.day && clockWatch.isBelieved ? Day(of: time) : day.day
    }

    private func turn(to next: Day) throws {
        try fold()
        try main.keep(lastSeq: seq)
        let idsSince = try paths.firstDay(ofIDsKnownOn: next, options.dedupeDays)
        let opened = try DayFile(next, at: paths.file(of: next))
        try Folder.sync(paths.events)
        // The last step that may fail: up to here nothing has turned, and the next group tries all of it again.
        try day.close()
        commit.seen.close(day.day, paths, with: sealer)
        commit.seen.ids.forget(before: idsSince)
        day = opened
        // The old file's connection is gone with its last holder.
        closed.take(daysBefore: next)
        try commit.turn(to: opened)
    }
}

extension Refusal {
    /// Why the store could not keep something: what the client is told leaves out paths and causes.
    static func storage(_ error: any Error) -> Refusal {
        let full = (error as? SQLiteError)?.code.primary == .full || (error as? FileError)?.isFull == true
        return full
            ? Refusal(.storageFull, "The disk is full; nothing of this request was kept.", hint: "Send it again later.", retryAfterSeconds: 10)
            : Refusal(.storageFailed, "Storage failed; nothing of this request was kept.", hint: "Send it again later.", retryAfterSeconds: 5)
    }
}
