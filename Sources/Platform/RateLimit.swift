// SPDX-License-Identifier: Apache-2.0

/// A token bucket rate limit.
///
/// Example with 60 a minute and burst 10: ten single requests pass at once, the eleventh must wait 1 s. A request of 30 passes when the
/// bucket is full and leaves a debt of 20, so the next one waits 21 s; a batch above the burst is never rejected for ever.
package struct RateLimit: Sendable, Equatable {
    package enum Verdict: Sendable, Equatable {
        case allowed
        case limited(retryAfterSeconds: Int)
    }

    /// The parts of a token. With 60,000 parts, one token a minute is one part a millisecond, so no fraction is lost.
    private static let unit: Int64 = 60_000
    private static let most = 1_000_000_000

    private let perMinute: Int64
    private let capacity: Int64
    private var level: Int64
    private var filled: Timestamp

    /// Creates a full bucket; a rate of 0 is unlimited.
    package init(perMinute: Int, burst: Int, at now: Timestamp) {
        self.perMinute = Int64(min(max(perMinute, 0), RateLimit.most))
        capacity = Int64(min(max(burst, 1), RateLimit.most)) * RateLimit.unit
        level = capacity
        filled = now
    }

    /// Takes `count` tokens, or returns the seconds until they are available.
    package mutating func take(_ count: Int, at now: Timestamp) -> Verdict {
        guard perMinute > 0, count > 0 else { return .allowed }
        fill(at: now)
        let cost = Int64(min(count, RateLimit.most)) * RateLimit.unit
        let needed = min(cost, capacity)
        guard level >= needed else {
            let milliseconds = (needed - level + perMinute - 1) / perMinute
            return .limited(retryAfterSeconds: Int((milliseconds + 999) / 1_000))
        }
        level -= cost
        assert(level <= capacity, "the bucket holds at most the burst")
        return .allowed
    }

    /// Returns the number of tokens that can be taken now, one at a time.
    package mutating func available(at now: Timestamp) -> Int {
        guard perMinute > 0 else { return .max }
        fill(at: now)
        return Int(max(level, 0) / RateLimit.unit)
    }

    private mutating func fill(at now: Timestamp) {
        // A clock that is set back must neither fill nor stop the bucket.
        defer { filled = now }
        guard now > filled else { return }
        // The cap of 24 days keeps the product within 64 bits.
        let longest: Int64 = 1 << 31
        let (elapsed, overflow) = now.milliseconds.subtractingReportingOverflow(filled.milliseconds)
        level = min(capacity, level + (overflow ? longest : min(elapsed, longest)) * perMinute)
    }
}
