// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

/// Keys and queries of the users, person, funnel and revenue panes.
struct PeopleUpdateTests {
    private let answers = SamplePeople.all()

    private func targets(_ dashboard: Dashboard) -> [String] {
        (dashboard.pane.queries(dashboard.options) + dashboard.pane.followUps(dashboard.view)).map(\.request.target)
    }

    private func shown(_ place: String, _ keys: [Key] = []) throws -> Dashboard { try Dashboard.sample(at: place, keys, answers: answers) }

    private func lines(_ dashboard: Dashboard) -> [String] { DashboardView(dashboard).frame().lines }

    // MARK: Users

    @Test func `users queries cover at least a week, with longer intervals for longer ranges`() throws {
        var dashboard = try shown("users")
        #expect(
            targets(dashboard) == [
                "/v1/query/active-users?from=-6d", "/v1/query/lifecycle?from=-6d&interval=day", "/v1/query/retention?from=-6d&interval=day&periods=7",
            ])
        for (range, from, interval, periods) in [
            ("72h", "-6d", "day", 7), ("14d", "-13d", "day", 12), ("30d", "-29d", "week", 6), ("365d", "-364d", "month", 12),
            ("1000d", "-399d", "month", 12),
        ] {
            for key in [.character("t")] + Key.typing(range) + [.enter] { try dashboard.press(key, answers) }
            #expect(targets(dashboard).last == "/v1/query/retention?from=\(from)&interval=\(interval)&periods=\(periods)")
        }
    }

    @Test func `the previous period is queried only while comparing, and the current view is exported`() throws {
        var dashboard = try shown("users", [.character("c")])
        #expect(targets(dashboard).last == "/v1/query/active-users?from=-13d&to=-7d")
        #expect(lines(dashboard).contains { $0.contains("before 177 per day, now ▲ 12 %") })
        try dashboard.press(.character("c"), answers)
        #expect(targets(dashboard).count == 3)
        #expect(try Export(dashboard).sheet().headings.contains("stickiness"))
        try dashboard.press(.character("v"), answers)
        #expect(try Export(dashboard).sheet().headings == ["t", "new", "returning", "resurrecting", "dormant"])
    }

    @Test func `a person is opened by an ID, and an empty ID is an error`() throws {
        let id = [Key.character("/")] + Key.typing(" a/b c ") + [.enter]
        #expect(targets(try shown("users", id)) == ["/v1/users/a%2Fb%20c?limit=100"])
        let installation = [Key.character("/")] + Key.typing("installation phone") + [.enter]
        #expect(targets(try shown("users", installation)) == ["/v1/users/phone?by=installation&limit=100"])
        let nobody = try shown("users", [.character("/"), .character(" "), .enter])
        #expect(nobody.pane.title == "Users" && nobody.notice?.isError == true)
    }

    // MARK: One person

    @Test func `a timeline entry opens its event, issue, message or device`() throws {
        let event = try shown("person ann", [.end, .enter])
        #expect(event.pane.title == "Event")
        #expect(lines(event).contains { $0.hasSuffix("\"seq\": 3300,") })
        #expect(targets(try shown("person ann", [.down, .enter])).first == "/v1/issues/iss_7Qk2")
        #expect(targets(try shown("person ann", [.down, .down, .enter])).first == "/v1/messages/msg_2fZq")
        let device = try shown("person ann", [.character("v"), .character("v"), .down, .enter])
        #expect(targets(device) == ["/v1/users/kitchen%20tablet?by=installation&limit=100"])
        #expect(try shown("person ann", [.character("v"), .enter]).pane.title == "Property")
    }

    @Test func `at the end of the timeline more entries are loaded, and the shown ones stay meanwhile`() throws {
        var dashboard = try shown("person ann")
        let actions = dashboard.handle(.screen(.key(.end)))
        #expect(targets(dashboard) == ["/v1/users/ann?limit=100", "/v1/users/ann?limit=100&after=3300.7.17"] && actions.count == 1)
        #expect(lines(dashboard).contains { $0.contains("search") })
        var more = answers
        more["person_2"] = SamplePeople.person.replacing("mug, blue", with: "cup").replacing("3300", with: "3200")
        try dashboard.answer(actions, more, at: SampleResponses.now)
        #expect(lines(dashboard).contains { $0.contains("term=cup") } && lines(dashboard).contains { $0.contains("term=mug, blue") })
    }

    @Test func `timeline entries are found by text at any width`() throws {
        var dashboard = try shown("person ann", [.character("/")] + Key.typing("IPHONE"))
        #expect(lines(dashboard).contains { $0.contains("search") } && !lines(dashboard).contains { $0.contains("fatal crash") })
        for key in [.control("u")] + Key.typing("sofa") + [.enter] { try dashboard.press(key, answers) }
        #expect(lines(dashboard).contains { $0.contains("No match for «sofa».") } && targets(dashboard).count == 1)
        try dashboard.press(.character("G"), answers)
        #expect(targets(dashboard).last == "/v1/users/ann?limit=100&after=3300.7.17")
    }

    @Test func `an unknown person gets a hint`() throws {
        for (place, hint) in [("person bob", ":person installation"), ("person installation bob", "the user ID")] {
            var dashboard = try Dashboard.sample(at: place, [], Size(120, 40), answers: ["app": SampleResponses.app])
            let unknown = RequestError(kind: .unknown, what: "Nothing is known of this person.")
            for query in dashboard.pane.queries(dashboard.options) {
                _ = dashboard.handle(.received(query.request, .failure(unknown), SampleResponses.now))
            }
            #expect(lines(dashboard).contains { $0.contains("«bob» not found") && $0.contains(hint) })
        }
    }

    @Test func `an exported timeline has full times and parameters`() throws {
        let sheet = try Export(try shown("person ann")).sheet()
        #expect(sheet.headings.count == 8 && sheet.rows.count == 6)
        #expect(
            sheet.rows[0] == [
                "2026-11-21T11:27:58.000Z", "2026-11-21T11:27:58.000Z", "purchase", "", "s-2026-11-21-0003", "e-4711",
                "currency=EUR transaction_id=A-17 value=19.99", "",
            ])
        #expect(sheet.rows[2] == ["2026-11-21T11:22:00.000Z", "", "", "", "", "msg_2fZq_17", "", "msg_2fZq"])
    }

    // MARK: Funnels

    private func steps(_ dashboard: Dashboard) -> [String] {
        let funnel = dashboard.pane.queries(dashboard.options).first { $0.name == "funnel" }
        return funnel.map { $0.request.parameters.filter { $0.name == "steps" }.map(\.value) } ?? []
    }

    @Test func `steps are inserted, edited, moved and removed`() throws {
        var dashboard = try shown("funnels")
        #expect(steps(dashboard) == ["session_start", "screen_view", "purchase"])
        let typed: [(keys: [Key], steps: [String])] = [
            ([.character("a")] + Key.typing("add") + [.tab, .enter], ["session_start", "add_to_cart", "screen_view", "purchase"]),
            ([.character(">")], ["session_start", "screen_view", "add_to_cart", "purchase"]),
            ([.enter] + Key.typing(";params.n>=3") + [.enter], ["session_start", "screen_view", "add_to_cart;params.n>=3", "purchase"]),
            ([.character("<"), .character("<"), .character("<")], ["add_to_cart;params.n>=3", "session_start", "screen_view", "purchase"]),
            ([.end, .character(">"), .character("d")], ["add_to_cart;params.n>=3", "session_start", "screen_view"]),
            ([.character("a")] + Key.typing("odd") + [.tab, .enter], ["add_to_cart;params.n>=3", "session_start", "screen_view", "odd;;name"]),
            ([.enter, .control("u"), .enter], ["add_to_cart;params.n>=3", "session_start", "screen_view", "odd;;name"]),
            ([.character("a")] + Key.typing("x") + [.escape], ["add_to_cart;params.n>=3", "session_start", "screen_view", "odd;;name"]),
        ]
        for (keys, wanted) in typed {
            for key in keys { try dashboard.press(key, answers) }
            #expect(steps(dashboard) == wanted)
        }
    }

    @Test func `fewer than two steps send no query and show a hint`() throws {
        var dashboard = try shown("funnels", [.character("d"), .character("d")])
        #expect(steps(dashboard).isEmpty && dashboard.pane.queries(dashboard.options).map(\.name) == ["event_names"])
        #expect(lines(dashboard).contains { $0.contains("at least two steps: a adds one. Events: screen_view,") })
        #expect(try Export(dashboard).sheet() == Sheet(["event"], [["purchase"]]))
        try dashboard.press(.character("d"), answers)
        for key in [.character("a")] + Key.typing("first_open") + [.enter, .character("a")] + Key.typing("search") + [.enter] {
            try dashboard.press(key, answers)
        }
        #expect(steps(dashboard) == ["first_open", "search"])
    }

    @Test func `the number of steps has the daemon's limit`() throws {
        var dashboard = try shown("funnels")
        for _ in 0..<25 { for key in [.character("a")] + Key.typing("x") + [.enter] { try dashboard.press(key, answers) } }
        try dashboard.press(.character("a"), answers)
        #expect(steps(dashboard).count == FunnelQuery.stepsLimit && dashboard.prompt == nil && dashboard.notice?.isError == true)
    }

    @Test func `order and window are set, and an invalid window is rejected`() throws {
        var dashboard = try shown("funnels", [.character("m"), .character("w")] + Key.typing("2h") + [.enter])
        let end = "&window=2h&order=strict&from=-59m"
        #expect(targets(dashboard).first?.hasSuffix(end) == true)
        for text in ["0d", "soon", "367d", ""] {
            for key in [.character("w")] + Key.typing(text) + [.enter] { try dashboard.press(key, answers) }
            #expect(targets(dashboard).first?.hasSuffix(end) == true && dashboard.notice?.isError == true)
        }
    }

    @Test func `the daemon's error is shown below the steps, which can be edited`() throws {
        var dashboard = try shown("funnels")
        for key in [.enter] + Key.typing(";value") { try dashboard.press(key, answers) }
        let error = RequestError(kind: .rejected, what: "steps must be a field, one of = != and a value.", hint: "From 2 to 20 steps.")
        for case .send(let query) in dashboard.handle(.screen(.key(.enter))) {
            _ = dashboard.handle(.received(query.request, .failure(error), SampleResponses.now))
        }
        try GoldenFrame.check(DashboardView(dashboard).frame(), "funnels-wrong")
        for key in [Key.enter] + [Key](repeating: .backspace, count: 6) + [.enter] { try dashboard.press(key, answers) }
        #expect(steps(dashboard).first == "session_start" && lines(dashboard).contains { $0.contains("Completed: 103 people of 1,980") })
    }

    // MARK: Revenue

    @Test func `revenue compares complete days, and an incomplete one is marked`() throws {
        let dashboard = try shown("revenue", [.character("t")] + Key.typing("7d") + [.enter, .character("c")])
        let lines = lines(dashboard)
        #expect(lines.contains { $0.contains("comparing complete days") } && lines.contains { $0.contains("now, in progress") })
        let euros = try #require(lines.first { $0.contains("EUR  ") })
        #expect(euros.contains("▲ 18 %"), "\(euros)")
    }

    @Test func `revenue is queried by day from three days on, with the previous period while comparing`() throws {
        var dashboard = try shown("revenue")
        #expect(targets(dashboard).first == "/v1/query/revenue?from=-59m&interval=minute")
        for (range, target) in [("24h", "from=-23h&interval=hour"), ("3d", "from=-2d&interval=day"), ("90d", "from=-89d&interval=day")] {
            for key in [.character("t")] + Key.typing(range) + [.enter] { try dashboard.press(key, answers) }
            #expect(targets(dashboard).first == "/v1/query/revenue?\(target)")
        }
        try dashboard.press(.character("c"), answers)
        #expect(targets(dashboard).last == "/v1/query/revenue?from=-179d&to=-91d&interval=day")
    }

    @Test func `the selected currency is charted and broken down by the selected field`() throws {
        var dashboard = try shown("revenue", [.down])
        #expect(lines(dashboard).contains { $0.contains("Net JPY") } && lines(dashboard).contains { $0.contains("JPY by context.country") })
        for key in [.character("b")] + Key.typing("params.item_n") + [.tab, .enter] { try dashboard.press(key, answers) }
        #expect(targets(dashboard)[1] == "/v1/query/top?field=params.item_name&metric=revenue&from=-59m&interval=minute&limit=20")
    }

    @Test(arguments: [
        (0, "0.00", "0.00"), (1, "0.000001", "0.00"), (-5_000, "−0.005", "−0.01"), (1_000_000, "1.00", "1.00"), (-46_405_000, "−46.405", "−46.41"),
        (Int64.max, "9,223,372,036,854.775807", "9,223,372,036,854.78"), (.min, "−9,223,372,036,854.775808", "−9,223,372,036,854.78"),
        (1_234_567_890_000, "1,234,567.89", "1,234,567.89"), (999_999, "0.999999", "1.00"),
    ]) func `money is printed exactly or rounded to cents`(millionths: Int64, exact: String, cents: String) {
        #expect(DecimalText(millionths).exact == exact && DecimalText(millionths).cents == cents)
    }
}
