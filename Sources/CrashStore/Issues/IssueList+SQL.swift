// SPDX-License-Identifier: Apache-2.0

package import Crashes
import Database
package import Platform
import SQLite

/// A query for a page of an app's issues.
package struct IssueQuery: Sendable {
    package enum Order: String, CaseIterable, Sendable {
        case lastSeen = "last_seen"
        case firstSeen = "first_seen"
        case count, users
    }

    package var app: AppID
    /// The states to include. An empty set includes all.
    package var states: Set<IssueState> = []
    package var kinds: Set<CrashKind> = []
    /// A release in which the issue has occurred: its key, or its whole name as in reports.
    package var release: String?
    /// The release of the issue's first report.
    package var firstRelease: String?
    /// A text that the title or culprit contains, ignoring ASCII case.
    package var text: String?
    /// The ID of a user, or of an installation whose reports name no user. Only stored reports count.
    package var person: String?
    /// The environment and tags that a stored report of the issue must have. With `release` it must be of that release, and with `person`
    /// of that person.
    package var report = ReportFilter()
    /// The person to whom the issue is assigned; empty for issues that are assigned to nobody.
    package var assignee: String?
    package var seenSince: Timestamp?
    package var seenBefore: Timestamp?
    package var order = Order.lastSeen
    package var after: Cursor?
    package var limit = 50

    /// The position of the last item of a page: its value in the sort order, and its row.
    package struct Cursor: Sendable, Equatable {
        package var value: Int64
        package var row: Int64

        package init(value: Int64, row: Int64) {
            self.value = value
            self.row = row
        }
    }

    package init(app: AppID) {
        self.app = app
    }
}

/// An issue as lists show it.
package struct IssueSummary: Sendable, Equatable {
    package var id: String
    package var kind: CrashKind
    package var title: String
    package var culprit: String?
    /// The explanation of the grouping.
    package var reason: String
    package var standing: IssueStanding
    /// The state now. It is open if the date until which the issue was muted has passed, although the row is unchanged until the next
    /// report.
    package var state: IssueState
    package var signals: [IssueSignal]
    package var count: Int
    /// The number of distinct people in stored reports.
    package var users: Int
    /// The number of reports with a stored document.
    package var kept: Int
    package var firstSeen: Timestamp
    package var lastSeen: Timestamp
    package var firstRelease: String?
    package var lastRelease: String?
    package var notes: Int
    package var assignee: String?
}

extension CrashStore {
    /// Returns a page of issues, and the cursor of the next one; nil at the end.
    package func issues(_ query: IssueQuery) async throws -> (items: [IssueSummary], next: IssueQuery.Cursor?) {
        let now = clock.now()
        let people = query.person.map { person in
            [KeyedHash.Domain.user, .installation].map { hash($0, app: query.app, Array(person.utf8).span) }
        }
        let tags = query.report.keys(hash, app: query.app)
        let isOfOneReport = !tags.isEmpty || people != nil && query.release != nil
        return try await read(isOfOneReport ? .large : .small) { file in
            let rows = try file.issues(query, people: people, tags: tags, now: now)
            let next = rows.count < query.limit ? nil : rows.last.map { IssueQuery.Cursor(value: $0.value(of: query.order), row: $0.id) }
            return (try rows.map { try file.summary(of: $0, now: now) }, next)
        }
    }
}

extension IssueRow {
    fileprivate func value(of order: IssueQuery.Order) -> Int64 {
        switch order {
        case .lastSeen: lastSeen
        case .firstSeen: firstSeen
        case .count: Int64(count)
        case .users: Int64(users)
        }
    }
}

extension CrashDB {
    fileprivate func issues(_ query: IssueQuery, people: [UInt64]?, tags: [UInt64], now: Timestamp) throws -> [IssueRow] {
        let (sql, values) = try list(query, people: people, tags: tags, now: now)
        var rows: [IssueRow] = []
        try uncached(sql).each(values) { rows.append(IssueRow($0)) }
        return rows
    }

    /// Returns the statement of a page and its values.
    ///
    /// - Parameter people: The keys of `IssueQuery.person`.
    /// - Parameter tags: The keys of `IssueQuery.report`.
    func list(_ query: IssueQuery, people: [UInt64]?, tags: [UInt64] = [], now: Timestamp) throws -> (sql: String, values: [Value]) {
        let column = query.order.rawValue
        let conditions = try conditions(query, people: people, tags: tags, now: now)
        let sql = """
            SELECT \(IssueRow.columns) FROM issues WHERE app = ? AND (\(column), id) < (?, ?)\(conditions.sql) ORDER BY \(column) DESC, id DESC LIMIT ?
            """
        let place = query.after ?? .init(value: .max, row: .max)
        return (sql, [.integer(query.app.rawValue), .integer(place.value), .integer(place.row)] + conditions.values + [.integer(query.limit)])
    }

    private static let isOfRelease = """
        EXISTS (SELECT 1 FROM groupings g JOIN issue_days d ON d.grouping = g.id
            WHERE g.issue = issues.id AND d.release IN (?, ?) AND d.count > 0)
        """

