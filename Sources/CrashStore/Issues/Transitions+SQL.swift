// SPDX-License-Identifier: Apache-2.0

import Database
package import Platform
import SQLite

/// An event in the history of an issue.
package enum IssueTransitionKind: Int, StoredWord {
    case appeared = 1
    case regressed, unmuted, opened, closed, muted, merged, split, symbolicated, spreading

    /// Whether the event causes an alert. Events caused by a user do not, and the alert of a spreading issue is the cause of its event.
    var causesAlert: Bool { [.appeared, .regressed, .unmuted].contains(self) }
}

/// The progress of an event's alert, in the column `told`.
enum AlertProgress: Int, StoredWord {
    case pending = 0
    /// Published, or without an alert.
    case published = 1
    /// Left out to be summarized with others.
    case leftOut = 2
    /// Waits until the symbolicated report has named its issue. See `HeldAlerts+SQL.swift`.
    case held = 3
}

/// An entry of an issue's history.
package struct IssueTransition: Sendable, Equatable {
    package var id: Int64
    package var kind: IssueTransitionKind
    package var time: Timestamp
    /// The release, or the ID of the other issue of a merge or split.
    package var detail: String?
}

extension CrashFileContext {
    /// Adds an event to the issue's history. One that causes an alert is inserted as pending, in the transaction of the report.
    func note(_ kind: IssueTransitionKind, of issue: Int64, detail: String?) throws {
        try file.statement("INSERT INTO turns (issue, kind, time, detail, told) VALUES (?, ?, ?, ?, ?)")
            .run(
                .integer(issue), .integer(kind.rawValue), .integer(now.milliseconds), .text(detail),
                .integer((kind.causesAlert ? AlertProgress.pending : .published).rawValue))
        if kind.causesAlert { ofThisChange.transitions[kind, default: 0] += 1 }
    }
}

extension CrashDB {
    /// Returns the newest events, the newest first.
    func transitions(of issue: Int64, limit: Int) throws -> [IssueTransition] {
        try statement("SELECT id, kind, time, detail FROM turns WHERE issue = ? ORDER BY id DESC LIMIT ?")
            .all(.integer(issue), .integer(limit), row: IssueTransition.init)
    }
}

extension IssueTransition {
    init(_ row: Row) {
        self.init(
            id: row.integer(0), kind: IssueTransitionKind(rawValue: row.int(1)) ?? .appeared, time: Timestamp(milliseconds: row.integer(2)),
            detail: row.optionalText(3))
    }
}

/// An event of an issue for which an alert is pending.
package struct UnpublishedTransition: Sendable {
    package var app: AppID
    package var transition: IssueTransition
    package var issue: IssueSummary
}

extension CrashStore {
    /// Returns events with a pending alert, the oldest first. The caller publishes the alerts, then calls `markPublished`, so none is lost in a
    /// crash between.
    package func unpublishedTransitions(limit: Int) async throws -> [UnpublishedTransition] {
        let now = clock.now()
        try await releaseHeldAlerts(now: now)
        return try await read { file in
            let find = "SELECT id, kind, time, detail, issue FROM turns WHERE told = \(sql: AlertProgress.pending) ORDER BY id LIMIT ?"
            let transitions = try file.statement(find).all(.integer(limit)) { (IssueTransition($0), $0.integer(4)) }
            return try transitions.compactMap { transition, issue in
                try file.issue(issue).map {
                    UnpublishedTransition(app: AppID(rawValue: $0.app), transition: transition, issue: try file.summary(of: $0, now: now))
                }
            }
        }
    }

    /// Marks alerts as published, up to and including an event. The events in `leftOut` wait for a summary instead.
    package func markPublished(through transition: Int64, leftOut: [Int64] = []) async throws {
        try await change { context in
            let leaveOut = try context.file.statement("UPDATE turns SET told = \(sql: AlertProgress.leftOut) WHERE id = ?")
            for event in leftOut { try leaveOut.run(integers: [event]) }
            try context.file.statement(
                "UPDATE turns SET told = \(sql: AlertProgress.published) WHERE told = \(sql: AlertProgress.pending) AND id <= ?"
            ).run(integers: [transition])
        }
    }
}
