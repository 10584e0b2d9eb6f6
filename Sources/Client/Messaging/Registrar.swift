// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Keeps what is to be told to the daemon of this device, and tells it: one errand at a time, until none is left.
actor Registrar {
    /// What came of a round of errands.
    struct Outcome {
        var trouble: SignalboxError?
        /// Topics that the daemon will not have.
        var refused: [String: SignalboxError] = [:]
    }

    static let mostTopics = 100
    /// Messages that are taken in so many seconds are acknowledged together.
    private static let acknowledgesAfter: TimeInterval = 0.2

    let options: SignalboxOptions
    let exchange: Exchange
    /// Who this is, and whether anything may be collected.
    private let installation: @Sendable () -> Installation
    nonisolated let updates: TokenUpdates
    var device: Device
    private var written: Device
    var backoff: Backoff
    var round: Task<Outcome, Never>?
    private var alarm: Task<Void, Never>?
    /// Why nothing is tried any more unless somebody asks for it.
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

    // MARK: What the app wants

    func token() async throws(SignalboxError) -> String {
        try requireConsent()
        follow()
        if let token = device.token { return token }
        device.wantToken()
        try keep()
        try await perform()
        // It may have been given up meanwhile.
        guard let token = device.token else { throw .collectionDisabled }
        return token
    }

    /// Where the stream goes on.
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

    /// All up to there need not come again.
    func took(cursor: String, of token: String) {
        device.took(cursor: cursor, of: token)
        try? keep()
        wake(within: Registrar.acknowledgesAfter)
    }

    /// The daemon has said so.
    func isGone(_ token: String) {
        device.isGone(token)
        try? keep()
    }

    /// Installation, user or consent may be others now.
    func follow() {
        belong()
        try? keep()
        if nextErrand != nil { wake(within: 0) }
    }

    func belong() {
        let installation = installation()
        device.belong(to: installation.isCollectionEnabled ? installation.id : nil)
    }

    /// The app is seen again: a good time.
    func hope() {
        guard stopped != .closed else { return }
        if stopped == nil { backoff.hope() }
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

    // MARK: What is due

    var nextErrand: Device.Errand? {
        let installation = installation()
        let facts = installation.isCollectionEnabled ? Device.Facts(of: installation, options.context) : nil
        return device.next(facts, at: options.now(), topicsAtMost: most)
    }

    /// Several may ask; the first counts.
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

    // MARK: Keeping

    private func requireConsent() throws(SignalboxError) {
        if stopped == .closed { throw .closed }
        guard installation().isCollectionEnabled else { throw .collectionDisabled }
    }

    func keep() throws(SignalboxError) {
        // The folder may be another's then.
        guard device != written, stopped != .closed else { return }
        try device.write(in: options.chosenFolder)
        written = device
        updates.tell(device.token)
    }
}
