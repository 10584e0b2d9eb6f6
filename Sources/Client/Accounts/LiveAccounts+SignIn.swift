// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Sign-in, sign-out, and changes of the user's own account.
extension LiveAccounts {
    /// Names the installation, so that its earlier events belong to the user.
    @discardableResult
    public func signUp(email: String, password: String, name: String?) async throws(AccountError) -> AccountSession {
        var json = JSONText()
        json.object { json in
            json.field("email", email)
            json.field("password", password)
            json.field("name", name)
            json.field("installation_id", analytics.installationID)
        }
        return try await begin("v1/auth/sign-up", json, asAnonymous: true)
    }

    /// Names the installation, so that its earlier events belong to the user.
    @discardableResult
    public func signIn(email: String, password: String) async throws(AccountError) -> AccountSession {
        var json = JSONText()
        json.object { json in
            json.field("method", "password")
            json.field("email", email)
            json.field("password", password)
            json.field("installation_id", analytics.installationID)
        }
        return try await begin("v1/auth/sign-in", json, asAnonymous: false)
    }

    /// Replaces the current user, whose queued analytics are sent before and whose session ends. ``link(_:)`` keeps the user ID of an anonymous
    /// one.
    @discardableResult
    public func signIn(with credential: Credential) async throws(AccountError) -> AccountSession {
        let (path, json) = credential.signIn(installation: analytics.installationID)
        return try await begin(path, json, asAnonymous: false)
    }

    /// Takes credentials of identity providers, and codes of sign-in mails together with the address, which is linked.
    @discardableResult
    public func link(_ credential: Credential) async throws(AccountError) -> AccountUser {
        if let identity = credential.identity {
            var json = JSONText()
            json.object { identity.write(to: &$0) }
            return try await replace("POST", "v1/auth/user/identities", json.bytes)
        }
        guard case .code = credential else { throw .unsupportedCredential }
        return try await replace("POST", "v1/auth/sign-in", credential.signIn(installation: nil).body.bytes)
    }

    /// Ends all other sessions of the user.
    @discardableResult
    public func unlink(provider: String) async throws(AccountError) -> AccountUser {
        try await replace("DELETE", "v1/auth/user/identities/\(try checked(provider))", nil)
    }

    /// Stores the changed user.
    @discardableResult
    public func update(_ change: ProfileChange) async throws(AccountError) -> AccountUser {
        let (response, generation) = try await authorized("PATCH", "v1/auth/user", change.body)
        guard response.status == 200, let user = try? JSONDecoder.accounts.decode(AccountUser.self, from: response.body) else {
            throw AccountError(response)
        }
        try keeper.change { $0.update(user, of: generation) }
        return user
    }

    /// Waits at most three seconds for analytics, and for one attempt to reach the daemon.
    public func signOut() async throws(AccountError) {
        guard let user = try keeper.current()?.session.user.id else { return }
        await flushAnalytics()
        // Another user may have signed in meanwhile.
        try keeper.change { if $0.session?.user.id == user { $0.signOut() } }
        await keeper.sendSignOuts()
    }

    /// Waits at most three seconds for analytics, which the daemon erases with the account, and removes the credentials once it has confirmed.
    public func deleteAccount() async throws(AccountError) {
        let user = try keeper.required().session.user.id
        await flushAnalytics()
        let (response, generation) = try await authorized("DELETE", "v1/auth/user", nil, of: user)
        guard response.status == 204 else { throw AccountError(response) }
        try keeper.change { $0.end(nil, of: generation) }
    }

    // MARK: Requests

