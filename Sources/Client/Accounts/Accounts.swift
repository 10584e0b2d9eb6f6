// SPDX-License-Identifier: Apache-2.0

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

    /// Sends a mail with a code for a new password. Whether the address has an account is not said.
    func sendPasswordReset(email: String) async throws(AccountError)

    /// Yields the current user and each change; `nil` if nobody is signed in. While it is read, the end of the session and changes made
    /// elsewhere arrive within a second.
    func userStream() -> AsyncStream<AccountUser?>

    /// Sends queued analytics of the user, bounded in time, then ends the session. Without network the session ends on this device at once
    /// and at the daemon later.
    func signOut() async throws(AccountError)

    /// Deletes the account. Needs a sign-in within the last five minutes, unless the user is anonymous.
    func deleteAccount() async throws(AccountError)
}
