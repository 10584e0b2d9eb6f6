// SPDX-License-Identifier: Apache-2.0

import API
import AccountStore
import Accounts
import AcrossStores
import Events
import HTTPServer
import Platform

/// A signed-in user's own account.
struct OwnAccounts: Sendable {
    let store: Stores
    let hashing: AccountHashing
    let limits: AccountLimits
    let rules: AccountRules
    let responses: SessionResponses
    let departures: AccountDepartures
    let clock: WallClock

    static let routes = [
        Route(.get, "/v1/auth/user", .user, .task(\.accounts.own, OwnAccounts.show)),
        Route(.patch, "/v1/auth/user", .user, .task(\.accounts.own, OwnAccounts.change), most: SignIns.bodyBytes),
        Route(.delete, "/v1/auth/user", .user, .task(\.accounts.own, OwnAccounts.delete), most: SignIns.bodyBytes),
        Route(.post, "/v1/auth/user/password", .user, .task(\.accounts.own, OwnAccounts.setPassword), most: SignIns.bodyBytes),
    ]
    func show(_ call: Call) async throws -> HandlerResponse {
        try .json(UserAccountResponse(try await account(call)))
    }

    func change(_ call: Call) async throws -> HandlerResponse {
        let user = try call.user()
        let body = try Body(call.json())
        try body.allow("name", "photo_url")
        // Each change is a row of the account events, which are kept for long.
        try limits.takeRefresh(of: user.session, in: user.app)
        try rules.requireCapacity()
        var change = AccountChange()
        if body.names.contains("name") { change.name = .some(try body.profileText("name")) }
        if body.names.contains("photo_url") { change.photoURL = .some(try body.pictureURL("photo_url")) }
        guard let changed = try await store.accounts.change(uid: user.uid, user.app.id, change, call.accountOrigin) else {
            throw Refusal.sessionEnded
        }
        return try .json(UserAccountResponse(changed))
    }

    /// Sets the password. All other sessions end, and earlier ID tokens are void.
    func setPassword(_ call: Call) async throws -> HandlerResponse {
        let user = try call.user()
        let body = try Body(call.json())
        try body.allow("password")
        try user.requireRecentSignIn(at: clock.now())
        try rules.requireCapacity()
        let password = try body.text("password")
        try rules.check(password: password)
        let old = try await account(call)
        guard old.email != nil else {
            throw Refusal(.conflict, "An account without an email address cannot have a password.", hint: "Sign up with an email address.")
        }
        try limits.take(.signIn, from: call.head.client)
        var change = AccountChange()
        change.password = .some(try await hashing.hash(password))
        (change.endsSessions, change.keptSession) = (true, user.session)
        guard try await store.accounts.change(uid: user.uid, user.app.id, change, ifPassword: .some(old.password), call.accountOrigin) != nil,
            let session = try await store.accounts.session(user.session, user.app.id)
        else { throw Refusal.sessionEnded }
        return try await responses.session(session, user.app)
    }

    /// Deletes the account. What happens to the user's data in other stores is the app's setting `on_account_deleted`.
    func delete(_ call: Call) async throws -> HandlerResponse {
        let user = try call.user()
        let account = try await account(call)
        // An anonymous user cannot sign in again.
        if !account.isAnonymous { try user.requireRecentSignIn(at: clock.now()) }
        guard try await store.accounts.delete(uid: user.uid, user.app.id, user.app.settings.onAccountDeleted, call.accountOrigin) else {
            throw Refusal.sessionEnded
        }
        departures.begin()
        return .noContent
    }

    /// Rejects a sensitive change of a user who signed in long ago.
    func requireRecentSignIn(_ user: ProvedUser) throws(Refusal) {
        try user.requireRecentSignIn(at: clock.now())
    }

    private func account(_ call: Call) async throws -> Account {
        try call.query().allow()
        let user = try call.user()
        guard let account = try await store.accounts.account(user.app.id, uid: user.uid) else { throw Refusal.sessionEnded }
        return account
    }
}

/// The sessions of a signed-in user.
struct OwnSessions: Sendable {
    let store: Stores

    static let routes = [
        Route(.get, "/v1/auth/user/sessions", .user, .task(\.accounts.ownSessions, OwnSessions.list)),
        Route(.delete, "/v1/auth/user/sessions", .user, .task(\.accounts.ownSessions, OwnSessions.endOthers)),
        Route(.delete, "/v1/auth/user/sessions/{session}", .user, .task(\.accounts.ownSessions, OwnSessions.end)),
    ]

    func list(_ call: Call) async throws -> HandlerResponse {
        let (user, account) = try await account(call)
        let sessions = try await store.accounts.sessions(of: account)
        return try .page(sessions, limit: sessions.count, cursor: \.id.text) { AccountSessionResponse($0, current: user.session) }
    }

    /// Ends all sessions but the one of the request.
    func endOthers(_ call: Call) async throws -> HandlerResponse {
        let (user, account) = try await account(call)
        try await store.accounts.endOtherSessions(than: user.session, of: account, call.accountOrigin)
        return .noContent
    }

    func end(_ call: Call) async throws -> HandlerResponse {
        let (_, account) = try await account(call)
        guard let id = SessionID(call.parameter("session")), try await store.accounts.endSession(id, of: account, call.accountOrigin) else {
            throw Refusal(.notFound, "There is no such session.")
        }
        return .noContent
    }

    private func account(_ call: Call) async throws -> (user: ProvedUser, account: Account) {
        try call.query().allow()
        let user = try call.user()
        guard let account = try await store.accounts.account(user.app.id, uid: user.uid) else { throw Refusal.sessionEnded }
        return (user, account)
    }
}

extension ProvedUser {
    /// The age of a sign-in after which sensitive changes need another one.
    private static let recent = Timestamp.Span.minutes(5)

    func requireRecentSignIn(at now: Timestamp) throws(Refusal) {
        guard now - authenticated > ProvedUser.recent else { return }
        throw Refusal(.recentLoginRequired, "This needs a sign-in within the last five minutes.", hint: "Sign in again, then repeat the request.")
    }
}

extension Call {
    /// The user of the ID token.
    func user() throws(Refusal) -> ProvedUser {
        guard case .user(let user) = caller else { throw Refusal(.unauthorized, "An ID token is required.") }
        return user
    }

    /// The client's description of itself, for the list of sessions.
    var clientText: String {
        let agent = (head.header("User-Agent") ?? "").unicodeScalars.filter { $0.properties.generalCategory != .control }
        return String(String.UnicodeScalarView(agent.prefix(200)))
    }

    /// Where a change by the user or an administrator comes from.
    var accountOrigin: AccountOrigin {
        if case .user = caller { return AccountOrigin(method: "user", place: head.client.place) }
        var origin = AccountOrigin(method: "admin", place: head.client.place)
        origin.depth = caller.depth
        return origin
    }
}
