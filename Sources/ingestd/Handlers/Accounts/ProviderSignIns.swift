// SPDX-License-Identifier: Apache-2.0

import API
import AccountStore
import Accounts
import AcrossStores
import AppDirectory
import HTTPServer
import JOSE
import Platform

/// Sign-in with the ID token of an identity provider, and the linking of identities to an account.
struct ProviderSignIns: Sendable {
    let store: Stores
    let limits: AccountLimits
    let rules: AccountRules
    let responses: SessionResponses
    let configuration: LiveConfiguration
    let keys: ProviderKeys
    let clock: WallClock

    static let routes = [
        Route(.get, "/v1/auth/user/identities", .user, .task(\.accounts.providers, ProviderSignIns.list)),
        Route(.post, "/v1/auth/user/identities", .user, .task(\.accounts.providers, ProviderSignIns.link), most: SignIns.bodyBytes),
        Route(.delete, "/v1/auth/user/identities/{provider}", .user, .task(\.accounts.providers, ProviderSignIns.unlink)),
    ]

    /// The fields of a request that describe a user of a provider.
    static let fields = ["provider", "token", "nonce", "name"]

    private var gauges: AccountGauges { store.accounts.gauges }

    /// Returns the sign-in to the account of the identity. With an ID token of ours as bearer, a new identity is linked to its account.
    func attempt(_ request: SignInRequest, _ call: Call) async throws -> SignInAttempt {
        var known: ProvedUser?
        if case .user(let user) = call.caller { known = user }
        let app = request.app
        let identity = try await identity(request.body, app)
        if let known { try await requireRecent(known) }
        if known == nil, try await !store.accounts.hasAccount(app.id, with: identity) { try limits.take(.newAccount, from: call.head.client) }
        _ = try await store.accounts.prepareSecrets()
        let origin = AccountOrigin(method: identity.provider, place: call.head.client.place)
        return { [uid = known?.uid, accounts = store.accounts] proof in
            try await accounts.signIn(identity, app.id, as: uid, request.session, origin, proof, mayCreate: request.mayCreate)
        }
    }

    /// Lists the identities of the signed-in user, by provider.
    func list(_ call: Call) async throws -> HandlerResponse {
        try call.query().allow()
        let user = try call.user()
        guard let account = try await store.accounts.account(user.app.id, uid: user.uid) else { throw Refusal.sessionEnded }
        let identities = try await store.accounts.identities(of: account).map { IdentityResponse($0) }
        return try .page(identities, limit: identities.count, cursor: \.provider) { $0 }
    }

    /// Links an identity to the account of the signed-in user.
    func link(_ call: Call) async throws -> HandlerResponse {
        let user = try call.user()
        try call.query().allow()
        let body = try Body(call.json())
        try body.allow(ProviderSignIns.fields)
        return try await responses.session(try await link(body, to: user, call), user.app)
    }

    /// Links an identity and returns the session: a new one of an anonymous user, otherwise that of the ID token.
    func link(_ body: Body, to user: ProvedUser, _ call: Call) async throws -> SignedIn {
        try rules.require(.idToken, in: user.app)
        try rules.requireCapacity()
        try limits.take(.signIn, from: call.head.client)
        let isAnonymous = try await requireRecent(user)
        let identity = try await identity(body, user.app)
        let origin = AccountOrigin(method: identity.provider, place: call.head.client.place)
        if isAnonymous {
            let session = SessionDraft(key: user.key.id, client: call.clientText)
            return try await store.accounts.signIn(identity, user.app.id, as: user.uid, session, origin)
        }
        guard let linked = try await store.accounts.link(identity, to: user.uid, user.app.id, user.session, origin) else {
            throw Refusal.sessionEnded
        }
        return linked
    }

    /// Removes a way to sign in. All other sessions end.
    func unlink(_ call: Call) async throws -> HandlerResponse {
        let user = try call.user()
        try call.query().allow()
        guard try await unlink(call.parameter("provider"), of: user, call) else {
            throw Refusal(.notFound, "The account has no such way to sign in.", hint: "GET /v1/auth/user lists them in providers.")
        }
        guard let session = try await store.accounts.session(user.session, user.app.id) else { throw Refusal.sessionEnded }
        return try await responses.session(session, user.app)
    }

    /// Removes a way to sign in. Returns false if the account has no such way.
    func unlink(_ provider: String, of user: ProvedUser, _ call: Call) async throws -> Bool {
        try rules.requireCapacity()
        try await requireRecent(user)
        let origin = AccountOrigin(method: "user", place: call.head.client.place)
        return try await store.accounts.unlink(provider, uid: user.uid, user.app.id, kept: user.session, origin)
    }

    // MARK: Parts

    /// Rejects the old session of a user who could sign in again. Returns whether the user is anonymous.
    @discardableResult
    func requireRecent(_ user: ProvedUser) async throws -> Bool {
        guard let account = try await store.accounts.account(user.app.id, uid: user.uid) else { throw Refusal.sessionEnded }
        if !account.isAnonymous { try user.requireRecentSignIn(at: clock.now()) }
        return account.isAnonymous
    }

    /// Checks the ID token of a request.
    private func identity(_ body: Body, _ app: App) async throws -> ProviderIdentity {
        let id = try body.text("provider")
        guard let provider = configuration.now.accounts.provider(id, of: app) else {
            throw Refusal.field("provider", "unknown", "is not an identity provider of this app", hint: "The operator sets accounts.providers.")
        }
        let (token, nonce) = (try body.text("token"), try body.optionalText("nonce"))
        let name = try body.profileText("name")
        let claims: TokenClaims
        do {
            claims = try await keys.claims(of: token, provider, nonce: nonce)
        } catch let error as TokenError {
            gauges.signedIn(.idToken, .wrong)
            gauges.rejectedProviderToken(error)
            throw Refusal(
                .badIdentityToken, "The ID token of the provider is not valid.",
                hint: "Send a token that the provider issued within the hour for a client ID in audiences, with the raw nonce if one was used.",
                fields: error == .nonce ? [.init("nonce", "wrong", "does not fit the token")] : [])
        }
        return ProviderIdentity(claims, provider, name: name)
    }
}

extension ProviderIdentity {
    /// - Parameter name: The name that the app sends. Apple tells it once, to the app, and never in a token.
    init(_ claims: TokenClaims, _ provider: IdentityProvider, name: String?) {
        self.init(provider: provider.id, subject: claims.subject)
        if let found = provider.trust.email(of: claims) { (email, isEmailTrusted) = (found.address, found.isTrusted) }
        self.name = name ?? ProviderIdentity.profileText(claims.text("name"), most: 256)
        photoURL = ProviderIdentity.profileText(claims.text("picture"), most: 2_048).flatMap { PictureURL.isOne($0) ? $0 : nil }
    }

    private static func profileText(_ text: String?, most: Int) -> String? {
        text.flatMap { (1...most).contains($0.utf8.count) && $0.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } ? $0 : nil }
    }
}

extension AccountOptions {
    /// The provider with this ID whose users an app accepts.
    func provider(_ id: String, of app: App) -> IdentityProvider? {
        providers.first { provider in
            provider.id.hasSameBytes(as: id)
                && provider.apps.contains { $0.hasSameBytes(as: app.name) || $0.hasSameBytes(as: String(app.id.rawValue)) }
        }
    }
}
