// SPDX-License-Identifier: Apache-2.0

import API
import AccountStore
import Accounts
import AcrossStores
import EventStore
import Events
import HTTPServer
import JOSE
import Platform

/// Accounts for administrators: keys with the role `accounts` or `admin`, and the operator.
struct AccountAdministration: Sendable {
    let store: Stores
    let hashing: AccountHashing
    let rules: AccountRules
    let tokens: IDTokens
    let departures: AccountDepartures
    let clock: WallClock

    static let routes = [
        Route(.get, "/v1/auth/accounts", .role(.accounts), .task(\.accounts.administration, AccountAdministration.list)),
        Route(
            .post, "/v1/auth/accounts", .role(.accounts), .task(\.accounts.administration, AccountAdministration.create), audit: .accountCreate,
            most: SignIns.bodyBytes),
        Route(.get, "/v1/auth/accounts/{uid}", .role(.accounts), .task(\.accounts.administration, AccountAdministration.show)),
        Route(
            .patch, "/v1/auth/accounts/{uid}", .role(.accounts), .task(\.accounts.administration, AccountAdministration.change),
            audit: .accountChange, most: SignIns.bodyBytes),
        Route(
            .delete, "/v1/auth/accounts/{uid}", .role(.accounts), .task(\.accounts.administration, AccountAdministration.delete),
            audit: .accountDelete),
        Route(
            .post, "/v1/auth/accounts/{uid}/sign-out", .role(.accounts), .task(\.accounts.administration, AccountAdministration.signOut),
            audit: .accountSignOut),
        Route(
            .delete, "/v1/auth/accounts/{uid}/factors", .role(.accounts), .task(\.accounts.administration, AccountAdministration.removeFactors),
            audit: .accountFactorsRemove),
        Route(
            .post, "/v1/auth/verify", .role(.accounts), .task(\.accounts.administration, AccountAdministration.verify), most: SignIns.bodyBytes),
        Route(.get, "/v1/auth/audit", .role(.accounts), .task(\.accounts.administration, AccountAdministration.events)),
    ]

