// SPDX-License-Identifier: Apache-2.0

package import Messaging
package import Platform

/// The waits between attempts, and the number of attempts.
///
///     waits [5 s, 5 min], attempt 1 fails  →  retry in 4 to 6 s
///                         attempt 2 fails  →  retry in 4 to 6 min
///                         attempt 3 fails  →  dead letter
package struct RetryPolicy: Sendable, Equatable {
    /// The wait after each failed attempt. A delivery is a dead letter after one more attempt than there are waits.
    package var waits: [Timestamp.Span]

    package static let standard = RetryPolicy(
        waits: [.seconds(5), .minutes(5), .minutes(30), .hours(2), .hours(5), .hours(10), .hours(10)])

    /// The limit of a wait requested by the endpoint.
    package static let longestWait = Timestamp.Span.hours(24)

    package init(waits: [Timestamp.Span]) {
        precondition(waits.allSatisfy { $0 >= .seconds(0) }, "a wait between attempts must not be negative")
        self.waits = waits
    }

    /// Returns the verdict after an attempt, numbered from 1.
    ///
    /// `chance`, between 0 and 1, shifts the wait by up to a fifth in either direction, so that deliveries that failed together are not
    /// retried together. Retries beyond the waits have the last one.
    package func verdict(
        _ result: ExchangeResult, attempt: Int, at now: Timestamp, expires: Timestamp, chance: Double, retries: Int? = nil
    ) -> DeliveryVerdict {
        if result.isAccepted { return .delivered }
        if result.isGone { return .gone }
        guard attempt >= 1, attempt <= retries ?? waits.count, let last = waits.last else { return .dead }
        let base = RetryPolicy.jittered(waits.indices.contains(attempt - 1) ? waits[attempt - 1] : last, by: chance)
        let next = now + min(max(base, result.requestedWait(at: now) ?? base), max(base, RetryPolicy.longestWait))
        return next < expires ? .retry(at: next) : .expired
    }

    private static func jittered(_ wait: Timestamp.Span, by chance: Double) -> Timestamp.Span {
        let factor = (0...1).contains(chance) ? 0.8 + 0.4 * chance : 1
        return Timestamp.Span(milliseconds: Int64((Double(wait.milliseconds) * factor).rounded()))
    }
}
