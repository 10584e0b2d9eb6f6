// SPDX-License-Identifier: Apache-2.0

import Platform
import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

/// Golden frames of the users, person, funnel and revenue panes.
struct PeoplePaneTests {
    private static let week = [Key.character("t")] + Key.typing("7d") + [.enter]

    static let ways: [(String, String, [Key])] = [
        ("users", "users", []), ("users-compared", "users", [.character("c")]), ("users-lifecycle", "users", [.character("v")]),
        ("users-retention", "users", [.character("v"), .character("v")]), ("person", "person ann", []),
        ("person-properties", "person ann", [.character("v")]), ("person-devices", "person ann", [.character("v"), .character("v")]),
        ("person-event", "person ann", [.end, .enter]), ("funnels", "funnels", []),
        ("user-list", "users", [.enter]), ("funnels-by", "funnels", [.character("b")] + Key.typing("context.platform") + [.enter]),
        ("funnels-adding", "funnels", [.character("a"), .character("s")]),
        ("revenue", "revenue", week), ("revenue-compared", "revenue", week + [.character("c")]),
    ]

    @Test(arguments: ways, [Size(80, 24), Size(120, 40)])
    func `each pane matches its golden frame at each size`(way: (name: String, place: String, keys: [Key]), size: Size) throws {
        let dashboard = try Dashboard.sample(at: way.place, way.keys, size, answers: SamplePeople.all())
        try GoldenFrame.check(DashboardView(dashboard).frame(), "\(way.name)-\(size.width)x\(size.height)")
    }

    @Test(arguments: [("users", "users"), ("person", "person ann"), ("funnels", "funnels"), ("revenue", "revenue")], [Size(80, 24), Size(120, 40)])
    func `an empty and a denied pane match their golden frames at each size`(pane: (name: String, place: String), size: Size) throws {
        let empty = try Dashboard.sample(at: pane.place, [], size, answers: SamplePeople.empty)
        try GoldenFrame.check(DashboardView(empty).frame(), "\(pane.name)-empty-\(size.width)x\(size.height)")
        // Only the queries of the pane fail.
        var refused = try Dashboard.sample(at: pane.place, [], size, answers: ["app": SampleResponses.app, "system": SampleResponses.system])
        let error = RequestError(kind: .denied, what: "This key's role may not do this.", hint: "Use a key with the role read.")
        for query in refused.pane.queries(refused.options) { _ = refused.handle(.received(query.request, .failure(error), SampleResponses.now)) }
        try GoldenFrame.check(DashboardView(refused).frame(), "\(pane.name)-refused-\(size.width)x\(size.height)")
    }

    @Test(arguments: ways) func `no size and no result overflows a frame, and control characters in data are replaced`(
        way: (name: String, place: String, keys: [Key])
    ) throws {
        for answers in [SamplePeople.all(), SamplePeople.empty] {
            var dashboard = try Dashboard.sample(at: way.place, way.keys, answers: answers)
            dashboard.expectStandsEverySize(widthsBy: 7)
        }
    }

    @Test func `the list of users is searched and filtered by the daemon, and opens a person`() throws {
        let typed = { (key: Character, text: String) in [.character(key)] + Key.typing(text) + [Key.enter] }
        var dashboard = try Dashboard.sample(at: "users", [.enter] + typed("/", "an") + typed("f", "user.tier=free"), answers: SamplePeople.all())
        let query = try #require(dashboard.pane.queries(dashboard.options).first)
        #expect(query.request.target == "/v1/users?limit=100&search=an&filter=user.tier%3Dfree")
        try dashboard.press(.character("v"), SamplePeople.all())
        #expect(dashboard.pane.queries(dashboard.options).first?.request.target.hasSuffix("&by=installation") == true)
        try dashboard.press(.character("v"), SamplePeople.all())
        try dashboard.press(.enter, SamplePeople.all())
        #expect(dashboard.pane is PersonPane)
    }

    @Test func `shares are shaded without colours`() throws {
        let dashboard = try Dashboard.sample(at: "users", [.character("v"), .character("v")], answers: SamplePeople.all())
        let shades = { (lines: [String]) in lines.contains { line in line.contains { "░▒▓█".contains($0) } } }
        #expect(shades(DashboardView(dashboard, .none).frame().lines) && !shades(DashboardView(dashboard).frame().lines))
    }

    @Test func `bars start at zero in both directions and fit any values`() {
        for values in [[], [0], [-1], [3, -3], [0, 0, 0], [1e15, -1], [-1e15, 0.001], Array(repeating: -2.5, count: 400)] as [[Double]] {
            for (width, height) in [(1, 1), (4, 2), (10, 3), (40, 9), (130, 30)] {
                var frame = Frame(Size(width, height))
                SignedBars(values, from: "Mon 1", to: "now").draw(in: frame.bounds, on: &frame, .plain, below: .plain, open: .plain, axis: .plain)
                #expect(frame.lines.allSatisfy { $0.width <= width })
            }
        }
        var frame = Frame(Size(14, 7))
        SignedBars([4, 0, -2], from: "a", to: "b", isLastOpen: true)
            .draw(in: frame.bounds, on: &frame, .plain, below: .bold, open: Style(.standard, .dim), axis: .plain)
        #expect(frame[3, 1].style == .plain && frame[11, 5].style == Style(.standard, .dim))
        #expect(frame.lines == [" 4 ███", "   ███", "   ███", " 0 ███", "           ███", "−2         ███", "   a         b"])
    }
}
