// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Keeps a connection open and passes messages to waiting readers.
extension MessageReceiver {
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
        await loop.run {
            let receivedMessage = Locked(false)
            var retryAfter: TimeInterval?
            do throws(SignalboxError) {
                try await connect(number) { receivedMessage.withLock { $0 = true } }
            } catch {
                if Task.isCancelled { return .final }
                options.log("message stream ended: \(error)")
                if isFinal(error) {
                    end(number)
                    return .final
                }
                if case .busy(let seconds) = error { retryAfter = seconds }
            }
            return .again(retryAfter: retryAfter, wasUseful: receivedMessage.withLock { $0 })
        }
    }

    private func connect(_ number: Int, onMessage: @escaping @Sendable () -> Void) async throws(SignalboxError) {
        let (token, cursor) = try await registrar.streamPosition()
        let isCurrent = state.withLock { state in
            guard state.number == number else { return false }
            // Cursors of a previous token are meaningless.
            if state.token != token { state.buffer.forgetEntries() }
            state.token = token
            return true
        }
        guard isCurrent else { return }
        let connection = StreamConnection { [weak self] event in self?.handle(event, number, onMessage) ?? false }
        var query = [URLQueryItem(name: "token", value: token)]
        if let cursor { query.append(URLQueryItem(name: "since", value: cursor)) }
        do throws(SignalboxError) {
            try await connection.run(client.request("GET", "v1/stream", query: query), silence: options.streamSilence)
        } catch {
            guard case .rejected("unregistered", _) = error else { throw error }
            await registrar.tokenExpired(token)
        }
    }

    private func handle(_ event: ServerSentEventParser.Event, _ number: Int, _ onMessage: () -> Void) -> Bool {
        let entry = MessageBuffer.Entry(event)
        let (addition, handed): (MessageBuffer.Addition, [Handover]) = state.withLock { state in
            guard state.number == number else { return (.full, []) }
            let addition = state.buffer.add(entry)
            return (addition, MessageReceiver.hand(&state))
        }
        for handing in handed { handing.waiter.resume(returning: handing.message) }
        if addition == .new {
            onMessage()
            if let missed = event.missed { options.onMissedMessages?(missed) }
        }
        return addition != .full
    }

    private typealias Handover = (waiter: CheckedContinuation<RemoteMessage?, Never>, message: RemoteMessage)

    /// Pairs waiting readers with available messages.
    private static func hand(_ state: inout State) -> [Handover] {
        var handed: [Handover] = []
        for reader in state.waiters.keys {
            guard case .message(let message) = state.buffer.next(for: reader), let waiter = state.waiters.removeValue(forKey: reader) else {
                continue
            }
            handed.append((waiter, message))
        }
        return handed
    }

    /// Whether retrying is pointless until the app or its configuration changes.
    private func isFinal(_ error: SignalboxError) -> Bool {
        switch error {
        case .unauthorized, .rejected, .collectionDisabled, .closed: true
        default: false
        }
    }

    private func end(_ number: Int) {
        if state.withLock({ $0.number == number }) { end() }
    }
}
