// SPDX-License-Identifier: Apache-2.0

import Platform

@testable import Panes
@testable import dashboard_cli

/// Hand-written responses for the overview at `SampleResponses.now`.
enum SampleOverview {
    static var all: [String: String] {
        SampleMessages.all(role: "read").merging([
            "events_before": series((0..<60).map { 18 + $0 * 5 % 19 }, every: 60_000, until: -60), "active_users": people, "realtime": realtime,
            "revenue_hours": revenue((0..<49).map { 20 + $0 * 7 % 31 }), "crash_free": crashFree(crashed: [17: 2, 40: 1]),
            "crash_free_before": crashFree(crashed: [3: 1]), "people_so_far": series([170], every: 3_600_000, until: -1),
            "people_so_far_before": series([156], every: 3_600_000, until: -25),
        ]) { $1 }
    }

    /// The responses of a daemon without events.
    static var empty: [String: String] {
        SampleMessages.empty.merging(SampleResponses.empty) { $1 }.merging([
            "events_before": series(Array(repeating: 0, count: 60), every: 60_000, until: -60),
            "revenue_hours": #"{\#(about), "users": 0, "currencies": []}"#,
            "realtime":
                #"{\#(about), "events": 0, "users": 0, "users_since": "2026-11-21T10:45:00Z", "points": [], "top_events": [], "top_screens": []}"#,
            "crash_free": noSessions, "crash_free_before": noSessions, "people_so_far": series([0], every: 3_600_000, until: -1),
            "people_so_far_before": series([0], every: 3_600_000, until: -25),
        ]) { $1 }
    }

    private static let about =
        #""from": "2026-11-21T10:29:00Z", "to": "2026-11-21T11:29:00Z", "tz": "Europe/Berlin", "complete": false, "source": "rollup""#

    private static func dated(_ values: [Int], every milliseconds: Int64, until last: Int64 = 0, _ write: (Int) -> String) -> String {
        let end = SampleResponses.now.milliseconds / milliseconds + last
        return values.enumerated().map { index, value in
            let time = Timestamp(milliseconds: (end - Int64(values.count - 1 - index)) * milliseconds)
            return #"{"t": "\#(time.rfc3339)", \#(write(value))}"#
        }.joined(separator: ",")
    }

    private static func series(_ values: [Int], every milliseconds: Int64, until last: Int64) -> String {
        let points = dated(values, every: milliseconds, until: last) { #""value": \#($0)"# }
        return #"{\#(about), "series": [{"points": [\#(points)], "total": \#(values.reduce(0, +))}]}"#
    }

    private static let people: String = {
        let days = (0..<32).map { 180 + $0 * 13 % 40 }
        let points = dated(days, every: 86_400_000) { #""dau": \#($0), "wau": \#($0 * 2), "mau": \#(400 + $0 / 8), "stickiness": 0.4"# }
        return #"{\#(about), "total": 440, "points": [\#(points)]}"#
    }()

    private static let realtime: String = {
        let points = dated((0..<30).map { 9 + $0 * 5 % 17 }, every: 60_000) { #""value": \#($0)"# }
        return
            #"{\#(about), "events": 812, "users": 34, "users_since": "2026-11-21T10:45:00Z", "points": [\#(points)], "top_events": [], "top_screens": []}"#
    }()

    /// The hourly series of the currency with the most purchases.
    private static func revenue(_ hours: [Int]) -> String {
        let points = dated(hours, every: 3_600_000) { #""gross": "\#($0 + 5).5", "refunds": "5", "net": "\#($0).5""# }
        return """
            {\(about), "users": 144, "currencies": [{"currency": "USD", "gross": "1", "refunds": "0", "net": "1", "purchase_count": 1, "refund_count": 0,
             "buyers": 19, "arpu": "1.1", "arppu": "2.2", "points": [\(points)]}]}
            """
    }

    private static func figures(_ sessions: Int, _ crashed: Int) -> String {
        let share = sessions == 0 ? "" : #", "crash_free_sessions": \#(1 - Double(crashed) / Double(sessions))"#
        let people = sessions == 0 ? "" : #", "crash_free_users": \#(1 - Double(crashed) / Double(sessions))"#
        return #""sessions": \#(sessions), "crashed_sessions": \#(crashed)\#(share), "users": \#(sessions), "crashed_users": \#(crashed)\#(people)"#
    }

    private static func crashFree(crashed: [Int: Int]) -> String {
        let points = dated(Array(0..<60), every: 60_000) { figures(20 + $0 % 7, crashed[$0] ?? 0) }
        return #"{\#(about), "points": [\#(points)], "total": {\#(figures(6_000, crashed.values.reduce(0, +)))}, "releases": []}"#
    }

    private static let noSessions = #"{\#(about), "points": [], "total": {\#(figures(0, 0))}, "releases": []}"#
}
