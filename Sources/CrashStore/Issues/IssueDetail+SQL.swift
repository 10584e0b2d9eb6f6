// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Crashes
import Database
package import Platform
import SQLite

/// An issue with its counters, groupings, notes and history, but without reports.
package struct IssueDetail: Sendable {
    /// The number of reports with a value: a release, an operating system or a device.
    package struct Share: Sendable, Equatable {
        /// Nil counts reports without a value.
        package var name: String?
        package var count: Int
    }

    package struct DayCount: Sendable, Equatable {
        package var day: Day
        /// The start of the day in the app's time zone.
        package var start: Timestamp
        package var count: Int
    }

    /// A row of `groupings`, which the API calls a variant.
    package struct Grouping: Sendable, Equatable {
        /// The ID for `CrashStore.split`.
        package var id: Int64
        package var version: Int
        package var reason: String
        package var title: String
        package var culprit: String?
        /// Whether the row is for one stack. Otherwise it is the default row of a group.
        package var isVariant: Bool
        package var count: Int
        package var firstSeen: Timestamp
        package var lastSeen: Timestamp
    }

    package struct Note: Sendable, Equatable {
        package var id: Int64
        package var time: Timestamp
        package var author: String?
        package var text: String
    }

    package var summary: IssueSummary
    /// Every day of the range, today last.
    package var days: [DayCount]
    package var releases: [Share]
    package var systems: [Share]
    package var devices: [Share]
    package var groupings: [Grouping]
    package var notes: [Note]
    package var history: [IssueTransition]
    /// The IDs of issues merged into this one.
    package var formerIDs: [String]

    static let valuesShown = 20
    static let notesShown = 100
    static let transitionsShown = 100
}

extension CrashStore {
    /// Returns an issue by its ID or by that of an issue merged into it, with daily counts of the last `days` days in the app's time zone.
    package func issue(_ id: String, app: AppID, days: Int = 90) async throws -> IssueDetail {
        let now = clock.now()
        let range = IssueDays(days, of: directory.now.apps[app]?.settings, now: now)
        return try await read { try $0.detail(of: id, app: app, now: now, range) }
    }
}

extension CrashDB {
    fileprivate func detail(of id: String, app: AppID, now: Timestamp, _ range: IssueDays) throws -> IssueDetail {
        let row = try issue(named: id, app: app)
        return IssueDetail(
            summary: try summary(of: row, now: now), days: try dayCounts(of: row.id, range), releases: try releases(of: row.id),
            systems: try shares(of: row.id, .os), devices: try shares(of: row.id, .device), groupings: try shownGroupings(of: row.id),
            notes: try notes(of: row.id), history: try transitions(of: row.id, limit: IssueDetail.transitionsShown),
            formerIDs: try statement("SELECT public FROM former_issues WHERE issue = ? LIMIT 100").all(.integer(row.id)) { $0.text(0) })
    }

    private func releases(of issue: Int64) throws -> [IssueDetail.Share] {
        try statement(
            """
            SELECT (SELECT text FROM words WHERE id = d.release), sum(d.count) AS number FROM groupings g JOIN issue_days d ON d.grouping = g.id
            WHERE g.issue = ? GROUP BY d.release HAVING number > 0 ORDER BY number DESC, d.release LIMIT ?
            """
        ).all(.integer(issue), .integer(IssueDetail.valuesShown)) { .init(name: $0.optionalText(0), count: $0.int(1)) }
    }

    private func shares(of issue: Int64, _ kind: CrashWord.Kind) throws -> [IssueDetail.Share] {
        try statement(
            """
            SELECT (SELECT text FROM words WHERE id = v.word), sum(v.count) AS number FROM groupings g JOIN issue_values v ON v.grouping = g.id
            WHERE g.issue = ? AND v.kind = ? GROUP BY v.word HAVING number > 0 ORDER BY number DESC, v.word LIMIT ?
            """
        ).all(.integer(issue), .integer(kind.rawValue), .integer(IssueDetail.valuesShown)) { .init(name: $0.optionalText(0), count: $0.int(1)) }
    }

    private func shownGroupings(of issue: Int64) throws -> [IssueDetail.Grouping] {
        try statement(
            """
            SELECT id, version, reason, title, culprit, variant <> x'', count, first_seen, last_seen FROM groupings
            WHERE issue = ? ORDER BY count DESC, id LIMIT 200
            """
        ).all(.integer(issue)) { row in
            IssueDetail.Grouping(
                id: row.integer(0), version: row.int(1), reason: row.text(2), title: row.text(3), culprit: row.optionalText(4),
                isVariant: row.int(5) != 0, count: row.int(6), firstSeen: Timestamp(milliseconds: row.integer(7)),
                lastSeen: Timestamp(milliseconds: row.integer(8)))
        }
    }

    private func notes(of issue: Int64) throws -> [IssueDetail.Note] {
        try statement("SELECT id, time, author, text FROM notes WHERE issue = ? ORDER BY id DESC LIMIT ?")
            .all(.integer(issue), .integer(IssueDetail.notesShown)) { row in
                .init(id: row.integer(0), time: Timestamp(milliseconds: row.integer(1)), author: row.optionalText(2), text: row.text(3))
            }
    }
}
