// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Accounts of the daemon. The session persists across launches, in the Keychain or in a file that this user alone may read.
public final class LiveAccounts: Accounts {
    /// The time limit for sending queued analytics before a sign-out.
    static let signOutFlushSeconds: TimeInterval = 3

    let options: SignalboxOptions
    let client: APIClient
    let keeper: SessionKeeper
    let analytics: LiveAnalytics
    private let watcher: SessionWatcher

    init(options: SignalboxOptions, analytics: LiveAnalytics) {
        (self.options, self.analytics) = (options, analytics)
        client = APIClient(address: options.address, key: options.key)
        #if canImport(Security)
            let store = Keychain(account: "\(options.address.absoluteString) \(options.chosenFolder.lastPathComponent)")
        #else
            let store = CredentialFile(folder: options.chosenFolder)
        #endif
        keeper = SessionKeeper(options: options, client: client, store: store)
        watcher = SessionWatcher(keeper)
        Task { [keeper] in await keeper.sendSignOuts() }
    }

    deinit {
        watcher.close()
        keeper.close()
    }

    // MARK: State

    /// The user of the stored session.
    public var currentUser: AccountUser? { try? keeper.current()?.session.user }

    /// Not stored: of this launch.
    public var sessionEnd: SessionEnd? { keeper.end }

    /// Refreshes five minutes before the ID token ends, by the daemon's clock. While the daemon is unreachable a token that is still valid is
    /// returned.
    public func session() async throws(AccountError) -> AccountSession? {
        try await keeper.session()?.asSession()
    }

    /// Several callers share one request.
    @discardableResult
    public func refreshSession() async throws(AccountError) -> AccountSession {
        try await keeper.refresh().asSession()
    }

    /// Returns `nil` also while the credentials cannot be read.
    public func restoreSession() -> (user: AccountUser, session: AccountSession)? {
        guard let session = try? keeper.current()?.session else { return nil }
        return (session.user, session.asSession())
    }

    /// Removes credentials that cannot be read, too.
    public func clearStoredCredentials() {
        keeper.clear()
    }

    /// Opens the stream of the session's state with the first reader, and closes it with the last. While the credentials cannot be read it
    /// yields nothing.
    public func userStream() -> AsyncStream<AccountUser?> {
        try? keeper.load()
        return keeper.updates.stream()
    }

    func retryNow() {
        try? keeper.load()
        watcher.retryNow()
        Task { [keeper] in await keeper.sendSignOuts() }
    }

    func close() {
        watcher.close()
        keeper.close()
    }
}
