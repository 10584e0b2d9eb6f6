// SPDX-License-Identifier: Apache-2.0

import Crashes
import Crypto
import Database
import Platform
import SQLite

/// A row of `issues`.
package struct IssueRow: Sendable {
    let id: Int64
    let app: Int64
    let publicID: String
    let kind: CrashKind
    var title: String
    var culprit: String?
    var reason: String
    var count: Int
    var users: Int
    var kept: Int
    var keptBytes: Int
    var firstSeen: Int64
    var firstRelease: Int64
    var lastSeen: Int64
    var lastRelease: Int64
    var standing: IssueStanding
    var notes: Int
    var assignee: String?
    /// The number of newest crashes that occurred early in their session, computed when the issue had `judged` crashes.
    package var earliness: Earliness

    package struct Earliness: Sendable {
        var judged = 0
        var inSession = 0
        var early = 0

        package init(judged: Int = 0, inSession: Int = 0, early: Int = 0) {
            self.judged = judged
            self.inSession = inSession
            self.early = early
        }
    }

    /// Adds reports, and extends the range of first and last seen. With 0 it only extends the range.
    mutating func see(time: Int64, release: Int64, number: Int = 1) {
        if count == 0 || time < firstSeen { (firstSeen, firstRelease) = (time, release) }
        if count == 0 || time >= lastSeen { (lastSeen, lastRelease) = (time, release) }
        count += number
    }

    /// Adds documents of that size, or removes them with a negative number.
    mutating func keep(_ number: Int, bytes: Int) {
        kept += number
        keptBytes += number * bytes
    }

    static let columns = """
        id, app, public, kind, title, culprit, reason, count, users, kept, kept_bytes, first_seen, first_release, last_seen, last_release, notes, \
        state, since, regressed, window_start, window_count, closing, closing_release, closing_build, closing_first, \
        muting, muted_until, muted_count, muted_span, judged, in_session, early, assignee
        """

    init(_ row: Row) {
        id = row.integer(0)
        app = row.integer(1)
        publicID = row.text(2)
        kind = CrashKind(rawValue: row.int(3)) ?? .nonfatal
        title = row.text(4)
        culprit = row.optionalText(5)
        reason = row.text(6)
        count = row.int(7)
        users = row.int(8)
        kept = row.int(9)
        keptBytes = row.int(10)
        firstSeen = row.integer(11)
        firstRelease = row.integer(12)
        lastSeen = row.integer(13)
        lastRelease = row.integer(14)
        notes = row.int(15)
        standing = IssueStanding(row, from: 16)
        earliness = Earliness(judged: row.int(29), inSession: row.int(30), early: row.int(31))
        assignee = row.optionalText(32)
    }
}

extension CrashFileContext {
    func issue(_ id: Int64) throws -> IssueRow? {
        if let known = issues[id] { return known }
        let row = try file.issue(id)
        issues[id] = row
        return row
    }

    /// Changes an issue in the cache. Nothing happens if the issue was removed.
    package func change(issue id: Int64, _ body: (inout IssueRow) throws -> Void) throws {
        guard var row = try issue(id) else { return }
        try body(&row)
        issues[id] = row
    }

    /// Inserts an issue without reports. It has a new ID unless one is given.
    func makeIssue(app: Int64, kind: CrashKind, _ group: GroupKey, time: Timestamp, publicID: String? = nil) throws -> IssueRow {
        let standing = IssueStanding(openSince: now)
        let insert = try file.statement(
            """
            INSERT INTO issues (app, public, kind, title, culprit, reason, count, users, kept, kept_bytes, first_seen, first_release, last_seen,
                last_release, state, since, window_count, notes)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, 0, 0, 0, ?7, 0, ?7, 0, ?8, ?9, 0, 0) RETURNING \(IssueRow.columns)
            """)
        let row = try insert.first(
            .integer(app), .text(publicID ?? randomToken(prefix: "iss_", bits: 70)), .integer(kind.rawValue), .text(group.title),
            .text(group.culprit),
            .text(group.reason),
            .integer(time.milliseconds), .integer(standing.state.rawValue), .integer(now.milliseconds), row: IssueRow.init)
        guard let row else { throw StoreError.stopped }
        issues[row.id] = row
        issueCounts[app]? += 1
        return row
    }
}

extension CrashDB {
    func issue(_ id: Int64) throws -> IssueRow? {
        try statement("SELECT \(IssueRow.columns) FROM issues WHERE id = ?").first(.integer(id), row: IssueRow.init)
    }

    /// Returns an issue by its ID or by that of an issue merged into it.
    func issue(named id: String, app: AppID) throws -> IssueRow {
        guard let issue = try knownIssue(named: id, app: app) else {
            throw Refusal(.notFound, "There is no such issue.", hint: "`GET /v1/issues` lists all issues.")
        }
        return issue
    }

    func knownIssue(named id: String, app: AppID) throws -> IssueRow? {
        let find = "SELECT id FROM issues WHERE public = ?1 AND app = ?2 UNION ALL SELECT issue FROM former_issues WHERE public = ?1 AND app = ?2"
        return try statement(find).first(.text(id), .integer(app.rawValue), row: { $0.integer(0) }).flatMap { try issue($0) }
    }

    func save(_ issue: IssueRow) throws {
        assert(issue.count >= 0 && issue.users >= 0, "an issue's counters fell below zero")
        assert(issue.kept >= 0 && issue.keptBytes >= 0, "an issue lost more documents than it had")
        let update = try statement(
            """
            UPDATE issues SET title = ?, culprit = ?, reason = ?, count = ?, users = ?, kept = ?, kept_bytes = ?, first_seen = ?, first_release = ?,
                last_seen = ?, last_release = ?, notes = ?, state = ?, since = ?, regressed = ?, window_start = ?, window_count = ?, closing = ?,
                closing_release = ?, closing_build = ?, closing_first = ?, muting = ?, muted_until = ?, muted_count = ?, muted_span = ?,
                judged = ?, in_session = ?, early = ?, assignee = ?
            WHERE id = ?
            """)
        try update.run(
            [
                .text(issue.title), .text(issue.culprit), .text(issue.reason), .integer(issue.count), .integer(issue.users), .integer(issue.kept),
                .integer(issue.keptBytes), .integer(issue.firstSeen), .integer(issue.firstRelease), .integer(issue.lastSeen),
                .integer(issue.lastRelease), .integer(issue.notes),
            ] + issue.standing.values + [
                .integer(issue.earliness.judged), .integer(issue.earliness.inSession), .integer(issue.earliness.early), .text(issue.assignee),
                .integer(issue.id),
            ])
    }
}
