// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The result of one exchange, as far as it decides the next step.
package enum ExchangeResult: Sendable, Equatable {
    /// A complete response with its unparsed `Retry-After`.
    case responded(status: Int, retryAfter: String?)
    /// No response, or an incomplete one.
    case broken

    /// Whether the endpoint accepted the delivery: any 2xx, but no redirect.
    var isAccepted: Bool { status.map { (200..<300).contains($0) } ?? false }

    /// Whether the endpoint is permanently gone.
    var isGone: Bool { status == 410 }

    /// Returns the requested wait of responses that mean "later".
    func requestedWait(at now: Timestamp) -> Timestamp.Span? {
        guard case .responded(let status, let text?) = self, [429, 502, 503, 504].contains(status) else { return nil }
        return RetryAfter.wait(text, at: now)
    }

    private var status: Int? {
        guard case .responded(let status, _) = self else { return nil }
        return status
    }
}

/// The meaning of an exchange for its origin, independent of the endpoint.
package enum OriginReport: Sendable, Equatable {
    /// It responds, even if with an error.
    case responded
    /// It responded after this time.
    case late(Timestamp.Span)
    /// It responded that it is out of order.
    case failed
    case unreachable
    case slowDown(until: Timestamp)
}

extension OriginReport {
    /// The bounds of a pause. One endpoint must not delay all others of its origin for long.
    private static let pauses = (shortest: Timestamp.Span.seconds(1), usual: Timestamp.Span.seconds(10), longest: Timestamp.Span.minutes(10))

    /// - Parameter lateAfter: The response time from which an origin gets less capacity.
    package init(_ result: ExchangeResult, took: Timestamp.Span, at now: Timestamp, lateAfter: Timestamp.Span = OriginLimits().lateAfter) {
        let requestedWait = result.requestedWait(at: now)
        switch result {
        case .broken: self = .unreachable
        case .responded(let status, _) where requestedWait != nil || [429, 502, 504].contains(status):
            let pause = requestedWait.map { min(max($0, OriginReport.pauses.shortest), OriginReport.pauses.longest) } ?? OriginReport.pauses.usual
            self = .slowDown(until: now + pause)
        case .responded(500..., _): self = .failed
        case .responded: self = took > lateAfter ? .late(took) : .responded
        }
    }
}
