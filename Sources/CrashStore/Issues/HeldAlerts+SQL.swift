// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite

/// Alerts of new issues whose report is about to be symbolicated.
///
/// The stack of a native report is known after its symbolication, which often moves it to an issue that exists already. So the alert of the
/// issue that it makes until then is held, for `CrashBounds.alertDelay` at most:
///
///     r1 makes issue 7, r1 is queued     alert of 7 held, awaits r1
///     r1 names issue 7                   pending, with the symbolicated title
///     r1 moves to issue 5                none: 7 is empty and merged into 5
///     r1 fails, or is given up           pending, with the title without symbols
///     r1 moves, r2 is left and queued    held, awaits r2
///
/// Only `releaseHeldAlerts`, which the publisher calls, makes a held alert pending. `markPublished` marks all pending ones up to an event, so
/// another writer could make one pending that is then marked without being published.
extension CrashStore {
    func releaseHeldAlerts(now: Timestamp) async throws {
        let delay = limits.alertDelay
        let hasDue = try await read { try !$0.dueHeldAlerts(now: now, delay: delay, limit: 1).isEmpty }
        guard hasDue else { return }
        try await change { context in
            for alert in try context.file.dueHeldAlerts(now: context.now, delay: delay, limit: context.limits.chunk) { try context.release(alert) }
        }
    }
}

/// A held alert whose report is not queued any more, or whose time is over.
struct DueHeldAlert {
    var event: Int64
    var issue: Int64
    /// Whether it is published even if other reports of the issue are queued.
    var isFinal: Bool
}

extension CrashFileContext {
    /// Holds the pending alert of a new issue while its first report is queued for symbolication.
    func holdAlert(of issue: Int64, until crash: Int64) throws {
        try file.statement(
            """
            UPDATE turns SET told = \(sql: AlertProgress.held), awaits = ?1
            WHERE issue = ?2 AND kind = \(sql: IssueTransitionKind.appeared) AND told = \(sql: AlertProgress.pending)
                AND EXISTS (SELECT 1 FROM to_symbolicate WHERE crash = ?1)
            """
        ).run(integers: [crash, issue])
    }

    /// Lets the held alert of an issue be published, because a report has named the issue.
    func endHold(ofIssue issue: Int64) throws { try endHold("issue", issue) }

    /// Lets a held alert be published, because its report cannot be symbolicated now.
    func endHold(ofCrash crash: Int64) throws { try endHold("awaits", crash) }

    private func endHold(_ column: String, _ number: Int64) throws {
        try file.statement("UPDATE turns SET awaits = 0 WHERE \(column) = ? AND told = \(sql: AlertProgress.held)").run(integers: [number])
        try lookForDueAlerts()
    }

    /// Signals the publisher if an alert is held, after the end of a symbolication.
    func lookForDueAlerts() throws {
        if !hasDueAlerts { hasDueAlerts = try file.hasHeldAlert() }
    }

    /// Drops the held alert of an issue that is merged into another. The reports turned out to be of a known issue.
    func dropHeldAlert(of issue: Int64) throws {
        try file.statement(
            "UPDATE turns SET told = \(sql: AlertProgress.published) WHERE issue = ? AND told = \(sql: AlertProgress.held)"
        ).run(integers: [issue])
    }

    fileprivate func release(_ alert: DueHeldAlert) throws {
        if !alert.isFinal, let next = try file.queuedReport(of: alert.issue) {
            try file.statement("UPDATE turns SET awaits = ? WHERE id = ?").run(integers: [next, alert.event])
        } else {
            try file.statement("UPDATE turns SET told = \(sql: AlertProgress.pending) WHERE id = ?").run(integers: [alert.event])
        }
    }
}

extension CrashDB {
    /// Returns held alerts to release. After the clock was set back, events are in the future and all of them are due.
    func dueHeldAlerts(now: Timestamp, delay: Timestamp.Span, limit: Int) throws -> [DueHeldAlert] {
        try statement(
            """
            SELECT t.id, t.issue, t.awaits = 0 OR t.time <= ?1 OR t.time > ?2 FROM turns t WHERE t.told = \(sql: AlertProgress.held)
                AND (t.awaits = 0 OR t.time <= ?1 OR t.time > ?2 OR NOT EXISTS (SELECT 1 FROM to_symbolicate q WHERE q.crash = t.awaits))
            ORDER BY t.id LIMIT ?3
            """
        ).all(.integer((now - delay).milliseconds), .integer(now.milliseconds), .integer(limit)) {
            DueHeldAlert(event: $0.integer(0), issue: $0.integer(1), isFinal: $0.int(2) != 0)
        }
    }

    fileprivate func hasHeldAlert() throws -> Bool {
        try statement("SELECT 1 FROM turns WHERE told = \(sql: AlertProgress.held) LIMIT 1").first { _ in true } ?? false
    }

    fileprivate func queuedReport(of issue: Int64) throws -> Int64? {
        try statement(
            """
            SELECT c.id FROM groupings g CROSS JOIN crashes c ON c.grouping = g.id CROSS JOIN to_symbolicate q ON q.crash = c.id
            WHERE g.issue = ? LIMIT 1
            """
        ).first(.integer(issue)) { $0.integer(0) }
    }
}
