// SPDX-License-Identifier: Apache-2.0

import Crashes
import Database
import Platform
import SQLite

/// A report to remove, with the columns that its removal needs.
struct LeavingCrash: Sendable {
    var id: Int64
    var app: Int64
    var key: UInt64
    var kind: Int64
    var received: Int64
    var bytes: Int
    var issue: Int64
    var session: UInt64
    var facts: CrashFacts

    static let selection = """
        SELECT c.grouping, c.time, c.user, c.installation, c.release, c.os, c.device, c.id, c.app, c.key, c.kind, c.received, c.bytes, g.issue, c.session
        FROM crashes c JOIN groupings g ON g.id = c.grouping
        """

    init(_ row: Row) {
        facts = CrashFacts(row)
        id = row.integer(7)
        app = row.integer(8)
        key = row.key(9)
        kind = row.integer(10)
        received = row.integer(11)
        bytes = row.int(12)
        issue = row.integer(13)
        session = row.key(14)
    }
}

extension CrashFileContext {
    /// Removes a report. Its ID stays in `once` for the dedupe period.
    ///
    /// Issue counters change only if `uncounted` is true, for erasures. Data retention keeps them. The number of people always covers
    /// stored reports only, so it changes in both cases.
    func remove(_ crash: LeavingCrash, uncounted: Bool) throws {
        if crash.bytes > 0 { try removeDocument(of: crash) }
        try removeAttachments(of: crash.id)
        try file.statement("DELETE FROM crashes WHERE id = ?").run(integers: [crash.id])
        if crash.received > (now - limits.once).milliseconds {
            try file.statement("INSERT OR IGNORE INTO once (app, key, received) VALUES (?, ?, ?)")
                .run(.integer(crash.app), .key(crash.key), .integer(crash.received))
        }
        if uncounted {
            sums.count(crash.facts, issue: crash.issue, by: -1)
            try change(issue: crash.issue) { $0.count -= 1 }
        } else {
            sums.countPerson(crash.facts, issue: crash.issue, by: -1)
        }
    }

    /// Removes a report's document, its minidump and its symbolication.
    func removeDocument(of crash: LeavingCrash) throws {
        try file.statement("DELETE FROM payloads WHERE crash = ?").run(integers: [crash.id])
        try file.statement("UPDATE crashes SET bytes = 0, irrelevance = NULL WHERE id = ?").run(integers: [crash.id])
        try removeTags(of: crash.id)
        try removeMinidump(of: crash.id)
        try stopWaiting(crash.id)
        sums.countDocument(app: crash.app, bytes: crash.bytes, by: -1)
        try change(issue: crash.issue) { $0.keep(-1, bytes: crash.bytes) }
    }

    /// Removes an issue without reports, with its groupings and counters.
    func remove(issue id: Int64) throws {
        for grouping in try file.groupings(of: id) {
            for table in ["issue_days", "issue_values", "newest_builds"] {
                try file.statement("DELETE FROM \(table) WHERE grouping = ?").run(integers: [grouping])
            }
        }
        for table in ["groupings", "issue_people", "notes", "turns", "former_issues"] {
            try file.statement("DELETE FROM \(table) WHERE issue = ?").run(integers: [id])
        }
        try file.statement("DELETE FROM issues WHERE id = ?").run(integers: [id])
        issues[id] = nil
        groupings = [:]
    }
}
