// SPDX-License-Identifier: Apache-2.0

import AppDirectory
package import Analytics
package import CrashStore
package import Database
package import EventStore
package import MessageStore
package import Platform

/// The stores of one data folder, opened together, and the work that spans them: erasure, retention, backup, timelines, crash-free figures.
package final class Stores: Sendable {
    package let paths: StorePaths
    package let events: EventStore
    package let messages: MessageStore
    package let crashes: CrashStore
    package let analytics: Analytics
    let readers: ReaderPool
    let clock: WallClock
    let clockWatch: ClockWatch
    let peopleSeconds: Double
    /// Removing a person takes a while and most of the disk.
    let removalGate = Gate("Another person is being erased or anonymised.")
    private let lock: File

    /// Opens a folder, making it where it is missing; throws `StoreError.locked` where another process has it.
    ///
    /// `fatal` is called when a commit may or may not be on the disk and nothing can tell: it must end the process.
    package init(
        _ folder: String, options: StoreOptions = StoreOptions(), clock: WallClock = .system, metrics: Metrics = Metrics(),
        log: Log = Log(), fatal: @escaping @Sendable (String) -> Never
    ) throws {
        paths = StorePaths(root: folder)
        self.clock = clock
        peopleSeconds = options.peopleSeconds
        lock = try Stores.lock(paths)
        readers = ReaderPool(paths)
        clockWatch = ClockWatch(clock, newest: try paths.days().last)
        let shared = StoreParts(
            paths: paths, readers: readers, clock: clock, clockWatch: clockWatch, failStop: FailStop(end: fatal),
            troubles: TroubleLog(log, clock: clock))
        try paths.requireMainBesideData()
        let events = try EventStore(shared, options.events, metrics)
        self.events = events
        messages = try MessageStore(shared, options.messages, events.directory, events.hash, metrics)
        crashes = try CrashStore(shared, options.crashes, events.directory, events.hash, metrics) { submissions, verdicts, app in
            if events.tail.listeners > 0 { events.tail.crashed(TailCrash.taken(submissions, verdicts), app: app) }
        }
        analytics = Analytics(events)
        try events.rememberFiles(Stores.files)
    }

    /// The files beside the main file that are there for good, once they were made.
    private static let files = ["messages.db", "crashes.db"]

    private static func lock(_ paths: StorePaths) throws -> File {
        try Folder.make(paths.root)
        try Folder.make(paths.events)
        let file = try File(paths.lock, .keep)
        guard try file.lock() else { throw StoreError.locked(path: paths.root) }
        try Folder.make(paths.uploads)
        for left in try Folder.names(in: paths.uploads) { try Folder.remove(paths.uploads + "/" + left) }
        return file
    }

    /// Works until `close`, then commits what was accepted, gives the folder free and ends.
    package func run() async {
        async let messages: Void = messages.run()
        async let crashes: Void = crashes.run()
        await events.run()
        await messages
        await crashes
        // A process that waits for the end may open the folder at once, though others still hold this object for a moment.
        lock.unlock()
    }

    /// Rejects further work; `run` returns when all accepted work is answered.
    package func close() {
        events.close()
        messages.close()
        crashes.close()
    }

    /// Fails every query that is not answered yet, because a query must not hold up the end of the process.
    package func giveUpQueries() {
        readers.end()
    }
}
