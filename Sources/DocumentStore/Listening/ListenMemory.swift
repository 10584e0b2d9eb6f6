// SPDX-License-Identifier: Apache-2.0

import Listening
import SignalboxDocumentModel
import Synchronization

/// The memory of results and events that clients have not received yet, of all streams.
///
/// First results are read while there is room. While there is none, streams are cut whose client has not received an event for some time:
///
///     a    32 MB since 0 s     cut at 2 s, so that b and c can go on
///     b    64 MB since 1 s     received until then
///     c    waits for room
final class ListenMemory: Sendable {
    private struct Held {
        let listener: DocumentListener
        /// The bytes of results that the stream has not taken.
        var loaded = 0
        /// The bytes of its event that the socket has not accepted.
        var unsent = 0
        var since = ContinuousClock.now

        var bytes: Int { loaded + unsent }
    }

    private struct State {
        var held: [ListenStreamID: Held] = [:]
        var total = 0
    }

    private let most: Int
    /// The time for which a client may take nothing while memory is short.
    private let patience: Duration
    private let state = Mutex(State())

    init(atMost most: Int, patience: Duration = .seconds(2)) {
        (self.most, self.patience) = (most, patience)
    }

    /// The bytes that are held now.
    var total: Int { state.withLock(\.total) }

    /// Adds a result that a stream has to send.
    func load(_ bytes: Int, for listener: DocumentListener) {
        change(listener) { $0.loaded += bytes }
    }

    /// Notes that a stream makes an event of all results that it has.
    func take(_ listener: DocumentListener) {
        change(listener, onlyIfHeld: true) { held in (held.unsent, held.loaded) = (held.unsent + held.loaded, 0) }
    }

    /// Sets the bytes of a stream's event; 0 when the socket has accepted it.
    func set(unsent bytes: Int, of listener: DocumentListener) {
        change(listener, onlyIfHeld: bytes == 0) { held in
            held.unsent = bytes
            if bytes == 0 { held.since = .now }
        }
    }

    func release(_ listener: DocumentListener) {
        change(listener, onlyIfHeld: true) { held in (held.loaded, held.unsent) = (0, 0) }
    }

    private func change(_ listener: DocumentListener, onlyIfHeld: Bool = false, _ body: (inout Held) -> Void) {
        state.withLock { state in
            guard var held = state.held[listener.id] ?? (onlyIfHeld ? nil : Held(listener: listener)) else { return }
            state.total -= held.bytes
            body(&held)
            state.total += held.bytes
            state.held[listener.id] = held.bytes == 0 ? nil : held
        }
    }

    /// Returns when there is room for another result. Cuts slow streams meanwhile.
    func room() async {
        while true {
            let slow = state.withLock { state in state.total < most ? nil : takeSlow(from: &state, at: .now) }
            guard let slow else { return }
            for listener in slow { listener.cut() }
            if slow.isEmpty, (try? await Task.sleep(for: .milliseconds(20))) == nil { return }
        }
    }

    /// Takes out the streams that have waited longest, until there is room.
    private func takeSlow(from state: inout State, at now: ContinuousClock.Instant) -> [DocumentListener] {
        var slow: [DocumentListener] = []
        for (id, held) in state.held.filter({ now - $0.value.since >= patience }).sorted(by: { $0.value.since < $1.value.since }) {
            if state.total < most { break }
            state.held[id] = nil
            state.total -= held.bytes
            slow.append(held.listener)
        }
        return slow
    }
}

extension ListenAnswer {
    /// The size of the documents that a stream may have to send.
    var bytes: Int {
        switch self {
        case .result(let documents, _): documents.reduce(0) { $0 + $1.fields.size }
        case .changes(let changes, _): changes.reduce(0) { $0 + ($1.after?.fields.size ?? 0) }
        case .gone: 0
        }
    }
}
