// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform
import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

struct MessagePaneTests {
    /// A dashboard after these keys, with every query answered in between.
    static func shown(_ keys: Key..., size: Size = Size(80, 24), answers: [String: String] = SampleMessages.all()) throws -> Dashboard {
        try .sample(pressing: keys, size, answers: answers)
    }

    static let ways: [(String, [Key])] = [
        ("topics", [.character("0")]), ("subscribers", [.character("0"), .enter]), ("messages", [.character("0"), .tab]),
        ("message", [.character("0"), .tab, .down, .enter]), ("message-deliveries", [.character("0"), .tab, .down, .enter, .down, .enter]),
        ("deliveries", [.character("0"), .tab, .tab]), ("delivery", [.character("0"), .tab, .tab, .enter]),
    ]

    @Test(arguments: ways, [Size(40, 12), Size(80, 24), Size(120, 40)])
    func `each pane matches its golden frame at each size`(way: (name: String, keys: [Key]), size: Size) throws {
        let dashboard = try Dashboard.sample(pressing: way.keys, size, answers: SampleMessages.all())
        try GoldenFrame.check(DashboardView(dashboard).frame(), "\(way.name)-\(size.width)x\(size.height)")
    }

    @Test(arguments: [("topics", [Key.character("0")]), ("messages", [.character("0"), .tab]), ("deliveries", [.character("0"), .tab, .tab])])
    func `an empty, a loading and a denied pane match their golden frames`(name: String, keys: [Key]) throws {
        try GoldenFrame.check(DashboardView(try Dashboard.sample(at: name, answers: SampleMessages.empty)).frame(), "\(name)-empty")
        try GoldenFrame.check(DashboardView(try Dashboard.sample(at: name, answers: SampleResponses.all())).frame(), "\(name)-asking")
        var refused = try Dashboard.sample(Size(80, 24))
        for key in keys.dropLast() { _ = refused.handle(.screen(.key(key))) }
        for case .send(let query) in refused.handle(.screen(.key(keys.last ?? .tab))) {
            let error = RequestError(kind: .denied, what: "This key's role may not do this.", hint: "Use a key with the role read or send.")
            _ = refused.handle(.received(query.request, .failure(error), SampleResponses.now))
        }
        try GoldenFrame.check(DashboardView(refused).frame(), "\(name)-refused")
    }

    @Test func `confirmations and denied actions match their golden frames`() throws {
        let answers = SampleMessages.all()
        try GoldenFrame.check(DashboardView(try Self.shown(.character("0"), .tab, .down, .character("R"))).frame(), "messages-sure")
        try GoldenFrame.check(DashboardView(try Self.shown(.character("0"), .tab, .tab, .character("R"))).frame(), "deliveries-sure")
        let reader = SampleMessages.all(role: "read")
        try GoldenFrame.check(
            DashboardView(try Self.shown(.character("0"), .tab, .tab, .character("R"), answers: reader)).frame(), "deliveries-denied")
        try GoldenFrame.check(
            DashboardView(try Self.shown(.character("0"), .tab, .tab, .character("?"), answers: answers)).frame(), "deliveries-help")
    }

