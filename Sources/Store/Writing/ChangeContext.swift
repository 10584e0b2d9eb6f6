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
    /// The file of the day that is written to; those of days before belong to `ClosedDays`.
    let today: Connection
    let day: Day

    init(main: Connection, today: DayFile, now: Timestamp) {
        self.main = main
        self.today = today.connection
        day = today.day
        self.now = now
    }

    /// Empties the page caches of both files.
    func releaseMemory() throws {
        try main.execute("PRAGMA shrink_memory")
        try today.execute("PRAGMA shrink_memory")
    }
}
