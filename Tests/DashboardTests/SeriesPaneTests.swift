// SPDX-License-Identifier: Apache-2.0

import Platform
import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

struct SeriesPaneTests {
    private static let down = Key.down
    private static let byPlatform = [Key.character("b")] + Key.typing("context.platform") + [.enter]
    private static let ways: [(name: String, place: String, keys: [Key])] = [
        ("events", "events", []), ("events-by", "events", byPlatform), ("event", "events", [.down, .down, .enter]),
        ("screens", "screens", []), ("screen", "screens", [.enter]), ("sessions", "sessions", []),
    ]
    private static let sizes = [Size(80, 24), Size(120, 40)]

    private static func shown(_ place: String, _ keys: [Key], _ size: Size = Size(80, 24), answers: [String: String] = SampleSeries.all) throws
        -> Dashboard
    {
        try .sample(at: place, keys, size, answers: answers)
    }

    @Test(arguments: ways, sizes) func `each pane matches its golden frame at each size, also while comparing`(
        way: (name: String, place: String, keys: [Key]), size: Size
    )
        throws
    {
        let end = "\(size.width)x\(size.height)"
        try GoldenFrame.check(DashboardView(try Self.shown(way.place, way.keys, size)).frame(), "\(way.name)-\(end)")
        try GoldenFrame.check(DashboardView(try Self.shown(way.place, way.keys + [.character("c")], size)).frame(), "\(way.name)-compared-\(end)")
    }

    @Test(arguments: ["events", "screens", "sessions"], sizes) func `an empty and a denied pane match their golden frames at each size`(
        name: String, size: Size
    )
        throws
    {
        let end = "\(size.width)x\(size.height)"
        try GoldenFrame.check(DashboardView(try Self.shown(name, [], size, answers: SampleSeries.empty)).frame(), "\(name)-empty-\(end)")
        var refused = try Dashboard.sample(size)
        for key in [.character(":")] + Key.typing(name) { _ = refused.handle(.screen(.key(key))) }
        for case .send(let query) in refused.handle(.screen(.key(.enter))) {
            let error = RequestError(kind: .denied, what: "This key's role may not do this.", hint: "Use a key with the role read.")
            _ = refused.handle(.received(query.request, .failure(error), SampleResponses.now))
        }
        try GoldenFrame.check(DashboardView(refused).frame(), "\(name)-refused-\(end)")
    }

    @Test(arguments: ways) func `no size overflows a frame, and control characters in data are replaced`(
        way: (name: String, place: String, keys: [Key])
    ) throws {
        for (answers, keys) in [(SampleSeries.all, way.keys), (SampleSeries.all, way.keys + [.character("c")]), (SampleSeries.empty, [])] {
            var dashboard = try Self.shown(way.place, keys, answers: answers)
            dashboard.expectStandsEverySize(widthsBy: 5)
        }
    }

    // MARK: Queries

    private func targets(_ dashboard: Dashboard) -> [String] { dashboard.queries.map(\.request.target) }

    @Test func `metric, event and breakdown field change the query`() throws {
        var dashboard = try Self.shown("events", [])
        #expect(targets(dashboard).first == "/v1/query/series?metric=events&from=-59m&interval=minute")
        for metric in ["users", "sessions", "events"] {
            try dashboard.press(.character("m"), SampleSeries.all)
            #expect(targets(dashboard).first == "/v1/query/series?metric=\(metric)&from=-59m&interval=minute")
        }
        for key in [.character("n")] + Key.typing("PUR") + [.tab, .enter] { try dashboard.press(key, SampleSeries.all) }
        #expect(targets(dashboard).first == "/v1/query/series?metric=events&event=purchase&from=-59m&interval=minute")
        for key in [.character("b")] + Key.typing("context.pl") + [.tab, .enter] { try dashboard.press(key, SampleSeries.all) }
        let both = "/v1/query/series?metric=events&event=purchase&from=-59m&interval=minute&breakdown=context.platform&limit=10"
        #expect(targets(dashboard).first == both)
        for key in [Key.character("n"), .control("u"), .enter, .character("b"), .control("u"), .enter] { try dashboard.press(key, SampleSeries.all) }
        #expect(targets(dashboard).first == "/v1/query/series?metric=events&from=-59m&interval=minute")
    }

    @Test func `an unknown field is rejected and changes nothing`() throws {
        let dashboard = try Self.shown("events", [.character("b")] + Key.typing("colour") + [.enter])
        #expect(dashboard.notice?.isError == true && dashboard.notice?.text.contains("«colour»") == true)
        #expect(targets(dashboard).first == "/v1/query/series?metric=events&from=-59m&interval=minute")
    }

