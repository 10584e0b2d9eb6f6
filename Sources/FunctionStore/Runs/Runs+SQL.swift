// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
import Crypto
import Database
package import Functions
package import Messaging
package import Platform
import SQLite

extension Refusal {
    static let tooManyRuns = Refusal(
        .overloaded, "Too many runs of the app's functions are unfinished.", hint: "Send the task again later.", retryAfterSeconds: 10)
}

// MARK: Creation

extension FunctionContext {
    /// Stores a run. A run with an identity that was stored before is not stored again.
    ///
    /// - Parameter task: The ID that a client gave the task.
    @discardableResult
    func add(_ run: NewRun, to function: Int64, app: AppID, task: String? = nil) throws -> (number: Int64, id: String)? {
        let id = run.identity.map { StoredRun.id(of: $0, function) } ?? randomToken(prefix: "run_", bits: 128)
        let at = run.at ?? now
        let due = max(at, now).milliseconds
        // The first unfinished run of a key is the only one that is due.
        let isBlocked = try run.key.map { try file.hasOpenRun(ofKey: $0, function) } ?? false
        try file.statement(
            """
            INSERT OR IGNORE INTO runs
                (public, app, function, type, subject, task, key, user, installation, depth, body, state, at, due, created, changed)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, \(sql: RunState.waiting), ?12, ?13, ?14, ?14)
            """
        ).run(
            .text(id), .integer(app.rawValue), .integer(function), .text(run.type), .text(run.subject), .text(task), .text(run.key),
            .text(run.user), .text(run.installation), .integer(run.depth), .blob(run.body), .integer(at.milliseconds),
            isBlocked ? .null : .integer(due), .integer(now.milliseconds))
        guard file.changes == 1 else { return nil }
        let number = file.lastInsertedRow
        count(of: function, app: app, to: .waiting)
        if !isBlocked { isDue(function, at: due) }
        return (number, id)
    }

    // MARK: Transitions

    /// Ends a run, and makes the next one of its key due.
    func end(_ run: RunRow, _ state: RunState) throws {
        try file.statement("UPDATE runs SET state = ?, due = NULL, changed = ? WHERE id = ?").run(integers: [
            Int64(state.rawValue), now.milliseconds, run.number,
        ])
        count(of: run.function, app: run.app, from: run.state, to: state)
        try unblock(run)
    }

    /// Makes the first unfinished run of a key due, which waited for an earlier one.
    func unblock(_ run: RunRow) throws {
        guard let key = run.key, let (next, at) = try file.firstOpenRun(ofKey: key, run.function) else { return }
        let due = max(at, now.milliseconds)
        try file.statement("UPDATE runs SET due = ? WHERE id = ? AND due IS NULL").run(integers: [due, next])
        if file.changes == 1 { isDue(run.function, at: due) }
    }

    /// Removes a run with its attempts and the lines of its log.
    func remove(_ run: RunRow) throws {
        try file.statement("DELETE FROM attempts WHERE run = ?").run(integers: [run.number])
        try file.statement("DELETE FROM task_ids WHERE run = ?").run(integers: [run.number])
        try removeLines("run = ?", .integer(run.number))
        try file.statement("DELETE FROM runs WHERE id = ?").run(integers: [run.number])
        uncount(of: run.function, app: run.app, from: run.state)
        if run.state.isOpen { try unblock(run) }
        // Its place is free now.
        if run.state == .running, let next = try file.nextDue(of: run.function) { isDue(run.function, at: next) }
    }

    /// Carries a dead letter out again, with new attempts.
    func redrive(_ run: RunRow) throws {
        let isBlocked = try run.key.map { try file.hasOpenRun(ofKey: $0, run.function) } ?? false
        try file.statement(
            "UPDATE runs SET state = \(sql: RunState.waiting), attempts = 0, due = ?, changed = ? WHERE id = ?"
        ).run(isBlocked ? .null : .integer(now.milliseconds), .integer(now.milliseconds), .integer(run.number))
        count(of: run.function, app: run.app, from: run.state, to: .waiting)
        redrives = true
        if !isBlocked { isDue(run.function, at: now.milliseconds) }
    }
}

