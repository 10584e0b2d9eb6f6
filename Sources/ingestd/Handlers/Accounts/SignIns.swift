// SPDX-License-Identifier: Apache-2.0

import API
import AccountStore
import Accounts
import AcrossStores
import AppDirectory
import Crypto
import EventStore
import HTTPServer
import JOSE
import Platform

/// Sign-up and sign-in: by password, as an anonymous user, with a custom token of a server or the ID token of an identity provider.
///
/// A stranger's attempt costs what a user's costs: the same limits, one look-up and one hash, and the same answer.
struct SignIns: Sendable {
    let store: Stores
    let hashing: AccountHashing
    let limits: AccountLimits
    let rules: AccountRules
    let responses: SessionResponses
    let traces: SignInTraces
    let tokens: IDTokens
    let providers: ProviderSignIns
    let pendings: PendingSignIns
    let clock: WallClock

    static let routes = [
        Route(.post, "/v1/auth/sign-up", .role(.ingest), .task(\.accounts.signIns, SignIns.signUp), most: bodyBytes),
        Route(.post, "/v1/auth/sign-in", .role(.ingest), .task(\.accounts.signIns, SignIns.signIn), most: bodyBytes),
    ]
    /// A password has at most 1,024 bytes, a custom token 16 KiB.
    static let bodyBytes = 32 << 10

    var gauges: AccountGauges { store.accounts.gauges }

    func signUp(_ call: Call) async throws -> HandlerResponse {
        let request = try SignInRequest(call, in: store, ["email", "password", "name", "continue_url", "locale"])
        if request.app.settings.authVerifiedOnly { return try await askForProof(request, call) }
        let made = try await signUp(request, call)
        return try await responses.session(made, request.app, status: made.isNew ? 201 : 200)
    }

    /// Creates an account with an address and a password, and begins its first session.
    func signUp(_ request: SignInRequest, _ call: Call) async throws -> SignedIn {
        guard !request.app.settings.authVerifiedOnly else {
            throw Refusal(
                .methodOff, "This app creates accounts by a mail only.", hint: "Send POST /v1/auth/sign-up, or turn auth_verified_only off.")
        }
        let draft = try await draft(request, call)
        let made = try await began(draft, request, call)
        gauges.signedIn(.password, .done)
        await traces.add(made, request.installation, request.app)
        return made
    }

    /// The account of a sign-up, with its password hashed.
    func draft(_ request: SignInRequest, _ call: Call) async throws -> AccountDraft {
        try rules.require(.password, in: request.app)
        try rules.requireCapacity()
        var draft = AccountDraft()
        draft.email = try rules.email(try request.body.text("email"))
        draft.name = try request.body.profileText("name")
        let password = try request.body.text("password")
        try rules.check(password: password)
        try take(.newAccount, .password, call)
        draft.password = try await hashing.hash(password)
        return draft
    }

    /// An anonymous user who signs up with the own ID token keeps the user ID.
    private func began(_ draft: AccountDraft, _ request: SignInRequest, _ call: Call) async throws -> SignedIn {
        guard case .user(let user) = call.caller else {
            return try await store.accounts.signUp(draft, request.app.id, request.session, request.origin(.password))
        }
        return try await store.accounts.upgrade(uid: user.uid, draft, request.app.id, request.session, request.origin(.password))
    }

    func signIn(_ call: Call) async throws -> HandlerResponse {
        let request = try SignInRequest(call, in: store, ["method", "email", "password", "code"] + ProviderSignIns.fields)
        switch try await begin(request, call) {
        case .done(let made): return try await responses.session(made, request.app, status: made.isNew ? 201 : 200)
        case .pending(let waiting): return try waiting.response
        }
    }

    /// Begins a session in the way that the request names, or keeps the sign-in until the code of a second factor follows.
    func begin(_ request: SignInRequest, _ call: Call) async throws -> SignInOutcome {
        let (method, attempt) = try await self.attempt(request, call)
        do {
            return .done(try await complete(method, request, attempt))
        } catch let needed as SecondFactorNeeded {
            return .pending(pendings.keep(needed, method, request.installation, attempt))
        }
    }

    /// Begins a session in the way that the request names. Throws `SecondFactorNeeded` for an account with a second factor.
    func signIn(_ request: SignInRequest, _ call: Call) async throws -> SignedIn {
        let (method, attempt) = try await self.attempt(request, call)
        return try await complete(method, request, attempt)
    }

    private func complete(_ method: SignInMethod, _ request: SignInRequest, _ attempt: SignInAttempt) async throws -> SignedIn {
        let made = try await attempt(.missing)
        gauges.signedIn(method, .done)
        await traces.add(made, request.installation, request.app)
        return made
    }

