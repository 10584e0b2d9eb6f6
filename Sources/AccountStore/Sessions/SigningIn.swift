// SPDX-License-Identifier: Apache-2.0

import Accounts
import Database
package import Platform
import SQLite

/// A session with its account, as a response describes them.
package struct SignedIn: Sendable {
    package var account: Account
    package var session: AccountSession
    package var isNew = false

    package init(account: Account, session: AccountSession, isNew: Bool = false) {
        (self.account, self.session, self.isNew) = (account, session, isNew)
    }
}

extension AccountStore {
    /// Creates an account without a session, and a code for its first password if its user is invited.
    package func create(_ draft: AccountDraft, _ app: AppID, isInvited: Bool = false, _ origin: AccountOrigin) async throws -> Account {
        let now = clock.now()
        if isInvited { _ = try await prepareSecrets() }
        defer { if isInvited { wakeMails() } }
        return try await change { file in
            let account = try file.insert(draft, app: app, at: now)
            if isInvited, let email = draft.email {
                try file.insert(MailCode.make(at: now), CodeRequest(.invite, email), app: app, account: account.id, at: now)
            }
            try file.add(AccountEvent(.created, uid: account.uid, origin), app: app, at: now)
            return account
        }
    }

    /// Creates an account and begins its first session.
    package func signUp(_ draft: AccountDraft, _ app: AppID, _ session: SessionDraft, _ origin: AccountOrigin) async throws -> SignedIn {
        try await begin(session, app, origin) { file, now in
            let account = try file.insert(draft, app: app, at: now)
            try file.add(AccountEvent(.created, uid: account.uid, origin), app: app, at: now)
            return FoundAccount(account, isNew: true)
        }
    }

    /// Gives an anonymous account an address and a password, and begins a session of it. The user ID stays.
    ///
    /// All earlier sessions end: whoever began the anonymous one must not share the account.
    package func upgrade(
        uid: String, _ draft: AccountDraft, _ app: AppID, _ session: SessionDraft, _ origin: AccountOrigin
    ) async throws -> SignedIn {
        try await begin(session, app, origin) { file, now in
            guard let account = try file.account(app, uid: uid) else { throw Refusal.sessionEnded }
            guard account.isAnonymous else {
                throw Refusal(
                    .conflict, "The user of the ID token has an account already.",
                    hint: "Sign up with the ingest key, or set a password with POST /v1/auth/user/password.")
            }
            var change = AccountChange()
            (change.email, change.password, change.name) = (.some(draft.email), .some(draft.password), draft.name.map { .some($0) })
            change.endsSessions = true
            let changed = try file.update(account, change, at: now)
            try file.add(AccountEvent(.upgraded, uid: uid, origin), app: app, at: now)
            return FoundAccount(changed, ended: try file.sessions(of: account.id).map(\.id), why: .upgraded)
        }
    }

    /// Begins a session of an account whose password was checked.
    ///
    /// Throws `invalidCredentials` if the password was changed meanwhile.
    ///
    /// - Parameter rehashed: A newer hash of the same password to store.
    package func signIn(
        _ known: Account, rehashed: String?, _ session: SessionDraft, _ origin: AccountOrigin, _ proof: SecondFactorProof = .missing
    ) async throws -> SignedIn {
        try await begin(session, known.app, origin, proof) { file, _ in
            guard let account = try file.account(row: known.id), account.password == known.password else { throw Refusal.invalidCredentials }
            if let rehashed { try file.setPassword(rehashed, of: account.id) }
            return FoundAccount(account)
        }
    }

    /// Begins a session of the account of a custom token, which is created if it is missing. The server that signed it vouches for the user, so
    /// a second factor is not asked for.
    package func signIn(uid: String, _ app: AppID, _ session: SessionDraft, _ origin: AccountOrigin) async throws -> SignedIn {
        try await begin(session, app, origin, nil) { file, now in
            if let account = try file.account(app, uid: uid) { return FoundAccount(account) }
            var draft = AccountDraft()
            draft.uid = uid
            let account = try file.insert(draft, app: app, at: now)
            try file.add(AccountEvent(.created, uid: account.uid, origin), app: app, at: now)
            return FoundAccount(account, isNew: true)
        }
    }

    /// The account that a sign-in found or made, and sessions that end with it.
    struct FoundAccount {
        var account: Account
        var isNew: Bool
        var ended: [SessionID]
        /// Why they end.
        var why: AccountEvent.Kind