extension StoredRun {
    /// The ID of a run that follows from a change of a source. It is the same after a restored backup, so that receivers can drop repetitions.
    package static func id(of identity: String, _ function: Int64) -> String {
        "run_" + Hex.encode(Array(SHA256.hash(Array("\(function) \(identity)".utf8)).prefix(16)))
    }
}

/// The columns of a run that its transitions need.
struct RunRow {
    var number: Int64
    var app: AppID
    var function: Int64
    var key: String?
    var state: RunState

    static let columns = "id, app, function, key, state"

    init(_ row: Row) throws {
        guard let state = RunState(rawValue: row.int(4)) else { throw FunctionStoreError.damaged }
        (number, app, function) = (row.integer(0), AppID(rawValue: row.integer(1)), row.integer(2))
        (key, self.state) = (row.optionalText(3), state)
    }
}

extension FunctionDB {
    private static let openOfKey = "function = ? AND key = ? AND key IS NOT NULL AND state < \(sql: RunState.done)"

    func hasOpenRun(ofKey key: String, _ function: Int64) throws -> Bool {
        try statement("SELECT 1 FROM runs WHERE \(FunctionDB.openOfKey) LIMIT 1").first(.integer(function), .text(key)) { _ in true } ?? false
    }

    fileprivate func firstOpenRun(ofKey key: String, _ function: Int64) throws -> (number: Int64, at: Int64)? {
        try statement("SELECT id, at FROM runs WHERE \(FunctionDB.openOfKey) ORDER BY id LIMIT 1").first(.integer(function), .text(key)) {
            ($0.integer(0), $0.integer(1))
        }
    }

    func runs(where condition: String, _ values: Value..., limit: Int) throws -> [RunRow] {
        try statement("SELECT \(RunRow.columns) FROM runs WHERE \(condition) LIMIT \(limit)").all(values, row: RunRow.init)
    }
}

// MARK: Reads

/// A request for a list of runs, newest first. Lists have no bodies, which may be 256 KiB each.
package struct RunQuery: Sendable {
    package var function: Int64
    package var state: RunState?
    package var before: Int64
    package var limit: Int

    package init(function: Int64, state: RunState? = nil, before: Int64 = .max, limit: Int) {
        (self.function, self.state, self.before, self.limit) = (function, state, before, limit)
    }
}

/// How far a run is, with the response of one that is done.
package struct RunAnswer: Sendable {
    package fileprivate(set) var number: Int64
    package fileprivate(set) var id: String
    package fileprivate(set) var state: RunState
    /// The response to the last attempt; empty unless the run is done.
    package fileprivate(set) var response: [UInt8] = []
}

extension FunctionStore {
    package func runs(_ query: RunQuery) async throws -> [StoredRun] { try await read { try $0.runs(query) } }

    /// Returns a run of an app with its attempts; nil if there is none.
    package func run(_ id: String, app: AppID) async throws -> (run: StoredRun, attempts: [AttemptRecord])? {
        try await read { file in
            guard let run = try file.run(id, app: app) else { return nil }
            return (run, try file.attempts(of: run.number))
        }
    }

    /// Returns how far those of some runs are that are there.
    package func answers(of ids: [String], app: AppID) async throws -> [String: RunAnswer] {
        try await read { file in
            var found: [String: RunAnswer] = [:]
            for id in ids { found[id] = try file.answer(of: id, app: app) }
            return found
        }
    }

    /// Returns the runs of a person, newest first, without bodies.
    package func runs(of person: PersonID, app: AppID, before number: Int64, limit: Int) async throws -> [StoredRun] {
        try await read { try $0.runs(of: person, app: app, before: number, limit: limit) }
    }
}

extension FunctionDB {
    private static let runColumns = """
        r.id, r.public, r.function, coalesce(f.name, ''), r.type, r.subject, r.task, r.key, r.user, r.depth, r.state, r.attempts, r.due, r.created,
        r.changed, r.at
        """
    private static let wholeColumns = "\(runColumns), r.body"
    private static let listedColumns = "\(runColumns), x''"
    private static let joined = "runs r LEFT JOIN functions f ON f.id = r.function"

