// SPDX-License-Identifier: Apache-2.0

import Crypto
import Database
package import Functions
import Messaging
package import Platform
import SQLite

/// A function as an administrator sees it.
package struct FunctionStatus: Sendable {
    package var function: StoredFunction
    /// The number of runs by state.
    package var runs: [RunState: Int]
}

extension FunctionStore {
    /// Creates or replaces a function; durable on return. Its runs and its secret stay.
    ///
    /// - Parameter ends: The ends of the sources of its triggers. A source that no function of the app read before is read from there on.
    package func put(
        _ name: String, _ definition: FunctionDefinition, app: AppID, from ends: [SourceCursor] = []
    ) async throws -> (function: StoredFunction, isNew: Bool) {
        try await change(app, bytes: FunctionDefinition.maximumBytes, committed: { [catalog] in catalog.put($0.function) }) { context in
            for end in ends where try !context.file.functions(of: app).contains(where: { $0.definition.reads(end.source) }) {
                try context.file.set(end, app: app)
            }
            let (function, isNew) = try context.put(name, definition, app: app)
            try context.setSchedules(of: function)
            return (function, isNew)
        }
    }

    /// Deletes a function and its runs. Returns whether there was one.
    package func delete(_ name: String, app: AppID) async throws -> Bool {
        try await change(app, committed: { [catalog] existed in if existed { catalog.remove(name, app: app) } }) { context in
            guard let function = try context.file.function(name, app: app) else { return false }
            try context.remove(function: function.id, app: app)
            return true
        }
    }

    /// Returns functions of an app in the order of their names, after a name.
    package func functions(of app: AppID, after name: String = "", limit: Int) async throws -> [FunctionStatus] {
        let functions = catalog.functions(of: app).filter { $0.name > name }.prefix(limit)
        return try await read { file in
            try functions.map { FunctionStatus(function: $0, runs: try file.counts(of: $0.id, app: app)) }
        }
    }

    package func status(of function: StoredFunction) async throws -> FunctionStatus {
        try await read { FunctionStatus(function: function, runs: try $0.counts(of: function.id, app: function.app)) }
    }
}

extension FunctionDefinition {
    package func reads(_ source: FunctionTrigger.Kind) -> Bool { triggers.contains { $0.kind == source } }
}

extension FunctionContext {
    fileprivate func put(_ name: String, _ definition: FunctionDefinition, app: AppID) throws -> (function: StoredFunction, isNew: Bool) {
        let old = try file.function(name, app: app)
        if old == nil, try file.functionCount(of: app) >= bounds.functions {
            throw Refusal(
                .limitReached, "The app has \(bounds.functions) functions.", hint: "Delete one, or ask the operator to raise functions.max_functions."
            )
        }
        let key = old?.key ?? SigningKey(.symmetric, randomBytes(32))
        try file.statement(
            """
            INSERT INTO functions (app, name, definition, secret, created, updated) VALUES (?1, ?2, ?3, ?4, ?5, ?5)
            ON CONFLICT (app, name) DO UPDATE SET definition = excluded.definition, updated = excluded.updated
            """
        ).run(.integer(app.rawValue), .text(name), .blob(definition.json), .blob(key.bytes), .integer(now.milliseconds))
        guard let function = try file.function(name, app: app) else { throw FunctionStoreError.damaged }
        didSet(definition.target, of: function.id)
        // A higher limit may let runs through that wait.
        if old != nil { isDue(function.id, at: now.milliseconds) }
        return (function, old == nil)
    }

    /// Removes a function. Its runs are removed in the background.
    func remove(function: Int64, app: AppID) throws {
        try file.statement("DELETE FROM functions WHERE id = ?").run(integers: [function])
        try file.statement("DELETE FROM schedules WHERE function = ?").run(integers: [function])
        try file.statement("INSERT INTO deleted_functions (function, app) VALUES (?, ?)").run(integers: [function, app.rawValue])
        didSet(nil, of: function)
        leavesWork = true
    }
}

extension FunctionDB {
    private static let columns = "id, app, name, definition, secret, created, updated"

    func function(_ name: String, app: AppID) throws -> StoredFunction? {
        try statement("SELECT \(FunctionDB.columns) FROM functions WHERE app = ? AND name = ?").first(
            .integer(app.rawValue), .text(name), row: FunctionDB.function)
    }

    func function(_ id: Int64) throws -> StoredFunction? {
        try statement("SELECT \(FunctionDB.columns) FROM functions WHERE id = ?").first(.integer(id), row: FunctionDB.function)
    }

    func functions() throws -> [StoredFunction] { try statement("SELECT \(FunctionDB.columns) FROM functions").all(row: FunctionDB.function) }

    fileprivate func functions(of app: AppID) throws -> [StoredFunction] {
        try statement("SELECT \(FunctionDB.columns) FROM functions WHERE app = ?").all(.integer(app.rawValue), row: FunctionDB.function)
    }

    fileprivate func functionCount(of app: AppID) throws -> Int {
        try statement("SELECT count(*) FROM functions WHERE app = ?").first(.integer(app.rawValue)) { $0.int(0) } ?? 0
    }

    private static func function(_ row: Row) throws -> StoredFunction {
        StoredFunction(
            id: row.integer(0), app: AppID(rawValue: row.integer(1)), name: row.text(2),
            definition: try FunctionDefinition(row.bytes(3), by: .operator),
            key: SigningKey(.symmetric, row.bytes(4)), created: Timestamp(milliseconds: row.integer(5)),
            updated: Timestamp(milliseconds: row.integer(6)))
    }

    // MARK: Counts

    func counts(of function: Int64, app: AppID) throws -> [RunState: Int] {
        let rows = try statement("SELECT state, count FROM run_counts WHERE app = ? AND function = ? AND count > 0").all(
            .integer(app.rawValue), .integer(function)
        ) { (RunState(rawValue: $0.int(0)), $0.int(1)) }
        return Dictionary(uniqueKeysWithValues: rows.compactMap { row in row.0.map { ($0, row.1) } })
    }

    /// Returns the number of unfinished runs of an app.
    func openRuns(of app: AppID) throws -> Int {
        try statement("SELECT sum(count) FROM run_counts WHERE app = ? AND state < \(sql: RunState.done)").first(.integer(app.rawValue)) {
            $0.int(0)
        } ?? 0
    }

    func countsByState() throws -> [(RunState, Int)] {
        try statement("SELECT state, sum(count) FROM run_counts GROUP BY state").all { (RunState(rawValue: $0.int(0)), $0.int(1)) }.compactMap {
            row in row.0.map { ($0, row.1) }
        }
    }

    func add(_ count: Int, to key: FunctionContext.CountKey) throws {
        try statement(
            """
            INSERT INTO run_counts (app, function, state, count) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count
            """
        ).run(.integer(key.app.rawValue), .integer(key.function), .integer(key.state.rawValue), .integer(count))
    }
}
