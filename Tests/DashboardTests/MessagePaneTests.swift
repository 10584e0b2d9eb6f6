import Platform
import Terminal
import Testing

@testable import dashboard_cli

struct MessagePaneTests {
    /// A dashboard where keys were pressed one after the other, and everything was answered in between.
    static func shown(_ keys: Key..., size: Size = Size(80, 24), answers: [String: String] = SampleMessages.all()) throws -> Dashboard {
        var dashboard = try Dashboard.sample(size, answers: answers)
        for key in keys { try dashboard.press(key, answers) }
        return dashboard
    }

    static let ways: [(String, [Key])] = [
        ("topics", [.character("0")]), ("subscribers", [.character("0"), .enter]), ("messages", [.character("0"), .tab]),
        ("message", [.character("0"), .tab, .down, .enter]), ("message-deliveries", [.character("0"), .tab, .down, .enter, .down, .enter]),
        ("deliveries", [.character("0"), .tab, .tab]), ("delivery", [.character("0"), .tab, .tab, .enter]),
    ]

    @Test(arguments: ways, [Size(40, 12), Size(80, 24), Size(120, 40)])
    func `each pane in each size`(way: (name: String, keys: [Key]), size: Size) throws {
        var dashboard = try Dashboard.sample(size, answers: SampleMessages.all())
        for key in way.keys { try dashboard.press(key, SampleMessages.all()) }
        try GoldenFrame.check(DashboardView(dashboard).frame(), "\(way.name)-\(size.width)x\(size.height)")
    }

    @Test(arguments: [("topics", [Key.character("0")]), ("messages", [.character("0"), .tab]), ("deliveries", [.character("0"), .tab, .tab])])
    func `where there is nothing, before there are answers, and where there are none`(name: String, keys: [Key]) throws {
        try GoldenFrame.check(DashboardView(try Dashboard.sample(at: name, answers: SampleMessages.empty)).frame(), "\(name)-empty")
        try GoldenFrame.check(DashboardView(try Dashboard.sample(at: name, answers: SampleAnswers.all())).frame(), "\(name)-asking")
        var refused = try Dashboard.sample(Size(80, 24))
        for key in keys.dropLast() { _ = refused.handle(.screen(.key(key))) }
        for case .ask(let ask) in refused.handle(.screen(.key(keys.last ?? .tab))) {
            let trouble = Trouble(kind: .denied, what: "This key's role may not do this.", hint: "Use a key with the role read or send.")
            _ = refused.handle(.answered(ask.question, .failure(trouble), SampleAnswers.now))
        }
        try GoldenFrame.check(DashboardView(refused).frame(), "\(name)-refused")
    }

    @Test func `what is asked before it is done, and what a role may not`() throws {
        let answers = SampleMessages.all()
        try GoldenFrame.check(DashboardView(try Self.shown(.character("0"), .tab, .down, .character("R"))).frame(), "messages-sure")
        try GoldenFrame.check(DashboardView(try Self.shown(.character("0"), .tab, .tab, .character("R"))).frame(), "deliveries-sure")
        let reader = SampleMessages.all(role: "read")
        try GoldenFrame.check(
            DashboardView(try Self.shown(.character("0"), .tab, .tab, .character("R"), answers: reader)).frame(), "deliveries-denied")
        try GoldenFrame.check(
            DashboardView(try Self.shown(.character("0"), .tab, .tab, .character("?"), answers: answers)).frame(), "deliveries-help")
    }

    @Test func `no size breaks a frame, and nothing in the data reaches the terminal as it is`() throws {
        for (_, keys) in Self.ways {
            var dashboard = try Dashboard.sample(Size(80, 24), answers: SampleMessages.all())
            for key in keys + [.character("R")] { try dashboard.press(key, SampleMessages.all()) }
            for width in stride(from: 0, through: 130, by: 3) {
                for height in [5, 6, 7, 9, 12, 13, 20] {
                    _ = dashboard.handle(.screen(.resized(Size(width, height))))
                    let lines = DashboardView(dashboard).frame().lines
                    #expect(lines.count == height && lines.allSatisfy { $0.width <= width })
                    #expect(lines.allSatisfy { line in line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } })
                    #expect(!lines.contains { $0.contains("s3cret") || $0.contains("4cB0Yt7") })
                }
            }
        }
    }

