import Dispatch
import Platform
import Synchronization

/// Puts commits on the disk behind the writer's back and only then lets their answers go: the promise of `synchronous=FULL`
/// without the writer waiting for the disk.
final class Syncer: Sendable {
    private struct Committed: Sendable {
        /// The log that holds the commit; nil where nothing was written that is not durable already.
        var log: File?
        var answers: [Answer]
    }

    private struct State: Sendable {
        var waiting: [Committed] = []
        var stopped = false
    }

    private let state = Mutex(State())
    private let signal = DispatchSemaphore(value: 0)
    private let answered: @Sendable (Batcher.Weight) -> Void
    private let fatal: @Sendable (String) -> Never
    private let gauges: StoreGauges

    init(gauges: StoreGauges, answered: @escaping @Sendable (Batcher.Weight) -> Void, fatal: @escaping @Sendable (String) -> Never) {
        self.gauges = gauges
        self.answered = answered
        self.fatal = fatal
    }

    /// Queued work is bounded by the batcher, which counts everything not yet answered.
    func add(log: File?, answers: [Answer]) {
        state.withLock { $0.waiting.append(Committed(log: log, answers: answers)) }
        signal.signal()
    }

    func stop() {
        state.withLock { $0.stopped = true }
        signal.signal()
    }

    /// The thread's life: ends when it was stopped and nothing waits.
    func run() {
        while true {
            signal.wait()
            let (batch, stopped) = state.withLock { state in
                defer { state.waiting = [] }
                return (state.waiting, state.stopped)
            }
            settle(batch)
            if stopped && batch.isEmpty { return }
        }
    }

    private func settle(_ batch: [Committed]) {
        var synced: [File] = []
        for log in batch.compactMap(\.log) where !synced.contains(where: { $0 === log }) {
            sync(log)
            synced.append(log)
        }
        for answer in batch.flatMap(\.answers) {
            answered(answer.weight)
            answer.tell()
        }
    }

    private func sync(_ log: File) {
        let start = ContinuousClock.now
        do {
            try log.sync()
        } catch {
            // After a failed sync the kernel may have thrown the pages away; a second try could succeed and lie.
            fatal("the disk refused to keep a commit: \(error); nothing of it was acknowledged; restart after checking the disk")
        }
        gauges.syncTime.observe(ContinuousClock.now - start)
    }
}
