import Foundation

/// Brings the stream's messages to whoever reads them: a connection as long as somebody does.
final class Receiving: Sendable {
    private struct State {
        var feed = Feed()
        var waiters: [Int: CheckedContinuation<RemoteMessage?, Never>] = [:]
        var made = 0
        /// The one that reads, and its number: what an earlier one still brings is not heard.
        var reading: Task<Void, Never>?
        var number = 0
        /// Whose cursors are in the feed.
        var token: String?
        var nap: Task<Void, Never>?
    }

    /// More than twice as often the daemon says that it is there.
    static let silence: TimeInterval = 100
    /// A connection that held for so long was a good one.
    private static let holdsFor: TimeInterval = 10

    private let options: SignalboxOptions
    private let exchange: Exchange
    private let registrar: Registrar
    private let state = Locked(State())

    init(options: SignalboxOptions, exchange: Exchange, registrar: Registrar) {
        self.options = options
        self.exchange = exchange
        self.registrar = registrar
    }

    func stream() -> AsyncStream<RemoteMessage> {
        let reader = StreamReader(self, join())
        return AsyncStream(unfolding: { await reader.next() }, onCancel: { reader.leave() })
    }

    /// All streams end.
    func end() {
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            state.feed = Feed()
            stop(&state)
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: nil) }
    }

    /// The app is seen again: a good time to try it once more.
    func hope() {
        state.withLock { $0.nap?.cancel() }
    }

    // MARK: Readers

    private func join() -> Int {
        state.withLock { state in
            state.made += 1
            state.feed.join(state.made)
            if state.reading == nil { start(&state) }
            return state.made
        }
    }

    func leave(_ reader: Int) {
        let (waiter, taken) = state.withLock { state in
            let cursor = state.feed.leave(reader)
            if state.feed.isUnread { stop(&state) }
            return (state.waiters.removeValue(forKey: reader), Receiving.taken(cursor, state))
        }
        waiter?.resume(returning: nil)
        if let taken { Task { [registrar] in await registrar.took(cursor: taken.cursor, of: taken.token) } }
    }

    func next(_ reader: Int) async -> RemoteMessage? {
        let taken = state.withLock { state in
            let wasFull = !state.feed.hasRoom
            let cursor = state.feed.take(by: reader)
            if wasFull, state.feed.hasRoom { state.nap?.cancel() }
            return Receiving.taken(cursor, state)
        }
        // On the disk before there is another.
        if let taken { await registrar.took(cursor: taken.cursor, of: taken.token) }
        return await withCheckedContinuation { continuation in
            let step = state.withLock { state in
                let step = state.feed.next(for: reader)
                if step == .wait { state.waiters.updateValue(continuation, forKey: reader)?.resume(returning: nil) }
                return step
            }
            switch step {
            case .message(let message): continuation.resume(returning: message)
            case .end: continuation.resume(returning: nil)
            case .wait: break
            }
        }
    }

    private static func taken(_ cursor: String?, _ state: State) -> (cursor: String, token: String)? {
        guard let cursor, let token = state.token else { return nil }
        return (cursor, token)
    }

    // MARK: The connection

    private func start(_ state: inout State) {
        state.number += 1
        state.reading = Task { [number = state.number] in await read(number) }
    }

    private func stop(_ state: inout State) {
        state.reading?.cancel()
        state.reading = nil
        state.number += 1
    }

    private func read(_ number: Int) async {
        var backoff = options.backoff
        while !Task.isCancelled {
            let start = options.now()
            let hadNews = Locked(false)
            var trouble: SignalboxError?
            do throws(SignalboxError) {
                try await connect(number) { hadNews.withLock { $0 = true } }
            } catch {
                if Task.isCancelled { return }
                options.log("messaging: stream: \(error)")
                if isFinal(error) { return end(number) }
                trouble = error
            }
            if hadNews.withLock({ $0 }) || options.now().timeIntervalSince(start) > Receiving.holdsFor { backoff.worked() }
            // Also where it went well: those who were cut off together do not return together.
            if case .busy(let seconds) = trouble {
                backoff.failed(at: options.now(), retryAfter: seconds)
            } else {
                backoff.failed(at: options.now(), retryAfter: nil)
            }
            while !Task.isCancelled, backoff.next > options.now() {
                await pause(backoff.next.timeIntervalSince(options.now()))
                // Whoever cut the pause short hopes.
                backoff.hope()
            }
        }
    }

    private func connect(_ number: Int, onNews: @escaping @Sendable () -> Void) async throws(SignalboxError) {
        let (token, cursor) = try await registrar.place()
        let isCurrent = state.withLock { state in
            guard state.number == number else { return false }
            // The cursors of another token say nothing.
            if state.token != token { state.feed.forgetEntries() }
            state.token = token
            return true
        }
        guard isCurrent else { return }
        let connection = StreamConnection { [weak self] event in self?.hear(event, number, onNews) ?? false }
        var query = [URLQueryItem(name: "token", value: token)]
        if let cursor { query.append(URLQueryItem(name: "since", value: cursor)) }
        do throws(SignalboxError) {
            try await connection.run(exchange.request("GET", "v1/stream", query: query), silence: options.streamSilence)
        } catch {
            guard case .refused("unregistered", _) = error else { throw error }
            await registrar.isGone(token)
        }
    }

    private func hear(_ event: EventLines.Event, _ number: Int, _ onNews: () -> Void) -> Bool {
        let entry = Feed.Entry(event)
        let (addition, handed): (Feed.Addition, [Handing]) = state.withLock { state in
            guard state.number == number else { return (.full, []) }
            let addition = state.feed.add(entry)
            return (addition, Receiving.hand(&state))
        }
        for handing in handed { handing.waiter.resume(returning: handing.message) }
        if addition == .new {
            onNews()
            if let missed = event.missed { options.onMissedMessages?(missed) }
        }
        return addition != .full
    }

    private typealias Handing = (waiter: CheckedContinuation<RemoteMessage?, Never>, message: RemoteMessage)

    /// Who waits gets what there is now.
    private static func hand(_ state: inout State) -> [Handing] {
        var handed: [Handing] = []
        for reader in state.waiters.keys {
            guard case .message(let message) = state.feed.next(for: reader), let waiter = state.waiters.removeValue(forKey: reader) else { continue }
            handed.append((waiter, message))
        }
        return handed
    }

    /// What only the app or its author can change.
    private func isFinal(_ error: SignalboxError) -> Bool {
        switch error {
        case .unauthorized, .refused, .collectionDisabled, .closed: true
        default: false
        }
    }

    private func end(_ number: Int) {
        if state.withLock({ $0.number == number }) { end() }
    }

    private func pause(_ seconds: TimeInterval) async {
        let nap = Task { _ = try? await Task.sleep(for: .seconds(seconds)) }
        state.withLock { $0.nap = nap }
        await withTaskCancellationHandler {
            await nap.value
        } onCancel: {
            nap.cancel()
        }
    }
}
