// SPDX-License-Identifier: Apache-2.0

import Platform

@testable import Panes
@testable import dashboard_cli

/// Hand-written responses about events, screens and sessions of the last hour at `SampleResponses.now`, some with hostile names.
enum SampleSeries {
    static var all: [String: String] { SampleResponses.all().merging(events) { $1 }.merging(screens) { $1 }.merging(sessions) { $1 } }

    /// The responses of a daemon without events.
    static var empty: [String: String] {
        let whole = series([(nil, zeros)])
        let nothing = ["event_names", "event_platforms", "event_versions", "screens", "screen_people", "screen_platforms", "screen_versions"]
        let none = nothing.map { ($0, top([:])) } + ["event_values", "screen_series"].map { ($0, series([])) }
        let flat = [("event_series", whole), ("screen", whole), ("screen_viewers", whole), ("sessions", sessions(zeros))]
        return all.merging(none + flat) { $1 }
    }

    private static let zeros = Array(repeating: 0, count: 60)
    private static let about =
        #""from": "2026-11-21T10:15:00Z", "to": "2026-11-21T11:30:00Z", "tz": "Europe/Berlin", "complete": false, "source": "rollup""#

    private static func values(_ base: Int, _ swing: Int, count: Int = 60) -> [Int] {
        (0..<count).map { base + $0 * 7 % max(1, swing) + ($0 == count - 20 ? swing : 0) }
    }

    private static func moment(_ index: Int) -> String {
        Timestamp(milliseconds: SampleResponses.now.milliseconds / 60_000 * 60_000 - Int64(59 - index) * 60_000).rfc3339
    }

    private static func series(_ all: [(name: String?, values: [Int])]) -> String {
        let parts = all.map { name, values in
            let points = values.enumerated().map { #"{"t": "\#(moment($0))", "value": \#($1)}"# }.joined(separator: ",")
            return #"{\#(name.map { #""name": "\#($0)", "# } ?? "")"points": [\#(points)], "total": \#(values.reduce(0, +))}"#
        }
        return #"{\#(about), "series": [\#(parts.joined(separator: ","))]}"#
    }

    /// A series of a figure, in which nil is a minute without numbers.
    static func figure(_ values: [Int?], total: Int?) -> String {
        let points = values.enumerated().map { #"{"t": "\#(moment($0))", "value": \#($1.map { "\($0)" } ?? "null")}"# }.joined(separator: ",")
        return #"{\#(about), "series": [{"points": [\#(points)], "total": \#(total.map { "\($0)" } ?? "null")}]}"#
    }

    private static func top(_ items: KeyValuePairs<String, Int>) -> String {
        #"{\#(about), "items": [\#(items.map { #"{"name": "\#($0.key)", "value": \#($0.value)}"# }.joined(separator: ","))]}"#
    }

    // MARK: Events

    private static let hostile = "\\u001b[2Jsale\\u0007"

    private static let events = [
        "event_series": series([(nil, values(20, 23))]),
        "event_series_over": series([(nil, values(20, 23, count: 59))]),
        "event_series_before": series([(nil, values(18, 19, count: 59))]),
        "event_names": top([
            "screen_view": 1_204, "session_start": 251, "add_to_cart": 97, "purchase": 31, "日本語イベント": 9, hostile: 3, "(other)": 40,
        ]),
        "event_names_over": series([("screen_view", values(20, 8, count: 59)), ("session_start", values(4, 3, count: 59)), ("purchase", [31])]),
        "event_names_before": series([("screen_view", values(17, 8, count: 59)), ("session_start", values(4, 3, count: 59)), ("purchase", [40])]),
        "event_values": series(valuesNow), "event_values_over": series(valuesNow.map { ($0.0, Array($0.1.dropLast())) }),
        "event_values_before": series([("android", values(12, 9, count: 59)), ("ios", values(7, 9, count: 59)), ("(other)", values(1, 2, count: 59))]
        ),
        "event_platforms": top(["android": 17, "ios": 11, "web": 3]), "event_versions": top(["2.3.0": 20, "2.2.1": 9, "(none)": 2]),
    ]

    private static let valuesNow: [(String?, [Int])] = [
        ("android", values(10, 9)), ("ios", values(8, 7)), ("web", values(3, 4)), ("visionos", values(2, 2)), ("(none)", values(1, 3)),
        ("tv", values(1, 1)),
        ("Größenwahn-OS", values(0, 2)), ("(other)", values(5, 3)),
    ]

    // MARK: Screens

    private static let screens = [
        "screens": top([
            "Home": 402, "Product": 377, "Größen und sehr lange Namen von Seiten": 120, "A|B": 31, hostile: 9, "(none)": 8, "(other)": 44,
        ]),
        "screen_people": top(["Home": 120, "Product": 118, "Größen und sehr lange Namen von Seiten": 61, "(other)": 70]),
        "screen_series": series([("Home", values(5, 4)), ("Product", values(5, 3)), ("(other)", values(1, 2))]),
        "screens_over": series([("Home", values(5, 4, count: 59)), ("Product", values(5, 3, count: 59)), ("(other)", values(1, 2, count: 59))]),
        "screens_before": series([("Home", values(4, 4, count: 59)), ("Product", values(5, 5, count: 59)), ("(other)", values(2, 2, count: 59))]),
        "screen": series([(nil, values(5, 4))]), "screen_over": series([(nil, values(5, 4, count: 59))]),
        "screen_before": series([(nil, values(4, 4, count: 59))]), "screen_viewers": series([(nil, values(2, 2))]),
        "screen_platforms": top(["android": 210, "ios": 150, "web": 42]), "screen_versions": top(["2.3.0": 300, "2.2.1": 80, "(other)": 22]),
    ]

    // MARK: Sessions

    private static let sessions = [
        "sessions": sessions(values(3, 6)), "sessions_over": sessions(values(3, 6, count: 59)),
        "sessions_before": sessions(values(4, 3, count: 59), longer: 25),
    ]

    private static func sessions(_ counts: [Int], longer: Int = 0) -> String {
        let points = counts.enumerated().map { #"{"t": "\#(moment($0))", \#(figures($1, length: Double(120 + $0 * 13 % 60)))}"# }
        let total = figures(counts.reduce(0, +), length: Double(140 + counts.count + longer))
        return #"{\#(about), "points": [\#(points.joined(separator: ","))], "total": {\#(total)}}"#
    }

    private static func figures(_ sessions: Int, length: Double) -> String {
        let known = sessions > 0 ? 1.0 : 0
        return """
            "sessions": \(sessions), "users": \(sessions * 3 / 4), "median_seconds": \(length * known), "p90_seconds": \(length * 2.5 * known),
            "engaged": \(sessions / 2), "engaged_share": \(sessions == 0 ? 0 : Double(sessions / 2) / Double(sessions)), "per_user": \(1.3333 * known)
            """
    }
}
