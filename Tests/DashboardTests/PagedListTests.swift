// SPDX-License-Identifier: Apache-2.0

import Platform
import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

/// Lists that go on behind their first page.
struct PagedListTests {
    /// A page of messages whose numbers fall, as the daemon lists them.
    private static func page(_ numbers: ClosedRange<Int>, next: String?) -> String {
        let items = numbers.reversed().map { number in
            let time = Timestamp(milliseconds: 1_795_000_000_000 + Int64(number) * 1_000).rfc3339
            return """
                {"id": "msg_\(number)", "target": {"topic": "news"}, "label": "label \(number)", "priority": "normal", "stage": "over",
                 "created_at": "\(time)", "sent_at": "\(time)", "expires_at": "\(time)", "audience": 3, "counts": {"delivered": 3}}
                """
        }
        return #"{"items": [\#(items.joined(separator: ","))]\#(next.map { #", "next": "\#($0)""# } ?? "")}"#
    }

    private static var answers: [String: String] {
        SampleMessages.all().merging(["messages": page(201...300, next: "201"), "messages_2": page(101...200, next: "101")]) { $1 }
    }

    private static func shown(_ keys: [Key] = [], answers: [String: String] = answers) throws -> Dashboard {
        try .sample(at: "messages", keys, Size(120, 40), answers: answers)
    }

    private static func targets(_ dashboard: Dashboard) -> [String] {
        dashboard.queries.map(\.request.target).filter { $0.hasPrefix("/v1/messages") }
    }

    private static func title(_ dashboard: Dashboard) -> String { DashboardView(dashboard).frame().lines[2] }

    @Test func `scrolling to the end loads the next page, and no page twice`() throws {
        var dashboard = try Self.shown(Array(repeating: .down, count: 89))
        #expect(Self.targets(dashboard) == ["/v1/messages?limit=100"] && Self.title(dashboard).contains("the newest 100 · by time"))
        try dashboard.press(.down, Self.answers)
        #expect(Self.targets(dashboard) == ["/v1/messages?limit=100", "/v1/messages?limit=100&after=201"])
        #expect(Self.title(dashboard).contains("the newest 200"))
        try dashboard.press(.end, Self.answers.filter { $0.key != "messages_3" })
        #expect(Self.targets(dashboard).last == "/v1/messages?limit=100&after=101" && Self.title(dashboard).contains("the newest 200, loading"))
        for _ in 0..<5 { try dashboard.press(.end, Self.answers) }
        #expect(Self.targets(dashboard).count == 3)
        #expect(DashboardView(dashboard).frame().lines.contains { $0.contains(" > ") && $0.contains("label 101 ") })
        let last = try #require(dashboard.queries.first { $0.name == "messages_3" })
        let body = Array(Self.page(51...100, next: nil).utf8)
        _ = dashboard.handle(.received(last.request, .success(try last.decode(body)), SampleResponses.now))
        #expect(Self.title(dashboard).contains(" 250 · by time"))
        try dashboard.press(.end, Self.answers)
        #expect(Self.targets(dashboard).count == 3 && DashboardView(dashboard).frame().lines.contains { $0.contains("label 51 ") })
        #expect(try Export(dashboard).sheet().rows.count == 250)
    }

    @Test func `when the first page moves on, the pages behind it follow, and no row is lost or doubled`() throws {
        var dashboard = try Self.shown([.end])
        #expect(Self.title(dashboard).contains("the newest 200"))
        // Three messages arrive: the first page ends three rows earlier.
        let time = SampleResponses.now + .seconds(10)
        let moved = Self.answers.merging(["messages": Self.page(204...303, next: "204")]) { $1 }
        var late = dashboard.handle(.tick(time))
        try dashboard.answer(late, moved.filter { $0.key != "messages_2" }, at: time)
        #expect(Self.targets(dashboard).last == "/v1/messages?limit=100&after=204")
        // Until the second page arrives, its old rows are shown.
        #expect(try Export(dashboard).sheet().rows.count == 200)
        late = dashboard.handle(.tick(time + .seconds(100)))
        let second = try #require(dashboard.queries.first { $0.name == "messages_2" })
        let body = Array(Self.page(104...203, next: "104").utf8)
        _ = dashboard.handle(.received(second.request, .success(try second.decode(body)), time))
        let ids = try Export(dashboard).sheet().rows.map { $0[1] }
        #expect(ids == (104...303).reversed().map { "msg_\($0)" })
    }

    @Test func `a row that has moved to the first page is not listed twice meanwhile`() throws {
        var dashboard = try Self.shown([.end])
        let first = try #require(dashboard.queries.first { $0.name == "messages" })
        // The newest message is gone, so that the first page ends with the first row of the second.
        let body = Array(Self.page(200...299, next: "200").utf8)
        _ = dashboard.handle(.received(first.request, .success(try first.decode(body)), SampleResponses.now))
        #expect(try Export(dashboard).sheet().rows.map { $0[1] } == (101...299).reversed().map { "msg_\($0)" })
    }

