// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Accounts for an app's tests, without a daemon.
///
/// ```swift
/// let accounts = InMemoryAccounts()
/// accounts.add(AccountUser(id: "u1", email: "ana@example.org"), password: "correct horse")
/// try await accounts.signIn(email: "ana@example.org", password: "correct horse")
/// accounts.endSession(.disabled)
/// ```
public final class InMemoryAccounts: Accounts {
    /// A mail that a user has asked for.
    public struct Mail: Sendable, Hashable {
        /// The purpose.
        public var kind: RedeemedCode.Kind
        /// The address.
        public var email: String
        /// The code, for `redeemCode(_:email:newPassword:)`.
        public var code: String
        var user: String?
    }

    struct Account {
        var user: AccountUser
        var password: String?
        var factors: [SecondFactor] = []
        var recoveryCodes: [String] = []
        var otherSessions: [SignedInSession] = []
    }

    struct State {
        var accounts: [String: Account] = [:]
        /// User IDs by provider and token.
        var identities: [String: String] = [:]
        var current: String?
        var tokens = 0
        var made = 0
        var end: SessionEnd?
        var failure: AccountError?
        var mails: [Mail] = []
    }

    private let state = Locked(State())
    private let updates = ValueUpdates<AccountUser?>()

    /// Creates an instance without accounts, at which nobody is signed in.
    public init() {
        updates.send(.some(nil))
    }

    // MARK: For tests

    /// Adds an account.
    public func add(_ user: AccountUser, password: String? = nil) {
        state.withLock { $0.accounts[user.id] = Account(user: user, password: password) }
    }

    /// Makes all throwing calls fail with the error; `nil` ends that.
    public func fail(with error: AccountError?) {
        state.withLock { $0.failure = error }
    }

    /// Ends the session as the daemon does.
    public func endSession(_ reason: SessionEnd) {
        leave { $0.end = reason }
    }

    /// The addresses for which a new password was requested.
    public var passwordResets: [String] { mails.filter { $0.kind == .resetPassword }.map(\.email) }

    /// The mails that were asked for, in order.
    public var mails: [Mail] { state.withLock { $0.mails } }

    /// Adds a session of a user on another device.
    public func add(_ session: SignedInSession, of user: String) {
        state.withLock { $0.accounts[user]?.otherSessions.append(session) }
    }

    // MARK: Accounts

    /// The user of the last sign-in.
    public var currentUser: AccountUser? { state.withLock { $0.user } }

    /// The reason given to `endSession(_:)`.
    public var sessionEnd: SessionEnd? { state.withLock { $0.end } }

    /// Takes any password of eight characters.
    @discardableResult
    public func signUp(email: String, password: String, name: String?) async throws(AccountError) -> AccountSession {
        try change { (state) throws(AccountError) in
            guard email.contains("@") else { throw .invalidEmail }
            guard password.count >= 8 else { throw .weakPassword(detail: "The password must have at least 8 characters.") }
            guard state.account(of: email) == nil else { throw .emailAlreadyExists }
            var user = state.user?.isAnonymous == true ? state.user ?? state.newUser() : state.newUser()
            (user.email, user.name, user.isAnonymous, user.providers) = (email, name ?? user.name, false, ["password"])
            return state.signIn(Account(user: user, password: password), isNew: true)
        }
    }

    /// Compares with the password of `add(_:password:)` or `signUp(email:password:name:)`.
    @discardableResult
    public func signIn(email: String, password: String) async throws(AccountError) -> AccountSession {
        try change { (state) throws(AccountError) in
            guard let account = state.account(of: email), account.password == password else { throw .invalidCredentials }
            return try state.signInWithFactor(account)
        }
    }

    /// Takes any token: each token of a provider is a user, and the token of `.custom` is the user ID. A mail's code is any text together with the
    /// address, and an authenticator app's any six characters.
    @discardableResult
    public func signIn(with credential: Credential) async throws(AccountError) -> AccountSession {
        try change { (state) throws(AccountError) in
            switch credential {
            case .apple, .google, .oidc: return try state.signIn(by: credential.identity)
            case .custom(let id): return state.signIn(state.accounts[id] ?? Account(user: AccountUser(id: id, providers: ["custom"])))
            case .anonymous:
                var user = state.newUser()
                user.isAnonymous = true
                return state.signIn(Account(user: user), isNew: true)
            case .code(_, let email):
                guard let email else { throw .invalidCode }
                if let account = state.account(of: email) { return state.signIn(account) }
                var user = state.newUser()
                (user.email, user.isEmailVerified) = (email, true)
                return state.signIn(Account(user: user), isNew: true)
            case .totp(let pending, let code, _): return try state.finish(pending) { _ in code.count == 6 }
            case .recovery(let pending, let code):
                return try state.finish(pending) { account in
                    let count = account.recoveryCodes.count
                    account.recoveryCodes.removeAll { $0 == code }
                    return account.recoveryCodes.count < count
                }
            }
        }
    }

    /// Links a provider's user that belongs to nobody, or by any code an address that no other account has.
    @discardableResult
    public func link(_ credential: Credential) async throws(AccountError) -> AccountUser {
        try change { (state) throws(AccountError) in
            guard var user = state.user else { throw .notSignedIn }
            if case .code(_, let email) = credential {
                guard let email else { throw .invalidCode }
                guard state.account(of: email).map({ $0.user.id == user.id }) ?? true else { throw .emailAlreadyExists }
                (user.email, user.isEmailVerified) = (email, true)
            } else {
                guard let identity = credential.identity else { throw .unsupportedCredential }
                let key = State.key(identity)
                guard state.identities[key].map({ $0 == user.id }) ?? true else { throw .identityLinked }
                state.identities[key] = user.id
                if !user.providers.contains(identity.provider) { user.providers.append(identity.provider) }
            }
            user.isAnonymous = false
            state.accounts[user.id]?.user = user
            return user
        }
    }

