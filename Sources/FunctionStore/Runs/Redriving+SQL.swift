// SPDX-License-Identifier: Apache-2.0

import Database
import Functions
package import Platform
import SQLite

extension FunctionStore {
    /// Carries a run out again, or at once if it waits for a retry.
    package func retry(_ id: String, app: AppID) async throws {
        try await change(app) { context in
            let row = try context.file.statement("SELECT \(RunRow.columns) FROM runs WHERE public = ? AND app = ?").first(
                .text(id), .integer(app.rawValue), row: RunRow.init)
            guard let row else { throw Refusal(.notFound, "There is no such run.", hint: "Finished runs are removed after some days.") }
            switch row.state {
            case .dead: try context.redrive(row)
            case .retrying: try context.hasten(row)
            case .waiting, .running, .done, .cancelled:
                throw Refusal(.conflict, "The run is \(row.state.name).", hint: "Only dead and retrying runs can be retried.")
            }
        }
    }

    /// Carries all dead runs of a function out again. Returns their number.
    package func redrive(_ function: StoredFunction) async throws -> Int {
        var total = 0
        let (limit, (last, wanted)) = (bounds.removedAtOnce, try await change(function.app) { try $0.file.dead(of: function) })
        // Runs that die again meanwhile are not carried out a third time.
        while total < wanted {
            let most = min(limit, wanted - total)
            let count = try await change(function.app) { context in
                let dead = try context.file.runs(
                    where: "function = ? AND state = \(sql: RunState.dead) AND id <= ?", .integer(function.id), .integer(last), limit: most)
                for run in dead { try context.redrive(run) }
                return dead.count
            }
            if count == 0 { break }
            total += count
        }
        return total
    }
}

extension FunctionContext {
    /// Makes a run that waits for its retry due now.
    fileprivate func hasten(_ run: RunRow) throws {
        try file.statement("UPDATE runs SET due = ?, changed = ? WHERE id = ? AND due IS NOT NULL").run(integers: [
            now.milliseconds, now.milliseconds, run.number,
        ])
        isDue(run.function, at: now.milliseconds)
    }
}

extension FunctionDB {
    /// Returns the last run of all, and the number of dead ones of a function.
    fileprivate func dead(of function: StoredFunction) throws -> (last: Int64, count: Int) {
        let last = try statement("SELECT max(id) FROM runs").first { $0.integer(0) } ?? 0
        return (last, try counts(of: function.id, app: function.app)[.dead] ?? 0)
    }
}
