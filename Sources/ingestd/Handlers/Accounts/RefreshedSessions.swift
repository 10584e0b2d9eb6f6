// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import AcrossStores
import HTTPServer
import Platform

/// Refreshing a session and signing out, with a refresh token.
struct RefreshedSessions: Sendable {
    let store: Stores
    let limits: AccountLimits
    let rules: AccountRules
    let responses: SessionResponses
    let configuration: LiveConfiguration

    static let routes = [
        Route(.post, "/v1/auth/token", .role(.ingest), .task(\.accounts.sessions, RefreshedSessions.refresh), most: 4 << 10),
        Route(.post, "/v1/auth/sign-out", .role(.ingest), .task(\.accounts.sessions, RefreshedSessions.signOut), most: 4 << 10),
    ]

    func refresh(_ call: Call) async throws -> HandlerResponse {
        let body = try Body(call.json())
        try body.allow("refresh_token")
        let app = try call.onlyApp(in: store)
        let text = try body.text("refresh_token")
        return try await responses.session(try await refresh(text, app, call), app)
    }

    /// Uses a refresh token and returns its session.
    func refresh(_ text: String, _ app: App, _ call: Call) async throws -> SignedIn {
        let token = try token(text)
        try rules.requireCapacity()
        do throws(Refusal) { try limits.takeRefresh(of: token.session, in: app) } catch {
            store.accounts.gauges.refreshed(.limited)
            throw error
        }
        return try await store.accounts.refresh(
            token, app.id, key: call.caller.ingestKey ?? 0, rotates: configuration.now.accounts.refreshRotation, origin(call))
    }

    func signOut(_ call: Call) async throws -> HandlerResponse {
        let body = try Body(call.json())
        try body.allow("refresh_token", "everywhere")
        let app = try call.onlyApp(in: store)
        let everywhere = try body.flag("everywhere") ?? false
        try await store.accounts.signOut(try token(body.text("refresh_token")), app.id, everywhere: everywhere, origin(call))
        return .noContent
    }

    /// Rejects a token that this daemon did not seal, without reading the disk.
    private func token(_ text: String) throws(Refusal) -> RefreshToken {
        guard let key = store.accounts.secrets.key, let token = RefreshToken(text, key) else { throw .sessionEnded }
        return token
    }

    private func origin(_ call: Call) -> AccountOrigin { AccountOrigin(method: "refresh", place: call.head.client.place) }
}
