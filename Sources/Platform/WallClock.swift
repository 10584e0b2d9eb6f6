import Glibc
import Synchronization

/// Where the time of receipt comes from; tests turn the hands of a manual one.
package struct WallClock: Sendable {
    package let now: @Sendable () -> Timestamp

    package init(now: @escaping @Sendable () -> Timestamp) {
        self.now = now
    }

    package static let system = WallClock {
        var spec = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &spec)
        return Timestamp(milliseconds: Int64(spec.tv_sec) * 1_000 + Int64(spec.tv_nsec) / 1_000_000)
    }
}

/// A clock that stands still until it is told otherwise.
package final class ManualClock: Sendable {
    private let time: Mutex<Timestamp>

    package init(_ start: Timestamp) {
        time = Mutex(start)
    }

    package var now: Timestamp { time.withLock { $0 } }
    package var clock: WallClock { WallClock { self.now } }

    package func set(_ moment: Timestamp) {
        time.withLock { $0 = moment }
    }

    package func advance(by span: Timestamp.Span) {
        time.withLock { $0 = $0 + span }
    }
}
