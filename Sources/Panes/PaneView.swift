// SPDX-License-Identifier: Apache-2.0

package import Events
package import Platform
package import Terminal

/// The input of a pane: results, stream, options, clock, zone and role.
package struct PaneView: Sendable {
    package let results: QueryResults
    package let tail: TailBuffer
    /// The width of the terminal.
    package let width: Int
    /// The colors of the terminal.
    package var depth = ColorDepth.full
    /// Whether the daemon is unreachable; a banner says so above the pane.
    package let isUnreachable: Bool
    package let options: ViewOptions
    package let now: Timestamp
    /// The time zone of the app; nil until known.
    package let zone: ZoneOffsets?
    /// The role of the key; nil until known.
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

    /// A short form: `12:28:20` today, `Fri 20:02` in the last week, `2026-11-01` before, `11-22 09:00` in the future.
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

    /// Why the key may not change issues; nil if it may, or the role is unknown.
    var whyNotChange: String? {
        guard let role, role != .admin else { return nil }
        return "A key with the role \(role.rawValue) cannot change issues. Log in with an admin key."
    }

    /// Why the key may not send messages; nil if it may, or the role is unknown.
    var whyNotSend: String? {
        guard let role, role != .send, role != .admin else { return nil }
        return "A key with the role \(role.rawValue) cannot send messages. Log in with a send or admin key."
    }
}
