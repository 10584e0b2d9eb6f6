// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Crashes
import Database
import Platform
import SQLite

extension CrashFileContext {
    /// Stores a report: blocked people first, then dedupe by ID, grouping, the issue's state, and counters.
    ///
    ///     take(id a) → issue appeared, stored          count 1, kept 1
    ///     take(id a) → duplicate, the same issue       no change
    ///     take(id b) → stored                          count 2, kept 2; a regression if the issue was closed
    func take(_ crash: NewCrash) throws -> CrashVerdict {
        if !directory.blocked.isEmpty, directory.blocked.contains(crash.user) || directory.blocked.contains(crash.installation) {
            ofThisChange.blocked += 1
            return CrashVerdict(index: crash.index, id: crash.id, isDuplicate: false, issue: "", isBlocked: true)
        }
        if let issue = try issueSeen(crash) {
            ofThisChange.duplicates += 1
            return CrashVerdict(index: crash.index, id: crash.id, isDuplicate: true, issue: issue)
        }
        let grouping = try grouping(crash.group, app: crash.app, kind: crash.kind, time: crash.time, report: crash.report)
        let facts = CrashFacts(
            crash, grouping: grouping.id, release: try number(of: crash.release, .release, app: crash.app),
            os: try number(of: crash.os, .os, app: crash.app), device: try number(of: crash.device, .device, app: crash.app))
        var id = ""
        try change(issue: grouping.issue) { issue in
            id = issue.publicID
            let transition = try meet(facts, release: crash.release, build: crash.build, &issue)
            try insert(crash, facts, of: issue, transition)
            issue.see(time: facts.time, release: facts.release)
            issue.keep(1, bytes: crash.body.count)
            if issue.kept > limits.payloadsOfIssue || Int64(issue.keptBytes) > limits.bytesOfIssue { overfull.insert(issue.id) }
        }
        sums.count(facts, issue: grouping.issue)
        newestBuilds.see(crash.build, of: facts)
        sums.countDocument(app: crash.app, bytes: crash.body.count, by: 1)
        ofThisChange.taken[crash.kind, default: 0] += 1
        return CrashVerdict(index: crash.index, id: crash.id, isDuplicate: false, issue: id)
    }

    /// Returns the issue of an earlier report with the same ID, or nil if there is none. It is empty if only the ID is still stored.
    private func issueSeen(_ crash: NewCrash) throws -> String? {
        let find = try file.statement(
            """
            SELECT i.public FROM crashes c JOIN groupings g ON g.id = c.grouping JOIN issues i ON i.id = g.issue WHERE c.app = ? AND c.key = ?
            """)
        if let issue = try find.first(.integer(crash.app), .key(crash.key), row: { $0.text(0) }) { return issue }
        return try file.statement("SELECT 1 FROM once WHERE app = ? AND key = ?").first(.integer(crash.app), .key(crash.key)) { _ in "" }
    }

    /// Applies the report to the issue's state and records the resulting transition. It must be called before the issue's count is incremented.
    func meet(_ facts: CrashFacts, release name: String?, build: String?, _ issue: inout IssueRow) throws -> IssueStanding.Transition? {
        if issue.count == 0 { try note(.appeared, of: issue.id, detail: name) }
        if issue.standing.state == .open { return nil }
        let first = try file.word(facts.release).map { Timestamp(milliseconds: $0.first) }
        let release = name.map { Release($0, build: build, firstSeen: first) }
        let transition = issue.standing.apply(.init(time: Timestamp(milliseconds: facts.time), received: now, release: release))
        switch transition {
        case .regressed: try note(.regressed, of: issue.id, detail: name)
        case .unmuted: try note(.unmuted, of: issue.id, detail: name)
        case nil: break
        }
        return transition
    }

    private func irrelevance(in issue: IssueRow, _ transition: IssueStanding.Transition?) -> Int {
        if Eviction.isKept(isFirst: issue.count == 0, transition: transition, stored: issue.kept) { return CrashFileContext.lastToGo }
        return Eviction.irrelevance(stored: issue.kept, using: &random)
    }

    private func insert(_ crash: NewCrash, _ facts: CrashFacts, of issue: IssueRow, _ transition: IssueStanding.Transition?) throws {
        try file.statement(
            """
            INSERT INTO crashes (app, key, public, grouping, kind, time, received, user, installation, session, release, os, device, platform, flags,
                bytes, irrelevance)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).run(
            .integer(crash.app), .key(crash.key), crash.publicID, .integer(facts.grouping), .integer(crash.kind.rawValue), .integer(facts.time),
            .integer(now.milliseconds), .key(crash.user), .key(crash.installation), .key(crash.session), .integer(facts.release),
            .integer(facts.os), .integer(facts.device), .integer(try number(of: crash.platform, .platform, app: crash.app)),
            .integer(crash.flags.rawValue), .integer(crash.body.count), .integer(irrelevance(in: issue, transition)))
        let row = file.lastInsertedRow
        try file.statement("INSERT INTO payloads (crash, body) VALUES (?, ?)").run(.integer(row), .blob(crash.body))
        try insert(crash.tags, of: row)
        try insertMinidump(crash.minidump, of: row, app: crash.app)
        if !crash.wanted.isEmpty { try want(crash.wanted, for: row, app: crash.app) }
        if crash.needsNames { try lookUp(row) }
        if issue.count == 0 { try holdAlert(of: issue.id, until: row) }
    }
}