    /// Begins a session. With the ID token of an anonymous user the account keeps its ID.
    private func begin(_ path: String, _ json: JSONText, asAnonymous: Bool) async throws(AccountError) -> AccountSession {
        let before = try keeper.current()?.session
        let isUpgrade = asAnonymous && before?.user.isAnonymous == true
        let response: APIClient.Response
        if isUpgrade {
            response = try await authorized("POST", path, json.bytes).response
        } else {
            response = try await client.attempt("POST", path, json.bytes)
        }
        // Only the session of the earlier user proves whose the records are.
        if !isUpgrade, before != nil, (200...201).contains(response.status) { await flushAnalytics() }
        let session = try adopt(response, endsOther: !isUpgrade)
        if before != nil { Task { [keeper] in await keeper.sendSignOuts() } }
        return session.asSession(isNew: response.status == 201)
    }

    /// Replaces the session by that of the response.
    func replace(_ method: String, _ path: String, _ body: [UInt8]?) async throws(AccountError) -> AccountUser {
        try adopt(await authorized(method, path, body).response).user
    }

    private func adopt(_ response: APIClient.Response, endsOther: Bool = false) throws(AccountError) -> StoredSession {
        if response.status == 202 {
            if let pending = SecondFactorResponse.pending(response.body) { throw .secondFactorRequired(pending) }
            throw .verificationRequired
        }
        guard (200...201).contains(response.status), let answer = SessionResponse(response.body) else { throw AccountError(response) }
        let session = answer.stored(at: options.now())
        try keeper.change { $0.signIn(session, endsOther: endsOther) }
        return session
    }

    /// Sends a request as the current user. A rejected ID token is refreshed once.
    ///
    /// - Parameter user: The user for whom the request is; nil for whoever is signed in.
    func authorized(
        _ method: String, _ path: String, _ body: [UInt8]?, of user: String? = nil
    ) async throws(AccountError) -> (response: APIClient.Response, generation: Int) {
        guard try await keeper.session() != nil else { throw .notSignedIn }
        let (session, generation) = try keeper.required()
        if let user, user != session.user.id { throw .notSignedIn }
        let response = try await client.attempt(method, path, body, token: session.idToken)
        guard response.rejectsToken else { return (response, generation) }
        _ = try await keeper.refresh()
        // Another user may have signed in meanwhile, for whom the request is not.
        let current = try keeper.required()
        guard current.generation == generation else { throw .notSignedIn }
        return (try await client.attempt(method, path, body, token: current.session.idToken), generation)
    }

    private func flushAnalytics() async {
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        Task { [analytics] in
            try? await analytics.flush()
            end.finish()
        }
        let limit = Task {
            try? await Task.sleep(for: .seconds(LiveAccounts.signOutFlushSeconds))
            end.finish()
        }
        for await _ in ended {}
        limit.cancel()
    }
}

extension SessionKeeper {
    /// Tells the daemon of sessions that ended here.
    func sendSignOuts() async {
        for token in state.withLock({ $0.session.credentials?.signOuts ?? [] }) {
            var json = JSONText()
            json.object { $0.field("refresh_token", token) }
            guard let response = try? await client.send("POST", "v1/auth/sign-out", json.bytes) else { return }
            // A token that the daemon does not take will not be taken later.
            // A response without a code is of a proxy or a captive portal.
            let code = Problem(response.body).code
            guard response.status == 204 || [400, 401, 422].contains(response.status) && code != nil && code != "unauthorized" else { return }
            try? change { $0.signedOut(token) }
        }
    }
}

extension APIClient.Response {
    /// Whether the daemon did not take an ID token, which a refresh may change.
    package var rejectsToken: Bool {
        let code = Problem(body).code ?? ""
        return status == 401 && ["unauthorized", "token_expired", "session_ended"].contains(code) || status == 403 && code == "account_disabled"
    }
}

extension ProfileChange {
    fileprivate var body: [UInt8] {
        var json = JSONText()
        json.object { json in
            name.write(to: &json, as: "name")
            photoURL.write(to: &json, as: "photo_url")
        }
        return json.bytes
    }
}

extension ProfileChange.Field {
    fileprivate func write(to json: inout JSONText, as name: StaticString) {
        switch self {
        case .unchanged: break
        case .removed: json.null("\(name)")
        case .set(let text): json.field(name, text)
        }
    }
}
