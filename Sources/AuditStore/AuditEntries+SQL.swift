// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite

extension AuditDB {
    private static let columns = "action, app, key, role, address, person, detail, outcome, status, count"

    func add(_ entry: AuditEntry, at time: Timestamp) throws -> Int64 {
        try insert(entry, at: time, onConflict: "")
        return lastInsertedRow
    }

    /// Adds denied requests to the row of their key and hour.
    func add(_ denial: Denial, count: Int) throws {
        var entry = AuditEntry(.roleDenied, app: denial.app, by: denial.caller)
        (entry.outcome, entry.status, entry.count) = (.rejected, Refusal.Code.forbidden.status, count)
        try insert(
            entry, at: denial.hour,
            onConflict: "ON CONFLICT (app, key, at) WHERE action = 'role.denied' DO UPDATE SET count = count + excluded.count")
    }

    private func insert(_ entry: AuditEntry, at time: Timestamp, onConflict: String) throws {
        try statement("INSERT INTO entries (at, \(AuditDB.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) \(onConflict)").run(
            .integer(time.milliseconds), .text(entry.action.rawValue), .integer(entry.app?.rawValue ?? 0), .integer(entry.caller.key),
            .text(entry.caller.role.rawValue), .text(entry.caller.address), .key(entry.person), .text(entry.detail), .text(entry.outcome.rawValue),
            .integer(entry.status), .integer(entry.count))
    }

    func end(_ id: Int64, _ ending: AuditEnding) throws {
        let update = """
            UPDATE entries SET outcome = ?, status = ?, app = coalesce(?, app), detail = coalesce(?, detail) WHERE id = ?
            """
        try statement(update).run(
            .text(AuditOutcome(status: ending.status).rawValue), .integer(ending.status), .integer(ending.app?.rawValue),
            .text(ending.detail.map(AuditEntry.shortened)), .integer(id))
    }

    func entries(_ query: AuditQuery) throws -> [AuditEntry] {
        var conditions = ["id < ?"]
        var values: [Value] = [.integer(query.before)]
        func require(_ condition: String, _ value: Value?) {
            guard let value else { return }
            conditions.append(condition)
            values.append(value)
        }
        require("app = ?", query.app.map { .integer($0.rawValue) })
        require("action = ?", query.action.map { .text($0.rawValue) })
        require("key = ?", query.key.map { .integer($0) })
        require("person = ?", query.person.map { .key($0) })
        require("at >= ?", query.from.map { .integer($0.milliseconds) })
        require("at < ?", query.to.map { .integer($0.milliseconds) })
        let sql = "SELECT id, at, \(AuditDB.columns) FROM entries WHERE \(conditions.joined(separator: " AND ")) ORDER BY id DESC LIMIT ?"
        var found: [AuditEntry] = []
        try statement(sql).each(values + [.integer(query.limit)]) { row in
            if let entry = AuditEntry(row) { found.append(entry) }
        }
        return found
    }

    // MARK: Removing

    /// Removes some entries of before a time. Returns their number.
    ///
    /// Entries from before the clock was set have no real time. They leave with the first later entry that is old enough.
    func remove(before time: Timestamp, atMost limit: Int) throws -> Int {
        let dated = "SELECT max(id) FROM entries WHERE at >= ?2 AND at < ?1"
        try statement(
            "DELETE FROM entries WHERE id IN (SELECT id FROM entries WHERE at < ?1 AND (at >= ?2 OR id < (\(dated))) ORDER BY at LIMIT ?3)"
        ).run(.integer(time.milliseconds), .integer(ClockTrust.earliest.milliseconds), .integer(limit))
        return changes
    }

    /// Removes some of an app's oldest entries beyond a number of newest ones. Returns their number.
    func remove(app: Int64, beyond kept: Int, atMost limit: Int) throws -> Int {
        let newest = "SELECT id FROM entries WHERE app = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2"
        try statement("DELETE FROM entries WHERE id IN (SELECT id FROM entries WHERE app = ?1 AND id <= (\(newest)) ORDER BY id LIMIT ?3)")
            .run(.integer(app), .integer(kept), .integer(limit))
        return changes
    }

    /// The apps with entries; 0 stands for the daemon.
    func owners() throws -> Set<Int64> { try apps(in: ["entries"]).union([0]) }
}

extension AuditEntry {
    /// Nil for an action or role that only a newer daemon knows.
    fileprivate init?(_ row: Row) {
        guard let action = AuditAction(rawValue: row.text(2)), let role = Role(rawValue: row.text(5)) else { return nil }
        let app = row.integer(3)
        self.init(
            action, app: app == 0 ? nil : AppID(rawValue: app), by: AuditCaller(key: row.integer(4), role: role, address: row.text(6)),
            person: row.key(7), detail: row.text(8))
        (id, time) = (row.integer(0), Timestamp(milliseconds: row.integer(1)))
        (outcome, status, count) = (AuditOutcome(rawValue: row.text(9)) ?? .unfinished, row.int(10), row.int(11))
    }
}
