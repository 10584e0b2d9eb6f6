// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Mails, sessions and second factors. Every call is allowed at any time.
extension InMemoryAccounts {
    // MARK: Mails

    /// Adds to `mails` and `passwordResets`.
    public func sendPasswordReset(email: String) async throws(AccountError) {
        try change { (state) throws(AccountError) in state.send(.resetPassword, email, of: state.account(of: email)?.user.id) }
    }

    /// Adds to `mails`.
    public func sendEmailVerification() async throws(AccountError) {
        try change { (state) throws(AccountError) in
            guard let user = state.user else { throw .notSignedIn }
            guard let email = user.email else { throw .invalidEmail }
            state.send(.verifyEmail, email, of: user.id)
        }
    }

    /// Adds to `mails`.
    public func sendEmailChange(to email: String) async throws(AccountError) {
        try change { (state) throws(AccountError) in
            guard let user = state.user else { throw .notSignedIn }
            guard email.contains("@") else { throw .invalidEmail }
            state.send(.changeEmail, email, of: user.id)
        }
    }

    /// Adds to `mails`. `signIn(with:)` takes any code of an address.
    public func sendSignInCode(email: String, continueURL url: URL?) async throws(AccountError) {
        try change { (state) throws(AccountError) in state.send(.signIn, email, of: nil) }
    }

    /// Takes a code of `mails` once.
    @discardableResult
    public func redeemCode(_ code: String, email: String?, newPassword: String?) async throws(AccountError) -> RedeemedCode {
        try change { (state) throws(AccountError) in
            guard let mail = state.mails.first(where: { $0.code == code }) else { throw .invalidCode }
            if mail.kind == .signIn || mail.kind == .resetPassword && newPassword == nil {
                return RedeemedCode(kind: mail.kind, email: mail.kind == .signIn ? nil : mail.email, isRedeemed: false)
            }
            guard let id = mail.user, var account = state.accounts[id] else { throw .codeExpired }
            switch mail.kind {
            case .resetPassword:
                account.password = newPassword
                account.user.isEmailVerified = true
                if state.current == id { (state.current, state.end) = (nil, .passwordChanged) }
            case .changeEmail: (account.user.email, account.user.isEmailVerified) = (mail.email, true)
            default: account.user.isEmailVerified = true
            }
            state.accounts[id] = account
            state.mails.removeAll { $0.code == code }
            return RedeemedCode(kind: mail.kind, email: mail.email, isRedeemed: true)
        }
    }

    // MARK: Security

    /// Takes any password of eight characters.
    @discardableResult
    public func setPassword(_ password: String) async throws(AccountError) -> AccountUser {
        try account { (account) throws(AccountError) in
            guard password.count >= 8 else { throw .weakPassword(detail: "The password must have at least 8 characters.") }
            (account.password, account.otherSessions) = (password, [])
            if !account.user.providers.contains("password") { account.user.providers.append("password") }
            return account.user
        }
    }

    /// The session of this device, and those of `add(_:of:)`.
    public func sessions() async throws(AccountError) -> [SignedInSession] {
        try account { [SignedInSession(id: "current", isCurrent: true)] + $0.otherSessions }
    }

    /// Removes a session of `add(_:of:)`.
    public func endSession(_ id: String) async throws(AccountError) {
        try account { (account) throws(AccountError) in
            let count = account.otherSessions.count
            account.otherSessions.removeAll { $0.id == id }
            guard account.otherSessions.count < count else {
                throw .signalbox(.rejected(code: "not_found", detail: "There is no such session."))
            }
        }
    }

    /// Removes the sessions of `add(_:of:)`.
    public func endOtherSessions() async throws(AccountError) { try account { $0.otherSessions = [] } }

    /// The factors that were added.
    public func secondFactors() async throws(AccountError) -> SecondFactors {
        try account { SecondFactors(factors: $0.factors, recoveryCodes: $0.recoveryCodes.count) }
    }

    /// Adds a factor, whose codes are any six characters.
    public func addSecondFactor(name: String?) async throws(AccountError) -> AddedSecondFactor {
        try account { (account) throws(AccountError) in
            let factor = SecondFactor(id: "factor-\(account.factors.count + 1)", name: name)
            guard let url = URL(string: "otpauth://totp/test?secret=TEST") else { throw .invalidCode }
            account.factors.append(factor)
            return AddedSecondFactor(factor: factor, secret: "TEST", url: url)
        }
    }

    /// Takes any six characters.
    @discardableResult
    public func confirmSecondFactor(_ id: String, code: String) async throws(AccountError) -> [String] {
        try account { (account) throws(AccountError) in
            guard code.count == 6, let place = account.factors.firstIndex(where: { $0.id == id }) else { throw .invalidCode }
            let isFirst = !account.factors.contains { $0.confirmedAt != nil }
            account.factors[place].confirmedAt = Date()
            account.otherSessions = []
            if isFirst { account.recoveryCodes = InMemoryAccounts.newCodes }
            return isFirst ? account.recoveryCodes : []
        }
    }

    /// Removes a factor.
    public func removeSecondFactor(_ id: String) async throws(AccountError) {
        try account { account in
            account.factors.removeAll { $0.id == id }
            account.otherSessions = []
        }
    }

    /// Replaces the codes.
    public func makeRecoveryCodes() async throws(AccountError) -> [String] {
        try account { account in
            account.recoveryCodes = InMemoryAccounts.newCodes
            return account.recoveryCodes
        }
    }

    private static var newCodes: [String] { (1...10).map { "recovery-\($0)" } }

    /// Changes the account of the current user.
    private func account<T>(_ body: (inout Account) throws(AccountError) -> T) throws(AccountError) -> T {
        try change { (state) throws(AccountError) in
            guard let id = state.current, var account = state.accounts[id] else { throw .notSignedIn }
            let result = try body(&account)
            state.accounts[id] = account
            return result
        }
    }
}

extension InMemoryAccounts.State {
    fileprivate mutating func send(_ kind: RedeemedCode.Kind, _ email: String, of user: String?) {
        made += 1
        mails.append(InMemoryAccounts.Mail(kind: kind, email: email, code: "code-\(made)", user: user))
    }
}
