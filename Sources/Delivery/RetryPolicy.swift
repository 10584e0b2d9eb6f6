// SPDX-License-Identifier: Apache-2.0

package import Messaging
package import Platform

/// When a delivery that failed is tried again, and when it is given up.
package struct RetryPolicy: Sendable, Equatable {
    /// The wait after each failed attempt; after the attempt behind the last wait there is none.
    package var waits: [Timestamp.Span]

    package static let standard = RetryPolicy(
        waits: [.seconds(5), .minutes(5), .minutes(30), .hours(2), .hours(5), .hours(10), .hours(10)])

    /// However long a receiver asks to be left alone.
    package static let longestWait = Timestamp.Span.hours(24)

    package init(waits: [Timestamp.Span]) {
        self.waits = waits
    }

    /// What becomes of a delivery after an attempt, the first being number 1.
    ///
    /// `chance` is from 0 to 1 and moves the wait by up to a fifth either way, so that what failed together does not come back together.
    package func verdict(
        _ result: ExchangeResult, attempt: Int, at now: Timestamp, expires: Timestamp, chance: Double
    ) -> DeliveryVerdict {
        if result.isTaken { return .delivered }
        if result.isGone { return .gone }
        guard waits.indices.contains(attempt - 1) else { return .dead }
        let base = RetryPolicy.moved(waits[attempt - 1], by: chance)
        let next = now + min(max(base, result.askedWait(at: now) ?? base), max(base, RetryPolicy.longestWait))
        return next < expires ? .retry(at: next) : .expired
    }

    private static func moved(_ wait: Timestamp.Span, by chance: Double) -> Timestamp.Span {
        let factor = (0...1).contains(chance) ? 0.8 + 0.4 * chance : 1
        return Timestamp.Span(milliseconds: Int64((Double(wait.milliseconds) * factor).rounded()))
    }
}
