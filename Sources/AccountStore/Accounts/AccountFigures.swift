// SPDX-License-Identifier: Apache-2.0

import Database
package import Platform
import SQLite

/// The number of accounts by their state, and what happened by day and method.
package struct AccountFigures: Sendable, Equatable {
    package var accounts = 0
    package var verified = 0
    package var anonymous = 0
    package var disabled = 0
    package var withSecondFactor = 0
    package var days: [Activity] = []

    /// Sign-ups, sign-ins and failed ones of one UTC day with one method.
    package struct Activity: Sendable, Equatable {
        package var day: Day
        package var method: String
        package var signUps = 0
        package var signIns = 0
        package var failures = 0
    }
}

extension AccountStore {
    /// Returns the figures of an app, with the days from one to another, newest first.
    package func figures(_ app: AppID, from first: Day, through last: Day) async throws -> AccountFigures {
        // Failed sign-ins wait in memory.
        if hasFailures { try await respond() }
        return try await read { file in
            var figures = try file.states(of: app)
            figures.withSecondFactor = try file.accountsWithSecondFactor(of: app)
            figures.days = try file.activity(of: app, from: first, through: last)
            return figures
        }
    }
}

extension AccountDB {
    /// Counts an event of a day, so that figures need not read the events.
    func tally(_ event: AccountEvent, app: AppID, at now: Timestamp) throws {
        guard [.created, .signedIn, .signInFailed].contains(event.kind) else { return }
        try statement(
            """
            INSERT INTO tallies (app, day, method, what, count) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET count = count + excluded.count
            """
        ).run(
            .integer(app.rawValue), .integer(Int64(Day(of: now).number)), .text(event.origin.method), .text(event.kind.rawValue),
            .integer(event.count))
    }

    /// Reads an index only, so that a million accounts take some hundredths of a second.
    fileprivate func states(of app: AppID) throws -> AccountFigures {
        var figures = AccountFigures()
        let rows = try statement(
            "SELECT anonymous, email_verified, disabled, count(*) FROM accounts WHERE app = ? GROUP BY anonymous, email_verified, disabled"
        ).all(.integer(app.rawValue)) { row in (0..<4).map { row.int($0) } }
        for row in rows {
            figures.accounts += row[3]
            figures.anonymous += row[0] * row[3]
            figures.verified += row[1] * row[3]
            figures.disabled += row[2] * row[3]
        }
        return figures
    }

    fileprivate func accountsWithSecondFactor(of app: AppID) throws -> Int {
        try statement(
            """
            SELECT count(*) FROM (SELECT DISTINCT account FROM factors WHERE confirmed_at IS NOT NULL) f JOIN accounts a ON a.id = f.account
            WHERE a.app = ?
            """
        ).first(.integer(app.rawValue)) { $0.int(0) } ?? 0
    }

    fileprivate func activity(of app: AppID, from first: Day, through last: Day) throws -> [AccountFigures.Activity] {
        let rows = try statement(
            "SELECT day, method, what, count FROM tallies WHERE app = ? AND day >= ? AND day <= ? ORDER BY day DESC, method"
        ).all(.integer(app.rawValue), .integer(Int64(first.number)), .integer(Int64(last.number))) { row in
            (
                day: Day(number: Int32(truncatingIfNeeded: row.int(0))), method: row.text(1), kind: AccountEvent.Kind(rawValue: row.text(2)),
                count: row.int(3)
            )
        }
        return rows.reduce(into: []) { days, row in
            if days.last?.day != row.day || days.last?.method.hasSameBytes(as: row.method) != true {
                days.append(AccountFigures.Activity(day: row.day, method: row.method))
            }
            switch row.kind {
            case .created: days[days.count - 1].signUps += row.count
            case .signedIn: days[days.count - 1].signIns += row.count
            case .signInFailed: days[days.count - 1].failures += row.count
            default: break
            }
        }
    }
}
