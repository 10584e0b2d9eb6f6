// SPDX-License-Identifier: Apache-2.0

package import Events
package import Functions

/// A run of a function.
package struct RunResponse: Codable, Sendable {
    package var id: String
    package var function: String
    /// Such as `task`, `event`, `file.finalized`.
    package var type: String
    /// The path, name or ID of the thing that the run is about.
    package var subject: String?
    /// The ID that a client gave the task.
    package var task: String?
    /// Runs of a function with the same key are carried out one after the other.
    package var key: String?
    package var user: String?
    package var state: Named<RunState>
    package var tries: Int
    package var depth: Int
    package var dueAt: Moment?
    package var createdAt: Moment
    package var changedAt: Moment
    /// The JSON that the function gets as `data`, as a text. Only of a single run.
    package var data: String?
    /// The newest attempt last. Only of a single run.
    package var attempts: [AttemptResponse]?

    package init(id: String, function: String, type: String, state: RunState, tries: Int, depth: Int, createdAt: Moment, changedAt: Moment) {
        (self.id, self.function, self.type, self.state) = (id, function, type, .known(state))
        (self.tries, self.depth, self.createdAt, self.changedAt) = (tries, depth, createdAt, changedAt)
    }
}

/// A page of a function's log.
package struct LogResponse: Codable, Sendable {
    package var items: [LogLineResponse]
    /// The cursor of the lines that follow, also of those that do not exist yet; nil without lines.
    package var next: String?

    package init(items: [LogLineResponse], next: String?) { (self.items, self.next) = (items, next) }
}

package struct LogLineResponse: Codable, Sendable {
    package var at: Moment
    package var level: Named<LineLevel>
    package var line: String
    /// The run that the line is about; nil for one about a call.
    package var run: String?

    package init(at: Moment, level: LineLevel, line: String, run: String?) {
        (self.at, self.level, self.line, self.run) = (at, .known(level), line, run)
    }
}
