// SPDX-License-Identifier: Apache-2.0

import Accounts
package import AppDirectory
import Database
package import Platform
import SQLite

extension RemovalCounts.Kind {
    package static let accounts = Self("accounts")
}

/// The steps of erasure: the account of a user leaves with the user's data, and the data with the account.
extension AccountStore {
    /// Counts the account that `remove` would remove. An installation has none.
    package func survey(_ removal: PersonRemoval) async throws -> RemovalCounts {
        var counts = RemovalCounts()
        for uid in removal.users { counts[.accounts] += try await hasAccount(removal.app, uid: uid) ? 1 : 0 }
        return counts
    }

    /// Removes the account of an erased or anonymised user, and its user ID from events. Repeating it finds nothing to do.
    package func remove(_ removal: PersonRemoval) async throws -> RemovalCounts {
        var counts = RemovalCounts()
        let (app, now, keepsID) = (removal.app, clock.now(), keepsDeletedIDs(removal.app))
        for uid in removal.users {
            let ended = try await endSessions(at: now, why: .deleted) { file in
                let account = try file.account(app, uid: uid)
                if account != nil {
                    try file.add(AccountEvent(.deleted, uid: uid, AccountOrigin(method: "erasure", place: "")), app: app, at: now)
                    if keepsID { try file.keepDeletedID(uid, app: app) }
                }
                try file.anonymiseEvents(of: uid, app: app)
                guard let account else { return nil }
                let ids = try file.sessions(of: account.id).map(\.id)
                try file.remove(account)
                return ids
            }
            if ended != nil { counts[.accounts] += 1 }
        }
        return counts
    }

    package func emptyLog() async throws { try await engine.emptyLogs() }

    /// An account that was deleted, and what remains to be done in other stores.
    package struct Departure: Sendable {
        package var app: AppID
        package var uid: String
        package var rule: AccountDeletion
    }

    /// Returns deleted accounts whose data in other stores is still to be erased or anonymised.
    package func departures() async throws -> [Departure] {
        try await read { file in
            try file.statement("SELECT app, uid, rule FROM departures ORDER BY at LIMIT 100").all { row in
                Departure(app: AppID(rawValue: row.integer(0)), uid: row.text(1), rule: AccountDeletion(rawValue: row.text(2)) ?? .erase)
            }
        }
    }

    /// Returns the apps with user IDs that deletions keep for triggers.
    package func appsWithDeletedIDs() async throws -> [AppID] {
        try await read { try $0.apps(in: ["deletions"]).map { AppID(rawValue: $0) } }
    }

    private static let deletedIDsKept = Timestamp.Span.days(7)

    /// Forgets the user IDs of deletions up to an event, which triggers have read, and those that are too old.
    package func forgetDeletedIDs(of app: AppID, through seq: Int64) async throws {
        let oldest = clock.now() - Self.deletedIDsKept
        mustEmptyLog.make()
        try await change { file in
            try file.statement("DELETE FROM deletions WHERE app = ? AND (seq <= ? OR at < ?)").run(
                .integer(app.rawValue), .integer(seq), .integer(oldest.milliseconds))
        }
    }

    /// Forgets a departure once it is done.
    package func complete(_ departure: Departure) async throws {
        mustEmptyLog.make()
        try await change { file in
            try file.statement("DELETE FROM departures WHERE app = ? AND uid = ?").run(.integer(departure.app.rawValue), .text(departure.uid))
        }
    }
}

// MARK: - Apps and retention

extension AccountStore {
    private static let tablesOfApps = ["accounts", "audit", "departures", "deletions", "notices", "tallies", "codes", "mails"]

    /// Removes the accounts of apps that are no longer in the directory, some hundred rows at a time.
    package func forgetDeletedApps() async throws {
        let (directory, limit, now, live) = (directory, bounds.removedAtOnce, clock.now(), live)
        while true {
            let removed = try await change { file -> (rows: Int, ended: [SessionID]) in
                // The directory is read on the writer's thread. An app created later has no rows yet.
                let gone = try file.apps(in: AccountStore.tablesOfApps).subtracting(directory.now.apps.keys.map(\.rawValue))
                return try gone.reduce(into: (0, [])) { sum, app in
                    let removed = try file.removeSome(ofApp: app, atMost: limit, at: now)
                    sum.0 += removed.rows
                    sum.1 += removed.ended
                }
            } committed: {
                live.end($0.ended, at: now, why: .deleted)
            }
            if removed.rows == 0 { return }
            mustEmptyLog.make()
        }
    }

