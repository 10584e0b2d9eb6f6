import SQLite

extension Messages {
    /// More than were given since any backup.
    private static let numbersLeftOut: Int64 = 1 << 32

    /// From now on no number is given that may have been given after the backup this came from: receivers know deliveries by numbers, and readers of streams
    /// their place.
    static func leaveNumbersOut(_ paths: StorePaths) throws {
        let file = try Connection.forWriting(paths.messages, .messages)
        try file.begin()
        let tables = try file.statement("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'").all { $0.text(0) }
        for table in tables {
            let last = try file.last(table)
            try file.statement("DELETE FROM sqlite_sequence WHERE name = ?").run(.text(table))
            try file.statement("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)").run(.text(table), .integer(last + numbersLeftOut))
        }
        try file.commit()
        try file.checkpoint(.truncate)
    }
}
