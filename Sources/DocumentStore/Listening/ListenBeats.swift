// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Wakes streams at times of their own, for heartbeats and for the end of tokens, all from one task. A task and a timer for each of 10,000
/// idle streams would take as much memory as the rest of them.
final class ListenBeats: Sendable {
    private static let tick = Duration.milliseconds(100)

    private struct State {
        /// The listeners by the tick at which they are looked at. Those whose time was moved meanwhile are put back.
        var due: [Int64: [DocumentListener]] = [:]
    }

    private let begin = ContinuousClock.now
    private let state = Mutex(State())
    private let armed: AsyncStream<Void>
    private let arming: AsyncStream<Void>.Continuation

    init() { (armed, arming) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Looks at a listener at its time.
    func add(_ listener: DocumentListener, at time: ContinuousClock.Instant) {
        let isFirst = state.withLock { state in
            defer { state.due[tick(of: time), default: []].append(listener) }
            return state.due.isEmpty
        }
        if isFirst { arming.yield() }
    }

    /// Wakes listeners until the task is cancelled.
    func run() async {
        for await _ in armed {
            while let next = state.withLock({ $0.due.keys.min() }) {
                let wait = min(.seconds(1), begin + Self.tick * Int(next) - .now)
                guard (try? await Task.sleep(for: max(Self.tick, wait))) != nil else { return }
                wakeDue(at: .now)
            }
        }
    }

    private func wakeDue(at now: ContinuousClock.Instant) {
        let listeners = state.withLock { state in
            let ticks = state.due.keys.filter { $0 <= tick(of: now) }
            return ticks.flatMap { state.due.removeValue(forKey: $0) ?? [] }
        }
        for listener in listeners {
            if let later = listener.wakeIfDue(at: now) { add(listener, at: later) }
        }
    }

    private func tick(of time: ContinuousClock.Instant) -> Int64 { Int64((time - begin) / Self.tick) }
}
