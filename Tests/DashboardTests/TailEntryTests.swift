// SPDX-License-Identifier: Apache-2.0

import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

/// Entries of a tail: as CSV, and those that only a newer terminal can read.
struct TailEntryTests {
    private static let times = #""timestamp":"2026-11-21T10:00:00.500Z","received_at":"2026-11-21T10:00:01.000Z""#

    private static func row(_ kind: String, _ data: String) -> [String] {
        TailCSV.sheet(of: StreamEvent(id: "", name: kind, data: data)).rows.first ?? []
    }

    @Test(arguments: [
        (
            "event",
            #"{"seq":7,"id":"e",\#(times),"name":"a","user_id":"ann","session_id":"s","context":{"country":"DE"},"params":{"z":1.50,"a":[1]}}"#,
            ["7", "2026-11-21T10:00:00.500Z", "2026-11-21T10:00:01.000Z", "a", "ann", "", "s", "", "", "DE", "", #"{"z":1.50,"a":[1]}"#]
        ),
        (
            "quarantine", #"{"seq":8,"received_at":"2026-11-21T10:00:01.000Z","reason":"too_new_a_reason","field":"","message":"no"}"#,
            ["8", "", "2026-11-21T10:00:01.000Z", "", "", "", "", "", "", "", "too_new_a_reason: no", ""]
        ),
        (
            "crash",
            #"{"id":"c","issue":"iss_1","kind":"hang","title":"Hang","timestamp":"2026-11-21T10:00:00.500Z","installation_id":"i"}"#,
            ["", "2026-11-21T10:00:00.500Z", "", "", "", "i", "", "", "", "", "Hang", ""]
        ), ("gap", #"{"missed":3,"after":9}"#, ["", "", "", "", "", "", "", "", "", "", "3", ""]),
        ("gap", #"{"missed_crashes":2}"#, ["", "", "", "", "", "", "", "", "", "", "2", ""]),
        ("deploy", #"{"version":"2.2"}"#, ["", "", "", "", "", "", "", "", "", "", #"{"version":"2.2"}"#, ""]),
    ])
    func `each kind is a row`(kind: String, data: String, cells: [String]) {
        #expect(Self.row(kind, data) == [kind] + cells)
    }

    @Test func `data that is not JSON is no row`() {
        #expect(Self.row("event", "{") == [])
    }

    @Test func `an entry of a newer daemon is listed and opened as JSON`() throws {
        let entries = [
            StreamEvent(id: "1", name: "deploy", data: #"{"version":"2.2","seq":1}"#), StreamEvent(id: "1", name: "event", data: #"{"seq":"1-1"}"#),
            StreamEvent(id: "1", name: "deploy", data: #"{"version":"2.3"}"#),
        ]
        var dashboard = try Dashboard.live(events: entries)
        var lines = DashboardView(dashboard).frame().lines
        #expect(lines.contains { $0.contains("event   ") && $0.contains(#"{"seq":"1-1"}"#) })
        #expect(lines.count { $0.contains("deploy") } == 2)
        try dashboard.press(.enter, [:])
        lines = DashboardView(dashboard).frame().lines
        #expect(dashboard.pane.title == "Event" && lines.contains { $0.contains(#""version": "2.3""#) })
        #expect(lines.contains { $0.contains("deploy") } && !lines.contains { $0.contains("number") })
    }

    @Test func `flags of a newer daemon are shown by name`() throws {
        let event = SampleStream.event(48_350, "purchase", 1, #","flags":["late","clock","replayed"]"#)
        let lines = DashboardView(try Dashboard.live([.enter], events: [event])).frame().lines
        #expect(lines.contains { $0.contains("late, wrong device clock, replayed") })
    }
}
