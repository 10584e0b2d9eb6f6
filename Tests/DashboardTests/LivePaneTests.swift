// SPDX-License-Identifier: Apache-2.0

import API
import Platform
import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

struct LivePaneTests {
    private static let sizes = [Size(80, 24), Size(120, 40)]
    private static let ways: [(String, [Key])] = [
        ("live", []), ("live-event", [.down, .down, .down, .enter]), ("live-found", [.character("/")] + Key.typing("ann") + [.enter]),
    ]

    private static func lines(_ dashboard: Dashboard) -> [String] { DashboardView(dashboard).frame().lines }

    // MARK: Display

    @Test(arguments: ways, sizes)
    func `each view matches its golden frame at each size`(way: (name: String, keys: [Key]), size: Size) throws {
        try GoldenFrame.check(DashboardView(try .live(way.keys, size)).frame(), "\(way.name)-\(size.width)x\(size.height)")
    }

    @Test(arguments: sizes) func `an empty and a denied stream match their golden frames at each size`(size: Size) throws {
        try GoldenFrame.check(DashboardView(try .live([], size, events: [])).frame(), "live-empty-\(size.width)x\(size.height)")
        var refused = try Dashboard.live([], size, events: [])
        let request = try #require(refused.tail.request)
        let error = RequestError(kind: .denied, what: "This key's role may not do this.", hint: "Use a key with the role read.")
        _ = refused.handle(.streamFailed(request, error))
        try GoldenFrame.check(DashboardView(refused).frame(), "live-refused-\(size.width)x\(size.height)")
        _ = refused.handle(.streamed(request, [], dropped: 0))
        #expect(!Self.lines(refused).contains { $0.contains("role") })
    }

    @Test func `a pause holds entries back and counts them`() throws {
        var dashboard = try Dashboard.live([.character(" ")])
        dashboard.tell([SampleStream.event(48_340, "refund", 0.5), SampleStream.event(48_341, "refund", 0.2)], dropped: 7)
        try GoldenFrame.check(DashboardView(dashboard).frame(), "live-paused")
        #expect(!Self.lines(dashboard).contains { $0.contains("refund") })
        try dashboard.press(.character(" "), SampleCrashes.all())
        #expect(Self.lines(dashboard)[5].contains("refund") && !Self.lines(dashboard).contains { $0.contains("wait") })
    }

    @Test func `no size overflows a frame, and control characters in data are replaced`() throws {
        for (_, keys) in Self.ways {
            for last in [nil, Key.character("n"), .character("f"), .character("?"), .character(" ")] {
                var dashboard = try Dashboard.live(keys + [last].compactMap(\.self))
                dashboard.expectStandsEverySize(widthsBy: 13)
            }
        }
    }

    @Test func `the selected entry stays selected, and at the top the selection follows the newest`() throws {
        var dashboard = try Dashboard.live()
        func chosen() -> String? { Self.lines(dashboard).first { $0.hasPrefix(" >") } }
        #expect(chosen()?.contains("scroll") == true)
        try dashboard.press(.down, SampleCrashes.all())
        #expect(chosen()?.contains("fatal crash") == true)
        dashboard.tell([SampleStream.event(48_340, "refund", 0)])
        #expect(chosen()?.contains("fatal crash") == true)
        try dashboard.press(.home, SampleCrashes.all())
        dashboard.tell([SampleStream.event(48_341, "search", 0)])
        #expect(chosen()?.contains("search") == true)
    }

