// SPDX-License-Identifier: Apache-2.0

import API
import AccountStore
import Accounts
import AcrossStores
import HTTPServer
import Platform

/// The second factors of a signed-in user. All changes need a sign-in within the last five minutes.
struct OwnFactors: Sendable {
    let store: Stores
    let limits: AccountLimits
    let rules: AccountRules
    let clock: WallClock

    static let routes = [
        Route(.get, "/v1/auth/user/factors", .user, .task(\.accounts.ownFactors, OwnFactors.list)),
        Route(.post, "/v1/auth/user/factors", .user, .task(\.accounts.ownFactors, OwnFactors.add), most: 4 << 10),
        Route(.post, "/v1/auth/user/factors/{id}/confirm", .user, .task(\.accounts.ownFactors, OwnFactors.confirm), most: 4 << 10),
        Route(.delete, "/v1/auth/user/factors/{id}", .user, .task(\.accounts.ownFactors, OwnFactors.remove)),
        Route(.post, "/v1/auth/user/recovery-codes", .user, .task(\.accounts.ownFactors, OwnFactors.makeRecoveryCodes), most: 4 << 10),
    ]

    func list(_ call: Call) async throws -> HandlerResponse {
        try call.query().allow()
        let user = try call.user()
        guard let account = try await store.accounts.account(user.app.id, uid: user.uid) else { throw Refusal.sessionEnded }
        let found = try await store.accounts.factors(of: account)
        return try .json(SecondFactorsResponse(factors: found.factors.map { SecondFactorResponse($0) }, recoveryCodes: found.recoveryCodes))
    }

    /// Adds an authenticator app, which counts once its first code is confirmed. Only this response shows its secret.
    func add(_ call: Call) async throws -> HandlerResponse {
        let user = try begin(call)
        let body = try Body(call.json())
        try body.allow("kind", "name")
        guard try body.text("kind") == SecondFactor.Kind.totp.rawValue else { throw Refusal.field("kind", "unknown", "must be totp") }
        let name = try body.profileText("name")
        guard let account = try await store.accounts.account(user.app.id, uid: user.uid),
            let made = try await store.accounts.addFactor(name, uid: user.uid, user.app.id)
        else { throw Refusal.sessionEnded }
        let label = account.email ?? account.uid
        let added = AddedFactorResponse(
            SecondFactorResponse(made.factor), secret: TOTP.text(made.secret), url: TOTP.address(made.secret, issuer: user.app.name, account: label))
        return try .json(added, status: 201).withoutCaching
    }

    func confirm(_ call: Call) async throws -> HandlerResponse {
        let user = try begin(call)
        let body = try Body(call.json())
        try body.allow("code")
        let code = try body.text("code")
        guard let account = try await store.accounts.account(user.app.id, uid: user.uid) else { throw Refusal.sessionEnded }
        try limits.takeFactorGuess(of: account)
        let made = try await store.accounts.confirmFactor(
            call.parameter("id"), code: code, uid: user.uid, user.app.id, kept: user.session, call.accountOrigin)
        guard let made else { throw Self.noFactor }
        return try .json(ConfirmedFactorResponse(SecondFactorResponse(made.factor), recoveryCodes: made.recoveryCodes)).withoutCaching
    }

    func remove(_ call: Call) async throws -> HandlerResponse {
        let user = try begin(call)
        guard try await store.accounts.removeFactor(call.parameter("id"), uid: user.uid, user.app.id, kept: user.session, call.accountOrigin) else {
            throw Self.noFactor
        }
        return .noContent
    }

    /// Makes ten recovery codes, which replace all earlier ones. Only this response shows them.
    func makeRecoveryCodes(_ call: Call) async throws -> HandlerResponse {
        let user = try begin(call)
        guard let codes = try await store.accounts.makeRecoveryCodes(uid: user.uid, user.app.id, call.accountOrigin) else {
            throw Refusal.sessionEnded
        }
        return try .json(RecoveryCodesResponse(recoveryCodes: codes)).withoutCaching
    }

    private func begin(_ call: Call) throws -> ProvedUser {
        try call.query().allow()
        let user = try call.user()
        try user.requireRecentSignIn(at: clock.now())
        try rules.requireCapacity()
        return user
    }

    private static let noFactor = Refusal(
        .notFound, "There is no such second factor, or it was not confirmed in time.", hint: "GET /v1/auth/user/factors lists them.")
}
