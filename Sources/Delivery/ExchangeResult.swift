// SPDX-License-Identifier: Apache-2.0

package import Platform

/// What came of one exchange with a receiver, as far as it decides what happens next.
package enum ExchangeResult: Sendable, Equatable {
    /// A whole answer, with its `Retry-After` as it came.
    case answered(status: Int, retryAfter: String?)
    /// No answer, or not all of one.
    case broken

    /// Any 2xx; a redirect is none.
    var isTaken: Bool { status.map { (200..<300).contains($0) } ?? false }

    /// The receiver wants nothing any more.
    var isGone: Bool { status == 410 }

    /// How long the receiver asks to be left alone: heard where the answer means "later".
    func askedWait(at now: Timestamp) -> Timestamp.Span? {
        guard case .answered(let status, let text?) = self, [429, 502, 503, 504].contains(status) else { return nil }
        return RetryAfter.wait(text, at: now)
    }

    private var status: Int? {
        guard case .answered(let status, _) = self else { return nil }
        return status
    }
}

/// What an exchange says of the origin it went to, whatever it says of the one receiver.
package enum OriginReport: Sendable, Equatable {
    /// It answers, if only to refuse.
    case answered
    /// It answers, and took that long.
    case late(Timestamp.Span)
    /// It answers that it is broken.
    case failed
    case unreachable
    case slowDown(until: Timestamp)
}

extension OriginReport {
    /// One receiver's word must not hold up all others of its origin for long, so it is heard within these bounds.
    private static let pauses = (shortest: Timestamp.Span.seconds(1), usual: Timestamp.Span.seconds(10), longest: Timestamp.Span.minutes(10))

    /// Who takes longer gets fewer places.
    private static let late = Timestamp.Span.seconds(1)

    package init(_ result: ExchangeResult, took: Timestamp.Span, at now: Timestamp) {
        let asked = result.askedWait(at: now)
        switch result {
        case .broken: self = .unreachable
        case .answered(let status, _) where asked != nil || [429, 502, 504].contains(status):
            let pause = asked.map { min(max($0, OriginReport.pauses.shortest), OriginReport.pauses.longest) } ?? OriginReport.pauses.usual
            self = .slowDown(until: now + pause)
        case .answered(500..., _): self = .failed
        case .answered: self = took > OriginReport.late ? .late(took) : .answered
        }
    }
}
