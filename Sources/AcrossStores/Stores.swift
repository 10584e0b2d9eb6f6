// SPDX-License-Identifier: Apache-2.0

package import AccountStore
package import AppDirectory
package import Analytics
package import AuditStore
package import CrashStore
package import Database
package import DocumentStore
package import EventStore
package import FileStore
package import FunctionStore
package import MessageStore
package import Platform

/// The stores of one data folder and the operations that span them: erasure, data retention, backup, timelines, crash-free figures.
///
/// Each store has its own file, writer and transactions. There is no transaction over several stores, so an operation is a list of steps
/// that may be repeated. One that was interrupted is completed by running it again.
package final class Stores: Sendable {
    package let paths: StorePaths
    package let events: EventStore
    package let messages: MessageStore
    package let crashes: CrashStore
    package let audit: AuditStore
    package let accounts: AccountStore
    package let documents: DocumentStore
    package let files: FileStore
    package let functions: FunctionStore
    package let analytics: Analytics
    /// The bytes that each app takes on the disk.
    package let storageUse = StorageUse()
    /// The stores beside the events, in the order in which each step across stores is carried out.
    let companions: [any CompanionStore]
    let readers: ReaderPool
    let clock: WallClock
    let clockWatch: ClockWatch
    /// The space that removals get on a full disk.
    let spare: SpareSpace
    let peopleSeconds: Double
    /// Allows one erasure or anonymisation at a time, because each uses much of the disk.
    let removalGate = Gate("Another erasure or anonymisation is running.")
    private let lock: File

    /// Opens a data folder, which is created if it is missing. Throws `StoreError.locked` if another process has it open.
    ///
    /// - Parameter fatal: Ends the process. Called when it is unknown whether a commit is on the disk.
    package init(
        _ folder: String, options: StoreOptions = StoreOptions(), clock: WallClock = .system, metrics: Metrics = Metrics(),
        log: Log = Log(), opening others: [OpenCompanion] = [], fatal: @escaping @Sendable (String) -> Never
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
        spare = shared.spare
        try paths.requireMainBesideData()
        let events = try EventStore(shared, options.events, metrics)
        self.events = events
        messages = try MessageStore(shared, options.messages, events.directory, events.hash, metrics)
        crashes = try CrashStore(shared, options.crashes, events.directory, events.hash, metrics) { submissions, verdicts, app in
            if events.tail.listeners > 0 { events.tail.crashed(TailCrash.taken(submissions, verdicts), app: app) }
        }
        audit = try AuditStore(shared, options.audit, metrics)
        functions = try FunctionStore(shared, options.functions, events.directory, metrics)
        accounts = try AccountStore(shared, options.accounts, events.directory, metrics) { [catalog = functions.catalog] app in
            catalog.hasTriggerOnDeletedUsers(app)
        }
        documents = try DocumentStore(shared, options.documents, events.directory, metrics)
        files = try FileStore(shared, options.files, events.directory, metrics)
        analytics = Analytics(events, presenceBytes: options.presenceBytes, sessionBytes: options.sessionBytes)
        companions =
            [messages, crashes, audit, accounts, documents, files, functions] + (try others.map { try $0(shared, events.directory, events.hash) })
        try events.rememberFiles(companions.map { type(of: $0).fileName })
    }

    /// Opens a further companion with the shared parts of the folder, its directory of apps and its secret hash.
    package typealias OpenCompanion = @Sendable (StoreParts, DirectoryCache, KeyedHash) throws -> any CompanionStore

    /// The kinds of stores beside the events that every folder has.
    static let companionKinds: [any CompanionStore.Type] = [
        MessageStore.self, CrashStore.self, AuditStore.self, AccountStore.self, DocumentStore.self, FileStore.self, FunctionStore.self,
    ]

    private static func lock(_ paths: StorePaths) throws -> File {
        try Folder.make(paths.root)
        try Folder.make(paths.events)
        let file = try File(paths.lock, .keep)
        guard try file.lock() else { throw StoreError.locked(path: paths.root) }
        try Folder.make(paths.uploads)
        try Folder.empty(paths.uploads)
        return file
    }

    /// Runs the writers until `close`, then commits accepted work and releases the folder.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for store in companions { group.addTask { await store.run() } }
            await events.run()
        }
        // A process that waits for this one may open the folder now, although others may still hold a reference to this object.
        lock.unlock()
    }

    /// Rejects further work. `run` returns when all accepted work is answered.
    package func close() {
        events.close()
        for store in companions { store.close() }
    }

    /// Fails all pending queries, because a query must not delay the end of the process.
    package func giveUpQueries() {
        readers.end()
    }
}
