// SPDX-License-Identifier: Apache-2.0

import Listening
import Synchronization

/// The memory of results and events that clients have not received yet, of all streams.
///
/// Results are read while there is room. While there is none, streams are cut whose client has received nothing for some time:
///
///     a    32 MB, nothing received since 0 s     cut at 2 s, so that b and c can go on
///     b    64 MB, the last 64 KiB at 1.9 s       goes on
///     c    waits for room
///
/// A part of the memory is for short reads alone, so that they do not wait behind large results.
final class ListenMemory: Sendable {
    private struct Held {
        let listener: DocumentListener
        /// The bytes of results that the stream has not taken.
        var loaded = 0
        /// The bytes of its event that the socket has not accepted.
        var unsent = 0
        /// The time of the last progress: a result that was read, or bytes that the socket accepted.
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

    init(atMost most: Int, patience: Duration) {
        (self.most, self.patience) = (most, patience)
    }

    /// The bytes that are held now.
    var total: Int { state.withLock(\.total) }

    /// Sets the bytes of the results that a stream has to send.
    func set(loaded bytes: Int, of listener: DocumentListener) {
        change(listener, onlyIfHeld: bytes == 0) { held in
            if bytes > held.loaded { held.since = .now }
            held.loaded = bytes
        }
    }

    /// Notes that a stream makes an event of all results that it has.
    func take(_ listener: DocumentListener) {
        change(listener, onlyIfHeld: true) { held in (held.unsent, held.loaded) = (held.unsent + held.loaded, 0) }
    }

    /// Sets the bytes of a stream's event that the socket has not accepted, when the event is made and when it accepts some.
    func set(unsent bytes: Int, of listener: DocumentListener) {
        change(listener, onlyIfHeld: bytes == 0) { held in (held.unsent, held.since) = (bytes, .now) }
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
    func room(isShort: Bool = false) async {
        let limit = isShort ? most + most / 8 : most
        while true {
            let slow = state.withLock { state in state.total < limit ? nil : takeSlow(from: &state, at: .now) }
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
