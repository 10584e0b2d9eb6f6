// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Where on our time line an event belongs, given what its sender's clock says.
package struct TimeRules: Sendable {
    package enum Placement: Equatable, Sendable {
        case at(Timestamp, EventFlags)
        case tooOld
    }

    /// A sender's clock is believed up to this far from ours; networks are slow, too.
    package static let tolerance = Timestamp.Span.seconds(150)
    /// Time zones mistaken for UTC are at most this far ahead.
    package static let future = Timestamp.Span.hours(23)
    /// An app may call events late earlier than this, not later.
    package static let lateness = Timestamp.Span.hours(72)

    package let received: Timestamp
    private let correction: Timestamp.Span
    private let lateness: Timestamp.Span
    private let retention: Timestamp.Span

    package init(received: Timestamp, sentAt: Timestamp?, settings: AppSettings) {
        self.received = received
        correction = sentAt.map { TimeRules.excess($0 - received) } ?? Timestamp.Span(milliseconds: 0)
        lateness = min(.hours(Int64(settings.latenessHours).clamped(to: 0...72)), TimeRules.lateness)
        retention = .days(Int64(settings.retentionDays).clamped(to: 1...36_500))
    }

    /// The event's own time after its clock's error is taken out; the time of receipt for an event without one.
    package func place(_ claimed: Timestamp?) -> Placement {
        guard let claimed else { return .at(received, []) }
        let time = claimed - correction
        let age = received - time
        if age > retention { return .tooOld }
        if age > lateness { return .at(time, .late) }
        return isTooFarAhead(time) ? .at(received, .clock) : .at(time, [])
    }

    /// The same without regard to age, for facts about persons, which do not grow old.
    package func moment(_ claimed: Timestamp?) -> Timestamp {
        guard let claimed else { return received }
        let time = claimed - correction
        return isTooFarAhead(time) ? received : time
    }

    private func isTooFarAhead(_ time: Timestamp) -> Bool { time - received > TimeRules.future }

    private static func excess(_ skew: Timestamp.Span) -> Timestamp.Span {
        if skew > tolerance { return Timestamp.Span(milliseconds: skew.milliseconds - tolerance.milliseconds) }
        let least = Timestamp.Span(milliseconds: -tolerance.milliseconds)
        return skew < least ? Timestamp.Span(milliseconds: skew.milliseconds + tolerance.milliseconds) : Timestamp.Span(milliseconds: 0)
    }
}

extension Int64 {
    fileprivate func clamped(to range: ClosedRange<Int64>) -> Int64 { Swift.min(Swift.max(self, range.lowerBound), range.upperBound) }
}
