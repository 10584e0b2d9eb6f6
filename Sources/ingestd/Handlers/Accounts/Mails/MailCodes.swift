// SPDX-License-Identifier: Apache-2.0

import API
import AccountStore
import Accounts
import AcrossStores
import HTTPServer
import Platform

/// Codes by mail: asking for one, and redeeming it.
///
/// A request costs one row and answers 202, whoever has the address. Whom it concerns is found behind the response.
struct MailCodes: Sendable {
    let store: Stores
    let hashing: AccountHashing
    let limits: AccountLimits
    let rules: AccountRules
    let clock: WallClock

    static let routes = [
        Route(.post, "/v1/auth/codes", .role(.ingest), .task(\.accounts.codes, MailCodes.request), most: 8 << 10),
        Route(.post, "/v1/auth/codes/redeem", .role(.ingest), .task(\.accounts.codes, MailCodes.redeem), most: SignIns.bodyBytes),
        Route(.post, "/v1/auth/user/email", .user, .task(\.accounts.codes, MailCodes.changeEmail), most: 8 << 10),
        Route(
            .post, "/v1/auth/accounts/{uid}/reset", .role(.accounts), .task(\.accounts.codes, MailCodes.reset), audit: .accountReset, most: 8 << 10),
    ]

    func request(_ call: Call) async throws -> HandlerResponse {
        let body = try Body(call.json())
        try body.allow("kind", "email", "continue_url", "locale")
        let app = try call.onlyApp(in: store)
        guard let kind = CodeKind(rawValue: try body.text("kind")), CodeKind.requested.contains(kind) else {
            throw Refusal.field("kind", "unknown", "must be one of \(CodeKind.requested.map(\.rawValue).joined(separator: ", "))")
        }
        switch kind {
        case .changeEmail: return try await requestChange(call, body)
        case .signIn: try rules.require(.code, in: app)
        case .resetPassword: try rules.require(.password, in: app)
        default: break
        }
        var request = CodeRequest(kind, try await email(body, kind, call))
        if kind == .verifyEmail, case .user(let user) = call.caller { request.uid = user.uid }
        return try await send(request, body, app, call)
    }

    /// The address of the body; a user who confirms the own address need not name it.
    private func email(_ body: Body, _ kind: CodeKind, _ call: Call) async throws -> EmailAddress {
        if kind == .verifyEmail, !body.names.contains("email"), case .user(let user) = call.caller {
            let account = try await store.accounts.account(user.app.id, uid: user.uid)
            guard let email = account?.email.flatMap({ EmailAddress($0) }) else { throw Refusal.field("email", "missing", "is required") }
            return email
        }
        return try rules.email(try body.text("email"))
    }

    func changeEmail(_ call: Call) async throws -> HandlerResponse {
        let body = try Body(call.json())
        try body.allow("email", "continue_url", "locale")
        try call.query().allow()
        return try await requestChange(call, body)
    }

    private func requestChange(_ call: Call, _ body: Body) async throws -> HandlerResponse {
        guard case .user(let user) = call.caller else {
            throw Refusal(.unauthorized, "Only a signed-in user can change the address.", hint: "Send the user's ID token as the bearer.")
        }
        try user.requireRecentSignIn(at: clock.now())
        var request = CodeRequest(.changeEmail, try rules.email(try body.text("email")))
        (request.uid, request.session) = (user.uid, user.session)
        guard let account = try await store.accounts.account(user.app.id, uid: user.uid) else { throw Refusal.sessionEnded }
        guard !account.isAnonymous else {
            throw Refusal(.conflict, "An anonymous account has no address to change.", hint: "Give it an address and a password first.")
        }
        return try await send(request, body, user.app, call)
    }

    /// Sends the user of an account a code for a new password.
    func reset(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        guard let account = try await store.accounts.account(app.id, uid: call.parameter("uid")) else {
            throw Refusal(.notFound, "There is no such account.", hint: "GET /v1/auth/accounts?email= finds one by its address.")
        }
        guard let email = account.email.flatMap({ EmailAddress($0) }) else {
            throw Refusal(.conflict, "The account has no email address.", hint: "Set one first.")
        }
        try rules.requireMail()
        try rules.requireCapacity()
        var request = CodeRequest(.resetPassword, email)
        request.uid = account.uid
        _ = try await store.accounts.request(request, app.id, call.accountOrigin)
        return .accepted
    }

    private func send(_ draft: CodeRequest, _ body: Body, _ app: App, _ call: Call) async throws -> HandlerResponse {
        var request = draft
        try rules.requireMail()
        (request.continueURL, request.locale) = (try rules.continueURL(body, in: app), try rules.locale(body))
        try rules.requireCapacity()
        try limits.take(.code, from: call.head.client)
        try limits.takeMail(to: request.email, in: app)
        _ = try await store.accounts.request(request, app.id, AccountOrigin(method: SignInMethod.code.rawValue, place: call.head.client.place))
        return .accepted
    }

    // MARK: Redeeming

    func redeem(_ call: Call) async throws -> HandlerResponse {
        let body = try Body(call.json())
        try body.allow("code", "email", "new_password")
        let app = try call.onlyApp(in: store)
        try rules.requireCapacity()
        try limits.take(.signIn, from: call.head.client)
        let presented = try PresentedCode(body, store.accounts.secrets.key)
        let code = try await store.accounts.open(presented, app.id)
        let password = try body.optionalText("new_password")
        if code.kind == .signIn || code.kind.setsPassword && password == nil {
            return try .json(RedeemedCodeResponse(kind: code.kind.rawValue, email: code.kind == .signIn ? nil : code.email.text, redeemed: false))
        }
        let redeemed = try await redeem(code, password: password, AccountOrigin(method: SignInMethod.code.rawValue, place: call.head.client.place))
        return try .json(
            RedeemedCodeResponse(kind: code.kind.rawValue, email: code.email.text, redeemed: true, user: redeemed.account?.uid))
    }

    /// Redeems a code that was opened. The password is hashed only then, so that a wrong code costs no hash.
    func redeem(_ code: StoredCode, password: String?, _ origin: AccountOrigin) async throws -> RedeemedCode {
        guard code.kind.setsPassword, let password else { return try await store.accounts.redeem(code, origin) }
        try rules.check(password: password)
        return try await store.accounts.redeem(code, password: try await hashing.hash(password), origin)
    }
}

extension PresentedCode {
    /// The code of a body: the text of a link, or eight digits with the address.
    init(_ body: Body, _ key: AccountsKey?) throws {
        let text = try body.text("code")
        guard let key else { throw Refusal.wrongMailCode }
        if let digits = TypedDigits(text) {
            guard let email = EmailAddress(try body.text("email")) else { throw Refusal.wrongMailCode }
            self = .digits(digits, email)
        } else {
            guard let code = MailCode(text, key) else { throw Refusal.wrongMailCode }
            self = .text(code)
        }
    }
}

extension HandlerResponse {
    /// The request is durable, and the rest follows.
    static var accepted: HandlerResponse { .response(HTTPResponse(status: 202)) }
}
