// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import Events
package import Platform
import SQLite

/// An alias of `POST /v1/users`: an installation and its user at a moment.
///
/// It counts like an event with both IDs in figures of people, and not in figures of events:
///
///     alias i, u at 10:05    `aliases` i, u, 10:05; `actives` i, u, the quarter-hour of 10:00; one more in `rollups`
///
/// The row goes to the file of the day of receipt and leaves with it. An alias of a day whose rows data retention has removed changes no
/// figure.
struct Alias: Sendable {
    var app: AppID
    var time: Int64
    var installation: UInt64
    var user: UInt64

    /// Nil if an update is none.
    init?(_ update: UserUpdate, app: AppID) {
        guard update.alias, update.userKey != 0, update.installationKey != 0 else { return nil }
        self.app = app
        (time, installation, user) = (update.time.milliseconds, update.installationKey, update.userKey)
    }

    fileprivate init(_ row: Row, app: AppID) {
        self.app = app
        (time, installation, user) = (row.integer(0), row.key(1), row.key(2))
    }

    fileprivate var day: Day { Day(of: Timestamp(milliseconds: time)) }

    /// The presence that it adds.
    var presence: ActiveRows.Row {
        let quarter = Int((time - day.start.milliseconds) / QuarterHour.milliseconds)
        return .init(entry: .init(app: app.rawValue, day: day.number, installation: installation, user: user), bits: .init(quarter: quarter))
    }

    var sighting: RecentPeople.Sighting {
        .init(app: app.rawValue, installation: installation, user: user, minute: RecentPeople.minute(time))
    }
}

extension ChangeContext {
    /// Stores an alias in today's file. Returns false if it is known, or if the rows of its day are gone.
    func keep(_ alias: Alias) throws -> Bool {
        try !main.isGone(alias.day, of: alias.app) && today.keep(alias)
    }
}

extension MainDB {
    /// Whether data retention has removed rows of an app's day.
    fileprivate func isGone(_ day: Day, of app: AppID) throws -> Bool {
        try statement("SELECT 1 FROM history WHERE app = ? AND metric = ? AND grain = ? AND bucket = ? LIMIT 1").first(
            .integer(app.rawValue), .integer(RollupMetric.events.rawValue), .integer(Grain.day.rawValue), .integer(Int64(day.number))
        ) { _ in true } ?? false
    }
}

extension DayDB {
    /// Whether the file has aliases. Files of earlier releases have no table for them until they are finished.
    private func hasAliases() throws -> Bool {
        try statement("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'aliases'").first { _ in true } ?? false
    }

    /// Calls a closure with the installation, the user and the time of each alias in a range.
    package func eachAlias(of app: AppID, from: Timestamp, to: Timestamp, _ body: (UInt64, UInt64, Int64) throws -> Void) throws {
        guard try hasAliases() else { return }
        try statement("SELECT time, installation, user FROM aliases WHERE app = ? AND time >= ? AND time < ?").each([
            .integer(app.rawValue), .integer(from.milliseconds), .integer(to.milliseconds),
        ]) { try body($0.key(1), $0.key(2), $0.integer(0)) }
    }

    /// Calls a closure with the installation, the user and the time of each alias.
    package func eachAlias(of app: AppID, _ body: (UInt64, UInt64, Int64) throws -> Void) throws {
        guard try hasAliases() else { return }
        try statement("SELECT time, installation, user FROM aliases WHERE app = ?").each([.integer(app.rawValue)]) {
            try body($0.key(1), $0.key(2), $0.integer(0))
        }
    }

    /// Returns the time of a person's last alias in a range.
    func lastAlias(of keys: PersonKeys, from: Int64, to: Int64) throws -> Int64? {
        guard try hasAliases() else { return nil }
        return try uncached("SELECT max(time) FROM aliases WHERE \(keys.condition) AND time >= \(from) AND time < \(to)").first {
            $0.optionalInteger(0)
        } ?? nil
    }

    fileprivate func keep(_ alias: Alias) throws -> Bool {
        try insert(alias)
        guard changes > 0 else { return false }
        let presence = alias.presence
        try statement(
            """
            INSERT INTO actives (app, day, installation, user, early, late) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET early = early | excluded.early, late = late | excluded.late
            """
        ).run(
            .integer(alias.app.rawValue), .integer(Int64(presence.entry.day)), .key(alias.installation), .key(alias.user),
            .key(presence.bits.early), .key(presence.bits.late))
        try statement(
            """
            INSERT INTO rollups (app, metric, grain, bucket, word, count, amount) VALUES (?, ?, ?, ?, 0, 1, 0)
            ON CONFLICT DO UPDATE SET count = count + 1
            """
        ).run(integers: alias.count)
        return true
    }

    private func insert(_ alias: Alias) throws {
        try statement("INSERT OR IGNORE INTO aliases (app, time, installation, user) VALUES (?, ?, ?, ?)").run(
            .integer(alias.app.rawValue), .integer(alias.time), .key(alias.installation), .key(alias.user))
    }

    // MARK: Erasure

    func holdsAliases(of keys: PersonKeys) throws -> Bool {
        try uncached("SELECT 1 FROM aliases WHERE \(keys.condition) LIMIT 1").first { _ in true } ?? false
    }

    /// Removes a person's aliases with their counts, also those that arrived meanwhile. With anonymity they get the new keys, and their
    /// presence is added to that of the renamed events.
    func removeAliases(_ removal: PersonRemoval, addingTo arrived: inout PresenceBits) throws {
        let condition = removal.keys.condition
        let aliases = try uncached("SELECT time, installation, user FROM aliases WHERE \(condition)").all { Alias($0, app: removal.app) }
        try uncached("DELETE FROM aliases WHERE \(condition)").run()
        for var alias in aliases {
            if case .anonymity = removal.kind {
                (alias.installation, alias.user) = (removal.keyAfterRemoval(alias.installation), removal.keyAfterRemoval(alias.user))
                try insert(alias)
                arrived.add(app: alias.app, time: alias.time, installation: alias.installation, user: alias.user)
            } else {
                try statement("UPDATE rollups SET count = count - 1 WHERE app = ? AND metric = ? AND grain = ? AND bucket = ?").run(
                    integers: alias.count)
            }
        }
        try statement("DELETE FROM rollups WHERE app = ? AND metric = ? AND count <= 0").run(
            integers: [removal.app.rawValue, RollupMetric.aliases.rawValue])
    }
}

extension Alias {
    /// The place of its count in the roll-ups.
    fileprivate var count: [Int64] { [app.rawValue, RollupMetric.aliases.rawValue, Grain.day.rawValue, Int64(day.number)] }
}
