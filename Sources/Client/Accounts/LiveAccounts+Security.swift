// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Mails, sessions and second factors of the user's own account.
extension LiveAccounts {
    // MARK: Mails

    /// Returns once the daemon has stored the request.
    public func sendPasswordReset(email: String) async throws(AccountError) {
        try accepted(try await client.attempt("POST", "v1/auth/codes", mail("reset_password", to: email)))
    }

    /// Returns once the daemon has stored the request.
    public func sendEmailVerification() async throws(AccountError) {
        try accepted(try await authorized("POST", "v1/auth/codes", mail("verify_email", to: nil)).response)
    }

    /// Returns once the daemon has stored the request.
    public func sendEmailChange(to email: String) async throws(AccountError) {
        try accepted(try await authorized("POST", "v1/auth/codes", mail("change_email", to: email)).response)
    }

    /// Returns once the daemon has stored the request.
    public func sendSignInCode(email: String, continueURL url: URL?) async throws(AccountError) {
        try accepted(try await client.attempt("POST", "v1/auth/codes", mail("sign_in", to: email, url)))
    }

    /// Gets a new ID token if the code was of the current user, so that ``currentUser`` has the change or the session has ended.
    @discardableResult
    public func redeemCode(_ code: String, email: String?, newPassword: String?) async throws(AccountError) -> RedeemedCode {
        struct Redeemed: Decodable {
            var kind: String
            var email: String?
            var redeemed: Bool
            var user: String?
        }
        var json = JSONText()
        json.object { json in
            json.field("code", code)
            json.field("email", email)
            json.field("new_password", newPassword)
        }
        let redeemed: Redeemed = try decoded(try await client.attempt("POST", "v1/auth/codes/redeem", json.bytes))
        if let user = redeemed.user, try keeper.current()?.session.user.id == user { _ = try? await keeper.refresh(again: true) }
        return RedeemedCode(kind: .init(rawValue: redeemed.kind) ?? .other, email: redeemed.email, isRedeemed: redeemed.redeemed)
    }

    private func mail(_ kind: String, to email: String?, _ url: URL? = nil) -> [UInt8] {
        var json = JSONText()
        json.object { json in
            json.field("kind", kind)
            json.field("email", email)
            json.field("continue_url", url?.absoluteString)
            json.field("locale", options.context.locale)
        }
        return json.bytes
    }

    private func accepted(_ response: APIClient.Response) throws(AccountError) {
        guard response.status == 202 else { throw AccountError(response) }
    }

    // MARK: Security

    /// The session goes on with a new ID token.
    @discardableResult
    public func setPassword(_ password: String) async throws(AccountError) -> AccountUser {
        var json = JSONText()
        json.object { $0.field("password", password) }
        return try await replace("POST", "v1/auth/user/password", json.bytes)
    }

    /// At most a hundred.
    public func sessions() async throws(AccountError) -> [SignedInSession] {
        struct Sessions: Decodable { var items: [SignedInSession] }
        let sessions: Sessions = try decoded(try await authorized("GET", "v1/auth/user/sessions", nil).response)
        return sessions.items
    }

    /// The session's ID tokens are void at once.
    public func endSession(_ id: String) async throws(AccountError) { try await remove("v1/auth/user/sessions/\(try checked(id))") }

    /// Their ID tokens are void at once.
    public func endOtherSessions() async throws(AccountError) { try await remove("v1/auth/user/sessions") }

    /// Returns the factors as the daemon has them.
    public func secondFactors() async throws(AccountError) -> SecondFactors {
        try decoded(try await authorized("GET", "v1/auth/user/factors", nil).response)
    }

    /// A factor that is not confirmed within some time is removed.
    public func addSecondFactor(name: String?) async throws(AccountError) -> AddedSecondFactor {
        var json = JSONText()
        json.object { json in
            json.field("kind", "totp")
            json.field("name", name)
        }
        return try decoded(try await authorized("POST", "v1/auth/user/factors", json.bytes).response)
    }

    /// Codes count half a minute before and after their time.
    @discardableResult
    public func confirmSecondFactor(_ id: String, code: String) async throws(AccountError) -> [String] {
        var json = JSONText()
        json.object { $0.field("code", code) }
        let path = "v1/auth/user/factors/\(try checked(id))/confirm"
        let codes: RecoveryCodes = try decoded(try await authorized("POST", path, json.bytes).response)
        return codes.recovery_codes ?? []
    }

    /// Without the last one, sign-ins ask for no code any more.
    public func removeSecondFactor(_ id: String) async throws(AccountError) { try await remove("v1/auth/user/factors/\(try checked(id))") }

    /// Returns the new ones.
    public func makeRecoveryCodes() async throws(AccountError) -> [String] {
        let codes: RecoveryCodes = try decoded(try await authorized("POST", "v1/auth/user/recovery-codes", nil).response)
        return codes.recovery_codes ?? []
    }

    private struct RecoveryCodes: Decodable { var recovery_codes: [String]? }

    /// Returns an ID that is one segment of a path.
    func checked(_ id: String) throws(AccountError) -> String {
        guard APIClient.isSegment(id) else { throw .signalbox(.rejected(code: "bad_id", detail: "This is not an ID: \(id)")) }
        return id
    }

    private func remove(_ path: String) async throws(AccountError) {
        let response = try await authorized("DELETE", path, nil).response
        guard response.status == 204 else { throw AccountError(response) }
    }

    private func decoded<Value: Decodable>(_ response: APIClient.Response) throws(AccountError) -> Value {
        guard (200...201).contains(response.status), let value = response.decoded(Value.self) else { throw AccountError(response) }
        return value
    }
}
