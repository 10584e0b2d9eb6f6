// SPDX-License-Identifier: Apache-2.0

/// Messages by the daemon's stream, over whatever is killed or offline meanwhile.
public final class LiveMessaging: Messaging {
    private let analytics: LiveAnalytics
    private let registrar: Registrar
    private let receiving: Receiving

    init(options: SignalboxOptions, analytics: LiveAnalytics) {
        let exchange = Exchange(address: options.address, key: options.key)
        self.analytics = analytics
        registrar = Registrar(options: options, exchange: exchange, installation: analytics.installation)
        receiving = Receiving(options: options, exchange: exchange, registrar: registrar)
        analytics.whenInstallationChanges { [weak registrar, weak receiving] installation in
            if !installation.isCollectionEnabled { receiving?.end() }
            Task { await registrar?.follow() }
        }
        Task { [registrar] in await registrar.follow() }
    }

    deinit {
        receiving.end()
        Task { [registrar] in await registrar.close() }
    }

    /// Asks the daemon once; then it is on the disk, and checked in with the daemon once a day.
    public func getToken() async throws(SignalboxError) -> String {
        try await registrar.token()
    }

    /// Has the newest token only where several came since it was read.
    public func tokenUpdates() -> AsyncStream<String> {
        registrar.updates.stream()
    }

    /// Forgets it here at once, and at the daemon as soon as that can be reached.
    public func deleteToken() async throws(SignalboxError) {
        receiving.end()
        try await registrar.leave()
    }

    /// Tries it once for whoever waits, and then until it is done.
    public func subscribe(topic: String) async throws(SignalboxError) {
        try await registrar.want(topic: topic, joined: true)
    }

    /// Tries it once for whoever waits, and then until it is done.
    public func unsubscribe(topic: String) async throws(SignalboxError) {
        try await registrar.want(topic: topic, joined: false)
    }

    /// Connects when the first is opened, and lets go of the connection with the last: when its task is cancelled or nobody has it any more.
    public func messageStream() -> AsyncStream<RemoteMessage> {
        receiving.stream()
    }

    /// With false token, topics and streams are gone when this returns; the daemon is told as soon as it can be reached.
    public func setCollectionEnabled(_ isEnabled: Bool) {
        analytics.setCollectionEnabled(isEnabled)
    }

    func hope() {
        receiving.hope()
        Task { [registrar] in await registrar.hope() }
    }

    func close() async {
        receiving.end()
        await registrar.close()
    }
}
