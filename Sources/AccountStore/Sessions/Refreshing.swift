// SPDX-License-Identifier: Apache-2.0

package import Accounts
import Database
package import Platform
import SQLite

extension AccountStore {
    /// Uses a refresh token: applies the rule for reuse, stores the result and returns what to answer.
    ///
    /// Throws `sessionEnded` for a session that ended, also if this use ended it because two parties hold its tokens.
    ///
    /// - Parameter key: The ingest key of the request, which the session then belongs to.
    package func refresh(
        _ token: RefreshToken, _ app: AppID, key: Int64, rotates: Bool, _ origin: AccountOrigin
    ) async throws -> SignedIn {
        let (now, live, hub) = (clock.now(), live, hub)
        let seen = live.seen(token.session)
        let used = try await change { file -> Refreshed in
            guard let (found, account) = try file.owner(of: token.session, app) else { return .ended }
            guard !account.isDisabled else { throw Refusal.accountDisabled }
            var session = found
            session.state.saw(generation: seen)
            let outcome = session.state.present(token.counter, at: now, rotates: rotates)
            if outcome == .reused {
                try file.end(session.id, at: now, why: .refreshReused)
                try file.add(AccountEvent(.refreshReused, uid: account.uid, origin, session: session.id), app: app, at: now)
                return .reused
            }
            session.key = key
            if outcome != .repeated { try file.refreshed(session) }
            return .done(SignedIn(account: account, session: session), outcome)
        } committed: { result in
            if case .done = result { hub.renewed(token.session, until: now + AccountBounds.tokenLife) }
            if case .reused = result { live.end([token.session], at: now, why: .refreshReused) }
        }
        switch used {
        case .done(let signedIn, let outcome):
            gauges.refreshed(outcome == .rotated ? .rotated : outcome == .repeated ? .repeated : .recovered)
            return signedIn
        case .reused: gauges.refreshed(.reused)
        case .ended: gauges.refreshed(.ended)
        }
        throw Refusal.sessionEnded
    }

    private enum Refreshed: Sendable {
        case done(SignedIn, RefreshState.Outcome)
        case reused, ended
    }

    /// Returns the account and the session of a checked ID token; nil if either is gone.
    package func session(_ id: SessionID, _ app: AppID) async throws -> SignedIn? {
        try await read { file in try file.owner(of: id, app).map { SignedIn(account: $0.account, session: $0.session) } }
    }

    /// Ends the session of a refresh token, or all sessions of its account. A session that ended before is no error.
    package func signOut(_ token: RefreshToken, _ app: AppID, everywhere: Bool, _ origin: AccountOrigin) async throws {
        let now = clock.now()
        try await endSessions(at: now, why: .signedOut) { file in
            guard let (session, account) = try file.owner(of: token.session, app) else { return [] }
            if everywhere { _ = try file.update(account, AccountChange.ofSignOut, at: now) }
            let ids = everywhere ? try file.sessions(of: account.id).map(\.id) : [session.id]
            try file.add(AccountEvent(.signedOut, uid: account.uid, origin, session: everywhere ? nil : session.id), app: app, at: now)
            return ids
        }
    }

    /// Ends all sessions of an account. Returns the account; nil if it is gone.
    package func signOut(uid: String, _ app: AppID, _ origin: AccountOrigin) async throws -> Bool {
        let now = clock.now()
        return try await endSessions(at: now, why: .signedOut) { file in
            guard let account = try file.account(app, uid: uid) else { return nil }
            _ = try file.update(account, AccountChange.ofSignOut, at: now)
            try file.add(AccountEvent(.signedOut, uid: uid, origin), app: app, at: now)
            return try file.sessions(of: account.id).map(\.id)
        } != nil
    }

    /// Ends one session of an account, or all but one. Returns false if the account has no such session.
    package func endSession(_ id: SessionID, of account: Account, _ origin: AccountOrigin) async throws -> Bool {
        let now = clock.now()
        return try await endSessions(at: now) { file in
            guard try file.sessions(of: account.id).contains(where: { $0.id == id }) else { return nil }
            try file.add(AccountEvent(.sessionEnded, uid: account.uid, origin, session: id), app: account.app, at: now)
            return [id]
        } != nil
    }

    /// Ends all sessions of an account but one.
    package func endOtherSessions(than kept: SessionID, of account: Account, _ origin: AccountOrigin) async throws {
        let now = clock.now()
        try await endSessions(at: now) { file in
            let ids = try file.sessions(of: account.id).map(\.id).filter { $0 != kept }
            for id in ids { try file.add(AccountEvent(.sessionEnded, uid: account.uid, origin, session: id), app: account.app, at: now) }
            return ids
        }
    }

    /// Ends the sessions that a closure selects, in one commit with it, and in memory before the caller goes on.
    @discardableResult
    func endSessions(
        at now: Timestamp, why: AccountEvent.Kind = .sessionEnded, _ select: @escaping @Sendable (AccountDB) throws -> [SessionID]?
    ) async throws -> [SessionID]? {
        let live = live
        return try await change { file in
            let ids = try select(file)
            for id in ids ?? [] { try file.end(id, at: now, why: why) }
            return ids
        } committed: {
            live.end($0 ?? [], at: now, why: why)
        }
    }
}

extension AccountDB {
    /// Returns a session of the app with its account.
    fileprivate func owner(of id: SessionID, _ app: AppID) throws -> (session: AccountSession, account: Account)? {
        guard let found = try session(id), let account = try account(row: found.account), account.app == app else { return nil }
        return (found.session, account)
    }
}

extension AccountChange {
    /// Makes all ID tokens from before void.
    static var ofSignOut: AccountChange {
        var change = AccountChange()
        change.endsSessions = true
        return change
    }
}
