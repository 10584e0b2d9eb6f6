// SPDX-License-Identifier: Apache-2.0

package import Events
package import Platform
package import Terminal

/// What a pane can look at.
package struct PaneView: Sendable {
    package let results: QueryResults
    package let tail: TailBuffer
    /// Of the whole terminal.
    package let width: Int
    /// Of where it is shown.
    package var depth = ColorDepth.full
    /// Whether nobody answers now, which is said above whatever pane is shown.
    package let isUnreachable: Bool
    package let options: ViewOptions
    package let now: Timestamp
    /// The app's; nil before it is known.
    package let zone: ZoneOffsets?
    /// What the key may do; nil before it is known.
    package let role: Role?

    package init(
        results: QueryResults, tail: TailBuffer, width: Int, isUnreachable: Bool, options: ViewOptions, now: Timestamp, zone: ZoneOffsets?,
        role: Role?
    ) {
        (self.results, self.tail, self.width, self.isUnreachable) = (results, tail, width, isUnreachable)
        (self.options, self.now, self.zone, self.role) = (options, now, zone, role)
    }

    package var range: ViewRange { options.range }

    /// The time of day in the app's zone.
    package func clock(_ time: Timestamp, seconds: Bool = false) -> String {
        String((zone?.local(time) ?? time).rfc3339.dropFirst(11).prefix(seconds ? 8 : 5))
    }

    /// `Sat 21`, or `Sat` where there is less room.
    package func day(_ time: Timestamp, within width: Int = 6) -> String {
        let day = Day(of: zone?.local(time) ?? time)
        let name = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][Int((day.number % 7 + 7) % 7)]
        return width >= 6 ? "\(name) \(day.civil.day)" : name
    }

    /// As much of a moment as tells it from others: of today the clock, of the last days the weekday too, of older ones the date; of those to come both.
    package func moment(_ moment: Moment) -> String {
        let time = moment.time
        let local = zone?.local(time) ?? time
        let daysAgo = Day(of: zone?.local(now) ?? now).number - Day(of: local).number
        switch daysAgo {
        case 0: return clock(time, seconds: true)
        case 1...6: return "\(day(time, within: 3)) \(clock(time))"
        case 7...: return String(local.rfc3339.prefix(10))
        default: return "\(local.rfc3339.prefix(10).dropFirst(5)) \(clock(time))"
        }
    }

    /// Why the key may not change issues; nil where it may, or nobody knows yet.
    package var whyNotChange: String? {
        guard let role, role != .admin else { return nil }
        return "A key of the role \(role.rawValue) may look at issues and not change them. Log in with one of the role admin."
    }

    /// Why the key may not send anything; nil where it may, or nobody knows yet.
    package var whyNotSend: String? {
        guard let role, role != .send, role != .admin else { return nil }
        return "A key of the role \(role.rawValue) may look at messages and not send any. Log in with one of the role send or admin."
    }
}
