// SPDX-License-Identifier: Apache-2.0

package import Accounts
import Database
import Platform
import SQLite

extension AccountStore {
    /// Gives the account of a signed-in user the address of a code of the kind `sign_in`, verified.
    ///
    ///     anonymous                keeps the user ID; all earlier sessions end, and a new one begins
    ///     without an address       gets the address
    ///     with this address        verifies it
    ///     with another address     changes it; the former one, if it was verified, gets a mail that undoes it
    ///
    /// Throws `emailExists` if another account has the address, whether or not it was verified there. The code can then still sign in to that one.
    ///
    /// - Parameters:
    ///   - link: The user of the request's ID token.
    ///   - draft: The session of an upgraded account. Other users keep the session of their ID token.
    package func signIn(_ code: StoredCode, linkedTo link: CodeLink, _ draft: SessionDraft, _ origin: AccountOrigin) async throws -> SignedIn {
        guard code.kind == .signIn else { throw Refusal.wrongMailCode }
        let linked = link.isAnonymous ? try await upgrade(link, code, draft, origin) : try await prove(code, link, origin)
        gauges.counted(code.kind, .redeemed)
        return linked
    }

    private func upgrade(_ link: CodeLink, _ code: StoredCode, _ draft: SessionDraft, _ origin: AccountOrigin) async throws -> SignedIn {
        try await begin(draft, code.app, origin) { file, now in
            try file.use(code.code, at: now)
            // Two links at once: the second one finds a user whose sessions have ended.
            guard let account = try file.account(code.app, uid: link.uid), account.isAnonymous,
                try file.sessions(of: account.id).contains(where: { $0.id == link.session })
            else { throw Refusal.sessionEnded }
            var change = AccountChange.ofSignOut
            (change.email, change.isEmailVerified, change.isAnonymous) = (.some(code.email), true, false)
            let changed = try file.update(account, change, at: now)
            try file.add(AccountEvent(.upgraded, uid: account.uid, origin), app: code.app, at: now)
            return FoundAccount(changed, ended: try file.sessions(of: account.id).map(\.id), why: .upgraded)
        }
    }

    private func prove(_ code: StoredCode, _ link: CodeLink, _ origin: AccountOrigin) async throws -> SignedIn {
        let (now, live, sendsMail) = (clock.now(), live, bounds.sendsMail)
        _ = try await change { file in
            try file.use(code.code, at: now)
            return try file.link(code, link, origin, sendsMail: sendsMail, at: now)
        } committed: {
            live.end($0.ended, at: now, why: $0.why)
        }
        wakeMails()
        guard let linked = try await session(link.session, code.app) else { throw Refusal.sessionEnded }
        return linked
    }
}

/// The signed-in user whose account gets the address of a code.
package struct CodeLink: Sendable {
    package var uid: String
    package var session: SessionID
    package var isAnonymous: Bool

    package init(uid: String, session: SessionID, isAnonymous: Bool) {
        (self.uid, self.session, self.isAnonymous) = (uid, session, isAnonymous)
    }
}

extension AccountDB {
    fileprivate func link(
        _ code: StoredCode, _ link: CodeLink, _ origin: AccountOrigin, sendsMail: Bool, at now: Timestamp
    ) throws -> Redemption {
        guard let account = try account(code.app, uid: link.uid), try sessions(of: account.id).contains(where: { $0.id == link.session }) else {
            throw Refusal.sessionEnded
        }
        guard !account.isDisabled else { throw Refusal.accountDisabled }
        guard account.email.flatMap({ EmailAddress($0) })?.key.hasSameBytes(as: code.email.key) == true else {
            var change = code
            change.session = link.session
            return try changeEmail(of: account, by: change, origin, sendsMail: sendsMail, at: now)
        }
        guard !account.isEmailVerified else { return Redemption(account: account) }
        return try apply(AccountChange(isEmailVerified: true), to: account, .emailVerified, origin, at: now)
    }
}
