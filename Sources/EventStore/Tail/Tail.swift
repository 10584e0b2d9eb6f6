// SPDX-License-Identifier: Apache-2.0

package import Platform
import Synchronization

/// The live tail: the writer publishes its commits, and listeners read them.
///
/// Without listeners nothing is kept.
package final class Tail: Sendable {
    /// The registration of one listener.
    private struct Subscriber: Sendable {
        let app: AppID
        let key: Int64?
        let wake: AsyncStream<Void>.Continuation
        var crashes = TailCrashes()
    }

    private struct State: Sendable {
        var ring: TailRing
        var subscribers: [Int: Subscriber] = [:]
        var joined = 0
        var isOver = false
    }

    /// Limits of open tails.
    package struct Limits: Sendable {
        package var listeners = 64
        package var listenersPerKey = 16
        package var bytes = 16 << 20

        package init() {}

        package static let settings: [Setting<Limits>] = [
            Setting("listeners", .count(0...10_000, "tails"), \.listeners, "Limit of open tails; 0 allows none"),
            Setting("listeners_per_key", .count(1...10_000, "tails"), \.listenersPerKey, "Limit of open tails of a key"),
            Setting("memory", .size(1 << 10...1 << 40), \.bytes, "Memory for commits that tails have not read yet, shared by all"),
        ]
    }

    private let limits: Limits
    private let state: Mutex<State>

    init(_ limits: Limits, after seq: Int64) {
        self.limits = limits
        state = Mutex(State(ring: TailRing(bytes: limits.bytes, after: seq)))
    }

    /// The number of open tails.
    package var listeners: Int { state.withLock { $0.subscribers.count } }

    /// Publishes a commit; called by the writer in the order of the commits.
    ///
    /// `commit` is called only if there are listeners.
    func committed(through seq: Int64, _ commit: () -> TailCommit) {
        let woken = state.withLock { state -> [AsyncStream<Void>.Continuation] in
            if state.subscribers.isEmpty {
                state.ring.empty(after: seq)
                return []
            }
            let commit = commit()
            state.ring.append(commit)
            return state.subscribers.values.filter { commit.counts[$0.app] != nil }.map(\.wake)
        }
        for wake in woken { wake.yield() }
    }

    /// Publishes crashes once they are durable.
    ///
    /// They have no place in the order of numbers and cannot be read again later.
    package func crashed(_ crashes: [TailCrash], app: AppID) {
        let woken = state.withLock { state in
            let subscribers = state.subscribers.filter { $0.value.app == app }
            for (number, subscriber) in subscribers {
                var subscriber = subscriber
                subscriber.crashes.add(crashes)
                state.subscribers[number] = subscriber
            }
            return subscribers.values.map(\.wake)
        }
        for wake in woken { wake.yield() }
    }

    /// Drops everything in memory, because it may contain an erased person.
    ///
    /// Listeners that have not read it get a gap.
    package func forget() {
        state.withLock { state in
            state.ring.forget()
            for number in state.subscribers.keys { state.subscribers[number]?.crashes.forget() }
        }
    }

    /// Opens a tail of an app.
    ///
    /// It is closed when the listener is released.
    package func join(app: AppID, key: Int64?) throws(Refusal) -> TailListener {
        let (wakeUps, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let joined = state.withLock { state -> Result<(number: Int, last: Int64), Refusal> in
            if state.isOver { return .failure(Refusal.draining) }
            guard state.subscribers.count < limits.listeners else { return .failure(Tail.tooMany("Too many tails are open.")) }
            let ofKey = key == nil ? 0 : state.subscribers.values.count { $0.key == key }
            guard ofKey < limits.listenersPerKey else { return .failure(Tail.tooMany("Too many tails of this key are open.")) }
            state.joined += 1
            state.subscribers[state.joined] = Subscriber(app: app, key: key, wake: wake)
            return .success((state.joined, state.ring.last))
        }
        let (number, last) = try joined.get()
        return TailListener(self, number, app: app, last: last, wakeUps: wakeUps, wake: wake)
    }

    fileprivate func leave(_ number: Int) {
        state.withLock { state in
            state.subscribers[number] = nil
            if state.subscribers.isEmpty { state.ring.empty(after: state.ring.last) }
        }
    }

    /// Ends all tails.
    ///
    /// Each returns the remaining records first.
    package func end() {
        let subscribers = state.withLock { state in
            state.isOver = true
            return state.subscribers.values.map(\.wake)
        }
        for wake in subscribers { wake.finish() }
    }

    fileprivate func next(for app: AppID, _ place: inout TailRing.Place) -> TailRing.Step {
        state.withLock { $0.ring.next(for: app, &place) }
    }

    fileprivate func takeCrashes(of number: Int) -> (crashes: [TailCrash], missed: Int) {
        state.withLock { $0.subscribers[number]?.crashes.take() ?? ([], 0) }
    }

    private static func tooMany(_ detail: String) -> Refusal {
        Refusal(.overloaded, detail, hint: "Close another tail, or open this one later.", retryAfterSeconds: 5)
    }

}

/// An open tail of an app, for as long as the object lives.
package final class TailListener: Sendable {
    package let app: AppID
    /// The newest number at the time the tail was opened.
    package let last: Int64
    /// One element for any number of commits since the last.
    ///
    /// Finishes with the store.
    let wakeUps: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private let tail: Tail
    private let number: Int

    fileprivate init(
        _ tail: Tail, _ number: Int, app: AppID, last: Int64, wakeUps: AsyncStream<Void>, wake: AsyncStream<Void>.Continuation
    ) {
        self.tail = tail
        self.number = number
        self.app = app
        self.last = last
        self.wakeUps = wakeUps
        self.wake = wake
    }

    deinit {
        tail.leave(number)
    }

    /// Wakes the listener at an interval without a commit, until the task is cancelled.
    package func beat(every interval: Duration) async {
        while (try? await Task.sleep(for: interval)) != nil { wake.yield() }
    }

    func takeCrashes() -> (crashes: [TailCrash], missed: Int) {
        tail.takeCrashes(of: number)
    }

    func next(_ place: inout TailRing.Place) -> TailRing.Step {
        tail.next(for: app, &place)
    }
}
