// SPDX-License-Identifier: Apache-2.0

import Database
package import Functions
package import Platform
import SQLite

/// A run that follows from a change of a source.
package struct TriggeredRun: Sendable {
    package var function: Int64
    package var run: NewRun

    package init(_ run: NewRun, of function: Int64) { (self.run, self.function) = (run, function) }
}

/// A warning for the log of a function.
package struct FunctionWarning: Sendable {
    package var function: Int64
    package var line: String

    package init(function: Int64, line: String) { (self.function, self.line) = (function, line) }
}

/// The place up to which a source of an app was read, such as the number of an event.
package struct SourceCursor: Sendable, Equatable {
    package var source: FunctionTrigger.Kind
    package var place: String

    package init(_ source: FunctionTrigger.Kind, _ place: String) { (self.source, self.place) = (source, place) }
}

extension FunctionStore {
    /// Returns the place up to which a source of an app was read; nil if it never was.
    package func place(of source: FunctionTrigger.Kind, app: AppID) async throws -> String? { try await read { try $0.place(of: source, app: app) } }

    /// Stores the runs that follow from changes, and warnings about the source, together with the place of the last change.
    ///
    /// A kill leaves either both or neither, so no run is made twice and none is lost. A run that is too deep ends as a line of the log. Throws the refusal `overloaded` if the app has too many
    /// unfinished runs.
    package func advance(_ cursor: SourceCursor, app: AppID, _ runs: [TriggeredRun], warnings: [FunctionWarning] = []) async throws {
        try await change(app, bytes: runs.reduce(0) { $0 + $1.run.body.count }) { context in
            if !runs.isEmpty, try context.openRuns(of: app) >= context.bounds.waitingRuns { throw Refusal.tooManyRuns }
            // A function may have been deleted since the source was read.
            let known = try Set(context.file.functionIDs(of: app))
            for warning in warnings where known.contains(warning.function) {
                try context.add(LogLine(level: .warning, warning.line), of: warning.function, app: app, run: nil)
            }
            for triggered in runs where known.contains(triggered.function) { try context.trigger(triggered, app: app) }
            try context.file.set(cursor, app: app)
        }
    }
}

extension FunctionStore {
    /// Makes a run that follows from a change, once for its identity. Throws the refusal `overloaded` if the app has too many unfinished runs.
    package func trigger(_ triggered: TriggeredRun, app: AppID) async throws {
        try await change(app, bytes: triggered.run.body.count) { context in
            if try context.openRuns(of: app) >= context.bounds.waitingRuns { throw Refusal.tooManyRuns }
            guard try context.file.function(triggered.function) != nil else { return }
            try context.trigger(triggered, app: app)
        }
    }
}

extension FunctionContext {
    fileprivate func trigger(_ triggered: TriggeredRun, app: AppID) throws {
        var run = triggered.run
        // A clock that was set back must not delay it.
        run.at = run.at.map { min($0, now) }
        guard run.depth > FunctionBounds.depth else {
            try add(run, to: triggered.function, app: app)
            return
        }
        let thing = run.subject.map { "\(run.type) \($0)" } ?? run.type
        let line = "not run for \(thing): \(FunctionBounds.depth) runs led to it, one by the other"
        try add(LogLine(level: .warning, line), of: triggered.function, app: app, run: nil)
    }
}

extension FunctionDB {
    fileprivate func place(of source: FunctionTrigger.Kind, app: AppID) throws -> String? {
        try statement("SELECT place FROM cursors WHERE app = ? AND source = ?").first(.integer(app.rawValue), .text(source.rawValue)) { $0.text(0) }
    }

    func set(_ cursor: SourceCursor, app: AppID) throws {
        try statement("INSERT OR REPLACE INTO cursors (app, source, place) VALUES (?, ?, ?)").run(
            .integer(app.rawValue), .text(cursor.source.rawValue), .text(cursor.place))
    }
}