        init(_ account: Account, isNew: Bool = false, ended: [SessionID] = [], why: AccountEvent.Kind = .sessionEnded) {
            (self.account, self.isNew, self.ended, self.why) = (account, isNew, ended, why)
        }
    }

    /// Begins a session of the account that a closure finds or makes, in one commit with it.
    ///
    /// An account with a second factor needs a code, otherwise nothing of the closure is kept and `SecondFactorNeeded` is thrown.
    ///
    /// - Parameter proof: The code of a second factor; nil if none is needed whatever the account has.
    func begin(
        _ draft: SessionDraft, _ app: AppID, _ origin: AccountOrigin, _ proof: SecondFactorProof? = .missing,
        _ find: @escaping @Sendable (AccountDB, Timestamp) throws -> FoundAccount
    ) async throws -> SignedIn {
        let (now, most, live, key, sendsMail) = (clock.now(), bounds.sessionsPerAccount, live, secrets.key, bounds.sendsMail)
        let made = try await change { file -> (signedIn: SignedIn, found: FoundAccount, oldest: [SessionID]) in
            let found = try find(file, now)
            var account = found.account
            guard !account.isDisabled else { throw Refusal.accountDisabled }
            let factor = try proof.flatMap { try file.use($0, account, key, at: now) }
            let session = AccountSession(
                id: .make(at: now), key: draft.key, created: now, state: RefreshState(refreshed: now), method: origin.method, client: draft.client,
                place: origin.place, claims: draft.claims, secondFactor: factor)
            for id in found.ended { try file.end(id, at: now, why: found.why) }
            let oldest = try file.makeRoom(for: account.id, most: most, at: now)
            try file.insert(session, of: account.id)
            try file.signedIn(account.id, at: now)
            if sendsMail, try file.isNewDevice(draft.device, of: account.id) { try file.notify(account, .newDevice, about: draft.client, at: now) }
            if let device = draft.device { try file.know(device, of: account.id, at: now) }
            if factor == .recovery { try file.add(AccountEvent(.recoveryCodeUsed, uid: account.uid, origin), app: app, at: now) }
            try file.add(AccountEvent(.signedIn, uid: account.uid, origin, session: session.id), app: app, at: now)
            account.lastSignIn = now
            return (SignedIn(account: account, session: session, isNew: found.isNew), found, oldest)
        } committed: {
            live.end($0.found.ended, at: now, why: $0.found.why)
            live.end($0.oldest, at: now)
        }
        if sendsMail { wakeMails() }
        return made.signedIn
    }
}

extension AccountDB {
    private static let devicesPerAccount = 20

    /// Remembers a device of an account, and forgets the one that was not used for longest beyond the limit.
    fileprivate func know(_ device: UInt64, of account: Int64, at now: Timestamp) throws {
        try statement("INSERT OR REPLACE INTO devices (account, device, at) VALUES (?, ?, ?)").run(
            .integer(account), .key(device), .integer(now.milliseconds))
        try statement(
            """
            DELETE FROM devices WHERE account = ?1 AND device IN
                (SELECT device FROM devices WHERE account = ?1 ORDER BY at DESC LIMIT -1 OFFSET \(AccountDB.devicesPerAccount))
            """
        ).run(.integer(account))
    }

    /// Whether an account that is used on other devices has never been used on this one.
    fileprivate func isNewDevice(_ device: UInt64?, of account: Int64) throws -> Bool {
        guard let device, try !knows(device, of: account) else { return false }
        return try statement("SELECT 1 FROM devices WHERE account = ? LIMIT 1").first(.integer(account)) { _ in true } ?? false
    }

    /// Ends the oldest sessions of an account, so that one more is within the limit. Returns them.
    fileprivate func makeRoom(for account: Int64, most: Int, at now: Timestamp) throws -> [SessionID] {
        let ended = try sessions(of: account).dropLast(most - 1).map(\.id)
        for id in ended { try end(id, at: now) }
        return ended
    }
}

extension Refusal {
    /// The same for a wrong password, an unknown address and an account without a password.
    package static let invalidCredentials = Refusal(
        .invalidCredentials, "The email address or the password is wrong.", hint: "Check both, or reset the password.")
    package static let phoneTaken = Refusal(
        .conflict, "Another account has this phone number.", fields: [.init("phone", "taken", "belongs to another account")])
    package static let accountDisabled = Refusal(.accountDisabled, "This account is disabled.")
    package static let sessionEnded = Refusal(.sessionEnded, "The session has ended.", hint: "Sign in again.")
}
