// SPDX-License-Identifier: Apache-2.0

package import Accounts
import Database
package import Platform
import SQLite

extension AccountStore {
    /// Begins a session of the account to which an identity leads by the rule for linking (`Linking`), in one commit.
    ///
    /// - Parameters:
    ///   - uid: The user of the request's ID token, to whose account a new identity is linked.
    ///   - mayCreate: Whether an identity that leads to no account gets one; otherwise `noAccount` is thrown.
    package func signIn(
        _ identity: ProviderIdentity, _ app: AppID, as uid: String?, _ session: SessionDraft, _ origin: AccountOrigin,
        _ proof: SecondFactorProof = .missing, mayCreate: Bool = true
    ) async throws -> SignedIn {
        try await begin(session, app, origin, proof) { file, now in
            try file.resolve(identity, app, as: uid, mayCreate: mayCreate, origin, at: now)
        }
    }

    /// Whether an account has an identity.
    package func hasAccount(_ app: AppID, with identity: ProviderIdentity) async throws -> Bool {
        try await read { try $0.account(app, identity.provider, subject: identity.subject) != nil }
    }

    /// Links an identity to the account of a signed-in user, whose session goes on. Returns nil if the account or the session is gone.
    package func link(
        _ identity: ProviderIdentity, to uid: String, _ app: AppID, _ session: SessionID, _ origin: AccountOrigin
    ) async throws -> SignedIn? {
        let now = clock.now()
        let isThere = try await change { file in
            guard try file.account(app, uid: uid) != nil else { return false }
            _ = try file.resolve(identity, app, as: uid, origin, at: now)
            return true
        }
        return isThere ? try await self.session(session, app) : nil
    }

    /// Removes a way to sign in: the identity of a provider, or the password. All other sessions end.
    ///
    /// Returns false if the account has no such way. Throws if it has no other.
    package func unlink(_ provider: String, uid: String, _ app: AppID, kept: SessionID, _ origin: AccountOrigin) async throws -> Bool {
        let now = clock.now()
        return try await endSessions(at: now, why: .identityUnlinked) { file in
            guard let account = try file.account(app, uid: uid) else { throw Refusal.sessionEnded }
            guard account.providers.contains(where: { $0.hasSameBytes(as: provider) }) else { return nil }
            guard account.providers.count > 1 else {
                throw Refusal(.conflict, "This is the only way to sign in to the account.", hint: "Link another one first, or delete the account.")
            }
            var change = AccountChange.ofSignOut
            if provider == Account.passwordProvider { change.password = .some(nil) } else { change.removedProviders = [provider] }
            _ = try file.update(account, change, at: now)
            try file.add(AccountEvent(.identityUnlinked, uid: uid, AccountOrigin(method: provider, place: origin.place)), app: app, at: now)
            return try file.sessions(of: account.id).map(\.id).filter { $0 != kept }
        } != nil
    }

    /// Returns the identities of an account, by provider.
    package func identities(of account: Account) async throws -> [LinkedIdentity] { try await read { try $0.identities(of: account.id) } }
}

extension AccountDB {
    /// Finds or makes the account of an identity, and links it.
    fileprivate func resolve(
        _ identity: ProviderIdentity, _ app: AppID, as uid: String?, mayCreate: Bool = true, _ origin: AccountOrigin, at now: Timestamp
    ) throws -> AccountStore.FoundAccount {
        let signedIn = try uid.map { uid in
            guard let account = try account(app, uid: uid) else { throw Refusal.sessionEnded }
            return account
        }
        let linked = try account(app, identity.provider, subject: identity.subject)
        let owner = try identity.email.flatMap { try account(app, email: $0.key) }
        let facts = Linking<Account>.Facts(
            linked: linked, signedIn: signedIn, addressOwner: owner.map { .init($0, isVerified: $0.isEmailVerified) },
            isAddressTrusted: identity.isEmailTrusted)
        switch Linking.decide(facts) {
        case .signIn(let account):
            try keepEmail(identity, app)
            return .init(account)
        case .link(let account):
            let isOwn = signedIn != nil
            try requireNoOther(identity, account, isOwn ? .identityLinked : .accountExists)
            return try link(identity, to: account, mayName: isOwn, origin, at: now)
        case .takeOver(let account): return try takeOver(account, identity, origin, at: now)
        case .create:
            guard mayCreate else { throw Refusal.noAccount }
            return try create(identity, app, origin, at: now)
        case .identityLinked: throw Refusal.identityLinked
        case .accountExists: throw Refusal.accountExists
        }
    }