    @Test func `an unreachable daemon is reported once`() throws {
        var dashboard = try Dashboard.live()
        let gone = RequestError(kind: .unreachable, what: "No daemon responds at x")
        _ = dashboard.handle(.streamFailed(try #require(dashboard.tail.request), gone))
        #expect(Self.lines(dashboard).count { $0.contains("No daemon") } == 1)
        _ = dashboard.handle(.received(SystemResponse.query.request, .failure(gone), dashboard.now))
        #expect(Self.lines(dashboard).count { $0.contains("No daemon") } == 1)
        let system = try #require(SampleCrashes.all()["system"])
        _ = dashboard.handle(
            .received(SystemResponse.query.request, .success(try SystemResponse.query.polled.decode(Array(system.utf8))), dashboard.now))
        #expect(!Self.lines(dashboard).contains { $0.contains("No daemon") })
    }

    @Test func `the oldest, partial second of the backlog is not counted`() throws {
        var tail = TailBuffer()
        let request = ReadRequest("/v1/tail", [("after", "48000")])
        _ = tail.switchStream(to: request)
        tail.receive([2.5, 2.6, 1.5].map { SampleStream.event(Int($0 * 10), "a", $0) }, dropped: 0, from: request, isPaused: false)
        #expect(LiveRate(tail, SampleResponses.now).values == [1, 0])
    }

    @Test func `entries are counted per second, as far as each second is completely known`() throws {
        var tail = TailBuffer()
        let request = ReadRequest("/v1/tail")
        _ = tail.switchStream(to: request)
        tail.receive([1.5, 1.6, 2.2, 12.5, 90].map { SampleStream.event(Int($0 * 10), "a", $0) }, dropped: 0, from: request, isPaused: false)
        let rate = LiveRate(tail, SampleResponses.now)
        #expect(rate.values.count == 60 && rate.values.suffix(13) == [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0] && rate.perSecond == 0.3)
        tail.receive((0..<2_000).map { SampleStream.event(1_000 + $0, "a", $0 < 1_000 ? 3.5 : 1.5) }, dropped: 0, from: request, isPaused: false)
        #expect(LiveRate(tail, SampleResponses.now).values == [0, 1_000, 0])
        tail.receive((0..<2_000).map { SampleStream.event(4_000 + $0, "a", 0.2) }, dropped: 0, from: request, isPaused: false)
        #expect(LiveRate(tail, SampleResponses.now).perSecond == nil)
    }

    // MARK: Queries

    @Test func `the stream starts at a backlog and keeps its request while system results change`() throws {
        var dashboard = try Dashboard.live(events: [])
        #expect(dashboard.tail.request?.target == "/v1/tail?after=48152")
        let later = SampleResponses.now + .seconds(2)
        let newer = SampleCrashes.all().mapValues { $0.replacing("48352", with: "50000") }
        try dashboard.answer(dashboard.handle(.tick(later)), newer, at: later)
        #expect(dashboard.tail.request?.target == "/v1/tail?after=48152")
        try dashboard.press(.character("w"), newer)
        #expect(dashboard.tail.request?.target == "/v1/tail?kind=events&after=45000")
    }

    @Test func `the stream waits for the system result, and a denied one starts it at the end`() throws {
        var dashboard = try Dashboard.sample(at: "live", answers: SampleCrashes.all().filter { $0.key != "system" })
        #expect(dashboard.tail.request == nil)
        _ = dashboard.handle(.received(SystemResponse.query.request, .failure(RequestError(kind: .denied, what: "No")), SampleResponses.now))
        #expect(dashboard.tail.request?.target == "/v1/tail")
    }

    @Test func `kinds, names and conditions filter the stream, a text filters locally`() throws {
        let back = "after=43352"
        func target(_ keys: [Key]) throws -> String? { try Dashboard.live(keys).tail.request?.target }
        let kind = Key.character("w")
        #expect(try target([kind, kind]) == "/v1/tail?kind=quarantine&\(back)")
        #expect(try target([kind, kind, kind]) == "/v1/tail?kind=crashes&\(back)" && target([kind, kind, kind, kind]) == "/v1/tail?after=48152")
        let names = [Key.character("n")] + Key.typing("purchase  refund") + [.enter]
        #expect(try target(names) == "/v1/tail?event=purchase&event=refund&\(back)")
        // A kind without event names is replaced.
        #expect(try target([kind, kind] + names) == "/v1/tail?event=purchase&event=refund&\(back)")
        let conditions = [Key.character("f")] + Key.typing("params.value>=10 context.platform=ios|web") + [.enter]
        #expect(try target(conditions) == "/v1/tail?filter=params.value%3E%3D10&filter=context.platform%3Dios%7Cweb&\(back)")
        let blanks = [Key.character("f")] + Key.typing("params.title=Big Sale ; params.n>1") + [.enter]
        #expect(try target(blanks) == "/v1/tail?filter=params.title%3DBig%20Sale&filter=params.n%3E1&\(back)")
        #expect(try Dashboard.live(blanks + [.character("f")]).prompt?.text == "params.title=Big Sale; params.n>1;")
        #expect(try target(blanks + [.character("f"), .control("u"), .enter]) == "/v1/tail?after=48152")
        #expect(try target([.character("/")] + Key.typing("BUY")) == "/v1/tail?after=48152")
    }

    @Test(arguments: [
        ("params.value", "must be a field"), ("user.tier=free", "no user properties"), ("nothing=1", "The condition"),
    ])
    func `an invalid condition is rejected before the stream changes`(text: String, why: String) throws {
        let dashboard = try Dashboard.live([.character("f")] + Key.typing(text) + [.enter])
        #expect(dashboard.notice?.text.contains(why) == true && dashboard.tail.request?.target == "/v1/tail?after=48152")
    }

    @Test func `a kind without events is rejected while an event filter is set`() throws {
        let dashboard = try Dashboard.live([.character("n")] + Key.typing("purchase") + [.enter, .character("w")])
        #expect(dashboard.notice?.isError == true && dashboard.tail.request?.target == "/v1/tail?event=purchase&after=43352")
    }

    @Test func `known event names are completed`() throws {
        let answers = SampleCrashes.all().merging(["names": SampleResponses.all()["top_events"] ?? ""]) { $1 }
        let dashboard = try Dashboard.live([.character("n")] + Key.typing("add") + [.tab], answers: answers)
        #expect(dashboard.prompt?.text == "add_to_cart" && dashboard.prompt?.words.contains("first_open") == true)
    }

    // MARK: Opening an entry

    @Test func `each kind of entry opens its own pane, and the stream continues in the background`() throws {
        for (steps, title) in [(0, "Event"), (1, "Issue"), (2, "Quarantined event"), (3, "Event")] {
            let dashboard = try Dashboard.live(Array(repeating: .down, count: steps) + [.enter])
            #expect(dashboard.pane.title == title && dashboard.tail.entries.count == SampleStream.all.count)
        }
        let gap = try Dashboard.live(Array(repeating: .down, count: 5) + [.enter])
        #expect(gap.pane.title == "Live" && gap.notice?.isError == true)
        var dashboard = try Dashboard.live([.down, .enter])
        dashboard.tell([SampleStream.event(48_340, "refund", 0)])
        try dashboard.press(.escape, SampleCrashes.all())
        #expect(Self.lines(dashboard).contains { $0.hasPrefix(" >") && $0.contains("fatal crash") } && Self.lines(dashboard)[5].contains("refund"))
        try dashboard.press(.tab, SampleCrashes.all())
        #expect(dashboard.tail.request == nil)
    }

    @Test func `an entry opened during a pause sends its queries once`() throws {
        var dashboard = try Dashboard.live([.character(" "), .down])
        let asked = dashboard.handle(.screen(.key(.enter))).compactMap { if case .send(let query) = $0 { query } else { nil } }
        #expect(asked.map(\.name) == ["issue", "issue_events"])
        for query in asked {
            let answer = try query.decode(Array((SampleCrashes.all()[query.name] ?? "").utf8))
            _ = dashboard.handle(.received(query.request, .success(answer), SampleResponses.now))
        }
        #expect(dashboard.handle(.tick(SampleResponses.now + .seconds(100))).isEmpty)
    }

    @Test func `an export contains the filtered entries`() throws {
        let dashboard = try Dashboard.live([.character("/")] + Key.typing("purchase") + [.enter])
        let sheet = try Export(dashboard).sheet()
        #expect(sheet.headings == ["time", "kind", "name", "who", "details", "json"] && sheet.rows.count == 1)
        #expect(sheet.rows[0][..<4] == ["2026-11-21T11:28:15.500Z", "event", "purchase", "ann"] && sheet.rows[0][5].contains(#""value":19.99"#))
    }
}
