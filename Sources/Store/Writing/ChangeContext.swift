import Platform
import SQLite

/// What a change may touch while the writer runs it.
final class ChangeContext {
    let main: Connection
    let now: Timestamp
    /// Days whose rows are about to go: a transaction seen there may come again.
    var forgottenDays: [Day] = []
    private let today: DayFile
    private let paths: StorePaths

    init(main: Connection, today: DayFile, paths: StorePaths, now: Timestamp) {
        self.main = main
        self.today = today
        self.paths = paths
        self.now = now
    }

    /// Lets a closure write to a day's file: today's inside the running transaction, an older one in a durable one of its own.
    func write<T>(to day: Day, _ body: (Connection) throws -> T) throws -> T? {
        if day == today.day { return try body(today.connection) }
        guard Folder.exists(paths.file(of: day)) else { return nil }
        let connection = try Connection(paths.file(of: day), .write)
        try connection.execute("PRAGMA synchronous = FULL; PRAGMA secure_delete = OFF")
        try connection.begin()
        do {
            let result = try body(connection)
            try connection.commit()
            try connection.checkpoint(.truncate)
            return result
        } catch {
            connection.rollback()
            throw error
        }
    }

    var currentDay: Day { today.day }

    /// Empties the page caches of both files.
    func releaseMemory() throws {
        try main.execute("PRAGMA shrink_memory")
        try today.connection.execute("PRAGMA shrink_memory")
    }

    /// The days that have a file, oldest first.
    func days() throws -> [Day] {
        try paths.days()
    }
}
