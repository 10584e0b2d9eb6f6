// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
import Database
import Functions
package import Platform
import SQLite

extension FunctionStore {
    /// Adds lines to the log of a function, such as those of failed calls or of a worker. A function that was deleted since then gets none, and
    /// lines of a run that was removed are dropped: an erasure may have taken it while a worker carried it out.
    package func log(_ lines: [LogLine], of function: StoredFunction) async throws {
        try await change(function.app, bytes: lines.reduce(0) { $0 + $1.text.utf8.count }) { context in
            guard try context.file.function(function.id) != nil else { return }
            for line in lines where try context.file.hasRun(line.run) { try context.add(line, of: function.id, app: function.app, run: line.run) }
        }
    }

    /// Returns lines of a function behind a number, oldest first; without one the newest.
    package func lines(of function: StoredFunction, run: String? = nil, after number: Int64?, limit: Int) async throws -> [StoredLine] {
        try await read { try $0.lines(of: function.id, run: run, after: number, limit: limit) }
    }

    /// Returns the lines about a person, newest first.
    package func lines(of person: PersonID, app: AppID, before number: Int64, limit: Int) async throws -> [StoredLine] {
        try await read { try $0.lines(of: person, app: app, before: number, limit: limit) }
    }
}

extension FunctionContext {
    func add(_ line: LogLine, of function: Int64, app: AppID, run: Int64?) throws {
        try file.statement("INSERT INTO logs (app, function, run, user, at, level, line) VALUES (?, ?, ?, ?, ?, ?, ?)").run(
            .integer(app.rawValue), .integer(function), run.map { .integer($0) } ?? .null, .text(line.user), .integer(now.milliseconds),
            .integer(line.level.rawValue), .text(line.text))
        try file.addLogBytes(line.text.utf8.count, app: app.rawValue)
        didLog(in: app)
    }

    /// Removes lines and returns their number.
    @discardableResult
    func removeLines(_ condition: String, _ values: Value...) throws -> Int {
        let rows = try file.statement("SELECT seq, app, length(CAST(line AS BLOB)) FROM logs WHERE \(condition)").all(values) {
            (seq: $0.integer(0), app: $0.integer(1), bytes: $0.int(2))
        }
        for row in rows {
            try file.statement("DELETE FROM logs WHERE seq = ?").run(integers: [row.seq])
            try file.addLogBytes(-row.bytes, app: row.app)
        }
        return rows.count
    }
}

extension FunctionDB {
    /// Whether a run is there; true of none.
    fileprivate func hasRun(_ number: Int64?) throws -> Bool {
        guard let number else { return true }
        return try statement("SELECT 1 FROM runs WHERE id = ?").first(.integer(number)) { _ in true } ?? false
    }

    fileprivate func addLogBytes(_ bytes: Int, app: Int64) throws {
        try statement("INSERT INTO log_bytes (app, bytes) VALUES (?, ?) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes").run(
            .integer(app), .integer(bytes))
    }

    func appsWithLogs(above bytes: Int) throws -> [Int64] {
        try statement("SELECT app FROM log_bytes WHERE bytes > ?").all(.integer(bytes)) { $0.integer(0) }
    }

    private static let lineColumns = "l.seq, r.public, l.at, l.level, l.line, coalesce(f.name, '')"
    private static let joinedLines = "logs l LEFT JOIN runs r ON r.id = l.run LEFT JOIN functions f ON f.id = l.function"

    fileprivate func lines(of function: Int64, run: String?, after number: Int64?, limit: Int) throws -> [StoredLine] {
        let ofRun = run == nil ? "" : " AND l.run = (SELECT id FROM runs WHERE public = ?4)"
        let sql = "SELECT \(FunctionDB.lineColumns) FROM \(FunctionDB.joinedLines) WHERE l.function = ?1\(ofRun)"
        let values: [Value] = [.integer(function), .integer(number ?? 0), .integer(limit)] + (run.map { [.text($0)] } ?? [])
        guard number == nil else { return try statement("\(sql) AND l.seq > ?2 ORDER BY l.seq LIMIT ?3").all(values, row: FunctionDB.line) }
        return try statement("\(sql) AND ?2 = 0 ORDER BY l.seq DESC LIMIT ?3").all(values, row: FunctionDB.line).reversed()
    }

    fileprivate func lines(of person: PersonID, app: AppID, before number: Int64, limit: Int) throws -> [StoredLine] {
        let column = person.kind == .user ? "user" : "installation"
        let own = person.kind == .user ? "SELECT seq FROM logs WHERE app = ?1 AND user = ?2 AND user IS NOT NULL UNION " : ""
        return try statement(
            """
            SELECT \(FunctionDB.lineColumns) FROM \(FunctionDB.joinedLines) WHERE l.seq < ?3 AND l.seq IN (
                \(own)SELECT l.seq FROM runs r JOIN logs l ON l.run = r.id AND l.run IS NOT NULL
                WHERE r.app = ?1 AND r.\(column) = ?2 AND r.\(column) IS NOT NULL)
            ORDER BY l.seq DESC LIMIT ?4
            """
        ).all(.integer(app.rawValue), .text(person.text), .integer(number), .integer(limit), row: FunctionDB.line)
    }

    private static func line(_ row: Row) throws -> StoredLine {
        StoredLine(
            number: row.integer(0), run: row.optionalText(1), at: Timestamp(milliseconds: row.integer(2)),
            level: LineLevel(rawValue: row.int(3)) ?? .info, text: row.text(4), function: row.text(5))
    }
}