    @Test func `a page whose cursor has moved is sent at once`() throws {
        var dashboard = try Self.shown([.end])
        let time = SampleResponses.now + .seconds(10)
        _ = dashboard.handle(.tick(time))
        let first = try #require(dashboard.queries.first { $0.name == "messages" })
        let second = try #require(dashboard.queries.first { $0.name == "messages_2" })
        _ = dashboard.handle(.received(second.request, .success(try second.decode(Array(Self.page(101...200, next: "101").utf8))), time))
        let body = Array(Self.page(204...303, next: "204").utf8)
        let sent = dashboard.handle(.received(first.request, .success(try first.decode(body)), time)) + dashboard.handle(.tick(time))
        let targets = sent.compactMap { if case .send(let query) = $0 { query.request.target } else { nil } }
        #expect(targets.contains("/v1/messages?limit=100&after=204"))
    }

    @Test func `more pages are sent less often each`() throws {
        let seconds = { (dashboard: Dashboard) in dashboard.queries.filter { $0.name.hasPrefix("messages") }.map { $0.every.milliseconds / 1_000 } }
        #expect(seconds(try Self.shown()) == [2])
        #expect(seconds(try Self.shown([.end])) == [4, 4])
    }

    @Test func `a page that cannot be loaded is named in the title, and the loaded rows stay`() throws {
        var dashboard = try Self.shown([.end], answers: Self.answers.filter { $0.key != "messages_2" })
        let second = try #require(dashboard.queries.first { $0.name == "messages_2" })
        _ = dashboard.handle(.received(second.request, .failure(RequestError(kind: .busy, what: "Too many requests")), SampleResponses.now))
        #expect(Self.title(dashboard).contains("the newest 100, Too many requests"))
        #expect(try Export(dashboard).sheet().rows.count == 100)
    }

    @Test func `a list keeps at most two thousand rows`() throws {
        var answers = Self.answers
        for number in 1...25 {
            let first = 10_000 - number * 100
            answers[number == 1 ? "messages" : "messages_\(number)"] = Self.page(first + 1...first + 100, next: "\(first + 1)")
        }
        let dashboard = try Self.shown(Array(repeating: .end, count: 40), answers: answers)
        #expect(Self.targets(dashboard).count == 20 && Self.title(dashboard).contains("the newest 2,000 · by time"))
        #expect(try Export(dashboard).sheet().rows.count == 2_000)
        dashboard.pane.sheetPages(dashboard.view).map { #expect($0.query("7").request.target == "/v1/messages?limit=500&after=7") }
    }

    @Test func `a search without a match loads older rows, and another filter starts over`() throws {
        var dashboard = try Self.shown([.character("/")] + Key.typing("label 150 ") + [.enter])
        #expect(Self.targets(dashboard).count == 1 && DashboardView(dashboard).frame().lines.contains { $0.contains("No match for") })
        dashboard = try Self.shown([.character("/")] + Key.typing("label 150") + [.enter, .down])
        #expect(Self.targets(dashboard).count == 2 && DashboardView(dashboard).frame().lines.contains { $0.contains("label 150") })
        let issues = #"{"items": [], "next": "9.9"}"#
        var crashes = try Dashboard.sample(at: "crashes", [.end], answers: SampleCrashes.all())
        #expect(crashes.queries.map(\.request.target).contains("/v1/issues?limit=100&sort=last_seen&state=open&after=5"))
        try crashes.press(.character("f"), SampleCrashes.all().merging(["issues": issues]) { $1 })
        #expect(crashes.queries.filter { $0.name.hasPrefix("issues") }.map(\.request.target) == ["/v1/issues?limit=100&sort=last_seen&state=closed"])
    }

    @Test(arguments: ["issue \(SampleCrashes.id)", "crashes", "deliveries", "quarantine", "topics", "topic news", "person ann"])
    func `every list follows its cursor`(place: String) throws {
        var answers = SampleCrashes.all().merging(SampleMessages.all()) { $1 }.merging(SamplePeople.all()) { a, _ in a }
        answers.merge(SampleSystem.all()) { a, _ in a }
        for (name, answer) in answers where answer.contains(#""items": ["#) && !answer.contains(#""next""#) {
            answers[name] = answer.replacing(#"{"items": ["#, with: #"{"next": "42", "items": ["#)
        }
        let dashboard = try Dashboard.sample(at: place, [.end], answers: answers)
        let further = dashboard.queries.filter { $0.name.hasSuffix("_2") }
        #expect(further.count == 1 && further.allSatisfy { $0.request.target.contains("&after=") }, "\(dashboard.queries.map(\.request.target))")
        #expect(dashboard.pane.sheetPages(dashboard.view) != nil)
    }
}
