// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import AcrossStores
import HTTPServer
import JOSE
import JSON
import Platform

/// The calls about the user's own account, with an ID token in the body.
extension IdentityClients {
    func lookup(_ call: Call) async throws -> HandlerResponse {
        let (request, app) = (try IdentityRequest(call.request.body), try call.app(in: store))
        let (_, account) = try await user(of: try IdentityClients.token(request), app)
        let sessions = try await store.accounts.sessions(of: account)
        let factors = try await store.accounts.confirmedFactors(of: [account])
        return .identity("GetAccountInfoResponse") { json in
            json.key("users")
            json.beginArray()
            json.write(account, lastRefresh: sessions.map(\.state.refreshed).max(), factors: factors[account.uid] ?? [])
            json.endArray()
        }
    }

    /// Changes the profile or, after a recent sign-in, the password and the ways to sign in; the session then goes on with new tokens.
    func update(_ call: Call) async throws -> HandlerResponse {
        let (request, app) = (try IdentityRequest(call.request.body), try call.app(in: store))
        let (user, account) = try await user(of: try IdentityClients.token(request), app)
        // Each change is a row of the account events, which are kept for long.
        try accounts.own.limits.takeRefresh(of: user.session, in: app)
        try accounts.own.rules.requireCapacity()
        if account.email == nil, request.has("email"), request.has("password") {
            let made = try await link(request, to: user, account, call)
            return response(made.account, try await accounts.own.responses.issue(made, app, as: .firebase))
        }
        try requireSameEmail(request, account)
        let isUnlinked = try await unlink(request, of: user, call)
        var change = AccountChange()
        try change.readProfile(request)
        let password = try request.text("password")
        if let password {
            try accounts.own.requireRecentSignIn(user)
            guard account.email != nil else { throw Refusal.identity(.missingEmail) }
            try accounts.own.rules.check(password: password)
            try accounts.own.limits.take(.signIn, from: call.head.client)
            change.password = .some(try await accounts.own.hashing.hash(password))
            (change.endsSessions, change.keptSession) = (true, user.session)
        }
        let origin = AccountOrigin(method: "user", place: call.head.client.place)
        let known: String?? = password == nil ? nil : .some(account.password)
        guard let changed = try await store.accounts.change(uid: user.uid, app.id, change, ifPassword: known, origin),
            let session = try await store.accounts.session(user.session, app.id)
        else { throw Refusal.identity(.tokenExpired) }
        let hasNewTokens = password != nil || isUnlinked
        return response(changed, hasNewTokens ? try await accounts.own.responses.issue(session, app, as: .firebase) : nil)
    }

    private func response(_ changed: Account, _ tokens: IssuedTokens?) -> HandlerResponse {
        .identity("SetAccountInfoResponse") { json in
            json.field("localId", changed.uid)
            if let email = changed.email { json.field("email", email) }
            json.field("emailVerified", changed.isEmailVerified)
            json.writeProfile(of: changed)
            json.writeProviders(of: changed)
            if let tokens { json.write(tokens) }
        }
    }

    /// Removes the ways to sign in that `deleteProvider` names. Those that the account does not have do not matter, as in Firebase.
    private func unlink(_ request: IdentityRequest, of user: ProvedUser, _ call: Call) async throws -> Bool {
        var isUnlinked = false
        for provider in try request.texts("deleteProvider", most: 20) {
            let isOne = try await naming(.operationNotAllowed, .conflict, "This is the only way to sign in.") {
                try await accounts.providers.unlink(provider, of: user, call)
            }
            isUnlinked = isUnlinked || isOne
        }
        return isUnlinked
    }

    func delete(_ call: Call) async throws -> HandlerResponse {
        let (request, app) = (try IdentityRequest(call.request.body), try call.app(in: store))
        let (user, account) = try await user(of: try IdentityClients.token(request), app)
        // An anonymous user cannot sign in again.
        if !account.isAnonymous { try accounts.own.requireRecentSignIn(user) }
        let origin = AccountOrigin(method: "user", place: call.head.client.place)
        guard try await store.accounts.delete(uid: user.uid, app.id, app.settings.onAccountDeleted, origin) else {
            throw Refusal.identity(.userNotFound)
        }
        accounts.departures.begin()
        return .identity("DeleteAccountResponse")
    }

    /// Returns the user of an ID token with the account. Each reason why there is none has a word, by which SDKs sign the user out.
    func user(of text: String, _ app: App) async throws -> (user: ProvedUser, account: Account) {
        let user: ProvedUser
        do throws(Refusal) { user = try accounts.tokens.user(of: text) } catch {
            switch error.code {
            case .sessionEnded: throw try await reason(text, app)
            case .unauthorized: throw Refusal.identity(.invalidIDToken)
            default: throw error
            }
        }
        guard user.app.id == app.id else { throw Refusal.identity(.invalidIDToken) }
        guard let account = try await store.accounts.account(app.id, uid: user.uid) else { throw Refusal.identity(.userNotFound) }
        guard !account.isDisabled else { throw Refusal.identity(.userDisabled) }
        return (user, account)
    }

    /// The reason why the session of a token has ended.
    private func reason(_ text: String, _ app: App) async throws -> Refusal {
        guard let claims = try? accounts.tokens.claims(of: text, for: app) else { return .identity(.invalidIDToken) }
        guard let account = try await store.accounts.account(app.id, uid: claims.subject) else { return .identity(.userNotFound) }
        return .identity(account.isDisabled ? .userDisabled : .tokenExpired)
    }

    static func token(_ request: IdentityRequest) throws(Refusal) -> String {
        guard let token = try request.text("idToken") else { throw .identity(.missingIDToken) }
        return token
    }

    /// Rejects another address: it must be verified first.
    private func requireSameEmail(_ request: IdentityRequest, _ account: Account) throws {
        guard let text = try request.text("email") else { return }
        let email = try accounts.own.rules.email(text)
        guard let own = account.email.flatMap(EmailAddress.init), own == email else { throw Refusal.identity(.emailChangeNeedsVerification) }
    }
}

extension AccountChange {
    /// Reads name and picture. An empty text and `deleteAttribute` remove them.
    mutating func readProfile(_ request: IdentityRequest) throws(Refusal) {
        if request.has("displayName") { name = .some(try request.profileText("displayName")) }
        if request.has("photoUrl") { photoURL = .some(try request.pictureURL("photoUrl")) }
        for attribute in try request.texts("deleteAttribute", most: 20) {
            switch attribute {
            case "DISPLAY_NAME": name = .some(nil)
            case "PHOTO_URL": photoURL = .some(nil)
            default: throw IdentityRequest.invalid("deleteAttribute", "may name DISPLAY_NAME and PHOTO_URL")
            }
        }
    }
}
