// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Keeps a connection open, with backoff between attempts, and passes messages to waiting readers.
extension Receiving {
    func start(_ state: inout State) {
        state.number += 1
        state.reading = Task { [number = state.number] in await read(number) }
    }

    func stop(_ state: inout State) {
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
                options.log("message stream ended: \(error)")
                if isFinal(error) { return end(number) }
                trouble = error
            }
            if hadNews.withLock({ $0 }) || options.now().timeIntervalSince(start) > Receiving.holdsFor { backoff.succeeded() }
            // Back off after a clean end too: clients disconnected together must not reconnect together.
            if case .busy(let seconds) = trouble {
                backoff.failed(at: options.now(), retryAfter: seconds)
            } else {
                backoff.failed(at: options.now(), retryAfter: nil)
            }
            while !Task.isCancelled, backoff.next > options.now() {
                await pause(backoff.next.timeIntervalSince(options.now()))
                // The pause was cut short by `retryNow` or by a reader that made room.
                backoff.retryNow()
            }
        }
    }

    private func connect(_ number: Int, onNews: @escaping @Sendable () -> Void) async throws(SignalboxError) {
        let (token, cursor) = try await registrar.place()
        let isCurrent = state.withLock { state in
            guard state.number == number else { return false }
            // Cursors of a previous token are meaningless.
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

    /// Pairs waiting readers with available messages.
    private static func hand(_ state: inout State) -> [Handing] {
        var handed: [Handing] = []
        for reader in state.waiters.keys {
            guard case .message(let message) = state.feed.next(for: reader), let waiter = state.waiters.removeValue(forKey: reader) else { continue }
            handed.append((waiter, message))
        }
        return handed
    }

    /// Whether retrying is pointless until the app or its configuration changes.
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
