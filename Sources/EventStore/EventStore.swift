// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
package import Database
package import Events
package import Platform

/// The event store: the main file, a file per day of receipt, and the live tail.
///
/// A write engine owns the main file and today's file. `SealedDays` owns the files of earlier days. Readers use `readers`, read-only.
package final class EventStore: Sendable {
    package let paths: StorePaths
    package let directory = DirectoryCache()
    /// When each key was used last.
    package let keyUses: KeyUses
    /// The events and bytes that each app has sent today.
    package let appUses: AppUses
    package let gauges: EventGauges
    /// The keyed hash that maps texts to keys in this folder.
    package let hash: KeyedHash
    package let tail: Tail
    package let recent: RecentPeople
    package let readers: ReaderPool
    package let sessions: OpenSessions
    /// The names of events that triggers want.
    let wantedNames: WantedNames
    /// The places where withdrawn purchases are listed.
    package let withdrawals: Withdrawals
    package let sealedDays: SealedDays
    package let clock: WallClock
    package let clockWatch: ClockWatch
    /// Rises with every erasure, so figures computed before one are not cached after it.
    package let erasures = ErasureCount()
    /// The presence that commits add, for readers that keep it in memory.
    package let presence = PresenceFeed()
    /// The key that signs access tokens.
    let tokenSecret: [UInt8]
    private let engine: WriteEngine<EventWriter>
    private let precedence: Precedence
    private let prefetcher = Prefetcher()

    package init(_ shared: StoreParts, _ options: EventStoreOptions = EventStoreOptions(), _ metrics: Metrics = Metrics()) throws {
        paths = shared.paths
        clock = shared.clock
        clockWatch = shared.clockWatch
        readers = shared.readers
        precedence = shared.precedence
        gauges = EventGauges(metrics)
        try Folder.make(paths.events)
        for run in try paths.strayRuns() { try Folder.remove(run) }
        let main = try MainDB.open(in: paths)
        hash = KeyedHash(seed: try main.hashSeed())
        tokenSecret = try main.tokenSecret()
        directory.replace(with: try Directory(main))
        keyUses = KeyUses(try main.keyUses())
        appUses = AppUses(try main.appUses())
        let (day, seq) = try EventStore.openDay(paths, main, now: clock.now(), isBelieved: clockWatch.isBelieved)
        withdrawals = try Withdrawals(paths)
        tail = Tail(options.tail, after: seq)
        wantedNames = WantedNames(after: seq)
        recent = RecentPeople(knowsAll: seq == 0, now: clock.now())
        sealedDays = SealedDays(paths, before: day.day, failStop: shared.failStop)
        sessions = OpenSessions(day.day, options.sessions)
        let parts = EventWriter.Parts(
            paths: paths, options: options, directory: directory, hash: hash, withdrawals: withdrawals, gauges: gauges, appUses: appUses,
            clock: clock, clockWatch: clockWatch, sealedDays: sealedDays, tail: tail, wantedNames: wantedNames, recent: recent,
            presence: presence, failStop: shared.failStop, sealed: prefetcher.board, troubles: shared.troubles, sessions: sessions)
        engine = WriteEngine(EventStore.queue(options, gauges), try EventWriter(parts, main, day, after: seq))
    }

    /// Records the files that belong beside the main file, so a start without one of them is rejected.
    package func rememberFiles(_ names: [String]) throws {
        try engine.prepare { try $0.rememberFiles(names) }
    }

    /// Opens today's file, or the newest one if the clock was set back or is not trusted.
    ///
    /// Also returns the last number given.
    private static func openDay(_ paths: StorePaths, _ main: MainDB, now: Timestamp, isBelieved: Bool) throws -> (DayFile, Int64) {
        let days = try paths.days()
        let newest = days.last ?? Day(of: now)
        let today = isBelieved ? max(Day(of: now), newest) : newest
        var seq = try main.lastSeq()
        if let newest = days.last, newest != today {
            seq = max(seq, try DayFile(newest, at: paths.file(of: newest)).lastSeq())
            try main.keep(lastSeq: seq)
        }
        let day = try DayFile(today, at: paths.file(of: today))
        try Folder.sync(paths.events)
        return (day, max(seq, try day.lastSeq()))
    }

    private static func queue(_ options: EventStoreOptions, _ gauges: EventGauges) -> WriteQueue<EventJob> {
        let limits = QueueLimits(
            highMark: .init(items: options.queueEvents, bytes: options.queueBytes),
            // A tail may hold a commit's bodies for a while, so a group is limited in bytes, too.
            group: .init(items: options.commitEvents, bytes: 8 << 20))
        let full = Refusal(
            .overloaded, "The write queue is full; nothing of this request was stored.", hint: "Send the request again later.", retryAfterSeconds: 1)
        return WriteQueue(limits, full: full) { gauges.rejected.add() }
    }

    /// Runs the writer until `close`, then commits the accepted work and stops `closed`.
    package func run() async {
        await engine.run(on: "signalbox.events")
        await sealedDays.stop()
    }

    /// Rejects further work.
    ///
    /// `run` returns when all accepted work is answered.
    package func close() { engine.close() }

    /// Throws the refusal that events of an app would get now, before their body is decoded.
    package func checkCapacity(for app: AppID?) throws(Refusal) { try engine.queue.checkCapacity(for: app) }

    /// Queues a request's events.
    ///
    /// The reply comes from another thread, or at once if they are rejected.
    package func submit(_ submission: EventSubmission, reply: @escaping EventReply) {
        precedence.begin()
        engine.queue.add(
            .events(submission, nil) { [precedence] submission, result in
                precedence.end()
                reply(submission, result)
            })
        prefetcher.prefetch(for: engine.queue)
    }

    package func submit(_ submission: EventSubmission) async throws -> EventOutcome {
        try await withCheckedThrowingContinuation { continuation in
            submit(submission) { _, result in continuation.resume(with: result) }
        }
    }

    /// Runs a change on the writer's thread and returns its result when it is durable.
    ///
    /// `committed` is called first, on the writer's thread, so its calls are in the order of the commits. `bytes` is the memory that the
    /// change holds while it waits.
    package func change<T: Sendable>(
        of app: AppID? = nil, bytes: Int = 0, _ body: @escaping @Sendable (ChangeContext) throws -> T,
        committed: @escaping @Sendable (T) -> Void = { _ in }
    ) async throws -> T {
        try await Change.result(of: body, app: app, bytes: bytes, committed: committed) { engine.queue.add(.change($0)) }
    }

    /// Runs a change of apps, keys or blocks, as `change` does.
    ///
    /// Every request that begins afterwards sees the new directory.
    package func changeDirectory<T: Sendable>(_ body: @escaping @Sendable (ChangeContext) throws -> T) async throws -> T {
        try await change { context in
            let result = try body(context)
            return (result, try Directory(context.main))
        } committed: { _, directory in
            self.directory.replace(with: directory)
        }.0
    }

    /// Makes the writer turn to the current day if nothing has arrived since midnight.
    package func turn() async throws {
        try await change { _ in }
    }

    /// Returns when the logs of the main file and of today's file have nothing of what was removed before.
    func emptyOwnLogs() async throws { try await engine.emptyLogs() }

    /// Events and bytes that are accepted and not answered yet.
    package var queued: (events: Int, bytes: Int) {
        let weight = engine.queue.outstanding
        return (weight.items, weight.bytes)
    }
}
