// SPDX-License-Identifier: Apache-2.0

/// Messaging over the daemon's event stream. It reconnects, and pending changes persist across launches.
public final class LiveMessaging: Messaging {
    private let analytics: LiveAnalytics
    private let registrar: Registrar
    private let receiver: MessageReceiver
    private let following = Locked<Task<Void, Never>?>(nil)

    init(options: SignalboxOptions, analytics: LiveAnalytics) {
        let client = APIClient(address: options.address, key: options.key)
        self.analytics = analytics
        registrar = Registrar(options: options, client: client, installation: analytics.installation)
        receiver = MessageReceiver(options: options, client: client, registrar: registrar)
        analytics.onInstallationChange { [weak registrar, weak receiver] installation in
            if !installation.isCollectionEnabled { receiver?.end() }
            Task { await registrar?.installationChanged() }
        }
    }

    deinit {
        following.withLock { $0 }?.cancel()
        receiver.end()
        Task { [registrar] in await registrar.close() }
    }

    /// Returns the stored token, or registers once. The registration is refreshed daily.
    public func getToken() async throws(SignalboxError) -> String {
        try await registrar.token()
    }

    /// Yields the token and each replacement; a slow reader gets the newest only.
    public func tokenUpdates() -> AsyncStream<String> {
        registrar.updates.stream()
    }

    /// Drops the token locally at once, and at the daemon as soon as it can be reached.
    public func deleteToken() async throws(SignalboxError) {
        receiver.end()
        try await registrar.unregister()
    }

    /// Tries once before it returns or throws, then in the background until it succeeds.
    public func subscribe(topic: String) async throws(SignalboxError) {
        try await registrar.setTopic(topic, isSubscribed: true)
    }

    /// Tries once before it returns or throws, then in the background until it succeeds.
    public func unsubscribe(topic: String) async throws(SignalboxError) {
        try await registrar.setTopic(topic, isSubscribed: false)
    }

    /// Connects with the first stream and disconnects with the last, when its task is cancelled or the stream is released.
    public func messageStream() -> AsyncStream<RemoteMessage> {
        receiver.stream()
    }

    /// Disabling drops token, topics and streams before it returns; the daemon is informed as soon as it can be reached.
    public func setCollectionEnabled(_ isEnabled: Bool) {
        analytics.setCollectionEnabled(isEnabled)
    }

    /// Starts to send changes of the registration, as one of the signed-in user, so that messages to the user reach the device until the
    /// session ends.
    func follow(_ accounts: LiveAccounts) {
        registrar.identity.withLock { $0 = accounts }
        let users = accounts.keeper.updates.stream(isPassive: true)
        let task = Task { [registrar] in
            await registrar.installationChanged()
            for await _ in users { await registrar.installationChanged() }
        }
        following.withLock { $0 = task }
    }

    func retryNow() {
        receiver.retryNow()
        Task { [registrar] in await registrar.retryNow() }
    }

    func close() async {
        following.withLock { $0 }?.cancel()
        receiver.end()
        await registrar.close()
    }
}