    /// An account has one user of a provider: another one with the same address is somebody else, who got the address later.
    private func requireNoOther(_ identity: ProviderIdentity, _ account: Account, _ code: Refusal.Code) throws {
        guard account.identities.contains(where: { $0.provider.hasSameBytes(as: identity.provider) }) else { return }
        throw Refusal(
            code, "The account has another user of this provider.", hint: "Sign in with that one, or unlink it first.")
    }

    /// - Parameter mayName: Whether an account without an address gets that of the identity, if nobody else has it.
    private func link(
        _ identity: ProviderIdentity, to account: Account, mayName: Bool, _ origin: AccountOrigin, at now: Timestamp
    ) throws -> AccountStore.FoundAccount {
        var change = AccountChange()
        if mayName, account.email == nil, let email = identity.email, try self.account(account.app, email: email.key) == nil {
            (change.email, change.isEmailVerified) = (.some(email), identity.isEmailTrusted)
        }
        if account.name == nil, let name = identity.name { change.name = .some(name) }
        if account.photoURL == nil, let url = identity.photoURL { change.photoURL = .some(url) }
        (change.isAnonymous, change.endsSessions) = (false, account.isAnonymous)
        // Sessions from before the upgrade end: another person may have begun them on the device.
        let ended = account.isAnonymous ? try sessions(of: account.id).map(\.id) : []
        try insert(identity, of: account, at: now)
        _ = try update(account, change, at: now)
        if account.isAnonymous { try add(AccountEvent(.upgraded, uid: account.uid, origin), app: account.app, at: now) }
        try add(AccountEvent(.identityLinked, uid: account.uid, origin.by(identity)), app: account.app, at: now)
        return .init(try self.account(row: account.id) ?? account, ended: ended, why: .upgraded)
    }

    private func takeOver(
        _ account: Account, _ identity: ProviderIdentity, _ origin: AccountOrigin, at now: Timestamp
    ) throws -> AccountStore.FoundAccount {
        let proved = try proveAddress(of: account, origin, at: now)
        var found = try link(identity, to: proved.account, mayName: false, origin, at: now)
        (found.ended, found.why) = (proved.ended, proved.why)
        return found
    }

    /// Marks the address of an account as verified, on the word of a provider or a mail. If nobody had proved it before, everything with which the
    /// account's maker could sign in is dropped.
    func proveAddress(of account: Account, _ origin: AccountOrigin, at now: Timestamp) throws -> AccountStore.FoundAccount {
        guard !account.isEmailVerified else { return .init(account) }
        let ended = try sessions(of: account.id).map(\.id)
        try dropCredentials(of: account)
        var bare = account
        (bare.password, bare.identities) = (nil, [])
        var change = AccountChange.ofSignOut
        (change.isEmailVerified, change.isAnonymous) = (true, false)
        let changed = try update(bare, change, at: now)
        try add(AccountEvent(.credentialsDropped, uid: account.uid, origin), app: account.app, at: now)
        return .init(changed, ended: ended, why: .credentialsDropped)
    }

    private func create(_ identity: ProviderIdentity, _ app: AppID, _ origin: AccountOrigin, at now: Timestamp) throws -> AccountStore.FoundAccount {
        var draft = AccountDraft()
        (draft.email, draft.isEmailVerified) = (identity.email, identity.email != nil && identity.isEmailTrusted)
        (draft.name, draft.photoURL) = (identity.name, identity.photoURL)
        let made = try insert(draft, app: app, at: now)
        try add(AccountEvent(.created, uid: made.uid, origin), app: app, at: now)
        try insert(identity, of: made, at: now)
        return .init(try account(row: made.id) ?? made, isNew: true)
    }
}

extension AccountOrigin {
    fileprivate func by(_ identity: ProviderIdentity) -> AccountOrigin { AccountOrigin(method: identity.provider, place: place) }
}

extension Refusal {
    package static let noAccount = Refusal(.notFound, "No account has this user of the provider.")
    static let identityLinked = Refusal(
        .identityLinked, "Another account has this user of the provider.", hint: "Sign out, then sign in with the provider.")
    static let accountExists = Refusal(
        .accountExists, "There is an account for this user, which the provider's word does not open.",
        hint: "Sign in as before, then link the provider with POST /v1/auth/user/identities.")
}
