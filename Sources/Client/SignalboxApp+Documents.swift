// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The parts of an app's connection that `SignalboxDocuments` shares.
extension SignalboxApp {
    package var address: URL { liveAccounts.options.address }
    package var key: String { liveAccounts.options.key }
    package var folder: URL { liveAccounts.options.chosenFolder }

    /// Returns the ID of the signed-in user, without network; `nil` if nobody is signed in. Throws if the credentials cannot be read now.
    package func signedInUser() throws(AccountError) -> String? { try liveAccounts.keeper.current()?.session.user.id }

    /// Returns the signed-in user with an ID token that is valid; `nil` if nobody is signed in.
    ///
    /// - Parameter rejected: A token that the daemon did not take.
    package func idToken(insteadOf rejected: String?) async throws(AccountError) -> (user: String, token: String)? {
        do {
            return try await liveAccounts.keeper.session(insteadOf: rejected).map { ($0.user.id, $0.idToken) }
        } catch .sessionEnded, .notSignedIn {
            return nil
        } catch {
            throw error
        }
    }

    /// Yields the signed-in user and each change. It opens no connection, unlike ``Accounts/userStream()``.
    package func userChanges() -> AsyncStream<AccountUser?> { liveAccounts.keeper.updates.stream(isPassive: true) }

    /// Sets a function that is called each time the app becomes active.
    package func onBecomingActive(_ body: @escaping @Sendable () -> Void) { activations.withLock { $0.append(body) } }
}
