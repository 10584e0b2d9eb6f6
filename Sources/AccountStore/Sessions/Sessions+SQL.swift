// SPDX-License-Identifier: Apache-2.0

import Accounts
import Database
import Platform
import SQLite

extension AccountDB {
    private static let columns = "id, key, created, refreshed, counter, lost, method, client, place, claims, second_factor"

    /// Returns the sessions of an account, oldest first.
    func sessions(of account: Int64) throws -> [AccountSession] {
        try statement("SELECT \(AccountDB.columns) FROM sessions WHERE account = ? ORDER BY created, id").all(.integer(account)) {
            AccountSession($0)
        }.compactMap(\.self)
    }

    /// Returns a session with its account's row.
    func session(_ id: SessionID) throws -> (session: AccountSession, account: Int64)? {
        try statement("SELECT \(AccountDB.columns), account FROM sessions WHERE id = ?").first(.blob(id.bytes)) { row in
            AccountSession(row).map { ($0, row.integer(11)) }
        }.flatMap(\.self)
    }

    func insert(_ session: AccountSession, of account: Int64) throws {
        try statement("INSERT INTO sessions (\(AccountDB.columns), account) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
            .blob(session.id.bytes), .integer(session.key), .integer(session.created.milliseconds), .integer(session.state.refreshed.milliseconds),
            .integer(Int64(session.state.counter)), .integer(session.state.lost.packed), .text(session.method), .text(session.client),
            .text(session.place), .text(session.claims), .text(session.secondFactor?.rawValue), .integer(account))
    }

    /// Notes that a session's user showed a second factor.
    func setSecondFactor(_ kind: SecondFactor.Kind, of id: SessionID) throws {
        try statement("UPDATE sessions SET second_factor = ? WHERE id = ?").run(.text(kind.rawValue), .blob(id.bytes))
    }

    /// Stores the state after a refresh.
    func refreshed(_ session: AccountSession) throws {
        try statement("UPDATE sessions SET key = ?, refreshed = ?, counter = ?, lost = ? WHERE id = ?").run(
            .integer(session.key), .integer(session.state.refreshed.milliseconds), .integer(Int64(session.state.counter)),
            .integer(session.state.lost.packed), .blob(session.id.bytes))
    }

    /// Ends a session. It is remembered for as long as an ID token of it may be valid, and until the devices of its user are released.
    func end(_ id: SessionID, at now: Timestamp, why: AccountEvent.Kind = .sessionEnded) throws {
        try statement("DELETE FROM sessions WHERE id = ?").run(.blob(id.bytes))
        try statement("INSERT OR IGNORE INTO ended_sessions (id, at, why) VALUES (?, ?, ?)").run(
            .blob(id.bytes), .integer(now.milliseconds), .text(why.rawValue))
    }

    /// Returns sessions that ended after a time.
    func endedSessions(since time: Timestamp) throws -> [(id: SessionID, end: SessionEnd)] {
        try statement("SELECT id, at, why FROM ended_sessions WHERE at >= ?").all(.integer(time.milliseconds)) { row in
            SessionID(bytes: row.bytes(0)).map { id in
                let why = AccountEvent.Kind(rawValue: row.text(2)) ?? .sessionEnded
                return (id, SessionEnd(time: Timestamp(milliseconds: row.integer(1)), why: why))
            }
        }.compactMap(\.self)
    }
}

extension AccountSession {
    /// Nil for a row that this version did not write.
    init?(_ row: Row) {
        guard let id = SessionID(bytes: row.bytes(0)), let counter = UInt32(exactly: row.integer(4)) else { return nil }
        self.init(
            id: id, key: row.integer(1), created: Timestamp(milliseconds: row.integer(2)),
            state: RefreshState(
                counter: counter, refreshed: Timestamp(milliseconds: row.integer(3)), lost: LostAnswers(packed: row.integer(5))),
            method: row.text(6), client: row.text(7), place: row.text(8), claims: row.optionalText(9),
            secondFactor: row.optionalText(10).flatMap(SecondFactor.Kind.init))
    }
}