    /// The last way to sign in cannot be removed.
    @discardableResult
    public func unlink(provider: String) async throws(AccountError) -> AccountUser {
        try change { (state) throws(AccountError) in
            guard var user = state.user else { throw .notSignedIn }
            guard user.providers.count > 1 else {
                throw .signalbox(.rejected(code: "conflict", detail: "The last way to sign in cannot be removed."))
            }
            user.providers.removeAll { $0 == provider }
            state.identities = state.identities.filter { $0.value != user.id || !$0.key.hasPrefix(provider + " ") }
            state.accounts[user.id]?.user = user
            return user
        }
    }

    /// Changes the current user.
    @discardableResult
    public func update(_ change: ProfileChange) async throws(AccountError) -> AccountUser {
        try self.change { (state) throws(AccountError) in
            guard var user = state.user else { throw .notSignedIn }
            change.name.apply { user.name = $0 }
            change.photoURL.apply { user.photoURL = $0.flatMap { URL(string: $0) } }
            state.accounts[user.id]?.user = user
            return user
        }
    }

    /// The same session until `refreshSession()`.
    public func session() async throws(AccountError) -> AccountSession? {
        try change { (state) throws(AccountError) in state.session }
    }

    /// Returns another token.
    @discardableResult
    public func refreshSession() async throws(AccountError) -> AccountSession {
        try change { (state) throws(AccountError) in
            state.tokens += 1
            guard let session = state.session else { throw .notSignedIn }
            return session
        }
    }

    /// The current session.
    public func restoreSession() -> (user: AccountUser, session: AccountSession)? {
        state.withLock { $0.session }.map { ($0.user, $0) }
    }

    /// Signs out.
    public func clearStoredCredentials() {
        leave { _ in }
    }

    /// Yields the current user and each change.
    public func userStream() -> AsyncStream<AccountUser?> { updates.stream() }

    /// Signs out.
    public func signOut() async throws(AccountError) {
        try change { (state) throws(AccountError) in state.current = nil }
    }

    /// Removes the account.
    public func deleteAccount() async throws(AccountError) {
        try change { (state) throws(AccountError) in
            guard let id = state.current else { throw .notSignedIn }
            (state.accounts[id], state.current) = (nil, nil)
        }
    }

    private func leave(_ body: (inout State) -> Void) {
        state.withLock { state in
            state.current = nil
            body(&state)
            updates.send(.some(nil))
        }
    }

    func change<T>(_ body: (inout State) throws(AccountError) -> T) throws(AccountError) -> T {
        try state.withLock { (state) throws(AccountError) in
            if let failure = state.failure { throw failure }
            let result = try body(&state)
            updates.send(.some(state.user))
            return result
        }
    }
}

extension InMemoryAccounts.State {
    var user: AccountUser? { current.flatMap { accounts[$0]?.user } }

    fileprivate var session: AccountSession? {
        user.map { AccountSession(user: $0, idToken: "token-\(tokens)-\($0.id)", expiresAt: Date(timeIntervalSinceNow: 60 * 60)) }
    }

    func account(of email: String) -> InMemoryAccounts.Account? {
        accounts.values.first { $0.user.email?.lowercased() == email.lowercased() }
    }

    fileprivate mutating func newUser() -> AccountUser {
        made += 1
        return AccountUser(id: "user-\(made)")
    }

    fileprivate mutating func signIn(_ account: InMemoryAccounts.Account, isNew: Bool = false) -> AccountSession {
        accounts[account.user.id] = account
        (current, end) = (account.user.id, nil)
        tokens += 1
        return AccountSession(
            user: account.user, idToken: "token-\(tokens)-\(account.user.id)", expiresAt: Date(timeIntervalSinceNow: 60 * 60), isNew: isNew)
    }

    /// Begins a session, or waits for the code of a second factor.
    fileprivate mutating func signInWithFactor(_ account: InMemoryAccounts.Account) throws(AccountError) -> AccountSession {
        let factors = account.factors.filter { $0.confirmedAt != nil }
        if factors.isEmpty { return signIn(account) }
        throw .secondFactorRequired(
            PendingSignIn(
                pending: account.user.id, expiresAt: Date(timeIntervalSinceNow: 5 * 60),
                factors: factors.map { PendingSignIn.Factor(id: $0.id, kind: $0.kind, name: $0.name) }))
    }

    fileprivate mutating func finish(
        _ pending: PendingSignIn, _ isRight: (inout InMemoryAccounts.Account) -> Bool
    ) throws(AccountError) -> AccountSession {
        guard var account = accounts[pending.pending] else { throw .signInExpired }
        guard isRight(&account) else { throw .invalidCode }
        return signIn(account)
    }

    fileprivate mutating func signIn(by identity: Credential.Identity?) throws(AccountError) -> AccountSession {
        guard let identity else { return signIn(InMemoryAccounts.Account(user: newUser()), isNew: true) }
        let key = Self.key(identity)
        if let account = identities[key].flatMap({ accounts[$0] }) { return try signInWithFactor(account) }
        var user = newUser()
        (user.providers, user.name) = ([identity.provider], identity.name)
        identities[key] = user.id
        return signIn(InMemoryAccounts.Account(user: user), isNew: true)
    }

    fileprivate static func key(_ identity: Credential.Identity) -> String { "\(identity.provider) \(identity.token)" }
}

extension ProfileChange.Field {
    fileprivate func apply(_ body: (String?) -> Void) {
        switch self {
        case .unchanged: break
        case .removed: body(nil)
        case .set(let text): body(text)
        }
    }
}
