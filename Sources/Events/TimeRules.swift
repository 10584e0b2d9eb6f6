// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Corrects event times for errors of the sender's clock and applies the app's lateness limit.
///
/// A request states when it was sent. If that differs from the time of receipt by more than `tolerance`, the excess is subtracted from all
/// its events.
///
///     received 12:00:00, sent_at 13:00:00 (clock is ahead by 57 min 30 s beyond the tolerance)
///     event at 12:58:00  →  12:00:30
///     event at 12:58:00, no sent_at  →  12:58:00, since it is less than 23 h ahead
///     event 80 h old  →  stored, flagged `late`
package struct TimeRules: Sendable {
    package enum Placement: Equatable, Sendable {
        case at(Timestamp, EventFlags)
        case tooOld
    }

    /// The clock difference that is not corrected. It covers network delays.
    package static let tolerance = Timestamp.Span.seconds(150)
    /// The maximum time in the future. It covers a local time sent as UTC.
    package static let future = Timestamp.Span.hours(23)
    /// The upper limit of the app's lateness setting.
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

    /// Returns the corrected time of an event, or the time of receipt for an event without one.
    package func place(_ claimed: Timestamp?) -> Placement {
        guard let claimed else { return .at(received, []) }
        let time = claimed - correction
        let age = received - time
        if age > retention { return .tooOld }
        if age > lateness { return .at(time, .late) }
        return isTooFarAhead(time) ? .at(received, .clock) : .at(time, [])
    }

    /// Returns the corrected time regardless of age, for user properties.
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
