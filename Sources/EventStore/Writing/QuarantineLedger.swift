// SPDX-License-Identifier: Apache-2.0

import Database
import Events
import Platform
import SQLite

/// The quarantined events of a commit, up to a limit of rows and bytes per app and day.
///
/// Beyond it only the reasons are counted.
package struct QuarantineLedger {
    struct Limits: Sendable {
        var rows = 100_000
        var bytes = 256 << 20
    }

    /// The part of an app's limit that its stored events use.
    package struct Use: Sendable {
        var rows = 0
        var bytes = 0
    }

    private struct Count: Hashable {
        var app: Int64
        var reason: Reason
    }

    let limits: Limits
    private var use: [Int64: Use] = [:]
    private var kept: [Count: Int] = [:]
    private var dropped: [Count: Int] = [:]
    private let rows = QuarantineRows()

    init(_ file: DayFile, limits: Limits) throws {
        self.limits = limits
        let sql = "SELECT app, count(*), sum(\(StoredQuarantine.size)) FROM quarantine GROUP BY app"
        try file.db.statement(sql).each([]) { use[$0.integer(0)] = Use(rows: $0.int(1), bytes: $0.int(2)) }
    }

    mutating func add(_ event: QuarantinedEvent, of submission: EventSubmission) {
        let app = submission.app.rawValue
        let count = Count(app: app, reason: event.verdict.reason)
        // Events of blocked users are counted but never stored. Replayed events are in the quarantine already.
        let isBlocked = event.verdict.reason == .blocked
        if submission.isReplay && !isBlocked { return }
        var used = use[app] ?? Use()
        let bytes = Int(event.raw.count) + submission.envelope.json.count + event.verdict.message.utf8.count
        guard !isBlocked, used.rows < limits.rows, used.bytes + bytes <= limits.bytes else {
            dropped[count, default: 0] += 1
            return
        }
        used.rows += 1
        used.bytes += bytes
        use[app] = used
        kept[count, default: 0] += 1
        rows.rows.append(
            .init(
                app: app, received: submission.received.milliseconds, time: event.time?.milliseconds, user: event.user,
                installation: event.installation, verdict: event.verdict, source: submission.source, envelope: submission.envelope.json,
                raw: Array(submission.bytes(event.raw))))
    }

    /// The rows to write, without those that are only counted.
    var rowsToKeep: [QuarantineRows.Row] { rows.rows }

    /// Returns the space of events that have left today's file.
    mutating func giveBack(_ gone: Use, app: AppID) {
        use[app.rawValue]?.rows -= gone.rows
        use[app.rawValue]?.bytes -= gone.bytes
        assert((use[app.rawValue]?.rows ?? 0) >= 0, "more events left the quarantine than it held")
    }

    /// Writes the gathered rows and counts.
    ///
    /// Returns the last number given.
    func write(to file: DayFile, after seq: Int64) throws -> Int64 {
        rows.firstSeq = seq + 1
        try file.batch.insert(rows, QuarantineRows.insert)
        let upsert = """
            INSERT INTO quarantine_counts (app, reason, kept, dropped) VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET kept = kept + excluded.kept, dropped = dropped + excluded.dropped
            """
        for count in Set(kept.keys).union(dropped.keys) {
            try file.db.statement(upsert).run(
                .integer(count.app), .text(count.reason.rawValue), .integer(kept[count] ?? 0), .integer(dropped[count] ?? 0))
        }
        return seq + Int64(rows.rows.count)
    }

    mutating func clear() {
        kept.removeAll(keepingCapacity: true)
        dropped.removeAll(keepingCapacity: true)
        rows.rows.removeAll(keepingCapacity: true)
    }
}
