import Platform
import SQLite

/// What a change may touch while the writer runs it.
final class ChangeContext {
    let main: Connection
    let now: Timestamp
    /// Days whose rows are about to go: a transaction seen there may come again.
    var forgottenDays: [Day] = []
    /// Refused events that have left today's file: their room is given back.
    var unquarantined: [AppID: QuarantineLedger.Use] = [:]
    /// Persons whose presence in today's file the change has altered, empty where only the memory of it is to be given up; nil for nobody.
    var departed: Set<UInt64>?
    /// Whether what the change removed shall leave the logs, too.
    var emptiesLogs = false
    /// The file of the day that is written to; those of days before belong to `ClosedDays`.
    let today: Connection
    let day: Day
    /// The highest number given.
    let lastSeq: Int64
    /// First sightings that are not in the main file yet.
    let unfolded: [PersonFact]
    private let mainFile: MainFile

    init(_ files: FilePair, lastSeq: Int64, unfolded: [PersonFact], now: Timestamp) {
        main = files.main.connection
        mainFile = files.main
        today = files.day.connection
        day = files.day.day
        self.lastSeq = lastSeq
        self.unfolded = unfolded
        self.now = now
    }

    /// Empties the page caches of both files.
    func releaseMemory() throws {
        try main.execute("PRAGMA shrink_memory")
        try today.execute("PRAGMA shrink_memory")
    }

    /// Overwrites what is deleted meanwhile. The newest rows may be among it, so the last number is kept where it outlives them.
    func erasing<T>(_ body: () throws -> T) throws -> T {
        try mainFile.keep(lastSeq: lastSeq)
        return try main.overwriting { try today.overwriting(body) }
    }
}
