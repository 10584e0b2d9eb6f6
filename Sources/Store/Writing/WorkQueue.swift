// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Platform
import Synchronization

/// The way from any thread to the writer's: a locked `Batcher` and a bell.
final class WorkQueue: Sendable {
    private let batcher: Mutex<Batcher>
    private let bell = DispatchSemaphore(value: 0)
    private let gauges: StoreGauges

    init(_ batcher: Batcher, gauges: StoreGauges) {
        self.batcher = Mutex(batcher)
        self.gauges = gauges
    }

    var unanswered: Batcher.Weight { batcher.withLock { $0.unanswered } }

    /// Queues work, or refuses it at once on the caller's thread.
    func add(_ work: Work) {
        switch batcher.withLock({ $0.add(work) }) {
        case .queued(let wake): if wake { bell.signal() }
        case .full:
            gauges.refused.add()
            work.refuse(WorkQueue.full)
        case .closed: work.refuse(WorkQueue.closed)
        }
    }

    /// Why nothing of an app can be added now; nil where it can.
    func refusal(for app: AppID?) -> Refusal? {
        switch batcher.withLock({ $0.isFull(for: app) ? Batcher.Admission.full : $0.closed ? .closed : nil }) {
        case .full:
            gauges.refused.add()
            return WorkQueue.full
        case .closed: return WorkQueue.closed
        case .queued, nil: return nil
        }
    }

    private static let full = Refusal(.overloaded, "More is coming in than can be stored.", hint: "Send it again later.", retryAfterSeconds: 1)
    private static let closed = Refusal(.draining, "The server is shutting down.", hint: "Send it again.", retryAfterSeconds: 2)

    /// The next group; waits for one, and answers nil once the queue is closed and empty.
    func take() -> [Work]? {
        while true {
            let (group, closed) = batcher.withLock { ($0.take(), $0.closed) }
            if !group.isEmpty { return group }
            if closed { return nil }
            bell.wait()
        }
    }

    /// Work that nobody has looked at, for those who make it ready before the writer takes it; nil where there is none.
    func nextToAskAbout() -> (place: Int, work: Work)? { batcher.withLock { $0.nextToAskAbout() } }

    func replace(_ place: Int, by work: Work) { batcher.withLock { $0.replace(place, by: work) } }

    /// Makes room for other work, and tells who asked what came of this.
    func answer(_ work: Work, _ outcome: Work.Outcome) {
        batcher.withLock { $0.answered(work) }
        work.answer(outcome)
    }

    func refuse(_ work: Work, _ refusal: Refusal) {
        batcher.withLock { $0.answered(work) }
        work.refuse(refusal)
    }

    func close() {
        if batcher.withLock({ $0.close() }) { bell.signal() }
    }
}
