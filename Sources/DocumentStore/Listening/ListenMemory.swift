// SPDX-License-Identifier: Apache-2.0

import Listening
import Platform
import Synchronization

/// The clients that share a part of the memory: those of an app, and among them those of a place.
struct ListenShare: Hashable {
    let app: AppID
    let client: ListenClient

    init(_ app: AppID, _ client: ListenClient) {
        (self.app, self.client) = (app, client)
    }
}

/// The memory of results and events that clients have not received yet, of all streams.
///
/// Results are read while there is room. An app has half of the memory, of which users get three quarters and clients without a token half; an
/// address has an eighth. While there is no room, those streams of the app or the address are cut whose client has received nothing for some time:
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

    private struct Place: Hashable {
        let app: AppID
        let place: ListenClient.Place
    }

    private struct State {
        var held: [ListenStreamID: Held] = [:]
        var total = 0
        var ofApps = KeyedSums<AppID>()
        var ofPlaces = KeyedSums<Place>()

        mutating func add(_ bytes: Int, for listener: DocumentListener) {
            if bytes == 0 { return }
            total += bytes
            ofApps.add(bytes, to: listener.app)
            if let place = listener.client.place { ofPlaces.add(bytes, to: Place(app: listener.app, place: place)) }
        }
    }

    /// The streams of which some must receive more before there is room.
    fileprivate enum Shortage: Equatable { case ofAll, ofApp(AppID), ofPlace(AppID, ListenClient.Place) }

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
            let before = held.bytes
            body(&held)
            state.add(held.bytes - before, for: listener)
            state.held[listener.id] = held.bytes == 0 ? nil : held
        }
    }

    /// Whether there is room for another result of a client.
    func hasRoom(for share: ListenShare, isShort: Bool) -> Bool { state.withLock { shortage(for: share, isShort: isShort, in: $0) == nil } }

    /// Whether there is room for the result of a read. One that no stream holds takes none.
    func hasRoom(for read: ListenRead, of app: AppID) -> Bool {
        read.client.map { hasRoom(for: ListenShare(app, $0), isShort: read.isShort) } ?? true
    }

    /// The smallest part without room, as room in a larger one does not help before.
    private func shortage(for share: ListenShare, isShort: Bool, in state: State) -> Shortage? {
        let most = isShort ? most + most / 8 : most
        if let place = share.client.place, state.ofPlaces[Place(app: share.app, place: place)] >= most / 8 {
            return .ofPlace(share.app, place)
        }
        if state.ofApps[share.app] >= most / 8 * share.client.quarters { return .ofApp(share.app) }
        return state.total >= most ? .ofAll : nil
    }

    /// Cuts the slow streams for which a client has no room, those first that have waited longest, until it has or lacks room in another part.
    func makeRoom(for share: ListenShare, isShort: Bool, at now: ContinuousClock.Instant = .now) {
        let slow = state.withLock { state -> [DocumentListener] in
            guard let shortage = shortage(for: share, isShort: isShort, in: state) else { return [] }
            var slow: [DocumentListener] = []
            let waiting = state.held.filter { now - $0.value.since >= patience && shortage.concerns($0.value.listener) }
            for (id, held) in waiting.sorted(by: { $0.value.since < $1.value.since }) {
                if self.shortage(for: share, isShort: isShort, in: state) != shortage { break }
                state.held[id] = nil
                state.add(-held.bytes, for: held.listener)
                slow.append(held.listener)
            }
            return slow
        }
        for listener in slow { listener.cut() }
    }
}

extension ListenMemory.Shortage {
    fileprivate func concerns(_ listener: DocumentListener) -> Bool {
        switch self {
        case .ofAll: true
        case .ofApp(let app): listener.app == app
        case .ofPlace(let app, let place): listener.app == app && listener.client.place == place
        }
    }
}
