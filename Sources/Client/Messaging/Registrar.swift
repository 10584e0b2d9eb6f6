// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Keeps the registration of this device in sync with the daemon, one request at a time until none is due.
actor Registrar {
    /// The result of a round of requests.
    struct Outcome {
        var trouble: SignalboxError?
        /// Topics rejected by the daemon.
        var refused: [String: SignalboxError] = [:]
    }

    static let mostTopics = 100
    /// Acknowledgements are batched for this many seconds.
    private static let acknowledgesAfter: TimeInterval = 0.2

    let options: SignalboxOptions
    let exchange: Exchange
    /// Returns the current installation, user and consent.
    private let installation: @Sendable () -> Installation
    nonisolated let updates: TokenUpdates
    var device: Device
    private var written: Device
    var backoff: Backoff
    var round: Task<Outcome, Never>?
    private var alarm: Task<Void, Never>?
    /// The error after which requests are sent only on demand.
    var stopped: SignalboxError?
    var most = Registrar.mostTopics

    init(options: SignalboxOptions, exchange: Exchange, installation: @escaping @Sendable () -> Installation) {
        self.options = options
        self.exchange = exchange
        self.installation = installation
        device = Device.read(in: options.chosenFolder)
        written = device
        updates = TokenUpdates(token: device.token)
        backoff = options.backoff
    }

    // MARK: Calls by the app

    func token() async throws(SignalboxError) -> String {
        try requireConsent()
        follow()
        if let token = device.token { return token }
        device.wantToken()
        try keep()
        try await perform()
        // The token may have been deleted during the round.
        guard let token = device.token else { throw .collectionDisabled }
        return token
    }

    /// Returns the token and the cursor at which the stream continues.
    func place() async throws(SignalboxError) -> (token: String, cursor: String?) {
        let token = try await token()
        return (token, token == device.token ? device.cursor : nil)
    }

    func want(topic: String, joined: Bool) async throws(SignalboxError) {
        try requireConsent()
        follow()
        try device.want(topic: topic, joined: joined)
        try keep()
        try await perform(topic)
    }

    func leave() async throws(SignalboxError) {
        follow()
        device.leave()
        try keep()
        if nextErrand != nil { try await perform() }
    }

    /// Stores the cursor up to which messages are consumed.
    func took(cursor: String, of token: String) {
        device.took(cursor: cursor, of: token)
        try? keep()
        wake(within: Registrar.acknowledgesAfter)
    }

    /// Drops a token that the daemon no longer knows.
    func isGone(_ token: String) {
        device.isGone(token)
        try? keep()
    }

    /// Applies changes of installation, user or consent.
    func follow() {
        belong()
        try? keep()
        if nextErrand != nil { wake(within: 0) }
    }

    func belong() {
        let installation = installation()
        device.belong(to: installation.isCollectionEnabled ? installation.id : nil)
    }

    /// Resets the backoff, since the app became active.
    func retryNow() {
        guard stopped != .closed else { return }
        if stopped == nil { backoff.retryNow() }
        alarm?.cancel()
        alarm = nil
        follow()
    }

    func close() async {
        stopped = .closed
        alarm?.cancel()
        round?.cancel()
        _ = await round?.value
        exchange.close()
        updates.end()
    }

    // MARK: Scheduling

    var nextErrand: Device.Errand? {
        let installation = installation()
        let facts = installation.isCollectionEnabled ? Device.Facts(of: installation, options.context) : nil
        return device.next(facts, at: options.now(), topicsAtMost: most)
    }

    /// Schedules a round; a round already scheduled stays as it is.
    func wake(within seconds: TimeInterval) {
        guard alarm == nil, stopped == nil else { return }
        alarm = Task { [weak self] in
            guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
            await self?.ring()
        }
    }

    private func ring() {
        alarm = nil
        guard stopped == nil, round == nil, nextErrand != nil else { return }
        let pause = backoff.next.timeIntervalSince(options.now())
        if pause > 0 { wake(within: pause) } else { _ = begin() }
    }

    // MARK: Persistence

    private func requireConsent() throws(SignalboxError) {
        if stopped == .closed { throw .closed }
        guard installation().isCollectionEnabled else { throw .collectionDisabled }
    }

    func keep() throws(SignalboxError) {
        // After `close` the folder may belong to another app object.
        guard device != written, stopped != .closed else { return }
        try device.write(in: options.chosenFolder)
        written = device
        updates.tell(device.token)
    }
}
