// SPDX-License-Identifier: Apache-2.0

package import Crashes
import Database
package import Platform
import SQLite

/// A fatal report with the properties by which crash-free figures are computed.
package struct CrashMark: Sendable {
    package var time: Int64
    package var user: UInt64
    package var installation: UInt64
    package var session: UInt64
    package var release: String?
    package var os: String?
    package var device: String?
    package var platform: String?
}

/// The number of reports removed by data retention, by quarter-hour, kind and release.
package struct PastCrashes: Sendable, Equatable {
    /// The start of the quarter-hour.
    package var time: Int64
    package var kind: CrashKind
    package var release: String?
    package var count: Int
}

/// The spread of an issue in one release within a time range.
package struct IssueSpread: Sendable, Equatable {
    package var issue: String
    package var release: String?
    package var crashes: Int
    /// Distinct people and sessions affected.
    package var people: Int
    package var sessions: Int
}

extension CrashStore {
    /// Returns the issues whose fatal reports since a time affected at least that many people, by release. A session belongs to one person,
    /// and a person's reports without a session count as one session.
    package func spread(app: AppID, since: Timestamp, people: Int) async throws -> [IssueSpread] {
        try await read { file in
            try file.statement(
                """
                WITH hits AS (
                    SELECT grouping, release, session, nullif(CASE WHEN user = 0 THEN installation ELSE user END, 0) AS person FROM crashes
                    WHERE app = ? AND time >= ? AND kind = \(CrashKind.fatal.rawValue)
                )
                SELECT i.public, (SELECT text FROM words WHERE id = h.release), count(*) AS crashes, count(DISTINCT h.person) AS people,
                    count(DISTINCT h.person || '.' || h.session) FROM hits h JOIN groupings g ON g.id = h.grouping JOIN issues i ON i.id = g.issue
                GROUP BY i.id, h.release HAVING people >= ? ORDER BY crashes DESC, i.id
                """
            ).all(.integer(app.rawValue), .integer(since.milliseconds), .integer(people)) { row in
                IssueSpread(issue: row.text(0), release: row.optionalText(1), crashes: row.int(2), people: row.int(3), sessions: row.int(4))
            }
        }
    }
}

extension CrashDB {
    /// Calls `body` with the fatal reports of a time range, in order of time.
    package func eachFatalMark(app: AppID, from: Timestamp, to: Timestamp, _ body: (CrashMark) throws -> Void) throws {
        var words: [Int64: String] = [:]
        func word(_ number: Int64) throws -> String? {
            if number == 0 { return nil }
            if let known = words[number] { return known }
            let text = try self.word(number)?.text
            words[number] = text
            return text
        }
        try statement(
            """
            SELECT time, user, installation, session, release, os, device, platform FROM crashes
            WHERE app = ? AND time >= ? AND time < ? AND kind = \(CrashKind.fatal.rawValue) ORDER BY time
            """
        ).each([.integer(app.rawValue), .integer(from.milliseconds), .integer(to.milliseconds)]) { row in
            try body(
                CrashMark(
                    time: row.integer(0), user: row.key(1), installation: row.key(2), session: row.key(3), release: try word(row.integer(4)),
                    os: try word(row.integer(5)), device: try word(row.integer(6)), platform: try word(row.integer(7))))
        }
    }

    /// Returns the number of issues that first appeared within a time range, by the release of their first report.
    package func newIssues(app: AppID, from: Timestamp, to: Timestamp) throws -> [(release: String?, count: Int)] {
        try statement(
            """
            SELECT (SELECT text FROM words WHERE id = first_release), count(*) FROM issues
            WHERE app = ? AND first_seen >= ? AND first_seen < ? GROUP BY first_release
            """
        ).all(.integer(app.rawValue), .integer(from.milliseconds), .integer(to.milliseconds)) { ($0.optionalText(0), $0.int(1)) }
    }

    /// Returns the counts of reports removed by data retention, for quarter-hours that start in a time range.
    package func pastCrashes(app: AppID, from: Timestamp, to: Timestamp) throws -> [PastCrashes] {
        let quarter = QuarterHour.milliseconds
        return try CrashKind.allCases.flatMap { kind in
            try statement(
                """
                SELECT quarter, (SELECT text FROM words WHERE id = p.release), count FROM past_crashes p
                WHERE app = ? AND kind = ? AND quarter >= ? AND quarter < ? ORDER BY quarter
                """
            ).all(
                .integer(app.rawValue), .integer(kind.rawValue), .integer((from.milliseconds + quarter - 1).flooredQuotient(by: quarter)),
                .integer((to.milliseconds + quarter - 1).flooredQuotient(by: quarter))
            ) { PastCrashes(time: $0.integer(0) * quarter, kind: kind, release: $0.optionalText(1), count: $0.int(2)) }
        }
    }
}
