// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import AcrossStores
import HTTPServer
import JSON
import Platform

/// Refresh tokens, session cookies, and the documents with which Firebase's libraries check both kinds of token.
struct IdentitySessions: Sendable {
    let store: Stores
    let accounts: AccountServices
    let clients: IdentityClients

    private static let cookieSeconds: ClosedRange<Int64> = 300...AccountBounds.cookieLife.milliseconds / 1_000

    /// Exchanges a refresh token. The body is a form, or JSON of the SDKs for Apple's systems.
    func refresh(_ call: Call) async throws -> HandlerResponse {
        let isForm = call.head.mediaType == "application/x-www-form-urlencoded"
        let request = isForm ? try IdentityRequest(form: call.request.body) : try IdentityRequest(call.request.body)
        let app = try call.app(in: store)
        guard try request.text("grantType") == "refresh_token" else { throw Refusal.identity(.invalidGrantType) }
        guard let text = try request.text("refreshToken") else { throw Refusal.identity(.missingRefreshToken) }
        guard let key = store.accounts.secrets.key, RefreshToken(text, key) != nil else { throw Refusal.identity(.invalidRefreshToken) }
        let session = try await accounts.sessions.refresh(text, app, call)
        let tokens = try await accounts.sessions.responses.issue(session, app, as: .firebase)
        return HandlerResponse.response(
            .json { json in
                json.beginObject()
                json.field("access_token", tokens.idToken)
                json.field("expires_in", IssuedTokens.seconds)
                json.field("token_type", "Bearer")
                json.field("refresh_token", tokens.refreshToken)
                json.field("id_token", tokens.idToken)
                json.field("user_id", session.account.uid)
                json.field("project_id", app.project)
                json.endObject()
            }
        ).withoutCaching
    }

    /// Makes a session cookie of an ID token, with the same claims and a longer life.
    func createCookie(_ call: Call) async throws -> HandlerResponse {
        let (request, app) = (try IdentityRequest(call.request.body), try call.project(in: store))
        let seconds = try request.number("validDuration") ?? IdentitySessions.cookieSeconds.upperBound
        guard IdentitySessions.cookieSeconds.contains(seconds) else { throw Refusal.identity(.invalidDuration) }
        let (user, _) = try await clients.user(of: try IdentityClients.token(request), app)
        guard let session = try await store.accounts.session(user.session, app.id) else { throw Refusal.identity(.tokenExpired) }
        let (cookie, _) = try accounts.tokens.issue(session, app, as: .cookie(lifetime: .seconds(seconds)))
        return HandlerResponse.response(
            .json { json in
                json.beginObject()
                json.field("sessionCookie", cookie)
                json.endObject()
            }
        ).withoutCaching
    }

    func certificates(_ call: Call) async throws -> HandlerResponse { accounts.discovery.certificatesOfAll }

    func keySet(_ call: Call) async throws -> HandlerResponse { accounts.discovery.keysOfAll }
}