    @Test func `a cancelled scheduled message is never shown as sent`() throws {
        var answers = SampleMessages.all()
        answers["messages"] = answers["messages"]?.replacing(#""stage": "scheduled""#, with: #""stage": "cancelled""#)
        answers["message"] = answers["message"]?.replacing(#""stage": "spreading""#, with: #""stage": "cancelled""#)
            .replacing(#""sent_at": "2026-11-21T11:27:58Z""#, with: #""send_at": "2026-11-22T08:00:00Z""#)
        let list = try Self.shown(.character("0"), .tab, size: Size(120, 40), answers: answers)
        #expect(DashboardView(list).frame().lines.contains { $0.contains("never") && $0.contains("autumn") })
        #expect(try Export(list).sheet().rows.map { $0[0].isEmpty } == [true, false, false, false])
        let one = try Self.shown(.character("0"), .tab, .down, .enter, size: Size(120, 40), answers: answers)
        #expect(DashboardView(one).frame().lines.contains { $0.contains("not sent; was scheduled for") })
    }

    @Test func `no size overflows a frame, and control characters and secrets are not shown`() throws {
        for (_, keys) in Self.ways {
            var dashboard = try Dashboard.sample(Size(80, 24), answers: SampleMessages.all())
            for key in keys + [.character("R")] { try dashboard.press(key, SampleMessages.all()) }
            dashboard.expectStandsEverySize(widthsBy: 5, hiding: ["s3cret", "4cB0Yt7"])
        }
    }

    @Test func `a pointless or unauthorized retry asks for no confirmation`() throws {
        let reader = SampleMessages.all(role: "read")
        for dashboard in [
            try Self.shown(.character("0"), .tab, .tab, .character("R"), answers: reader),
            try Self.shown(.character("0"), .tab, .down, .character("R"), answers: reader),
            try Self.shown(.character("0"), .tab, .character("R")), try Self.shown(.character("0"), .tab, .tab, .end, .character("R")),
            try Self.shown(.character("0"), .tab, .tab, .down, .down, .character("R")),
        ] {
            #expect(dashboard.pendingAction == nil && dashboard.notice?.isError == true)
        }
        #expect(
            try Self.shown(.character("0"), .tab, .down, .character("R"), answers: SampleMessages.all(role: "admin")).pendingAction?.path.hasSuffix(
                "/redrive")
                == true)
    }

    @Test func `back closes opened panes, and panes keep their selection`() throws {
        var dashboard = try Self.shown(.character("0"), .tab, .down, .enter, .down, .enter)
        #expect(dashboard.pane.title == "Deliveries")
        #expect(dashboard.queries.first?.request.target == "/v1/deliveries?limit=100&message=\(SampleMessages.id)&state=delivered")
        for title in ["Overview", "Deliveries"] {
            for key in title == "Overview" ? [Key.character("1")] : [.character("0"), .tab] { try dashboard.press(key, SampleMessages.all()) }
            #expect(dashboard.pane.title == title)
        }
        for title in ["Message", "Messages", "Messages"] {
            try dashboard.press(.escape, SampleMessages.all())
            #expect(dashboard.pane.title == title)
        }
        #expect(DashboardView(dashboard).frame().lines.contains { $0.hasPrefix(" > 12:27:58") })
        let titles = PaneList.tabs.map(\.title)
        for title in titles.drop(while: { $0 != "Deliveries" }) + titles.prefix(1) {
            try dashboard.press(.tab, SampleMessages.all())
            #expect(dashboard.pane.title == title)
        }
        try dashboard.press(.character("0"), SampleMessages.all())
        #expect(dashboard.pane.title == "Topics")
    }

    @Test func `f cycles delivery states, and s cycles the topics' order`() throws {
        var deliveries = try Self.shown(.character("0"), .tab, .tab, .character("f"))
        #expect(deliveries.queries.first?.request.target == "/v1/deliveries?limit=100&state=dead")
        for _ in 0..<9 { try deliveries.press(.character("f"), SampleMessages.all()) }
        #expect(deliveries.queries.first?.request.target == "/v1/deliveries?limit=100")
        var topics = try Self.shown(.character("0"))
        for first in ["$alerts.delivery", "sport", "news"] {
            try topics.press(.character("s"), SampleMessages.all())
            #expect(DashboardView(topics).frame().lines[4].contains(first))
        }
    }

    @Test func `a selection follows its row, or keeps its place when the row disappears`() {
        var selection = Selection()
        selection.move(.down, in: ["a", "b", "c"])
        #expect(selection.index(in: ["x", "y", "a", "b", "c"]) == 3 && selection.index(in: ["x", "a", "c"]) == 1 && selection.index(in: ["x"]) == 0)
        selection.move(.pageUp, in: ["a", "b", "c"])
        #expect(selection.index(in: ["new", "a", "b", "c"]) == 0 && selection.index(in: []) == nil)
        selection.move(.last, in: ["a", "b", "c"])
        #expect(selection.index(in: ["new", "a", "b", "c"]) == 3)
    }

    // MARK: Test messages

    private static func typed(_ text: String) -> [Key] { Key.typing(text) }

    @Test func `a test message asks for topic, title and confirmation`() throws {
        let answers = SampleMessages.all()
        var dashboard = try Dashboard.sample(at: "messages", [.character("T")] + Self.typed("ne"), answers: answers)
        try GoldenFrame.check(DashboardView(dashboard).frame(), "messages-topic")
        for key in [Key.tab, .enter] + Self.typed("Hello \"you\"") + [.enter] { try dashboard.press(key, answers) }
        try GoldenFrame.check(DashboardView(dashboard).frame(), "messages-test-sure")
        guard case .perform(let action)? = dashboard.handle(.screen(.key(.character("y")))).first else {
            Issue.record("no message is sent")
            return
        }
        #expect(action.method == "POST" && action.path == "/v1/messages")
        #expect(String(decoding: action.body, as: UTF8.self) == #"{"topic":"news","label":"test","notification":{"title":"Hello \"you\""}}"#)
        #expect(try action.outcome(Array(#"{"id": "msg_1", "audience": 1}"#.utf8)) == "Sent to 1 device.")
        let topics = try Dashboard.sample(at: "topics", [.down, .character("T")] + Self.typed("x") + [.enter], answers: answers)
        #expect(topics.pendingAction?.confirmation == "Send «x» to 40,110 devices of the topic sport?")
        let subscribers = try Dashboard.sample(at: "topic news", [.character("T")] + Self.typed("x") + [.enter], answers: answers)
        #expect(subscribers.pendingAction?.confirmation.contains("120,481 devices of the topic news") == true)
    }

    @Test func `a test message without audience or permission asks for no confirmation`() throws {
        let test = Key.character("T")
        for (place, keys, role) in [
            ("messages", [test], "read"), ("topics", [test], "read"), ("topics", [.end, test], "send"),
            ("messages", [test] + Self.typed("nobody-here") + [.enter], "send"), ("messages", [test, .enter], "send"),
            ("messages", [test] + Self.typed("$alerts.delivery") + [.enter], "admin"),
            ("messages", [test] + Self.typed("news") + [.enter] + Self.typed("  ") + [.enter], "send"),
        ] {
            let dashboard = try Dashboard.sample(at: place, keys, answers: SampleMessages.all(role: role))
            #expect(dashboard.pendingAction == nil && dashboard.prompt == nil && dashboard.notice?.isError == true, "\(place) \(keys)")
        }
    }

    // MARK: Lists

    @Test(arguments: [
        ("topics", "WEATHER", 1, 3), ("topic news", "android", 1, 3), ("messages", "receipt", 1, 4), ("deliveries", "timed out or not", 0, 5),
        ("deliveries", "could_not", 1, 5),
    ])
    func `a text filters rows while it is typed, and exports are filtered too`(place: String, text: String, left: Int, all: Int) throws {
        let answers = SampleMessages.all(role: "admin")
        var dashboard = try Dashboard.sample(at: place, answers: answers)
        #expect(try Export(dashboard).sheet().rows.count == (place == "topics" ? 5 : all))
        for key in [Key.character("/")] + Self.typed(text) { try dashboard.press(key, answers) }
        #expect(try Export(dashboard).sheet().rows.count == left)
        try dashboard.press(.enter, answers)
        #expect(DashboardView(dashboard).frame().lines.contains { $0.contains("«\(text)»") })
        try dashboard.press(.escape, answers)
        #expect(dashboard.bindings.contains(.find))
    }

    @Test func `an export has full numbers and times and no secrets`() throws {
        func csv(_ place: String, _ keys: [Key] = []) throws -> String {
            try Export(try Dashboard.sample(at: place, keys, answers: SampleMessages.all(role: "admin"))).sheet().csv
        }
        #expect(try csv("topics").hasPrefix("topic,subscribers,created_at\r\nnews,120481,2026-10-30T06:12:09.500Z\r\n"))
        #expect(try csv("topics", [.character("s")]).contains("created_at\r\n$alerts.delivery,2,"))
        let messages = try csv("messages")
        #expect(messages.contains("2026-11-21T11:27:58.000Z,\(SampleMessages.id),news,breaking,,spreading,120481,118700,310,40,1200,88,9,0,0,4\r\n"))
        let deliveries = try csv("deliveries")
        #expect(deliveries.contains(",dead,8,fcm1…9Zk2,push.example.com,,could_not_connect\r\n"))
        let devices = try csv("topic news")
        #expect(devices.contains(",disabled,false,android,push.example.com,2026-11-18T07:00:00.000Z,,\r\n"))
        for text in [messages, deliveries, devices] { #expect(!text.contains("s3cret") && !text.contains("4cB0Yt7")) }
    }

    @Test func `data keys of a message keep their spelling`() throws {
        let answers = SampleMessages.all().mapValues { $0.replacing("\"article\"", with: "\"article_id\"") }
        let lines = DashboardView(try Self.shown(.character("0"), .tab, .down, .enter, answers: answers)).frame().lines
        #expect(lines.contains { $0.contains("article_id=17") })
    }
}