    /// Removes sessions and anonymous accounts that were not used for long, and old events. Returns the number of rows.
    package func retain(_ apps: [App]) async throws -> Int {
        let (now, bounds, live) = (clock.now(), bounds, live)
        live.forget(endedBefore: now - LiveSessions.kept)
        var total = 0
        while true {
            let removed = try await change { try $0.removeOld(bounds, at: now) }
            total += removed
            if removed == 0 { return total }
        }
    }
}

extension AccountDB {
    fileprivate func removeSome(ofApp app: Int64, atMost limit: Int, at now: Timestamp) throws -> (rows: Int, ended: [SessionID]) {
        let accounts = try statement("SELECT id FROM accounts WHERE app = ? LIMIT ?").all(.integer(app), .integer(limit)) { $0.integer(0) }
        var ended: [SessionID] = []
        for account in accounts {
            ended += try sessions(of: account).map(\.id)
            try statement("DELETE FROM accounts WHERE id = ?").run(.integer(account))
            try removeParts(of: account)
        }
        for id in ended { try end(id, at: now, why: .deleted) }
        var rows = accounts.count
        try statement("DELETE FROM audit WHERE seq IN (SELECT seq FROM audit WHERE app = ? LIMIT ?)").run(.integer(app), .integer(limit))
        rows += changes
        try statement("DELETE FROM departures WHERE app = ?").run(.integer(app))
        rows += changes
        try statement("DELETE FROM deletions WHERE app = ?").run(.integer(app))
        rows += changes
        try statement("DELETE FROM notices WHERE app = ?").run(.integer(app))
        rows += changes
        try statement("DELETE FROM tallies WHERE app = ?").run(.integer(app))
        rows += changes
        return (rows + (try removeCodes(ofApp: app, atMost: limit)), ended)
    }

    func removeOld(_ bounds: AccountBounds, at now: Timestamp) throws -> Int {
        let limit = Value.integer(bounds.removedAtOnce)
        func remove(_ sql: String, before time: Timestamp) throws -> Int {
            try statement(sql).run(.integer(time.milliseconds), limit)
            return changes
        }
        let idle = try statement("SELECT id FROM sessions WHERE refreshed < ? LIMIT ?").all(
            .integer((now - bounds.sessionIdle).milliseconds), limit
        ) { SessionID(bytes: $0.bytes(0)) }
        for id in idle.compactMap(\.self) { try end(id, at: now) }
        var removed = idle.count
        removed += try removeUnused(before: now - bounds.anonymousIdle, limit, at: now)
        try statement("DELETE FROM tallies WHERE day < ?").run(.integer(Int64(Day(of: now - bounds.auditKept).number)))
        removed += try removeEvents(before: now - bounds.auditKept, atMost: limit)
        removed += try remove(
            "DELETE FROM factors WHERE id IN (SELECT id FROM factors WHERE created < ? AND confirmed_at IS NULL LIMIT ?)",
            before: now - SecondFactor.patience)
        removed += try remove(
            "DELETE FROM ended_sessions WHERE id IN (SELECT id FROM ended_sessions WHERE at < ? AND owns = 0 LIMIT ?)",
            before: now - LiveSessions.kept)
        return removed + (try removeOldCodes(atMost: bounds.removedAtOnce, at: now))
    }

    /// Removes anonymous accounts without a use since a time. Returns their number.
    private func removeUnused(before time: Timestamp, _ limit: Value, at now: Timestamp) throws -> Int {
        let unused = try statement(
            """
            SELECT id FROM accounts WHERE anonymous = 1 AND last_sign_in < ?1
            AND NOT EXISTS (SELECT 1 FROM sessions WHERE account = accounts.id AND refreshed >= ?1) LIMIT ?2
            """
        ).all(.integer(time.milliseconds), limit) { $0.integer(0) }
        for account in unused {
            for session in try sessions(of: account) { try end(session.id, at: now) }
            try statement("UPDATE audit SET listed = 1 WHERE seq = (SELECT import_event FROM accounts WHERE id = ?)").run(.integer(account))
            try statement("DELETE FROM accounts WHERE id = ?").run(.integer(account))
            try removeParts(of: account)
        }
        return unused.count
    }
}
