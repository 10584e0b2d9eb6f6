import Platform
import SQLite

/// The one writer of a file that has a thread of its own: does what it is asked in groups, and pieces of other work between them.
protocol FileWriter {
    associatedtype Context
    /// What others hear of after a commit.
    associatedtype News

    /// How long the thread may sleep when nobody asks for anything; nil where there is work.
    func idleTime() -> Duration?
    /// Commits changes together; one that fails takes nothing else with it. They are answered when all is durable.
    func process(_ changes: [FileChange<Context>]) -> News
    /// Does a piece of what is to be done without being asked.
    func work() -> News
    func close()
}

/// A change to a file that has a writer of its own.
struct FileChange<Context>: Sendable {
    /// What it holds in memory while it waits.
    var bytes = 0
    /// Whether it may be made as one with those beside it that may, too: they all come to pass or none does.
    var joins = false
    var body: @Sendable (Context) throws -> Void
    /// Hears when the change is durable, or why it was not made.
    var done: @Sendable ((any Error)?) -> Void
}

/// A file in the hands of its writer: transactions, changes inside them that fail alone, and checkpoints.
final class WriterFile {
    let connection: Connection
    private let checkpointPages: Int
    private let lastResort: LastResort
    private let failedCommits: Counter
    private let walBytes: Gauge
    /// What the file is of, as the log has it.
    private let about: String
    private let troubles: TroubleLog
    private var logIsToBeEmptied = false

    static let pageBytes = 8_192

    init(
        _ connection: Connection, checkpointPages: Int, _ lastResort: LastResort, failedCommits: Counter, walBytes: Gauge, about: String,
        _ troubles: TroubleLog
    ) {
        self.connection = connection
        self.checkpointPages = checkpointPages
        self.lastResort = lastResort
        self.failedCommits = failedCommits
        self.walBytes = walBytes
        self.about = about
        self.troubles = troubles
    }

    static func open(_ path: String, _ migration: Migration) throws -> Connection {
        let connection = try Connection(path, .write)
        try connection.execute(
            """
            PRAGMA page_size = \(pageBytes); PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
            PRAGMA cache_size = -8192; PRAGMA temp_store = MEMORY; PRAGMA secure_delete = FAST; PRAGMA journal_size_limit = 67108864
            """)
        try migration.apply(to: connection)
        return connection
    }

    /// Does something wholly and durably, or not at all.
    func commit(_ body: () throws -> Void) throws {
        do {
            try connection.begin()
            try body()
            try connection.commit()
        } catch {
            connection.rollback()
            failedCommits.add()
            troubles.note("\(about) not committed", error)
            lastResort.endIfUnsynced(error)
            throw error
        }
    }

    /// Does something inside a transaction that goes on where this fails; answers why it did.
    func attempt(_ body: () throws -> Void) throws -> (any Error)? {
        try connection.statement("SAVEPOINT change").run()
        do {
            try body()
        } catch {
            try connection.execute("ROLLBACK TO change; RELEASE change")
            lastResort.endIfUnsynced(error)
            return error
        }
        try connection.statement("RELEASE change").run()
        return nil
    }

    /// Brings in the log of what was committed. That is durable already; what a failure or a reader leaves there is brought in the next time.
    func tidy(emptiesLog: Bool) {
        if emptiesLog { logIsToBeEmptied = true }
        do {
            if logIsToBeEmptied {
                logIsToBeEmptied = try connection.checkpoint(.truncate).log != 0
            } else if connection.walPages >= checkpointPages {
                try connection.checkpoint(.passive)
            }
        } catch {
            lastResort.endIfUnsynced(error)
        }
        walBytes.set(Double(connection.walPages * WriterFile.pageBytes))
    }

    func close() {
        do { try connection.checkpoint(.truncate) } catch { lastResort.endIfUnsynced(error) }
    }
}