    private func conditions(
        _ query: IssueQuery, people: [UInt64]?, tags: [UInt64], now: Timestamp
    ) throws -> (sql: String, values: [Value]) {
        var (sql, values): (String, [Value]) = ("", [])
        func add(_ condition: String, _ value: Value...) { add(condition, values: value) }
        func add(_ condition: String, values more: [Value]) {
            sql += " AND " + condition
            values += more
        }
        if !query.states.isEmpty {
            // Muting by date ends without a write.
            let state =
                "CASE WHEN state = \(sql: IssueState.muted) AND muting = \(sql: StoredMuting.until) AND muted_until <= ? THEN \(sql: IssueState.open) ELSE state END"
            add("\(state) IN (\(query.states.map { String($0.rawValue) }.joined(separator: ", ")))", .integer(now.milliseconds))
        }
        if !query.kinds.isEmpty { add("kind IN (\(query.kinds.map { String($0.rawValue) }.joined(separator: ", ")))") }
        if let assignee = query.assignee {
            if assignee.isEmpty { add("assignee IS NULL") } else { add("assignee = ?", .text(assignee)) }
        }
        if let since = query.seenSince { add("last_seen >= ?", .integer(since.milliseconds)) }
        if let before = query.seenBefore { add("last_seen < ?", .integer(before.milliseconds)) }
        let release = try query.release.map { try numbers(ofRelease: $0, app: query.app) }
        let isOfOneReport = !tags.isEmpty || people != nil && release != nil
        if let people, !isOfOneReport { add("id IN (SELECT issue FROM issue_people WHERE person IN (?, ?))", .key(people[0]), .key(people[1])) }
        if let text = query.text, !text.isEmpty {
            add("(instr(lower(title), lower(?)) > 0 OR instr(lower(culprit), lower(?)) > 0)", .text(text), .text(text))
        }
        if let first = query.firstRelease { add("first_release IN (?, ?)", values: try numbers(ofRelease: first, app: query.app).values) }
        if isOfOneReport {
            let reports = issuesWithReports(tags, release, people, query.app)
            return (sql + reports.sql, values + reports.values)
        }
        if let release { add(CrashDB.isOfRelease, values: release.values) }
        return (sql, values)
    }

    /// Returns the condition that one of an issue's stored reports has all tags, the release and the person. It reads the keys of all stored
    /// reports of the app, whose number has a quota.
    private func issuesWithReports(
        _ tags: [UInt64], _ release: ReleaseNumbers?, _ people: [UInt64]?, _ app: AppID
    ) -> (sql: String, values: [Value]) {
        let condition = ReportFilter.condition(tags)
        let ofRelease = release == nil ? "" : " AND c.release IN (?, ?)"
        let ofPerson = people == nil ? "" : " AND (c.user = ? OR c.user = 0 AND c.installation = ?)"
        let (withTags, ofTags) = tags.isEmpty ? ("", "") : ("JOIN report_tags t ON t.crash = c.id", " AND \(condition.sql)")
        let sql = """
             AND id IN (SELECT g.issue FROM crashes c INDEXED BY crashes_to_evict \(withTags)
                JOIN groupings g ON g.id = c.grouping WHERE c.app = ? AND c.irrelevance IS NOT NULL\(ofRelease)\(ofPerson)\(ofTags))
            """
        let values = [.integer(app.rawValue)] + (release?.values ?? []) + (people?.map(Value.key) ?? [])
        return (sql, values + (tags.isEmpty ? [] : condition.values))
    }

    func summary(of row: IssueRow, now: Timestamp) throws -> IssueSummary {
        let (first, last) = (Timestamp(milliseconds: row.firstSeen), Timestamp(milliseconds: row.lastSeen))
        return IssueSummary(
            id: row.publicID, kind: row.kind, title: row.title, culprit: row.culprit, reason: row.reason, standing: row.standing,
            state: row.standing.state(at: now), signals: try signals(of: row, now: now), count: row.count, users: row.users, kept: row.kept,
            firstSeen: first, lastSeen: last, firstRelease: try word(row.firstRelease)?.text, lastRelease: try word(row.lastRelease)?.text,
            notes: row.notes, assignee: row.assignee)
    }

    private func signals(of row: IssueRow, now: Timestamp) throws -> [IssueSignal] {
        var figures = Signals.Figures(
            firstSeen: Timestamp(milliseconds: row.firstSeen), crashes: row.count, people: row.users, inKnownSession: row.earliness.inSession,
            early: row.earliness.early, regressed: row.standing.regressed != nil)
        let signals = Signals.of(figures, at: now)
        // The signal needs the crashes of known people. Their sum is computed only if the total, an upper bound, already qualifies.
        guard signals.contains(.repetitive) else { return signals }
        figures.crashes = try statement("SELECT sum(count) FROM issue_people WHERE issue = ?").first(.integer(row.id)) { $0.int(0) } ?? 0
        return Signals.of(figures, at: now)
    }
}
