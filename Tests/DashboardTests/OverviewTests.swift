// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

struct OverviewTests {
    @Test(arguments: [Size(80, 24), Size(120, 40)]) func `c overlays the previous period on the chart and removes it again`(size: Size) throws {
        var dashboard = try Dashboard.sample(size, answers: SampleOverview.all)
        try dashboard.press(.character("c"), SampleOverview.all)
        #expect(dashboard.options.compares)
        try GoldenFrame.check(DashboardView(dashboard).frame(), "overview-compared-\(size.width)x\(size.height)")
        try dashboard.press(.character("c"), SampleOverview.all)
        #expect(DashboardView(dashboard).frame().cells == DashboardView(try .sample(size, answers: SampleOverview.all)).frame().cells)
    }

    // MARK: Keys without figures

    private static func refused(_ size: Size, role: String) throws -> Dashboard {
        let answers = SampleMessages.all(role: role).filter { ["app", "messages", "topics"].contains($0.key) }
        var dashboard = Dashboard(host: "127.0.0.1:8787", size: size, now: SampleResponses.now)
        let error = RequestError(kind: .denied, what: "This key's role may not do this.", hint: "Use a key with the role read.")
        let queries = dashboard.handle(.started(SampleResponses.now))
        for case .send(let query) in queries where answers[query.name] == nil {
            _ = dashboard.handle(.received(query.request, .failure(error), SampleResponses.now))
        }
        try dashboard.answer(queries, answers, at: SampleResponses.now)
        return dashboard
    }

    @Test(arguments: [Size(30, 6), Size(80, 24), Size(120, 40)]) func `a send key shows one permission note and its messages`(size: Size)
        throws
    {
        let name = size == Size(80, 24) ? "overview-send-key" : "overview-send-key-\(size.width)x\(size.height)"
        try GoldenFrame.check(DashboardView(try Self.refused(size, role: "send")).frame(), name)
    }

    @Test func `with a send key the overview has the message keys`() throws {
        var dashboard = try Self.refused(Size(80, 24), role: "send")
        #expect(!dashboard.bindings.contains(.range))
        for key in [Key.down, .character("T")] { _ = dashboard.handle(.screen(.key(key))) }
        #expect(dashboard.prompt?.title == "Test message")
        for key in [Key.escape, .character("/")] + Key.typing("breaking") + [.enter, .enter] { _ = dashboard.handle(.screen(.key(key))) }
        #expect(dashboard.pane.title == "Message" && dashboard.queries.first?.request.path == "/v1/messages/\(SampleMessages.id)")
    }

    @Test func `an ingest key shows where figures are available`() throws {
        let lines = DashboardView(try Self.refused(Size(80, 24), role: "ingest")).frame().lines
        #expect(lines.contains { $0.contains("role ingest") } && !lines.contains { $0.contains("Messages ─") })
    }

    // MARK: Figures

    private static func lines(_ answers: [String: String]) throws -> [String] {
        DashboardView(try .sample(Size(200, 60), answers: SampleOverview.all.merging(answers) { $1 })).frame().lines
    }

    private static func series(_ values: [Int]) -> String {
        let points = values.map { #"{"t": "2026-11-21T11:00:00Z", "value": \#($0)}"# }.joined(separator: ",")
        return
            #"{"from": "2026-11-21T10:29:00Z", "to": "2026-11-21T11:29:00Z", "tz": "UTC", "complete": false, "source": "rollup", "series": [{"points": [\#(points)], "total": 0}]}"#
    }

    @Test func `an incomplete bucket is left out of a change`() throws {
        for (now, before, change) in [([10, 20, 0], [10, 10, 900], "▲ 50 %"), ([10, 10, 900], [20, 20, 0], "▼ 50 %"), ([5, 1], [5, 1], "=")] {
            let lines = try Self.lines(["events": Self.series(now), "events_before": Self.series(before)])
            #expect(lines.contains { $0.contains("18.3 \(change)") }, "\(lines[2...4])")
        }
        #expect(try !Self.lines(["events": Self.series([10, 20, 0]), "events_before": Self.series([0, 0, 5])]).contains { $0.contains("18.3 ▲") })
    }

    @Test func `people of today are compared with the same hours of yesterday`() throws {
        let answers = ["people_so_far": Self.people(30), "people_so_far_before": Self.people(20)]
        #expect(try Self.lines(answers).contains { $0.contains(" ▲ 50 %") })
        let dashboard = try Dashboard.sample(Size(200, 60), answers: SampleOverview.all)
        let ranges = dashboard.queries.filter { $0.name.hasPrefix("people_so_far") }.map { query in
            query.request.parameters.filter { ["from", "to"].contains($0.name) }.map(\.value)
        }
        // 12:29 in Berlin.
        #expect(
            ranges == [
                ["2026-11-20T23:00:00.000Z", "2026-11-21T11:00:00.000Z"], ["2026-11-19T23:00:00.000Z", "2026-11-20T11:00:00.000Z"],
            ])
    }

    private static func people(_ total: Int) -> String {
        #"{"from": "2026-11-20T23:00:00Z", "to": "2026-11-21T11:00:00Z", "tz": "UTC", "complete": true, "source": "rollup", "series": [{"points": [], "total": \#(total)}]}"#
    }

    @Test func `a crash-free share below 100 % is never rounded up to 100 %`() throws {
        let figures = { (all: Int, crashed: Int) in
            """
            "sessions": \(all), "crashed_sessions": \(crashed), "crash_free_sessions": \(1 - Double(crashed) / Double(all)),
            "users": \(all), "crashed_users": \(crashed), "crash_free_users": \(1 - Double(crashed) / Double(all))
            """
        }
        let answer = { (crashed: Int) in
            """
            {"from": "2026-11-21T10:29:00Z", "to": "2026-11-21T11:29:00Z", "tz": "UTC", "complete": false, "source": "raw", "releases": [],
             "points": [{"t": "2026-11-21T10:29:00Z", \(figures(100_000, crashed))}, {"t": "2026-11-21T10:30:00Z", \(figures(100, 99))}],
             "total": {\(figures(100_000, crashed))}}
            """
        }
        #expect(try Self.lines(["crash_free": answer(1), "crash_free_before": answer(500)]).contains { $0.contains("99.99 % ▲ 0.50") })
        #expect(try Self.lines(["crash_free": answer(0), "crash_free_before": answer(0)]).contains { $0.contains("100 % =") })
    }

    @Test func `values beyond the width are averaged into columns`() {
        #expect(Card.condensed([1, 2, 3], to: 5) == [1, 2, 3])
        #expect(Card.condensed([1, 3, 5, 7, 9, 11], to: 3) == [2, 6, 10])
        #expect(Card.condensed([1, 2, 3, 4, 5], to: 2) == [1.5, 4])
    }

    @Test func `an alert of the last hours is listed with the messages, an older one is not`() throws {
        let message = { (time: String) in
            """
            {"items": [{"id": "msg_a", "target": {"topic": "$alerts.crashes"}, "text": "New fatal issue in 2.1.0", "priority": "normal", "stage": "spread",
              "created_at": "\(time)", "sent_at": "\(time)", "expires_at": "2026-12-19T11:20:00Z", "audience": 1, "counts": {"delivered": 1}}]}
            """
        }
        #expect(try Self.lines(["messages": message("2026-11-21T09:20:00Z")]).contains { $0.contains("10:20 New fatal issue in 2.1.0") })
        #expect(try !Self.lines(["messages": message("2026-11-19T09:20:00Z")]).contains { $0.contains("New fatal issue") })
    }
}
