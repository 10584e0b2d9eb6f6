// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import AcrossStores
import HTTPServer
import JOSE
import JSON
import Platform

/// Codes by mail for Firebase's SDKs.
///
///     PASSWORD_RESET, EMAIL_SIGNIN    for anybody; the response is the same for every address
///     VERIFY_EMAIL                    for the user of an ID token
///     VERIFY_AND_CHANGE_EMAIL         for the user of an ID token, to a new address
struct IdentityCodes: Sendable {
    let store: Stores
    let accounts: AccountServices
    let clients: IdentityClients

    private var codes: MailCodes { accounts.codes }
    private var rules: AccountRules { accounts.codes.rules }

    // MARK: Asking

    /// Sends a mail with a code.
    func send(_ call: Call) async throws -> HandlerResponse {
        let (request, app) = (try IdentityRequest(call.request.body), try call.app(in: store))
        let kind = try CodeKind(request)
        var wish: CodeRequest
        switch kind {
        case .resetPassword, .signIn:
            try rules.require(kind == .signIn ? .code : .password, in: app)
            wish = CodeRequest(kind, try email(request, "email", .missingEmail))
        default:
            let (user, account) = try await clients.user(of: try IdentityClients.token(request), app)
            if kind == .changeEmail {
                guard !account.isAnonymous else { throw Refusal.identity(.missingEmail) }
                try user.requireRecentSignIn(at: codes.clock.now())
            }
            wish = try code(kind, of: account, request)
            (wish.uid, wish.session) = (user.uid, user.session)
        }
        try rules.requireMail()
        try read(request, into: &wish, app, call)
        try rules.requireCapacity()
        try codes.limits.take(.code, from: call.head.client)
        try codes.limits.takeMail(to: wish.email, in: app)
        _ = try await store.accounts.request(wish, app.id, origin(call))
        let address = wish.email.text
        return .identity("GetOobConfirmationCodeResponse") { $0.field("email", address) }
    }

    /// Sends a mail for a server, or with `returnOobLink` gives it the link to send by itself.
    func sendForServer(_ call: Call) async throws -> HandlerResponse {
        let (request, app) = (try IdentityRequest(call.request.body), try call.project(in: store))
        let kind = try CodeKind(request)
        let address = try email(request, "email", .missingEmail)
        var wish = CodeRequest(kind, address)
        if kind != .signIn {
            guard let account = try await store.accounts.account(app.id, email: address) else { throw Refusal.identity(.emailNotFound) }
            wish = try code(kind, of: account, request)
            wish.uid = account.uid
        }
        try read(request, into: &wish, app, call)
        let isGiven = try request.flag("returnOobLink") ?? false
        wish.isMailed = !isGiven
        if wish.isMailed { try rules.requireMail() }
        try rules.requireCapacity()
        let made = try await store.accounts.request(wish, app.id, call.accountOrigin)
        let given = isGiven ? try await text(of: made, app) : nil
        return .identity("GetOobConfirmationCodeResponse") { json in
            json.field("email", address.text)
            guard let given else { return }
            json.field("oobCode", given.code)
            json.field("oobLink", given.link)
        }
    }

    /// The codes that can be redeemed, for test suites; only in the emulator.
    func list(_ call: Call) async throws -> HandlerResponse {
        let app = try call.project(in: store)
        let links = MailLinks(tokens: accounts.tokens)
        let key = try await store.accounts.prepareSecrets()
        let open = try await store.accounts.openCodes(app.id)
        return .response(
            .json { json in
                json.beginObject()
                json.key("oobCodes")
                json.beginArray()
                for (code, text, _) in open {
                    json.beginObject()
                    json.field("email", code.email.text)
                    json.field("requestType", code.kind.requestType)
                    json.field("oobCode", text.revealed)
                    json.field("oobLink", links.url(for: code, project: app.project, key))
                    json.endObject()
                }
                json.endArray()
                json.endObject()
            })
    }

    private func text(of code: MailCode, _ app: App) async throws -> (code: String, link: String) {
        let key = try await store.accounts.prepareSecrets()
        let stored = try await store.accounts.open(.text(code), app.id)
        let link = MailLinks(tokens: accounts.tokens).url(for: stored, project: app.project, key)
        return (code.text(key).revealed, link)
    }

