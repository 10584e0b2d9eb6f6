// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import AcrossStores
import HTTPServer
import JSON
import Platform

/// Authenticator apps as second factors.
///
///     mfaEnrollment:start     {"idToken", "totpEnrollmentInfo": {}} → {"totpSessionInfo": {"sharedSecretKey", "sessionInfo"}}
///     mfaEnrollment:finalize  {"idToken", "totpVerificationInfo": {"sessionInfo", "verificationCode"}} → tokens
///     mfaSignIn:finalize      {"mfaPendingCredential", "mfaEnrollmentId", "totpVerificationInfo"} → tokens
extension IdentityClients {
    func startEnrollment(_ call: Call) async throws -> HandlerResponse {
        let (request, app) = (try IdentityRequest(call.request.body), try call.app(in: store))
        guard request.has("totpEnrollmentInfo") else { throw IdentityClients.onlyApps }
        let (user, account) = try await user(of: try IdentityClients.token(request), app)
        try requireChange(by: user)
        guard !account.isAnonymous else { throw Refusal.identity(.unsupportedFirstFactor) }
        let made = try await naming(.factorLimit, .conflict) { try await store.accounts.addFactor(nil, uid: user.uid, app.id) }
        guard let (factor, secret) = made else { throw Refusal.identity(.userNotFound) }
        return .plain { json in
            json.key("totpSessionInfo")
            json.beginObject()
            json.field("sharedSecretKey", TOTP.text(secret))
            json.field("verificationCodeLength", TOTP.digits)
            json.field("hashingAlgorithm", "SHA1")
            json.field("periodSec", TOTP.periodSeconds)
            json.field("sessionInfo", factor.id)
            json.field("finalizeEnrollmentTime", (factor.created + SecondFactor.patience).rfc3339)
            json.endObject()
        }
    }

    func finalizeEnrollment(_ call: Call) async throws -> HandlerResponse {
        let (request, app) = (try IdentityRequest(call.request.body), try call.app(in: store))
        guard let info = try request.object("totpVerificationInfo") else { throw IdentityClients.onlyApps }
        let (user, account) = try await user(of: try IdentityClients.token(request), app)
        guard let factor = try info.text("sessionInfo") else { throw Refusal.identity(.missingSessionInfo) }
        guard let code = try info.text("verificationCode") else { throw Refusal.identity(.missingCode) }
        try requireChange(by: user)
        try accounts.ownFactors.limits.takeFactorGuess(of: account)
        let name = try request.profileText("displayName")
        let origin = AccountOrigin(method: "user", place: call.head.client.place)
        let made = try await naming(.invalidCode, .invalidCode) {
            try await store.accounts.confirmFactor(factor, code: code, name: name, uid: user.uid, app.id, kept: user.session, origin)
        }
        guard made != nil else { throw Refusal.identity(.sessionExpired) }
        return try await tokens(of: user, app) { json in
            json.key("totpAuthInfo")
            json.beginObject()
            json.endObject()
        }
    }

    func withdrawEnrollment(_ call: Call) async throws -> HandlerResponse {
        let (request, app) = (try IdentityRequest(call.request.body), try call.app(in: store))
        let (user, _) = try await user(of: try IdentityClients.token(request), app)
        guard let factor = try request.text("mfaEnrollmentId") else { throw Refusal.identity(.missingEnrollment) }
        try requireChange(by: user)
        let origin = AccountOrigin(method: "user", place: call.head.client.place)
        guard try await store.accounts.removeFactor(factor, uid: user.uid, app.id, kept: user.session, origin) else {
            throw Refusal.identity(.enrollmentNotFound)
        }
        return try await tokens(of: user, app)
    }

    /// Completes a sign-in with the code of an authenticator app, or with a recovery code in its place.
    func finalizeSignIn(_ call: Call) async throws -> HandlerResponse {
        let (request, app) = (try IdentityRequest(call.request.body), try call.app(in: store))
        guard let pending = try request.text("mfaPendingCredential") else { throw Refusal.identity(.missingPending) }
        guard let info = try request.object("totpVerificationInfo") else { throw IdentityClients.onlyApps }
        guard let code = try info.text("verificationCode") else { throw Refusal.identity(.missingCode) }
        let isRecovery = code.utf8.count != TOTP.digits
        let factor = isRecovery ? SecondFactorProof.recovery : try request.text("mfaEnrollmentId")
        let made = try await naming(.invalidCode, .invalidCode) {
            try await naming(.invalidPending, .sessionEnded) {
                try await accounts.secondFactors.finish(pending, code, factor: factor, app, call)
            }
        }
        let tokens = try await accounts.signIns.responses.issue(made, app, as: .firebase)
        return .plain { $0.write(tokens) }
    }

    /// A code by SMS is the only second factor that is sent for.
    func refusePhoneSignIn(_ call: Call) async throws -> HandlerResponse {
        _ = try call.app(in: store)
        throw IdentityClients.onlyApps
    }

    // MARK: Parts

    private static let onlyApps = Refusal.identity(
        .operationNotAllowed, "Second factors are authenticator apps (TOTP).", code: .notImplemented)

    private func requireChange(by user: ProvedUser) throws(Refusal) {
        try accounts.own.requireRecentSignIn(user)
        try accounts.own.rules.requireCapacity()
    }

    /// New tokens of the session, which goes on.
    private func tokens(of user: ProvedUser, _ app: App, _ write: (inout JSONWriter) -> Void = { _ in }) async throws -> HandlerResponse {
        guard let session = try await store.accounts.session(user.session, app.id) else { throw Refusal.identity(.tokenExpired) }
        let tokens = try await accounts.own.responses.issue(session, app, as: .firebase)
        return .plain { json in
            json.write(tokens)
            write(&json)
        }
    }
}

extension HandlerResponse {
    /// A response of the second version of Google's API, which has no kind.
    fileprivate static func plain(_ write: (inout JSONWriter) -> Void) -> HandlerResponse {
        HandlerResponse.response(
            .json { json in
                json.beginObject()
                write(&json)
                json.endObject()
            }
        ).withoutCaching
    }
}
