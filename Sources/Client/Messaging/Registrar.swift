import Foundation

/// Keeps what is to be told to the daemon of this device, and tells it: one errand at a time, until none is left.
actor Registrar {
    private struct Outcome {
        var trouble: SignalboxError?
        /// Topics that the daemon will not have.
        var refused: [String: SignalboxError] = [:]
    }

    private static let mostTopics = 100
    /// Messages that are taken in so many seconds are acknowledged together.
    private static let acknowledgesAfter: TimeInterval = 0.2

    private let options: SignalboxOptions
    private let exchange: Exchange
    /// Who this is, and whether anything may be collected.
    private let installation: @Sendable () -> Installation
    nonisolated let updates: TokenUpdates
    private var device: Device
    private var written: Device
    private var backoff: Backoff
    private var round: Task<Outcome, Never>?
    private var alarm: Task<Void, Never>?
    /// Why nothing is tried any more unless somebody asks for it.
    private var stopped: SignalboxError?
    private var most = Registrar.mostTopics

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
        let installation = installation()
        device.belong(to: installation.isCollectionEnabled ? installation.id : nil)
        try? keep()
        if nextErrand != nil { wake(within: 0) }
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

    // MARK: Rounds

    private var nextErrand: Device.Errand? {
        device.next(facts, at: options.now(), topicsAtMost: most)
    }

    private var facts: Device.Facts? {
        let installation = installation()
        guard installation.isCollectionEnabled else { return nil }
        return Device.Facts(
            installation: installation.id, user: installation.userID, platform: options.context.devicePlatform,
            appVersion: options.context.appVersion)
    }

    /// Somebody waits for it: does what is due, and throws why that, or the topic, did not work.
    private func perform(_ topic: String? = nil) async throws(SignalboxError) {
        if stopped == .closed { throw .closed }
        stopped = nil
        backoff.hope()
        while let round {
            let refused = await round.value.refused
            if let topic, let refusal = refused[topic] { throw refusal }
        }
        if stopped == .closed { throw .closed }
        let outcome = await begin().value
        if let topic, let refusal = outcome.refused[topic] { throw refusal }
        if let trouble = outcome.trouble { throw trouble }
    }

    private func begin() -> Task<Outcome, Never> {
        let task = Task {
            let outcome = await runErrands()
            // Before anybody who waits for it looks again.
            round = nil
            if nextErrand != nil, stopped == nil { wake(within: max(backoff.next.timeIntervalSince(options.now()), 0.01)) }
            return outcome
        }
        round = task
        return task
    }

    private func runErrands() async -> Outcome {
        var outcome = Outcome()
        let asked = backoff.asked.timeIntervalSince(options.now())
        if asked > 0 {
            outcome.trouble = .busy(retryAfter: asked)
            return outcome
        }
        do throws(SignalboxError) {
            // A token that goes as soon as it was made would be made for ever.
            var renewals = 0
            while !Task.isCancelled, let errand = nextErrand {
                if try await !run(errand, &outcome) { renewals += 1 }
                try keep()
                if renewals > 1 { throw .unexpectedAnswer(status: 404, detail: "The token is gone as soon as it is made.") }
            }
            backoff.worked()
        } catch {
            note(error)
            outcome.trouble = error
        }
        return outcome
    }

    /// False where the daemon does not know the token.
    private func run(_ errand: Device.Errand, _ outcome: inout Outcome) async throws(SignalboxError) -> Bool {
        let answer = try await exchange.send(errand.method, errand.path, errand.body)
        if errand.isDone(by: answer) {
            if case .register(let facts) = errand, let made = Registered(answer.body) {
                device.registered(as: made.token, facts, at: options.now())
            }
            device.isThrough(errand, isDone: true, at: options.now())
            most = min(Registrar.mostTopics, most * 2)
            return true
        }
        let trouble = answer.trouble
        guard case .refused(let code, _) = trouble else { throw trouble }
        switch errand {
        case .register: throw trouble
        case .checkIn(let token, _), .change(let token, _), .acknowledge(let token, _):
            if code == "unregistered" {
                device.isGone(token)
                return false
            }
        case .remove: break
        }
        drop(errand, trouble, &outcome)
        return true
    }

    /// The daemon will not have it; of several topics all but one may be good.
    private func drop(_ errand: Device.Errand, _ trouble: SignalboxError, _ outcome: inout Outcome) {
        if case .change(_, let changes) = errand {
            guard changes.count == 1 else { return most = max(1, changes.count / 2) }
            for topic in changes.keys { outcome.refused[topic] = trouble }
        }
        options.log("messaging: refused: \(trouble)")
        device.isThrough(errand, isDone: false, at: options.now())
    }

    private func note(_ error: SignalboxError) {
        switch error {
        case .unauthorized, .refused: if stopped == nil { stopped = error }
        case .busy(let seconds): backoff.failed(at: options.now(), retryAfter: seconds)
        default: backoff.failed(at: options.now(), retryAfter: nil)
        }
        options.log("messaging: not done: \(error)")
    }

    // MARK: Waking

    /// Several may ask; the first counts.
    private func wake(within seconds: TimeInterval) {
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

    private func keep() throws(SignalboxError) {
        // The folder may be another's then.
        guard device != written, stopped != .closed else { return }
        try device.write(in: options.chosenFolder)
        written = device
        updates.tell(device.token)
    }
}

extension AppContext {
    /// Of the words that the daemon has for a device's platform the nearest.
    fileprivate var devicePlatform: String {
        switch platform {
        case "tvos", "watchos", "visionos": "ios"
        case let platform? where ["ios", "android", "macos", "web", "linux", "windows", "server"].contains(platform): platform
        default: "linux"
        }
    }
}
