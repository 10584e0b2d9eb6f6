// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Keeps the registration of this device in sync with the daemon, one request at a time until none is due.
actor Registrar {
    /// The result of a round of requests.
    struct Outcome {
        var failure: SignalboxError?
        /// Topics rejected by the daemon.
        var rejected: [String: SignalboxError] = [:]
    }

    static let maxTopicsPerRequest = 100
    /// Acknowledgements are batched for this many seconds.
    private static let acknowledgesAfter: TimeInterval = 0.2

    let options: SignalboxOptions
    let client: APIClient
    /// Returns the current installation, user and consent.
    private let installation: @Sendable () -> Installation
    nonisolated let updates: ValueUpdates<String>
    nonisolated let identity = Locked<(any RecordIdentity)?>(nil)
    var device: DeviceRegistration
    private var written: DeviceRegistration
    var backoff: Backoff
    var round: Task<Outcome, Never>?
    private var alarm: Task<Void, Never>?
    /// The error after which requests are sent only on demand.
    var stopped: SignalboxError?
    var topicLimit = Registrar.maxTopicsPerRequest

    init(options: SignalboxOptions, client: APIClient, installation: @escaping @Sendable () -> Installation) {
        self.options = options
        self.client = client
        self.installation = installation
        device = DeviceRegistration.read(in: options.chosenFolder)
        written = device
        updates = ValueUpdates(device.token)
        backoff = options.backoff
    }

    // MARK: Calls by the app

    func token() async throws(SignalboxError) -> String {
        try requireConsent()
        installationChanged()
        if let token = device.token { return token }
        device.requestToken()
        try persist()
        try await perform()
        // The token may have been deleted during the round.
        guard let token = device.token else { throw .collectionDisabled }
        return token
    }

    /// Returns the token and the cursor at which the stream continues.
    func streamPosition() async throws(SignalboxError) -> (token: String, cursor: String?) {
        let token = try await token()
        return (token, token == device.token ? device.cursor : nil)
    }

    func setTopic(_ topic: String, isSubscribed: Bool) async throws(SignalboxError) {
        try requireConsent()
        installationChanged()
        try device.setTopic(topic, isSubscribed: isSubscribed)
        try persist()
        try await perform(topic)
    }

    func unregister() async throws(SignalboxError) {
        installationChanged()
        device.unregister()
        try persist()
        if nextRequest != nil { try await perform() }
    }

    /// Stores the cursor up to which messages are consumed.
    func consumed(cursor: String, of token: String) {
        device.consumed(cursor: cursor, of: token)
        try? persist()
        schedule(within: Registrar.acknowledgesAfter)
    }

    /// Drops a token that the daemon no longer knows.
    func tokenExpired(_ token: String) {
        device.tokenExpired(token)
        try? persist()
    }

    /// Applies changes of installation, user or consent.
    func installationChanged() {
        adoptInstallation()
        try? persist()
        if nextRequest != nil { schedule(within: 0) }
    }

    func adoptInstallation() {
        let installation = installation()
        device.adopt(installation: installation.isCollectionEnabled ? installation.id : nil)
    }

    /// Resets the backoff, since the app became active.
    func retryNow() {
        guard stopped != .closed else { return }
        if stopped == nil { backoff.retryNow() }
        alarm?.cancel()
        alarm = nil
        installationChanged()
    }

    func close() async {
        stopped = .closed
        alarm?.cancel()
        round?.cancel()
        _ = await round?.value
        client.close()
        updates.end()
    }

    // MARK: Scheduling

    var nextRequest: DeviceRegistration.Request? {
        let installation = installation()
        return device.nextRequest(installation.isCollectionEnabled ? attributes(of: installation) : nil, at: options.now(), topicLimit: topicLimit)
    }

    /// Returns `nil` while the signed-in user cannot be known: a check-in without would take the device from the user.
    private func attributes(of installation: Installation) -> DeviceRegistration.Attributes? {
        do throws(AccountError) {
            return DeviceRegistration.Attributes(of: installation, options.context, owner: try identity.withLock { $0 }?.owner())
        } catch { return nil }
    }

    /// Schedules a round; a round already scheduled stays as it is.
    func schedule(within seconds: TimeInterval) {
        guard alarm == nil, stopped == nil else { return }
        alarm = Task { [weak self] in
            guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
            await self?.alarmFired()
        }
    }

    private func alarmFired() {
        alarm = nil
        guard stopped == nil, round == nil, nextRequest != nil else { return }
        let pause = backoff.rest(at: options.now())
        if pause > 0 { schedule(within: pause) } else { _ = begin() }
    }

    // MARK: Persistence

    private func requireConsent() throws(SignalboxError) {
        if stopped == .closed { throw .closed }
        guard installation().isCollectionEnabled else { throw .collectionDisabled }
    }

    func persist() throws(SignalboxError) {
        // After `close` the folder may belong to another app object.
        guard device != written, stopped != .closed else { return }
        try device.write(in: options.chosenFolder)
        written = device
        updates.send(device.token)
    }
}
