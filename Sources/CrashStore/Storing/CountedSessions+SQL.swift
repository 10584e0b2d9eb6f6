// SPDX-License-Identifier: Apache-2.0

package import Crashes
import Database
package import Platform
import SQLite

extension CrashStore {
    /// Adds sessions to the counts of their quarter-hours. Returns false for a request that was counted before.
    ///
    /// - Parameter identity: Bytes that only a retry of the same request has again; nil if it has none, so that it counts in any case.
    package func count(_ sessions: [CountedSessions], identity: [UInt8]?, app: AppID) async throws -> Bool {
        let key = identity.map { hash(.countedSessions, app: app, $0.span) }
        return try await change { try $0.count(sessions, key: key, app: app.rawValue) }
    }
}

extension CrashFileContext {
    fileprivate func count(_ sessions: [CountedSessions], key: UInt64?, app: Int64) throws -> Bool {
        if let key {
            let isKnown = try file.statement("SELECT 1 FROM once WHERE app = ? AND key = ?").first(.integer(app), .key(key)) { _ in true }
            if isKnown == true { return false }
            try file.statement("INSERT INTO once (app, key, received) VALUES (?, ?, ?)").run(.integer(app), .key(key), .integer(now.milliseconds))
        }
        let add = try file.statement(
            """
            INSERT INTO counted_sessions (app, quarter, release, environment, sessions, crashed) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT DO UPDATE SET sessions = min(sessions + excluded.sessions, ?7), crashed = min(crashed + excluded.crashed, ?7)
            """)
        for one in sessions {
            let row = try countedRow(of: one, app: app)
            try add.run(integers: [
                app, row.quarter, row.release, row.environment, Int64(min(one.sessions, CountedSessions.most)),
                Int64(min(one.crashed, CountedSessions.most)), Int64(CountedSessions.most),
            ])
        }
        return true
    }

    /// Returns the key of the row that counts sessions. Those of further releases and environments of a full quarter-hour have neither.
    private func countedRow(of sessions: CountedSessions, app: Int64) throws -> (quarter: Int64, release: Int64, environment: Int64) {
        let quarter = sessions.start.milliseconds.flooredQuotient(by: QuarterHour.milliseconds)
        let release = try number(of: sessions.release, .release, app: app)
        let environment = try number(of: sessions.environment, .environment, app: app)
        let rows = try file.statement(
            """
            SELECT count(*), ifnull(max(release = ? AND environment = ?), 0) FROM counted_sessions WHERE app = ? AND quarter = ?
            """
        ).first(.integer(release), .integer(environment), .integer(app), .integer(quarter)) { ($0.int(0), $0.int(1) != 0) }
        guard let (count, isKnown) = rows, !isKnown, count >= CountedSessions.rowsOfQuarter else { return (quarter, release, environment) }
        return (quarter, 0, 0)
    }

    /// Removes counts of quarter-hours that began before a time.
    func removeSessions(of app: Int64, before end: Timestamp) throws {
        try file.statement("DELETE FROM counted_sessions WHERE app = ? AND quarter < ?")
            .run(integers: [app, end.milliseconds.flooredQuotient(by: QuarterHour.milliseconds)])
    }
}

extension CrashDB {
    /// Returns the counted sessions of the quarter-hours that start between two edges, for all neighbouring edges, summed by release and
    /// environment. The database sums them, as a range may have millions of rows.
    ///
    ///     edges 12:00, 13:00, 14:00; rows of 12:15 with 3 sessions and of 12:30 with 4   →   7 sessions that start at 12:00
    package func countedSessions(app: AppID, between edges: [Timestamp]) throws -> [CountedSessions] {
        let sums = try statement(
            """
            SELECT (SELECT text FROM words WHERE id = release), (SELECT text FROM words WHERE id = environment), sum(sessions), sum(crashed)
            FROM counted_sessions WHERE app = ? AND quarter >= ? AND quarter < ? GROUP BY release, environment
            """)
        let quarters = edges.map { ($0.milliseconds + QuarterHour.milliseconds - 1).flooredQuotient(by: QuarterHour.milliseconds) }
        var found: [CountedSessions] = []
        for (place, start) in edges.dropLast().enumerated() where quarters[place] < quarters[place + 1] {
            found += try sums.all(.integer(app.rawValue), .integer(quarters[place]), .integer(quarters[place + 1])) {
                CountedSessions(
                    start: start, release: $0.optionalText(0), environment: $0.optionalText(1), sessions: $0.int(2), crashed: $0.int(3))
            }
        }
        return found
    }
}