    fileprivate func runs(_ query: RunQuery) throws -> [StoredRun] {
        // The index has the runs by state, and each state's in their order.
        let states = query.state.map { [$0] } ?? RunState.allCases
        let found = try states.flatMap { try numbers(query, in: $0) }.sorted(by: >).prefix(query.limit)
        let find = try statement("SELECT \(FunctionDB.listedColumns) FROM \(FunctionDB.joined) WHERE r.id = ?")
        return try found.compactMap { try find.first(.integer($0), row: FunctionDB.run) }
    }

    private func numbers(_ query: RunQuery, in state: RunState) throws -> [Int64] {
        try statement("SELECT id FROM runs WHERE function = ? AND state = ? AND id < ? ORDER BY id DESC LIMIT ?").all(
            .integer(query.function), .integer(state.rawValue), .integer(query.before), .integer(query.limit)
        ) { $0.integer(0) }
    }

    fileprivate func run(_ id: String, app: AppID) throws -> StoredRun? {
        try statement("SELECT \(FunctionDB.wholeColumns) FROM \(FunctionDB.joined) WHERE r.public = ? AND r.app = ?").first(
            .text(id), .integer(app.rawValue), row: FunctionDB.run)
    }

    fileprivate func answer(of id: String, app: AppID) throws -> RunAnswer? {
        let found = try statement("SELECT id, state FROM runs WHERE public = ? AND app = ?").first(.text(id), .integer(app.rawValue)) { row in
            guard let state = RunState(rawValue: row.int(1)) else { throw FunctionStoreError.damaged }
            return RunAnswer(number: row.integer(0), id: id, state: state)
        }
        guard var answer = found, answer.state == .done else { return found }
        let last = try statement("SELECT response FROM attempts WHERE run = ? ORDER BY number DESC LIMIT 1")
        answer.response = try last.first(.integer(answer.number)) { $0.isNull(0) ? [] : $0.bytes(0) } ?? []
        return answer
    }

    func run(number: Int64) throws -> StoredRun? {
        try statement("SELECT \(FunctionDB.wholeColumns) FROM \(FunctionDB.joined) WHERE r.id = ?").first(.integer(number), row: FunctionDB.run)
    }

    fileprivate func runs(of person: PersonID, app: AppID, before number: Int64, limit: Int) throws -> [StoredRun] {
        let column = person.kind == .user ? "user" : "installation"
        return try statement(
            """
            SELECT \(FunctionDB.listedColumns) FROM \(FunctionDB.joined)
            WHERE r.app = ? AND r.\(column) = ? AND r.\(column) IS NOT NULL AND r.id < ? ORDER BY r.id DESC LIMIT ?
            """
        ).all(.integer(app.rawValue), .text(person.text), .integer(number), .integer(limit), row: FunctionDB.run)
    }

    fileprivate func attempts(of run: Int64) throws -> [AttemptRecord] {
        try statement("SELECT at, milliseconds, status, error, response FROM attempts WHERE run = ? ORDER BY number").all(.integer(run)) { row in
            AttemptRecord(
                at: Timestamp(milliseconds: row.integer(0)), milliseconds: row.int(1), status: row.int(2), error: row.text(3),
                response: row.isNull(4) ? [] : row.bytes(4))
        }
    }

    private static func run(_ row: Row) throws -> StoredRun {
        guard let state = RunState(rawValue: row.int(10)) else { throw FunctionStoreError.damaged }
        return StoredRun(
            number: row.integer(0), id: row.text(1), function: row.integer(2), functionName: row.text(3), type: row.text(4),
            subject: row.optionalText(5), task: row.optionalText(6), key: row.optionalText(7), user: row.optionalText(8), depth: row.int(9),
            state: state, attempts: row.int(11), due: row.isNull(12) ? nil : Timestamp(milliseconds: row.integer(12)),
            created: Timestamp(milliseconds: row.integer(13)), changed: Timestamp(milliseconds: row.integer(14)),
            at: Timestamp(milliseconds: row.integer(15)), body: row.bytes(16))
    }
}
