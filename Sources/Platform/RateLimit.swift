// SPDX-License-Identifier: Apache-2.0

/// A bucket of tokens that fills at a steady rate up to a burst.
///
/// A request larger than the burst passes when the bucket is full and leaves a debt, so that the rate holds in the long run and no batch is refused for ever.
package struct RateLimit: Sendable, Equatable {
    package enum Verdict: Sendable, Equatable {
        case allowed
        case limited(retryAfterSeconds: Int)
    }

    /// Tokens are counted in 60,000ths, of which one token a minute is one a millisecond: no fraction is ever lost.
    private static let unit: Int64 = 60_000
    private static let most = 1_000_000_000

    private let perMinute: Int64
    private let capacity: Int64
    private var level: Int64
    private var filled: Timestamp

    /// A full bucket; a rate of 0 limits nothing.
    package init(perMinute: Int, burst: Int, at now: Timestamp) {
        self.perMinute = Int64(min(max(perMinute, 0), RateLimit.most))
        capacity = Int64(min(max(burst, 1), RateLimit.most)) * RateLimit.unit
        level = capacity
        filled = now
    }

    /// Takes `count` tokens, or says in how many seconds they will be there.
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
        return .allowed
    }

    /// How many may be taken now, one at a time.
    package mutating func available(at now: Timestamp) -> Int {
        guard perMinute > 0 else { return .max }
        fill(at: now)
        return Int(max(level, 0) / RateLimit.unit)
    }

    private mutating func fill(at now: Timestamp) {
        // A clock set back must neither fill nor stop the bucket.
        defer { filled = now }
        guard now > filled else { return }
        // The cap of 24 days keeps the product inside 64 bits.
        let longest: Int64 = 1 << 31
        let (elapsed, overflow) = now.milliseconds.subtractingReportingOverflow(filled.milliseconds)
        level = min(capacity, level + (overflow ? longest : min(elapsed, longest)) * perMinute)
    }
}
