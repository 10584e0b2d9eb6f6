// SPDX-License-Identifier: Apache-2.0

package import Events
package import Platform
import SQLite
import Synchronization

/// The data folder, open: one writer of what is new, one keeper of the days that are over, any number of readers.
package final class Store: Sendable {
    package let paths: StorePaths
    package let directory = DirectoryCache()
    package let gauges: StoreGauges
    /// Makes the keys under which this folder knows texts.
    package let hash: KeyedHash
    /// Signs access tokens.
    let tokenSecret: [UInt8]
    package let tail: Tail
    package let messages: Messages
    package let crashes: CrashStore
    let clock: WallClock
    let clockWatch: ClockWatch
    let readers: Readers
    let people = PeopleCounts()
    let peopleSeconds: Double
    let closed: ClosedDays
    /// A question in SQL may take much time and memory.
    let sqlGate = Gate("Another question in SQL is being answered.")
    /// A person who leaves takes their while and most of the disk.
    let departureGate = Gate("Another person is being erased or anonymised.")
    private let lock: File
    private let engine: WriteEngine<EventWriter>
    private let prefetcher = Prefetcher()

    /// Opens a folder, making it where it is missing; throws `StoreError.locked` where another process has it.
    ///
    /// `fatal` is called when a commit may or may not be on the disk and nobody can know: it must end the process.
    package init(
        _ folder: String, options: StoreOptions = StoreOptions(), clock: WallClock = .system, metrics: Metrics = Metrics(),
        log: Log = Log(), fatal: @escaping @Sendable (String) -> Never
    ) throws {
        paths = StorePaths(root: folder)
        gauges = StoreGauges(metrics)
        self.clock = clock
        peopleSeconds = options.peopleSeconds
        lock = try Store.lock(paths)
        let clockWatch = ClockWatch(clock, newest: try paths.days().last)
        self.clockWatch = clockWatch
        let main = try MainDB.open(in: paths)
        hash = KeyedHash(seed: try main.hashSeed())
        tokenSecret = try main.tokenSecret()
        directory.replace(with: try Directory(main))
        readers = Readers(paths)
        let (day, seq) = try Store.openDay(paths, main, now: clock.now(), isBelieved: clockWatch.isBelieved)
        tail = Tail(options.tail, after: seq)
        let failStop = FailStop(end: fatal)
        closed = ClosedDays(paths, before: day.day, failStop: failStop)
        let troubles = TroubleLog(log, clock: clock)
        messages = try Messages(
            paths, options.messages, readers, Blockade(directory: directory, hash: hash), MessageGauges(metrics), clock: clock,
            clockWatch, failStop: failStop, troubles)
        crashes = try CrashStore(
            paths, options.crashes, readers, directory, hash, CrashGauges(metrics), clock: clock, failStop: failStop, troubles, tail)
        try main.rememberFiles()
        let parts = EventWriter.Parts(
            paths: paths, options: options, directory: directory, gauges: gauges, clock: clock, clockWatch: clockWatch, closed: closed,
            tail: tail, failStop: failStop, sealed: prefetcher.board, troubles: troubles)
        engine = WriteEngine(Store.queue(options, gauges), try EventWriter(parts, main, day, after: seq))
    }

    private static func lock(_ paths: StorePaths) throws -> File {
        try Folder.make(paths.root)
        try Folder.make(paths.events)
        let file = try File(paths.lock, .keep)
        guard try file.lock() else { throw StoreError.locked(path: paths.root) }
        try Folder.make(paths.uploads)
        for left in try Folder.names(in: paths.uploads) { try Folder.remove(paths.uploads + "/" + left) }
        for left in try paths.strayRuns() { try Folder.remove(left) }
        return file
    }

    /// Opens the file of today, or of the newest day there is where the clock has gone back or is not believed; answers also the last number given.
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

    /// Works until `close`, then commits what was accepted, gives the folder free and ends.
    package func run() async {
        async let messages: Void = messages.run()
        async let crashes: Void = crashes.run()
        await engine.run(on: "signalbox.writer")
        await closed.stop()
        await messages
        await crashes
        // Whoever waits for the end may open the folder at once, though others still hold this object for a moment.
        lock.unlock()
    }

    private static func queue(_ options: StoreOptions, _ gauges: StoreGauges) -> WriteQueue<EventJob> {
        let limits = QueueLimits(
            highMark: .init(items: options.queueEvents, bytes: options.queueBytes),
            // A tail may hold a commit's bodies for a while, so a group is bounded in bytes, too.
            group: .init(items: options.commitEvents, bytes: 8 << 20))
        let full = Refusal(.overloaded, "More is coming in than can be stored.", hint: "Send it again later.", retryAfterSeconds: 1)
        return WriteQueue(limits, full: full) { gauges.refused.add() }
    }

    /// Takes nothing more in; `run` ends when all that was taken is answered.
    package func close() {
        engine.close()
        messages.close()
        crashes.close()
    }

    /// Lets nobody wait any longer for an answer: for the end, which no question may hold up.
    package func giveUpQuestions() {
        readers.end()
    }

    /// Refuses early, before a body is even decoded, what the queue would refuse now.
    package func checkRoom(for app: AppID?) throws(Refusal) {
        try engine.queue.checkRoom(for: app)
    }

    /// Hands a request's events to the writer; the reply comes from another thread, or at once where they are refused.
    package func submit(_ submission: EventSubmission, reply: @escaping EventReply) {
        engine.queue.add(.events(submission, nil, reply))
        prefetcher.prefetch(for: engine.queue)
    }

    package func submit(_ submission: EventSubmission) async throws -> EventOutcome {
        try await withCheckedThrowingContinuation { continuation in
            submit(submission) { _, result in continuation.resume(with: result) }
        }
    }

    /// Has the writer make a change, and answers when it is durable.
    ///
    /// `committed` hears of it first, on the writer's thread, and so in the order of the commits. `bytes` is what it holds while it waits.
    func change<T: Sendable>(
        of app: AppID? = nil, bytes: Int = 0, _ body: @escaping @Sendable (ChangeContext) throws -> T,
        committed: @escaping @Sendable (T) -> Void = { _ in }
    ) async throws -> T {
        try await Change.result(of: body, app: app, bytes: bytes, committed: committed) { engine.queue.add(.change($0)) }
    }

    /// Events and bytes taken and not yet answered.
    package var queued: (events: Int, bytes: Int) {
        let weight = engine.queue.unanswered
        return (weight.items, weight.bytes)
    }
}
