// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

struct RateLimitTests {
    private let start = Timestamp(milliseconds: 1_000_000)

    @Test func `a burst passes, then the rate holds`() {
        var limit = RateLimit(perMinute: 60, burst: 3, at: start)
        for _ in 1...3 { #expect(limit.take(1, at: start) == .allowed) }
        #expect(limit.take(1, at: start) == .limited(retryAfterSeconds: 1))
        #expect(limit.take(3, at: start) == .limited(retryAfterSeconds: 3))
        #expect(limit.take(1, at: start + .seconds(1)) == .allowed)
        #expect(limit.take(1, at: start + .seconds(1)) == .limited(retryAfterSeconds: 1))
    }

    @Test func `waiting for Retry-After is sufficient`() {
        for rate in [1, 7, 59, 60, 61, 1_000, 100_000, 1_000_000_000] {
            var limit = RateLimit(perMinute: rate, burst: 10, at: start)
            #expect(limit.take(10, at: start) == .allowed)
            guard case .limited(let seconds) = limit.take(10, at: start) else { return #expect(Bool(false), "not limited at \(rate)") }
            #expect(limit.take(10, at: start + .seconds(Int64(seconds))) == .allowed)
        }
    }

    @Test func `a batch larger than the burst passes once and is paid off`() {
        var limit = RateLimit(perMinute: 60, burst: 10, at: start)
        #expect(limit.take(100, at: start) == .allowed)
        #expect(limit.take(1, at: start) == .limited(retryAfterSeconds: 91))
        #expect(limit.take(1, at: start + .seconds(91)) == .allowed)
    }

    @Test func `no tokens are lost to rounding`() {
        var limit = RateLimit(perMinute: 7, burst: 2, at: start)
        _ = limit.take(2, at: start)
        var taken = 0
        for millisecond in 1...600_000 where limit.take(1, at: start + .init(milliseconds: Int64(millisecond))) == .allowed { taken += 1 }
        #expect(taken == 70)
    }

    @Test func `available tokens can be taken, and no more`() {
        var limit = RateLimit(perMinute: 90, burst: 4, at: start)
        for second: Int64 in 0..<20 {
            let now = start + .seconds(second)
            let available = limit.available(at: now)
            for _ in 0..<available { #expect(limit.take(1, at: now) == .allowed) }
            #expect(limit.take(1, at: now) != .allowed && available == (second == 0 ? 4 : second.isMultiple(of: 2) ? 2 : 1))
        }
        #expect(limit.take(4, at: start + .days(1)) == .allowed)
        #expect(limit.take(9, at: start + .days(2)) == .allowed && limit.available(at: start + .days(2)) == 0)
        var none = RateLimit(perMinute: 0, burst: 1, at: start)
        #expect(none.available(at: start) == .max)
    }

    @Test func `a rate of 0 is unlimited`() {
        var limit = RateLimit(perMinute: 0, burst: 0, at: start)
        #expect(limit.take(.max, at: start) == .allowed)
    }

    @Test func `a clock that jumps neither traps nor fills beyond the burst`() {
        var limit = RateLimit(perMinute: .max, burst: .max, at: Timestamp(milliseconds: .max))
        #expect(limit.take(.max, at: Timestamp(milliseconds: .min)) == .allowed)
        #expect(limit.take(1, at: Timestamp(milliseconds: .min)) != .allowed)
        #expect(limit.take(1, at: Timestamp(milliseconds: .max)) == .allowed)
        var small = RateLimit(perMinute: 1, burst: 2, at: start)
        #expect(small.take(2, at: start - .days(300)) == .allowed)
        #expect(small.take(2, at: start + .days(300_000)) == .allowed)
        #expect(small.take(1, at: start + .days(300_000)) == .limited(retryAfterSeconds: 60))
    }
}