    @Test func `a comparison covers complete buckets and as many before them`() throws {
        let dashboard = try Self.shown("events", [.character("c")])
        let times = targets(dashboard).filter { $0.contains("&to=") && !$0.contains("breakdown") }
        #expect(times == ["-59m&interval=minute&to=-1m", "-119m&interval=minute&to=-61m"].map { "/v1/query/series?metric=events&from=\($0)" })
        let days = try #require(ViewRange("30d")).over
        #expect(days.now == ("-29d", "-1d") && days.before == ("-59d", "-31d"))
        #expect(!targets(try Self.shown("events", [.character("c"), .character("c")])).contains { $0.contains("&to=") })
    }

    @Test func `a figure keeps its name, and minutes without numbers are a gap`() throws {
        let keys = [Key.character("f")] + Key.typing("p95(params.load_ms)") + [.enter]
        func lines(_ values: [Int?], total: Int?) throws -> [String] {
            let dashboard = try Self.shown(
                "events", keys, answers: SampleSeries.all.merging(["event_series": SampleSeries.figure(values, total: total)]) { $1 })
            #expect(targets(dashboard).first == "/v1/query/series?metric=p95%28params.load_ms%29&from=-59m&interval=minute")
            return DashboardView(dashboard).frame().lines
        }
        let gap = try lines((0..<60).map { $0 < 30 ? 40 : nil }, total: 40)
        #expect(gap.contains { $0.contains("p95(params.load_ms) a minute") })
        #expect(gap.contains { $0.contains("total 40   min 40   max 40   last –") })
        let zero = try lines((0..<60).map { $0 < 30 ? 40 : 0 }, total: 40)
        #expect(zero.contains { $0.contains("min 0   max 40   last 0") })
        #expect(zero != gap)
        #expect(try lines(Array(repeating: nil, count: 60), total: nil).contains { $0.contains("total –   min –   max –   last –") })
    }

    // MARK: Opening a row

    @Test func `an event opens with the current metric and closes again`() throws {
        var dashboard = try Self.shown("events", [.character("m"), .down, .down, .enter])
        #expect(targets(dashboard).first == "/v1/query/series?metric=users&event=add_to_cart&from=-59m&interval=minute")
        try dashboard.press(.escape, SampleSeries.all)
        #expect(targets(dashboard).first == "/v1/query/series?metric=users&from=-59m&interval=minute")
        #expect(DashboardView(dashboard).frame().lines.contains { $0.hasPrefix(" > add_to_cart") })
    }

    @Test func `the (other) row and values of other fields than name cannot be opened`() throws {
        for (place, keys) in [("events", [Key.end]), ("screens", [.end]), ("events", Self.byPlatform)] {
            #expect(!(try Self.shown(place, keys)).bindings.contains { $0.keys == [.enter] })
        }
        #expect(try Self.shown("events", [.character("b")] + Key.typing("name") + [.enter]).bindings.contains { $0.keys == [.enter] })
    }

    @Test func `a screen opens by its name, in which a bar is escaped`() throws {
        let opened = try Self.shown("screens", [.down, .enter])
        #expect(targets(opened).first == "/v1/query/series?metric=screen_views&filter=params.screen_name%3DProduct&from=-59m&interval=minute")
        let barred = try Self.shown("screens", [.down, .down, .down, .enter])
        #expect(targets(barred).first == "/v1/query/series?metric=screen_views&filter=params.screen_name%3DA%5C%7CB&from=-59m&interval=minute")
    }

    @Test func `rows are filtered and sorted, and (other) stays last`() throws {
        let found = try Self.shown("screens", [.character("/")] + Key.typing("pro") + [.enter])
        let rows = DashboardView(found).frame().lines.filter { $0.hasPrefix(" > ") || $0.hasPrefix("   ") && $0.contains("%") }
        #expect(rows.count == 1 && rows[0].hasPrefix(" > Product"))
        let sorted = try Self.shown("events", [.character("s"), .end], Size(120, 40))
        let last = DashboardView(sorted).frame().lines.last { $0.contains(" %") }
        #expect(last?.hasPrefix(" > (other)") == true)
    }

    // MARK: Exports

    @Test func `exports have the raw values`() throws {
        let screens = try Export(try Self.shown("screens", [])).sheet()
        #expect(
            screens.headings == ["screen", "views", "people"] && screens.rows.first == ["Home", "402", "120"]
                && screens.rows.last == ["(other)", "44", ""])
        let sessions = try Export(try Self.shown("sessions", [])).sheet()
        #expect(sessions.headings.contains("p90_seconds") && sessions.rows.count == 60)
        let values = try Export(try Self.shown("events", Self.byPlatform)).sheet()
        #expect(values.headings.starts(with: ["t", "android", "ios"]) && values.rows.count == 61)
    }
}
