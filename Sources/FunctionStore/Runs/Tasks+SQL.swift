// SPDX-License-Identifier: Apache-2.0

import Database
import Functions
import Platform
import SQLite

extension FunctionStore {
    /// Adds a task to a function; durable on return.
    ///
    /// - Parameter id: An ID that the function accepts once in 24 hours; a second task with it is the first one again.
    /// - Returns: The ID of the task, and whether the task is new.
    package func addTask(_ run: NewRun, id: String?, to function: StoredFunction) async throws -> (id: String, isNew: Bool) {
        try await change(function.app, bytes: run.body.count) { try $0.addTask(run, id: id, to: function) }
    }

    /// Deletes a task that has not begun. Returns whether there was one.
    package func deleteTask(_ id: String, of function: StoredFunction) async throws -> Bool {
        try await change(function.app) { context in
            guard let run = try context.file.task(id, of: function.id), run.state == .waiting || run.state == .retrying else { return false }
            try context.end(run, .cancelled)
            return true
        }
    }
}

extension FunctionContext {
    fileprivate func addTask(_ run: NewRun, id: String?, to function: StoredFunction) throws -> (id: String, isNew: Bool) {
        // It may have been deleted since the request began.
        guard try file.function(function.id) != nil else {
            throw Refusal(.notFound, "There is no such function.", hint: "`ingestd function ls` and GET /v1/functions list the functions.")
        }
        if let id, try file.hasTask(id, of: function.id, at: now) { return (id, false) }
        guard try openRuns(of: function.app) < bounds.waitingRuns else { throw Refusal.tooManyRuns }
        guard let added = try add(run, to: function.id, app: function.app, task: id) else { throw FunctionStoreError.damaged }
        if let id {
            try file.statement("INSERT OR REPLACE INTO task_ids (function, id, app, run, until) VALUES (?, ?, ?, ?, ?)").run(
                .integer(function.id), .text(id), .integer(function.app.rawValue), .integer(added.number),
                .integer((max(run.at ?? now, now) + FunctionBounds.taskIDsKept).milliseconds))
        }
        return (id ?? added.id, true)
    }
}

extension FunctionDB {
    fileprivate func hasTask(_ id: String, of function: Int64, at now: Timestamp) throws -> Bool {
        try statement("SELECT 1 FROM task_ids WHERE function = ? AND id = ? AND until > ?").first(
            .integer(function), .text(id), .integer(now.milliseconds)
        ) { _ in true } ?? false
    }

    /// Returns the run of a task, by the ID that a client gave it or by its own.
    fileprivate func task(_ id: String, of function: Int64) throws -> RunRow? {
        let given = try statement(
            "SELECT \(RunRow.columns) FROM runs WHERE id = (SELECT run FROM task_ids WHERE function = ? AND id = ?)"
        ).first(.integer(function), .text(id), row: RunRow.init)
        if let given { return given }
        return try statement("SELECT \(RunRow.columns) FROM runs WHERE public = ? AND function = ? AND type = 'task'").first(
            .text(id), .integer(function), row: RunRow.init)
    }
}
