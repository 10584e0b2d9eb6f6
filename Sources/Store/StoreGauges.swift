package import Platform
import Synchronization

/// Figures of the write side as they are at this moment, cheap to keep and read from any thread.
package final class StoreGauges: Sendable {
    package struct Figures: Sendable {
        package var acceptedEvents = 0
        package var duplicateEvents = 0
        package var quarantinedEvents = 0
        package var commits = 0
        package var failedCommits = 0
        package var refusedFull = 0
        package var commitSeconds = Timing()
        package var syncSeconds = Timing()
        package var walBytes = 0
        package var lastSeq: Int64 = 0
        package var today: Day?
        /// Why the last commit failed, until one succeeds.
        package var trouble: Refusal?
    }

    /// How long something took: a count, a sum and a histogram with fixed bounds.
    package struct Timing: Sendable {
        package static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
        package private(set) var buckets = [Int](repeating: 0, count: bounds.count)
        package private(set) var count = 0
        package private(set) var sum = 0.0

        mutating func add(_ time: Duration) {
            let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
            count += 1
            sum += seconds
            if let i = Timing.bounds.firstIndex(where: { seconds <= $0 }) { buckets[i] += 1 }
        }
    }

    private let figures = Mutex(Figures())

    package var now: Figures { figures.withLock { $0 } }

    func update(_ body: (inout Figures) -> Void) {
        figures.withLock { body(&$0) }
    }

    func synced(in time: Duration) {
        figures.withLock { $0.syncSeconds.add(time) }
    }
}
