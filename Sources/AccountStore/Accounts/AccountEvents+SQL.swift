// SPDX-License-Identifier: Apache-2.0

import Accounts
import Database
package import Platform
import SQLite

/// Selects account events, newest first.
package struct AccountEventQuery: Sendable {
    package var app: AppID
    package var uid: String?
    package var kind: AccountEvent.Kind?
    package var from: Timestamp?
    package var to: Timestamp?
    /// Only events with a lower number: the last one of an earlier page.
    package var before = Int64.max
    package var limit = 100

    package init(app: AppID) {
        self.app = app
    }
}

/// Some events of an app, for a reader that goes on from `next`.
package struct AccountEventPage: Sendable {
    package var events: [AccountEvent]
    /// The number up to which all were read, also if the page has no events.
    package var next: Int64
    /// Whether there were no more at that time.
    package var isCurrent: Bool
    /// The time before which events behind the asked number had been removed by their age; nil if none had.
    package var removedThrough: Timestamp?
}

extension AccountDB {
    func add(_ event: AccountEvent, app: AppID, at now: Timestamp) throws {
        try insert(event, app: app, at: now, isListed: true)
        try tally(event, app: app, at: now)
        if event.isAnnounced { try announce(event, app: app, at: now) }
    }

    /// Adds the event of an imported account, and returns the number that the account's row takes.
    func addImport(of uid: String, _ origin: AccountOrigin, app: AppID, at now: Timestamp) throws -> Int64 {
        try insert(AccountEvent(.created, uid: uid, origin), app: app, at: now, isListed: false)
        return lastInsertedRow
    }

    private func insert(_ event: AccountEvent, app: AppID, at now: Timestamp, isListed: Bool) throws {
        try statement(
            "INSERT INTO audit (app, uid, at, what, method, place, session, count, listed, depth) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        ).run(
            .integer(app.rawValue), .text(event.uid), .integer(now.milliseconds), .text(event.kind.rawValue), .text(event.origin.method),
            .text(event.origin.place), event.session.map { .blob($0.bytes) } ?? .null, .integer(event.count), .flag(isListed),
            .integer(event.origin.depth))
    }

    func events(_ query: AccountEventQuery) throws -> [AccountEvent] {
        var conditions = ["app = ?1", "seq < ?2"]
        var values: [Value] = [.integer(query.app.rawValue), .integer(query.before), .integer(query.limit)]
        func require(_ condition: String, _ value: Value?) {
            guard let value else { return }
            values.append(value)
            conditions.append("\(condition) ?\(values.count)")
        }
        require("uid =", query.uid.map { .text($0) })
        require("what =", query.kind.map { .text($0.rawValue) })
        require("at >=", query.from.map { .integer($0.milliseconds) })
        require("at <", query.to.map { .integer($0.milliseconds) })
        let all = "SELECT seq, uid, at, what, method, place, session, count, depth FROM audit WHERE \(conditions.joined(separator: " AND "))"
        // The user ID is the fourth value.
        let ofUser = """
            \(all) AND listed = 1 UNION ALL
            \(all) AND listed = 0 AND seq = (SELECT import_event FROM accounts WHERE app = ?1 AND uid = ?4)
            """
        var found: [AccountEvent] = []
        try statement("\(query.uid == nil ? all : ofUser) ORDER BY seq DESC LIMIT ?3").each(values) { row in
            if let event = AccountEvent(row) { found.append(event) }
        }
        return found
    }

    /// Puts the event of an account's import into the index by user ID, before the account goes.
    func listImport(of uid: String, app: AppID) throws {
        try statement("UPDATE audit SET listed = 1 WHERE seq = (SELECT import_event FROM accounts WHERE app = ? AND uid = ?)").run(
            .integer(app.rawValue), .text(uid))
    }

    /// Keeps the user ID of the last deletion apart from its event, for triggers that have not read it.
    func keepDeletedID(_ uid: String, app: AppID) throws {
        try statement(
            """
            INSERT OR REPLACE INTO deletions (seq, app, uid, at) SELECT seq, app, uid, at FROM audit
            WHERE app = ? AND uid = ? AND listed = 1 AND what = 'deleted' ORDER BY seq DESC LIMIT 1
            """
        ).run(.integer(app.rawValue), .text(uid))
    }

    /// Replaces a user ID in all events by a random text, and removes the networks.
    func anonymiseEvents(of uid: String, app: AppID) throws {
        try forgetNotices(of: uid, app: app)
        try listImport(of: uid, app: app)
        try statement("UPDATE audit SET uid = ?, place = '', session = NULL WHERE app = ? AND uid = ? AND listed = 1").run(
            .text("erased-\(AccountID.make())"), .integer(app.rawValue), .text(uid))
    }
}

extension AccountDB {
    /// Returns the events of an app behind a number, oldest first, without those of imports. Deletions have the user IDs that are kept for them.
    func events(of app: AppID, after seq: Int64, limit: Int) throws -> AccountEventPage {
        var (found, rows, last) = ([AccountEvent](), 0, seq)
        try statement(
            """
            SELECT seq, coalesce((SELECT uid FROM deletions WHERE seq = audit.seq), uid), at, what, method, place, session, count, depth
            FROM audit WHERE app = ? AND seq > ? AND listed = 1 ORDER BY seq LIMIT ?
            """
        ).each([.integer(app.rawValue), .integer(seq), .integer(limit)]) { row in
            (rows, last) = (rows + 1, row.integer(0))
            if let event = AccountEvent(row) { found.append(event) }
        }
        let isCurrent = rows < limit
        return AccountEventPage(events: found, next: isCurrent ? max(seq, try lastEvent()) : last, isCurrent: isCurrent)
    }

    /// Returns the number of the last event of all apps, which may have been removed since.
    func lastEvent() throws -> Int64 {
        max(try statement("SELECT max(seq) FROM audit").first { $0.integer(0) } ?? 0, try lastRemovedEvent())
    }

    /// Returns the number through which events were removed by their age.
    func lastRemovedEvent() throws -> Int64 { try statement("SELECT value FROM meta WHERE key = 'audit_start'").first { $0.integer(0) } ?? 0 }

    /// Removes some events before a time. Returns their number.
    func removeEvents(before time: Timestamp, atMost limit: Value) throws -> Int {
        let removed = try statement("DELETE FROM audit WHERE seq IN (SELECT seq FROM audit WHERE at < ? LIMIT ?) RETURNING seq").all(
            .integer(time.milliseconds), limit
        ) { $0.integer(0) }
        if let last = removed.max() {
            let sql = "INSERT INTO meta (key, value) VALUES ('audit_start', ?) ON CONFLICT (key) DO UPDATE SET value = max(value, excluded.value)"
            try statement(sql).run(.integer(last))
        }
        return removed.count
    }
}

extension AccountEvent {
    /// Nil for an event that only a newer version knows.
    fileprivate init?(_ row: Row) {
        guard let kind = Kind(rawValue: row.text(3)) else { return nil }
        self.init(
            kind, uid: row.text(1), AccountOrigin(method: row.text(4), place: row.text(5)),
            session: row.isNull(6) ? nil : SessionID(bytes: row.bytes(6)), count: row.int(7))
        (seq, time) = (row.integer(0), Timestamp(milliseconds: row.integer(2)))
        origin.depth = row.int(8)
    }
}