    func list(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "email", "search", "limit", "after")
        let app = try call.app(in: store)
        if let text = try query.one("email") {
            let found = try await EmailAddress(text).asyncFlatMap { try await store.accounts.account(app.id, email: $0) }
            return try .page(found.map { [$0] } ?? [], limit: 1, cursor: \.uid) { AccountResponse($0) }
        }
        let limit = try query.number("limit", 1...1_000, default: 100)
        if let text = try query.one("search"), !text.isEmpty {
            guard text.utf8.count <= 320 else { throw Refusal.field("search", "too_long", "must have at most 320 bytes") }
            return try .page(try await store.accounts.accounts(app.id, searched: text, limit: limit), limit: limit, cursor: \.uid) {
                AccountResponse($0)
            }
        }
        let found = try await store.accounts.accounts(app.id, after: try query.cursor("after") ?? 0, limit: limit + 1)
        // The cursor is the row of the last account on the page.
        let next = found.count > limit ? String(found[limit - 1].cursor) : nil
        return try .json(Page(items: found.prefix(limit).map { AccountResponse($0.account) }, next: next))
    }

    func create(_ call: Call) async throws -> HandlerResponse {
        let body = try Body(call.json())
        try body.allow("id", "email", "email_verified", "password", "name", "photo_url", "phone", "disabled", "claims", "invite")
        let app = try call.onlyApp(in: store)
        try rules.requireCapacity()
        var draft = AccountDraft()
        if let uid = try body.optionalText("id") {
            guard AccountID.isValid(uid) else { throw Refusal.field("id", "invalid", "must have 1 to 128 bytes and no control characters") }
            draft.uid = uid
        }
        draft.email = try body.optionalText("email").map { (text) throws(Refusal) in try rules.email(text) }
        draft.isEmailVerified = try body.flag("email_verified") ?? false
        (draft.name, draft.photoURL) = (try body.profileText("name"), try body.pictureURL("photo_url"))
        draft.phone = try body.phone("phone")
        draft.isDisabled = try body.flag("disabled") ?? false
        draft.claims = try body.claims("claims")
        if let password = try body.optionalText("password") {
            guard draft.email != nil else { throw Refusal.field("email", "missing", "is required with a password") }
            try rules.check(password: password)
            draft.password = try await hashing.hash(password)
        }
        let isInvited = try body.flag("invite") ?? false
        if isInvited { try rules.requireMail() }
        guard !isInvited || draft.email != nil else { throw Refusal.field("email", "missing", "is required for an invitation") }
        let made = try await store.accounts.create(draft, app.id, isInvited: isInvited, call.accountOrigin)
        return try .json(AccountResponse(made), status: 201)
    }

    func show(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        guard let account = try await store.accounts.account(app.id, uid: call.parameter("uid")) else { throw Self.noAccount }
        return try .json(try await AccountResponse(whole: account, in: store.accounts))
    }

    /// Changes an account. A new password, a new address and disabling end its sessions.
    func change(_ call: Call) async throws -> HandlerResponse {
        let body = try Body(call.json())
        try body.allow("email", "email_verified", "password", "name", "photo_url", "phone", "disabled", "claims")
        let app = try call.onlyApp(in: store)
        try rules.requireCapacity()
        call.audit?.note(body.names.joined(separator: ", "))
        let change = try await change(body)
        guard let changed = try await store.accounts.change(uid: call.parameter("uid"), app.id, change, call.accountOrigin) else {
            throw Self.noAccount
        }
        return try .json(AccountResponse(changed))
    }

    private func change(_ body: Body) async throws -> AccountChange {
        var change = AccountChange()
        func has(_ name: String) -> Bool { body.names.contains(name) }
        if has("email") {
            change.email = .some(body.isNull("email") ? nil : try rules.email(try body.text("email")))
        }
        change.isEmailVerified = try body.flag("email_verified")
        if has("name") { change.name = .some(try body.profileText("name")) }
        if has("photo_url") { change.photoURL = .some(try body.pictureURL("photo_url")) }
        if has("phone") { change.phone = .some(try body.phone("phone")) }
        if has("claims") { change.claims = .some(try body.claims("claims")) }
        change.isDisabled = try body.flag("disabled")
        if has("password") {
            let password = body.isNull("password") ? nil : try body.text("password")
            if let password { try rules.check(password: password) }
            change.password = .some(try await password.asyncMap { try await hashing.hash($0) })
        }
        change.endsSessions = has("password") || has("email") || change.isDisabled == true
        return change
    }

    func delete(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        let rule = app.settings.onAccountDeleted
        guard try await store.accounts.delete(uid: call.parameter("uid"), app.id, rule, call.accountOrigin) else { throw Self.noAccount }
        departures.begin()
        return .noContent
    }

    func signOut(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        guard try await store.accounts.signOut(uid: call.parameter("uid"), app.id, call.accountOrigin) else { throw Self.noAccount }
        return .noContent
    }

    /// Removes the second factors of a user who lost them, with the recovery codes.
    func removeFactors(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        guard try await store.accounts.removeFactors(uid: call.parameter("uid"), app.id, call.accountOrigin) else { throw Self.noAccount }
        return .noContent
    }

    /// Checks an ID token for a server, with `check_revoked` also against the account.
    func verify(_ call: Call) async throws -> HandlerResponse {
        let body = try Body(call.json())
        try body.allow("id_token", "check_revoked")
        let app = try call.onlyApp(in: store)
        let text = try body.text("id_token")
        let claims = try tokens.claims(of: text, for: app)
        if try body.flag("check_revoked") ?? false {
            guard let account = try await store.accounts.account(app.id, uid: claims.subject) else { throw Refusal.sessionEnded }
            if account.isDisabled { throw Refusal.accountDisabled }
            // Claims have whole seconds.
            let validSince = Timestamp(milliseconds: account.validSince.milliseconds / 1_000 * 1_000)
            let isLive = claims.session.flatMap { SessionID($0) }.map { store.accounts.live.isLive($0, generation: 0, at: clock.now()) } ?? false
            guard isLive, claims.issued >= validSince || claims.session == nil else { throw Refusal.sessionEnded }
        }
        return .response(HTTPResponse(status: 200, headers: [("Content-Type", "application/json")], body: claims.json))
    }

    func events(_ call: Call) async throws -> HandlerResponse {
        let parameters = try call.query()
        try parameters.allow("app", "user", "event", "from", "to", "limit", "after")
        var query = AccountEventQuery(app: try call.app(in: store).id)
        query.uid = try parameters.one("user")
        query.kind = try parameters.choice("event", of: AccountEvent.Kind.self)
        let now = clock.now()
        (query.from, query.to) = (try parameters.moment("from", now: now), try parameters.moment("to", now: now))
        let limit = try parameters.number("limit", 1...1_000, default: 100)
        query.limit = limit + 1
        query.before = try parameters.cursor("after") ?? .max
        let found = try await store.accounts.events(query)
        return try .page(found, limit: limit, cursor: { String($0.seq) }) { AccountEventResponse($0) }
    }

    private static let noAccount = Refusal(.notFound, "There is no such account.", hint: "GET /v1/auth/accounts?email= finds one by its address.")
}

extension AccountEventResponse {
    init(_ event: AccountEvent) {
        self.init(
            id: event.seq, at: Moment(event.time), user: event.uid, event: event.kind.rawValue, method: event.origin.method,
            place: event.origin.place.isEmpty ? nil : event.origin.place, session: event.session?.text, count: event.count)
    }
}

extension Body {
    /// A phone number in the form of E.164; nil if it is missing or null.
    fileprivate func phone(_ name: String) throws(Refusal) -> String? {
        guard let text = try profileText(name) else { return nil }
        guard PhoneNumber.isOne(text) else {
            throw .field(name, "invalid", "must be a number such as +4930123456")
        }
        return text
    }
}

extension Optional {
    fileprivate func asyncMap<T>(_ body: (Wrapped) async throws -> T) async rethrows -> T? {
        guard let self else { return nil }
        return try await body(self)
    }

    fileprivate func asyncFlatMap<T>(_ body: (Wrapped) async throws -> T?) async rethrows -> T? {
        guard let self else { return nil }
        return try await body(self)
    }
}
