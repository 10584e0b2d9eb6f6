import Platform
import Terminal

/// One screen of the dashboard.
protocol Pane: Sendable {
    var title: String { get }
    /// What it shows comes from the answers to these.
    func asks(_ range: ShownRange) -> [StandingAsk]
    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame)
}

/// What a pane can look at.
struct PaneView: Sendable {
    let answers: Answers
    let range: ShownRange
    let now: Timestamp
    /// The app's; nil before it is known.
    let zone: ZoneOffsets?

    /// The time of day in the app's zone.
    func clock(_ time: Timestamp, seconds: Bool = false) -> String {
        String((zone?.local(time) ?? time).rfc3339.dropFirst(11).prefix(seconds ? 8 : 5))
    }

    /// `Sat 21`, or `Sat` where there is less room.
    func day(_ time: Timestamp, within width: Int = 6) -> String {
        let day = Day(of: zone?.local(time) ?? time)
        let name = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][Int((day.number % 7 + 7) % 7)]
        return width >= 6 ? "\(name) \(day.civil.day)" : name
    }
}
