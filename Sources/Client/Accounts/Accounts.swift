// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Signs users in and keeps their session. `LiveAccounts` talks to the daemon, `InMemoryAccounts` serves tests.
///
/// A session lasts until it is ended: by ``signOut()``, by the user on another device, or by an administrator. An unreachable daemon
/// ends none, and neither do credentials that cannot be read now, for example before the first unlock.
public protocol Accounts: Sendable {
    /// The signed-in user, read from the device without network; `nil` if nobody is signed in or the credentials cannot be read now.
    var currentUser: AccountUser? { get }

    /// The reason why the last session ended without a call of this client; `nil` after a sign-in.
    var sessionEnd: SessionEnd? { get }

    /// Creates an account. An anonymous user keeps the user ID and all data.
    ///
    /// - Throws: ``AccountError/verificationRequired`` if the app requires a verified address: a mail has been sent, whose code creates the
    ///   account.
    @discardableResult
    func signUp(email: String, password: String, name: String?) async throws(AccountError) -> AccountSession

    /// Signs in with email address and password.
    ///
    /// - Throws: ``AccountError/secondFactorRequired(_:)`` if the account has a second factor. ``Credential/totp(_:code:factor:)`` finishes
    ///   the sign-in.
    @discardableResult
    func signIn(email: String, password: String) async throws(AccountError) -> AccountSession

    /// Signs in with a credential.
    @discardableResult
    func signIn(with credential: Credential) async throws(AccountError) -> AccountSession

    /// Adds a way to sign in to the current user. An anonymous user keeps the user ID and all data.
    @discardableResult
    func link(_ credential: Credential) async throws(AccountError) -> AccountUser

    /// Removes a way to sign in: an element of ``AccountUser/providers``. The last one cannot be removed.
    @discardableResult
    func unlink(provider: String) async throws(AccountError) -> AccountUser

    /// Changes the name or picture of the current user.
    @discardableResult
    func update(_ change: ProfileChange) async throws(AccountError) -> AccountUser

    /// Returns a session whose ID token is valid, after a refresh if it ends within five minutes; `nil` if nobody is signed in.
    func session() async throws(AccountError) -> AccountSession?

    /// Gets a new ID token now, for example because claims have changed.
    @discardableResult
    func refreshSession() async throws(AccountError) -> AccountSession

    /// Returns the stored session without network, whether or not its ID token is still valid.
    func restoreSession() -> (user: AccountUser, session: AccountSession)?

    /// Removes the credentials from this device. The session itself goes on: use ``signOut()`` to end it.
    func clearStoredCredentials()

    // MARK: Mails

    /// Sends a mail with a code for a new password. Whether the address has an account is not said.
    func sendPasswordReset(email: String) async throws(AccountError)

    /// Sends the current user a mail with a code that verifies the address.
    func sendEmailVerification() async throws(AccountError)

    /// Sends a mail to a new address of the current user, with a code that gives it to the account. Needs a sign-in within the last five minutes.
    func sendEmailChange(to email: String) async throws(AccountError)

    /// Sends a mail with a code that signs in: ``Credential/code(_:email:)``. Whether the address has an account is not said.
    ///
    /// - Parameters:
    ///   - email: The address.
    ///   - url: The page of the app that the link opens; `nil` for a mail with digits alone. Its origin must be in the app's setting
    ///     `auth_origins`.
    func sendSignInCode(email: String, continueURL url: URL?) async throws(AccountError)

    /// Redeems a code of a mail, or tells what it is for.
    ///
    /// - Parameters:
    ///   - code: The code of the link, or the eight digits.
    ///   - email: The address that the mail went to, needed with digits.
    ///   - newPassword: The password to set, with a code for one. Without it such a code is only looked at.
    /// - Throws: ``AccountError/invalidCode`` or ``AccountError/codeExpired``.
    @discardableResult
    func redeemCode(_ code: String, email: String?, newPassword: String?) async throws(AccountError) -> RedeemedCode

    // MARK: Security

    /// Sets the password of the current user, and ends all other sessions. Needs a sign-in within the last five minutes.
    @discardableResult
    func setPassword(_ password: String) async throws(AccountError) -> AccountUser

    /// Returns the sessions of the current user, on all devices.
    func sessions() async throws(AccountError) -> [SignedInSession]

    /// Ends a session of the current user, such as that of a lost device. ``signOut()`` ends that of this device.
    func endSession(_ id: String) async throws(AccountError)

    /// Ends all sessions of the current user but that of this device.
    func endOtherSessions() async throws(AccountError)

    /// Returns the second factors of the current user.
    func secondFactors() async throws(AccountError) -> SecondFactors

    /// Adds an authenticator app, which counts once its first code is confirmed. Needs a sign-in within the last five minutes.
    func addSecondFactor(name: String?) async throws(AccountError) -> AddedSecondFactor

    /// Confirms an authenticator app with a code, and ends all other sessions. Needs a sign-in within the last five minutes.
    ///
    /// - Parameters:
    ///   - id: The ID of the factor.
    ///   - code: The code that the app shows.
    /// - Returns: Recovery codes with the first factor, which nothing shows later; otherwise none.
    @discardableResult
    func confirmSecondFactor(_ id: String, code: String) async throws(AccountError) -> [String]

    /// Removes a second factor, and ends all other sessions. Needs a sign-in within the last five minutes.
    func removeSecondFactor(_ id: String) async throws(AccountError)

    /// Makes ten recovery codes, which replace all earlier ones. Needs a sign-in within the last five minutes.
    func makeRecoveryCodes() async throws(AccountError) -> [String]

    // MARK: The end

    /// Yields the current user and each change; `nil` if nobody is signed in. While it is read, the end of the session and changes made
    /// elsewhere arrive within a second.
    func userStream() -> AsyncStream<AccountUser?>

    /// Sends queued analytics of the user, bounded in time, then ends the session. Without network the session ends on this device at once
    /// and at the daemon later.
    func signOut() async throws(AccountError)

    /// Sends queued analytics of the user, bounded in time, then deletes the account. Needs a sign-in within the last five minutes, unless the
    /// user is anonymous.
    func deleteAccount() async throws(AccountError)
}

extension Accounts {
    /// Sends a mail with digits that sign in.
    public func sendSignInCode(email: String) async throws(AccountError) { try await sendSignInCode(email: email, continueURL: nil) }

    /// Redeems a code of a mail that sets no password, or tells what it is for.
    @discardableResult
    public func redeemCode(_ code: String, email: String? = nil) async throws(AccountError) -> RedeemedCode {
        try await redeemCode(code, email: email, newPassword: nil)
    }
}
