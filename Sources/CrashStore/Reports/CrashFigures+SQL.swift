// SPDX-License-Identifier: Apache-2.0

package import Crashes
import Database
package import Platform
import SQLite

/// When a fatal report happened to whom, for figures of crashes and of what did not crash.
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

/// Reports that are not kept any more.
package struct PastCrashes: Sendable, Equatable {
    /// The beginning of the quarter-hour they happened in.
    package var time: Int64
    package var kind: CrashKind
    package var release: String?
    package var count: Int
}

/// How far an issue got in a release within a stretch of time.
package struct IssueSpread: Sendable, Equatable {
    package var issue: String
    package var release: String?
    package var crashes: Int
    /// Different people and sessions that it hit.
    package var people: Int
    package var sessions: Int
}

extension CrashStore {
    /// Of the fatal reports since a time those issues, by release, that hit at least so many people. A session is one person's; reports of somebody
    /// that name none are of one session.
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
    /// Goes through the fatal reports of a stretch of time, in its order.
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

    /// What was counted of reports that retention has taken away, by the quarter-hours that begin in a stretch of time.
    package func pastCrashes(app: AppID, from: Timestamp, to: Timestamp) throws -> [PastCrashes] {
        let quarter: Int64 = 900_000
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