    /// A code to the account's own address, or to the new one of a change.
    private func code(_ kind: CodeKind, of account: Account, _ request: IdentityRequest) throws(Refusal) -> CodeRequest {
        guard kind != .changeEmail else { return CodeRequest(kind, try email(request, "newEmail", .missingNewEmail)) }
        guard let own = account.email.flatMap({ EmailAddress($0) }) else { throw .identity(.missingEmail) }
        return CodeRequest(kind, own)
    }

    func email(_ request: IdentityRequest, _ name: String, _ missing: IdentityWord) throws(Refusal) -> EmailAddress {
        guard let text = try request.text(name) else { throw .identity(missing) }
        return try rules.email(text)
    }

    /// Reads the page that the link leads to and the language of the mail.
    private func read(_ request: IdentityRequest, into wish: inout CodeRequest, _ app: App, _ call: Call) throws(Refusal) {
        wish.locale = call.head.header("X-Firebase-Locale").flatMap { MailLocale($0) }
        guard let text = try request.text("continueUrl") else {
            guard wish.kind != .signIn else { throw .identity(.missingContinueURL) }
            return
        }
        let origins = app.settings.authOrigins.compactMap { OriginRule($0) }
        guard let url = ContinueURL(text, origins: origins, isDevelopment: rules.configuration.now.mode == .development) else {
            throw .identity(.unauthorizedDomain, "The setting auth_origins does not list it.")
        }
        // A page of ours cannot begin a session in the app.
        wish.continueURL = url
        wish.opensApp = try request.flag("canHandleCodeInApp") ?? false || wish.kind == .signIn
    }

    // MARK: Using

    /// Says what a code is for; with a new password, sets it.
    func reset(_ call: Call) async throws -> HandlerResponse {
        let (request, app) = (try IdentityRequest(call.request.body), try call.app(in: store))
        let code = try await open(request, app, call)
        if let password = try request.text("newPassword") {
            guard code.kind.setsPassword else { throw Refusal.wrongMailCode }
            _ = try await codes.redeem(code, password: password, origin(call))
        }
        return .identity("ResetPasswordResponse") { json in
            if code.kind != .signIn { json.field("email", code.email.text) }
            json.field("requestType", code.kind.requestType)
        }
    }

    /// Changes the user of an ID token, or redeems the code of a verified, changed or restored address.
    func update(_ call: Call) async throws -> HandlerResponse {
        let (request, app) = (try IdentityRequest(call.request.body), try call.app(in: store))
        guard request.has("oobCode") else { return try await clients.update(call) }
        let code = try await open(request, app, call)
        guard !code.kind.setsPassword, code.kind != .signIn else { throw Refusal.wrongMailCode }
        let redeemed = try await codes.redeem(code, password: nil, origin(call))
        return .identity("SetAccountInfoResponse") { json in
            guard let account = redeemed.account else { return }
            json.field("localId", account.uid)
            if let email = account.email { json.field("email", email) }
            json.field("emailVerified", account.isEmailVerified)
            json.writeProviders(of: account)
        }
    }

    private func open(_ request: IdentityRequest, _ app: App, _ call: Call) async throws -> StoredCode {
        guard let text = try request.text("oobCode") else { throw Refusal.identity(.missingOOBCode) }
        try rules.requireCapacity()
        try codes.limits.take(.signIn, from: call.head.client)
        guard let key = store.accounts.secrets.key, let code = MailCode(text, key) else { throw Refusal.wrongMailCode }
        return try await store.accounts.open(.text(code), app.id)
    }

    private func origin(_ call: Call) -> AccountOrigin {
        AccountOrigin(method: SignInMethod.code.rawValue, place: call.head.client.place)
    }
}

extension CodeKind {
    /// The kind that a request asks for.
    fileprivate init(_ request: IdentityRequest) throws(Refusal) {
        switch try request.text("requestType") {
        case "PASSWORD_RESET": self = .resetPassword
        case "EMAIL_SIGNIN": self = .signIn
        case "VERIFY_EMAIL": self = .verifyEmail
        case "VERIFY_AND_CHANGE_EMAIL": self = .changeEmail
        case nil: throw .identity(.missingRequestType)
        default: throw .identity(.invalidRequestType)
        }
    }

    /// The word of Firebase for the kind.
    fileprivate var requestType: String {
        switch self {
        case .resetPassword, .invite: "PASSWORD_RESET"
        case .signIn: "EMAIL_SIGNIN"
        case .verifyEmail, .signUp: "VERIFY_EMAIL"
        case .changeEmail: "VERIFY_AND_CHANGE_EMAIL"
        case .undoEmail: "RECOVER_EMAIL"
        }
    }
}
