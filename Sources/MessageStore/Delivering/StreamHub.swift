// SPDX-License-Identifier: Apache-2.0

package import Platform
import Synchronization

/// Notifies connected readers of streams of new deliveries, so that waiting readers run no queries.
///
/// A listener holds up to 16 notifications. A reader that falls behind reads the database instead:
///
///     commit → `publish` → box of each listener → `wakeUps` → `take` → .deliveries([…]), or .missed after more than 16
package final class StreamHub: Sendable {
    private struct State: Sendable {
        var boxes: [Int64: [StreamBox]] = [:]
        var count = 0
        var isOver = false
    }

    private static let mostOfRegistration = 4
    private let most: Int
    private let state = Mutex(State())

    init(most: Int) {
        self.most = most
    }

    /// The number of listeners.
    package var count: Int { state.withLock { $0.count } }

    /// Adds a listener for a registration's deliveries. It is removed when the listener is deinitialized.
    ///
    /// Above four per registration the oldest one ends, because a device that changes networks leaves connections behind.
    package func join(_ registration: Int64) throws(Refusal) -> StreamListener {
        let box = StreamBox()
        let joined = state.withLock { state -> Result<StreamBox?, Refusal> in
            if state.isOver {
                return .failure(Refusal.draining)
            }
            guard state.count < most else { return .failure(StreamHub.tooMany("Too many streams are open.")) }
            state.boxes[registration, default: []].append(box)
            state.count += 1
            guard let all = state.boxes[registration], all.count > StreamHub.mostOfRegistration else { return .success(nil) }
            state.count -= 1
            return .success(state.boxes[registration]?.removeFirst())
        }
        try joined.get()?.end()
        return StreamListener(self, registration, box)
    }

    fileprivate func leave(_ registration: Int64, _ box: StreamBox) {
        state.withLock { state in
            guard let place = state.boxes[registration]?.firstIndex(where: { $0 === box }) else { return }
            state.boxes[registration]?.remove(at: place)
            if state.boxes[registration]?.isEmpty == true { state.boxes[registration] = nil }
            state.count -= 1
        }
    }

    private static func tooMany(_ detail: String) -> Refusal {
        Refusal(.overloaded, detail, hint: "Close another stream, or open this one later.", retryAfterSeconds: 5)
    }

    /// Notifies the listeners of each delivery's registration. It is called after the commit.
    func publish(_ deliveries: [StreamDelivery]) {
        guard !deliveries.isEmpty else { return }
        let receivers = state.withLock { state in deliveries.map { ($0, state.boxes[$0.registration] ?? []) } }
        for (delivery, boxes) in receivers {
            for box in boxes { box.add(delivery) }
        }
    }

    /// Makes the listeners of a registration read the database again, because deliveries were withdrawn.
    func reread(_ registration: Int64) {
        for box in state.withLock({ $0.boxes[registration] ?? [] }) { box.reread() }
    }

    /// Ends the listeners of a registration that was removed or is no longer a stream.
    func end(_ registration: Int64) {
        for box in state.withLock({ $0.boxes[registration] ?? [] }) { box.end() }
    }

    package func end() {
        let all = state.withLock { state in
            state.isOver = true
            return state.boxes.values.flatMap { $0 }
        }
        for box in all { box.end() }
    }
}

/// A listener for a registration's new deliveries. It is active until it is deinitialized.
package final class StreamListener: Sendable {
    package enum Mail: Sendable {
        case deliveries([StreamDelivery])
        /// Notifications were dropped. The database has the deliveries.
        case missed
    }

    package let registration: Int64
    private let hub: StreamHub
    private let box: StreamBox

    fileprivate init(_ hub: StreamHub, _ registration: Int64, _ box: StreamBox) {
        self.hub = hub
        self.registration = registration
        self.box = box
    }

    deinit {
        hub.leave(registration, box)
    }

    /// Signals that `take` has something. It ends with the registration or the store.
    package var wakeUps: AsyncStream<Void> { box.wakeUps }

    /// Returns the notifications since the last call.
    package func take() -> Mail { box.take() }

    /// Signals `wakeUps` periodically until the task is cancelled, for heartbeats.
    package func beat(every interval: Duration) async {
        while (try? await Task.sleep(for: interval)) != nil { box.wake.yield() }
    }
}

/// The notifications that a listener has not taken yet.
private final class StreamBox: Sendable {
    private struct State: Sendable {
        var deliveries: [StreamDelivery] = []
        var hasMissed = false
    }

    private static let capacity = 16
    let wakeUps: AsyncStream<Void>
    let wake: AsyncStream<Void>.Continuation
    private let state = Mutex(State())

    init() {
        (wakeUps, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func take() -> StreamListener.Mail {
        state.withLock { state in
            defer { state = State() }
            return state.hasMissed ? .missed : .deliveries(state.deliveries)
        }
    }

    func add(_ delivery: StreamDelivery) {
        state.withLock { state in
            if state.deliveries.count < StreamBox.capacity { state.deliveries.append(delivery) } else { state.hasMissed = true }
        }
        wake.yield()
    }

    /// Drops the notifications, so that the reader reads the database.
    func reread() {
        state.withLock { $0 = State(hasMissed: true) }
        wake.yield()
    }

    func end() {
        wake.finish()
    }
}
