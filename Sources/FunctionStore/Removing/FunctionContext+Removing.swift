// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import Functions
import Platform
import SQLite

extension FunctionContext {
    /// Removes some rows: runs of deleted functions first, then by age and size. Returns the number of rows.
    ///
    /// - Parameter byAge: Whether the clock is believed.
    func removeSome(byAge: Bool) throws -> Int {
        if let (function, app) = try file.deletedFunction() {
            return try removeSome(ofFunction: function, app: app, atMost: bounds.removedAtOnce)
        }
        return try (byAge ? removeOver() : 0) + removeExcess()
    }

    private func removeSome(ofFunction function: Int64, app: AppID, atMost limit: Int) throws -> Int {
        let runs = try file.runs(where: "function = ?", .integer(function), limit: limit)
        for run in runs { try remove(run) }
        if !runs.isEmpty { return runs.count }
        let lines = try removeLines("function = ? LIMIT \(limit)", .integer(function))
        if lines > 0 { return lines }
        try writeCounts()
        for sql in [
            "DELETE FROM run_counts WHERE app = ? AND function = ?", "DELETE FROM deleted_functions WHERE app = ? AND function = ?",
        ] { try file.statement(sql).run(integers: [app.rawValue, function]) }
        return 1
    }

    private func removeOver() throws -> Int {
        let limit = bounds.removedAtOnce
        let runs = try file.runs(
            where: "state >= 4 AND changed < ? ORDER BY changed", .integer((now - bounds.runsKept).milliseconds), limit: limit)
        for run in runs { try remove(run) }
        let lines = try removeLines("at < ? ORDER BY at LIMIT \(limit)", .integer((now - bounds.logsKept).milliseconds))
        return try runs.count + lines + file.removeTaskIDs(endedAt: now, atMost: limit)
    }

    /// Removes the oldest lines of logs that exceed their size.
    private func removeExcess() throws -> Int {
        try file.appsWithLogs(above: bounds.logBytes).reduce(0) { total, app in
            try total + removeLines("app = ? ORDER BY seq LIMIT \(bounds.removedAtOnce)", .integer(app))
        }
    }

    /// Removes some rows of an app. Returns their number.
    func removeSome(ofApp app: AppID, atMost limit: Int) throws -> Int {
        let functions = try file.functionIDs(of: app)
        for function in functions { try remove(function: function, app: app) }
        if let function = try file.deletedFunction(of: app) { return try removeSome(ofFunction: function, app: app, atMost: limit) }
        for sql in ["DELETE FROM cursors WHERE app = ?", "DELETE FROM log_bytes WHERE app = ?", "DELETE FROM run_counts WHERE app = ?"] {
            try file.statement(sql).run(integers: [app.rawValue])
        }
        emptiesLog = true
        return 0
    }

    /// Removes some runs and lines of a person. Returns their numbers.
    func removeSome(of member: PersonRemoval.Member, app: AppID, atMost limit: Int) throws -> (runs: Int, lines: Int) {
        let column = member.kind == .user ? "user" : "installation"
        let runs = try file.runs(
            where: "app = ? AND \(column) = ? AND \(column) IS NOT NULL", .integer(app.rawValue), .text(member.id), limit: limit)
        for run in runs { try remove(run) }
        guard member.kind == .user else { return (runs.count, 0) }
        let lines = try removeLines(
            "app = ? AND user = ? AND user IS NOT NULL LIMIT \(limit)", .integer(app.rawValue), .text(member.id))
        return (runs.count, lines)
    }
}

extension FunctionDB {
    fileprivate func deletedFunction() throws -> (function: Int64, app: AppID)? {
        try statement("SELECT function, app FROM deleted_functions LIMIT 1").first { ($0.integer(0), AppID(rawValue: $0.integer(1))) }
    }

    fileprivate func deletedFunction(of app: AppID) throws -> Int64? {
        try statement("SELECT function FROM deleted_functions WHERE app = ? LIMIT 1").first(.integer(app.rawValue)) { $0.integer(0) }
    }

    func functionIDs(of app: AppID) throws -> [Int64] {
        try statement("SELECT id FROM functions WHERE app = ?").all(.integer(app.rawValue)) { $0.integer(0) }
    }

    fileprivate func removeTaskIDs(endedAt now: Timestamp, atMost limit: Int) throws -> Int {
        // By time, as with pairs of function and ID all IDs are read. Those of the last time are removed together.
        try statement(
            "DELETE FROM task_ids WHERE until <= (SELECT max(until) FROM (SELECT until FROM task_ids WHERE until <= ? ORDER BY until LIMIT ?))"
        ).run(.integer(now.milliseconds), .integer(limit))
        return changes
    }

    /// Counts the runs of a member. Those of an installation that also name one of some users are the user's.
    func countRuns(of member: PersonRemoval.Member, app: AppID, besidesThoseOf users: [String]) throws -> Int {
        let column = member.kind == .user ? "user" : "installation"
        let others = member.kind == .user ? [] : users
        let besides = others.map { _ in " AND user IS NOT ?" }.joined()
        let values: [Value] = [.integer(app.rawValue), .text(member.id)] + others.map(Value.text)
        return try statement("SELECT count(*) FROM runs WHERE app = ? AND \(column) = ? AND \(column) IS NOT NULL\(besides)").first(values) {
            $0.int(0)
        } ?? 0
    }
}
