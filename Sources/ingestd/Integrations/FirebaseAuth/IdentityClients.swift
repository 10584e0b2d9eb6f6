// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import AcrossStores
import Crypto
import HTTPServer
import JOSE
import JSON
import Platform

/// The calls of Firebase's SDKs in apps: sign-up, sign-in and the user's own account, over the commands of the native API.
struct IdentityClients: Sendable {
    let store: Stores
    let accounts: AccountServices
    let emulator: AccountEmulator
    let clock: WallClock

    // MARK: Sign-in

    /// Signs up with an address and a password, or anonymously; with an ID token, gives that user an address and a password.
    func signUp(_ call: Call) async throws -> HandlerResponse {
        let (request, app) = (try IdentityRequest(call.request.body), try call.app(in: store))
        let (email, password) = (try request.text("email"), try request.text("password"))
        let made: SignedIn
        if let token = try request.text("idToken") {
            let (user, account) = try await user(of: token, app)
            made = try await link(request, to: user, account, call)
        } else if email == nil, password == nil {
            made = try await naming(.adminOnly, .methodOff) { try await accounts.signIns.signIn(native(["method": "anonymous"], app, call), call) }
        } else {
            var fields = try IdentityClients.credentials(email, password)
            fields["name"] = try request.profileText("displayName")
            made = try await accounts.signIns.signUp(native(fields, app, call), call)
        }
        let tokens = try await accounts.signIns.responses.issue(made, app, as: .firebase)
        return .identity("SignupNewUserResponse") { json in
            json.write(made.account)
            json.write(tokens)
        }
    }

    func signInWithPassword(_ call: Call) async throws -> HandlerResponse {
        let (request, app) = (try IdentityRequest(call.request.body), try call.app(in: store))
        var fields = try IdentityClients.credentials(request.text("email"), request.text("password"))
        fields["method"] = SignInMethod.password.rawValue
        let outcome = try await naming(.passwordLoginDisabled, .methodOff) { try await accounts.signIns.begin(native(fields, app, call), call) }
        return try await response("VerifyPasswordResponse", outcome, app) { json in
            json.field("registered", true)
            json.write(outcome.account)
        }
    }

    /// Signs in with a token that a server of the app signed; in the emulator also with an unsigned one.
    func signInWithCustomToken(_ call: Call) async throws -> HandlerResponse {
        let (request, app) = (try IdentityRequest(call.request.body), try call.app(in: store))
        guard let token = try request.text("token") else { throw Refusal.identity(.missingCustomToken) }
        let signIns = accounts.signIns
        let made = try await naming(.invalidCustomToken, .badIdentityToken) {
            let request = try native(["method": SignInMethod.customToken.rawValue, "token": token], app, call)
            guard emulator.admits(call.head), let unsigned = try? CustomToken(unsigned: token, now: clock.now()) else {
                return try await signIns.signIn(request, call)
            }
            try signIns.rules.require(.customToken, in: app)
            return try await signIns.signIn(unsigned, request)
        }
        let tokens = try await signIns.responses.issue(made, app, as: .firebase)
        return .identity("VerifyCustomTokenResponse") { json in
            json.write(tokens)
            json.field("isNewUser", made.isNew)
        }
    }

    /// Answers alike for every address, so that nobody learns which ones have accounts.
    func createAuthURI(_ call: Call) async throws -> HandlerResponse {
        let (request, _) = (try IdentityRequest(call.request.body), try call.app(in: store))
        if try request.text("providerId") != nil { throw Refusal.identity(.operationNotAllowed, "Apps must bring ID tokens of providers.") }
        guard try request.text("identifier") != nil else { throw Refusal.identity(.missingIdentifier) }
        return .identity("CreateAuthUriResponse") { $0.field("sessionId", randomToken(prefix: "", bits: 160)) }
    }

    /// Gives a signed-in user without an address one, with a password. An anonymous user keeps the user ID; its earlier sessions end.
    func link(_ request: IdentityRequest, to user: ProvedUser, _ account: Account, _ call: Call) async throws -> SignedIn {
        var fields = try IdentityClients.credentials(request.text("email"), request.text("password"))
        let (signIns, rules, app) = (accounts.signIns, accounts.signIns.rules, user.app)
        if account.isAnonymous {
            fields["name"] = try request.profileText("displayName")
            let signer = Call(request: call.request, caller: .user(user), parameters: call.parameters, takesKeyInQuery: call.takesKeyInQuery)
            return try await signIns.signUp(native(fields, app, signer), signer)
        }
        try accounts.own.requireRecentSignIn(user)
        try rules.require(.password, in: app)
        try rules.requireCapacity()
        guard account.email == nil else { throw Refusal.identity(.emailChangeNeedsVerification) }
        let address = try rules.email(fields["email"] ?? "")
        try rules.check(password: fields["password"] ?? "")
        try signIns.limits.take(.signIn, from: call.head.client)
        var change = AccountChange()
        change.email = address
        change.password = .some(try await signIns.hashing.hash(fields["password"] ?? ""))
        (change.endsSessions, change.keptSession) = (true, user.session)
        let origin = AccountOrigin(method: SignInMethod.password.rawValue, place: call.head.client.place)
        guard try await store.accounts.change(uid: user.uid, app.id, change, ifPassword: .some(account.password), origin) != nil,
            let session = try await store.accounts.session(user.session, app.id)
        else { throw Refusal.sessionEnded }
        return session
    }

    // MARK: Parts

    private static func credentials(_ email: String?, _ password: String?) throws(Refusal) -> [String: String] {
        guard let email else { throw .identity(.missingEmail) }
        guard let password else { throw .identity(.missingPassword) }
        return ["email": email, "password": password]
    }

    /// A request of the native API with the same meaning.
    func native(_ fields: [String: String], _ app: App, _ call: Call) throws(Refusal) -> SignInRequest {
        var json = JSONWriter()
        json.beginObject()
        for (name, value) in fields { json.field(name, value) }
        json.endObject()
        return try SignInRequest(Body(json.bytes), app, call, in: store)
    }

    /// Gives a refusal the word that Firebase has for it at this place.
    func naming<T>(
        _ word: IdentityWord, _ code: Refusal.Code, _ detail: String = "", _ body: () async throws -> T
    ) async throws -> T {
        do {
            return try await body()
        } catch let refusal as Refusal where refusal.code == code {
            throw Refusal.identity(word, detail)
        }
    }

    /// A response with the tokens of a sign-in, or with the second factors of which one must follow.
    func response(
        _ kind: String, _ outcome: SignInOutcome, _ app: App, _ write: (inout JSONWriter) -> Void
    ) async throws -> HandlerResponse {
        switch outcome {
        case .done(let made):
            let tokens = try await accounts.signIns.responses.issue(made, app, as: .firebase)
            return .identity(kind) { json in
                write(&json)
                json.write(tokens)
            }
        case .pending(let waiting):
            return .identity(kind) { json in
                write(&json)
                json.field("mfaPendingCredential", waiting.token)
                json.write(waiting.factors)
            }
        }
    }
}

extension JSONWriter {
    /// Writes the account of a sign-in.
    fileprivate mutating func write(_ account: Account) {
        field("localId", account.uid)
        field("email", account.email ?? "")
        field("displayName", account.name ?? "")
    }
}