    @Test func `a deed waits for a yes, and anything else is a no`() throws {
        var dashboard = try Self.shown(.character("0"), .tab, .tab, .character("R"))
        #expect(dashboard.asked != nil && dashboard.bindings.map(\.command) == [.quit, .yes, .back, .suspend])
        #expect(dashboard.handle(.screen(.key(.down))).isEmpty && dashboard.asked == nil)
        #expect(dashboard.handle(.screen(.key(.character("y")))).isEmpty)
        try dashboard.press(.character("R"), SampleMessages.all())
        guard case .perform(let deed)? = dashboard.handle(.screen(.key(.character("y")))).first else {
            Issue.record("nothing is done")
            return
        }
        #expect(deed.path == "/v1/deliveries/\(SampleMessages.id)_17/retry" && dashboard.asked == nil)
        let after = dashboard.handle(.done(.success("It is tried again.")))
        #expect(after.count == 3 && dashboard.notice?.text == "It is tried again.")
        _ = dashboard.handle(.tick(SampleAnswers.now + .seconds(11)))
        #expect(dashboard.notice == nil)
        _ = dashboard.handle(.done(.failure(Trouble(kind: .denied, what: "This key's role may not do this", hint: "Use another."))))
        #expect(dashboard.notice?.isTrouble == true && dashboard.notice?.text.contains("Use another.") == true)
    }

    @Test func `what is pointless, or not for the key's role, is not even asked`() throws {
        let reader = SampleMessages.all(role: "read")
        for dashboard in [
            try Self.shown(.character("0"), .tab, .tab, .character("R"), answers: reader),
            try Self.shown(.character("0"), .tab, .down, .character("R"), answers: reader),
            try Self.shown(.character("0"), .tab, .character("R")), try Self.shown(.character("0"), .tab, .tab, .end, .character("R")),
            try Self.shown(.character("0"), .tab, .tab, .down, .down, .character("R")),
        ] {
            #expect(dashboard.asked == nil && dashboard.notice?.isTrouble == true)
        }
        #expect(
            try Self.shown(.character("0"), .tab, .down, .character("R"), answers: SampleMessages.all(role: "admin")).asked?.path.hasSuffix(
                "/redrive")
                == true)
    }

    @Test func `what is opened is closed again, and the panes keep where they were`() throws {
        var dashboard = try Self.shown(.character("0"), .tab, .down, .enter, .down, .enter)
        #expect(dashboard.pane.title == "Deliveries")
        #expect(dashboard.asks.first?.question.target == "/v1/deliveries?limit=100&message=\(SampleMessages.id)&state=delivered")
        for title in ["Overview", "Deliveries"] {
            for key in title == "Overview" ? [Key.character("1")] : [.character("0"), .tab] { try dashboard.press(key, SampleMessages.all()) }
            #expect(dashboard.pane.title == title)
        }
        for title in ["Message", "Messages", "Messages"] {
            try dashboard.press(.escape, SampleMessages.all())
            #expect(dashboard.pane.title == title)
        }
        #expect(DashboardView(dashboard).frame().lines.contains { $0.hasPrefix(" > 12:27:58") })
        for title in ["Deliveries", "Quarantine", "System", "Overview"] {
            try dashboard.press(.tab, SampleMessages.all())
            #expect(dashboard.pane.title == title)
        }
        try dashboard.press(.character("0"), SampleMessages.all())
        #expect(dashboard.pane.title == "Topics")
    }

    @Test func `a state is chosen after the other, and topics in another order`() throws {
        var deliveries = try Self.shown(.character("0"), .tab, .tab, .character("f"))
        #expect(deliveries.asks.first?.question.target == "/v1/deliveries?limit=100&state=dead")
        for _ in 0..<9 { try deliveries.press(.character("f"), SampleMessages.all()) }
        #expect(deliveries.asks.first?.question.target == "/v1/deliveries?limit=100")
        var topics = try Self.shown(.character("0"))
        for first in ["$alerts.delivery", "sport", "news"] {
            try topics.press(.character("s"), SampleMessages.all())
            #expect(DashboardView(topics).frame().lines[4].contains(first))
        }
    }

    @Test func `the chosen row stays the same when others come, and its place when it goes`() {
        var choice = Choice()
        choice.move(.down, in: ["a", "b", "c"])
        #expect(choice.index(in: ["x", "y", "a", "b", "c"]) == 3 && choice.index(in: ["x", "a", "c"]) == 1 && choice.index(in: ["x"]) == 0)
        choice.move(.pageUp, in: ["a", "b", "c"])
        #expect(choice.index(in: ["new", "a", "b", "c"]) == 0 && choice.index(in: []) == nil)
        choice.move(.last, in: ["a", "b", "c"])
        #expect(choice.index(in: ["new", "a", "b", "c"]) == 3)
    }
}