    /// Checks the first factor and returns the sign-in that follows.
    private func attempt(_ request: SignInRequest, _ call: Call) async throws -> (SignInMethod, SignInAttempt) {
        guard let method = SignInMethod(rawValue: try request.body.text("method")) else {
            throw Refusal.field("method", "unknown", "must be one of \(SignInMethod.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        try rules.require(method, in: request.app)
        try rules.requireCapacity()
        let attempt: SignInAttempt =
            switch method {
            case .password: try await byPassword(request, call)
            case .anonymous: try await anonymously(request, call)
            case .customToken: try await byCustomToken(request, call)
            case .idToken: try await byIDToken(request, call)
            case .code: try await byCode(request, call)
            }
        return (method, attempt)
    }

    // MARK: Methods

    private func byPassword(_ request: SignInRequest, _ call: Call) async throws -> SignInAttempt {
        let (text, password) = (try request.body.text("email"), try request.body.text("password"))
        try take(.signIn, .password, call)
        // An address that nobody can have costs no hash, as everybody can see that it is none.
        guard let email = EmailAddress(text), password.utf8.count <= 1_024 else { throw Refusal.invalidCredentials }
        let origin = request.origin(.password)
        let found = try await store.accounts.account(request.app.id, email: email, device: request.session.device)
        let guessed = limits.guessed(email, in: request.app, device: found.isKnownDevice ? request.session.device : nil)
        do throws(Refusal) { try limits.takeGuess(of: guessed) } catch {
            gauges.signedIn(.password, .limited)
            throw error
        }
        let verdict = try await hashing.verify(password, against: found.account?.password)
        guard case .right(let rehashed) = verdict, let account = found.account else {
            if let account = found.account { store.accounts.signInFailed(account, origin) }
            gauges.signedIn(.password, .wrong)
            throw Refusal.invalidCredentials
        }
        limits.succeeded(guessed)
        if account.isDisabled { gauges.signedIn(.password, .disabled) }
        return { [accounts = store.accounts] proof in
            try await accounts.signIn(account, rehashed: rehashed?.stored, request.session, origin, proof)
        }
    }

    private func anonymously(_ request: SignInRequest, _ call: Call) async throws -> SignInAttempt {
        try take(.newAccount, .anonymous, call)
        _ = try await store.accounts.prepareSecrets()
        return { [accounts = store.accounts] _ in
            var draft = AccountDraft()
            draft.isAnonymous = true
            return try await accounts.signUp(draft, request.app.id, request.session, request.origin(.anonymous))
        }
    }

    /// A token that a server signed with the key of its service account.
    private func byCustomToken(_ request: SignInRequest, _ call: Call) async throws -> SignInAttempt {
        try take(.signIn, .customToken, call)
        let text = try request.body.text("token")
        let app = request.app
        let accounts = store.events.directory.now.accounts.values.filter { $0.key.app == app.id && $0.key.role == .accounts }
        let now = clock.now()
        let checked: CustomToken
        do throws(TokenError) {
            checked = try CustomToken(checking: text, audiences: [CustomToken.firebaseAudience, tokens.issuer(of: app)], now: now) { issuer, _ in
                accounts.first { $0.email.hasSameBytes(as: issuer) && $0.key.isValid(at: now) }.flatMap { SignatureKey(der: $0.publicKey) }
            }
        } catch {
            gauges.signedIn(.customToken, .wrong)
            throw Refusal(
                .badIdentityToken, "The custom token is not valid.",
                hint: "Sign it with a service account of this app that has the role accounts, for this audience and at most an hour.")
        }
        return { [self] _ in try await signIn(checked, request) }
    }

    /// Begins a session of the user of a custom token that was checked.
    func signIn(_ token: CustomToken, _ request: SignInRequest) async throws -> SignedIn {
        _ = try await store.accounts.prepareSecrets()
        var session = request.session
        if token.claims != .none { session.claims = String(decoding: token.claims.json, as: UTF8.self) }
        return try await store.accounts.signIn(uid: token.user, request.app.id, session, request.origin(.customToken))
    }

    private func byIDToken(_ request: SignInRequest, _ call: Call) async throws -> SignInAttempt {
        try take(.signIn, .idToken, call)
        return try await providers.attempt(request, call)
    }

    func take(_ kind: Throttle.AddressKind, _ method: SignInMethod, _ call: Call) throws(Refusal) {
        do throws(Refusal) { try limits.take(kind, from: call.head.client) } catch {
            gauges.signedIn(method, .limited)
            throw error
        }
    }
}
