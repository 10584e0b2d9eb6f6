// SPDX-License-Identifier: Apache-2.0

package import Accounts
import Database
package import Platform
import SQLite

/// Events and ended sessions that concern other stores, until these have them.
///
///     sign-out           the session, and in the same commit what follows from it
///     `followUps`        events for the topic `$accounts`, sessions whose users no longer own their devices
///     `messages.db`      the messages, the released devices
///     `followUps(after:` forgets the first ones and returns the next
///
/// A kill between two steps repeats the last one, which then has no effect.
package struct AccountFollowUps: Sendable {
    package var notices: [AccountNotice] = []
    package var endedSessions: [SessionID] = []

    package init(notices: [AccountNotice] = [], endedSessions: [SessionID] = []) {
        (self.notices, self.endedSessions) = (notices, endedSessions)
    }

    package var isEmpty: Bool { notices.isEmpty && endedSessions.isEmpty }
}

/// An event of an account for other servers.
package struct AccountNotice: Sendable {
    package var seq: Int64
    package var app: AppID
    package var uid: String
    package var time: Timestamp
    package var kind: AccountEvent.Kind
    package var method: String
}

extension AccountStore {
    /// Forgets what was done and returns what is next, in the order of the commits.
    ///
    /// It runs on the writer's thread, so that whoever sees that a session ended here finds it ended in `live`.
    package func followUps(after done: AccountFollowUps, limit: Int = 500) async throws -> AccountFollowUps {
        if done.notices.contains(where: { $0.kind == .deleted }) { mustEmptyLog.make() }
        return try await change { file in
            try file.complete(done)
            return try file.followUps(limit: limit)
        }
    }
}

extension AccountEvent {
    /// Whether other servers learn of it. Failed sign-ins are many, and anybody can cause them; imports are many at once.
    var isAnnounced: Bool { kind != .signInFailed && origin.method != AccountOrigin.importMethod }
}

extension AccountEvent.Kind {
    /// Whether ID tokens of the account may be out of date. A session that ended says so itself.
    package var changesTokens: Bool {
        switch self {
        case .created, .signedIn, .signInFailed, .signedOut, .sessionEnded, .refreshReused, .disabled, .deleted: false
        default: true
        }
    }
}

extension AccountDB {
    /// Whether anything waits.
    func hasFollowUps() throws -> Bool {
        try statement("SELECT EXISTS (SELECT 1 FROM notices) OR EXISTS (SELECT 1 FROM ended_sessions WHERE owns = 1)").first { $0.int(0) == 1 }
            ?? false
    }

    /// Adds an event for other servers.
    func announce(_ event: AccountEvent, app: AppID, at now: Timestamp) throws {
        try statement("INSERT INTO notices (app, uid, at, what, method) VALUES (?, ?, ?, ?, ?)").run(
            .integer(app.rawValue), .text(event.uid), .integer(now.milliseconds), .text(event.kind.rawValue), .text(event.origin.method))
    }

    /// Removes events of an erased user, but for the one that says so.
    func forgetNotices(of uid: String, app: AppID) throws {
        try statement("DELETE FROM notices WHERE app = ? AND uid = ? AND what <> ?").run(
            .integer(app.rawValue), .text(uid), .text(AccountEvent.Kind.deleted.rawValue))
    }

    fileprivate func followUps(limit: Int) throws -> AccountFollowUps {
        let notices = try statement("SELECT seq, app, uid, at, what, method FROM notices ORDER BY seq LIMIT ?").all(.integer(limit)) { row in
            AccountEvent.Kind(rawValue: row.text(4)).map { kind in
                AccountNotice(
                    seq: row.integer(0), app: AppID(rawValue: row.integer(1)), uid: row.text(2), time: Timestamp(milliseconds: row.integer(3)),
                    kind: kind, method: row.text(5))
            }
        }
        let ended = try statement("SELECT id FROM ended_sessions WHERE owns = 1 ORDER BY at LIMIT ?").all(.integer(limit)) {
            SessionID(bytes: $0.bytes(0))
        }
        return AccountFollowUps(notices: notices.compactMap(\.self), endedSessions: ended.compactMap(\.self))
    }

    fileprivate func complete(_ done: AccountFollowUps) throws {
        if let last = done.notices.last { try statement("DELETE FROM notices WHERE seq <= ?").run(.integer(last.seq)) }
        for id in done.endedSessions { try statement("UPDATE ended_sessions SET owns = 0 WHERE id = ?").run(.blob(id.bytes)) }
    }
}
