// SPDX-License-Identifier: Apache-2.0

import Platform
import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

struct UpdateTests {
    private let start = SampleResponses.now
    private static let ofRange = ["events", "events_before", "top_events", "top_screens", "crash_free", "crash_free_before"]
    private static let down = RequestError(kind: .unreachable, what: "No daemon responds at 127.0.0.1:8787")

    private func asked(_ actions: [DashboardAction]) -> [String] {
        actions.compactMap { if case .send(let query) = $0 { query.name } else { nil } }
    }

    private func requests(_ actions: [DashboardAction]) -> [ReadRequest] {
        actions.compactMap { if case .send(let query) = $0 { query.request } else { nil } }
    }

    @Test func `queries are sent at the start and again when due`() throws {
        var dashboard = try Dashboard.sample(Size(80, 24), answers: SampleOverview.all)
        #expect(asked(dashboard.handle(.tick(start + .seconds(1)))).isEmpty)
        let second = asked(dashboard.handle(.tick(start + .seconds(2))))
        #expect(second.contains("events") && second.contains("system") && !second.contains("app") && !second.contains("active_users"))
    }

    @Test func `a pending query is not sent twice`() {
        var dashboard = Dashboard(host: "x", size: Size(80, 24), now: start)
        #expect(asked(dashboard.handle(.started(start))).count == 16)
        #expect(asked(dashboard.handle(.tick(start + .seconds(60)))).isEmpty)
    }

    @Test func `a lost query is sent again after 90 seconds`() {
        var dashboard = Dashboard(host: "x", size: Size(80, 24), now: start)
        _ = dashboard.handle(.started(start))
        #expect(asked(dashboard.handle(.tick(start + .seconds(89)))).isEmpty)
        #expect(asked(dashboard.handle(.tick(start + .seconds(91)))).count == 16)
    }

    @Test func `denied queries are repeated only every ten minutes`() throws {
        var dashboard = Dashboard(host: "x", size: Size(80, 24), now: start)
        let denied = RequestError(kind: .denied, what: "This key's role may not do this.")
        for request in requests(dashboard.handle(.started(start))) { _ = dashboard.handle(.received(request, .failure(denied), start)) }
        #expect(asked(dashboard.handle(.tick(start + .seconds(590)))).isEmpty)
        #expect(asked(dashboard.handle(.tick(start + .seconds(601)))).count == 16)
    }

    @Test func `a pane labels its own keys`() throws {
        let footer = { (place: String) in
            DashboardView(try Dashboard.sample(at: place, answers: SamplePeople.all())).frame().lines.last ?? ""
        }
        #expect(try footer("funnels").contains("enter change") && footer("funnels").contains("m order"))
        #expect(try footer("users").contains("/ person"))
        let help = DashboardView(try Dashboard.sample(at: "funnels", [.character("?")], Size(120, 50), answers: SamplePeople.all())).frame().lines
        #expect(
            help.contains { $0.contains("Sets the time limit for all steps.") }
                && !help.contains { $0.contains("Counts events, people or sessions.") })
    }

    @Test func `one query probes an unreachable daemon with backoff, and its response sends all queries`() throws {
        var dashboard = try Dashboard.sample(Size(80, 24), answers: SampleOverview.all)
        var time = start + .seconds(2)
        for request in requests(dashboard.handle(.tick(time))) { _ = dashboard.handle(.received(request, .failure(UpdateTests.down), time)) }
        var waits: [Int64] = []
        for _ in 0..<9 {
            let before = time
            var tries: [ReadRequest] = []
            while tries.isEmpty {
                time = time + .seconds(1)
                tries = requests(dashboard.handle(.tick(time)))
            }
            #expect(tries.count == 1)
            waits.append((time - before).milliseconds / 1_000)
            _ = dashboard.handle(.received(tries[0], .failure(UpdateTests.down), time))
        }
        #expect(waits == [1, 1, 2, 4, 8, 16, 30, 30, 30] && dashboard.outage?.since == start + .seconds(2))
        time = time + .seconds(60)
        let last = dashboard.handle(.tick(time))
        let after = dashboard.handle(.received(requests(last)[0], .success(QueryResult(value: 0, body: [])), time))
        #expect(dashboard.outage == nil && asked(after).count == 18)
    }

    @Test func `each range has its own queries, and results of other ranges are dropped`() throws {
        var dashboard = try Dashboard.sample(Size(80, 24), answers: SampleOverview.all)
        let longer = dashboard.handle(.screen(.key(.character("]"))))
        #expect(asked(longer) == UpdateTests.ofRange && dashboard.options.range == .day)
        try dashboard.answer(longer, SampleOverview.all, at: start)
        #expect(asked(dashboard.handle(.screen(.key(.left)))) == UpdateTests.ofRange)
        for _ in 0..<9 { _ = dashboard.handle(.screen(.key(.right))) }
        #expect(dashboard.options.range == .month)
    }

    @Test func `a paused dashboard sends queries only on refresh`() throws {
        var dashboard = try Dashboard.sample(Size(80, 24), answers: SampleOverview.all)
        _ = dashboard.handle(.screen(.key(.character(" "))))
        #expect(dashboard.isPaused && asked(dashboard.handle(.tick(start + .seconds(100)))).isEmpty)
        #expect(asked(dashboard.handle(.screen(.key(.character("r"))))).count == 18)
    }

    @Test func `quit, suspend, resize, paste and help keys work`() throws {
        var dashboard = try Dashboard.sample(Size(80, 24), answers: SampleOverview.all)
        guard case .quit? = dashboard.handle(.screen(.key(.character("q")))).first,
            case .quit? = dashboard.handle(.screen(.key(.control("c")))).first,
            case .suspend? = dashboard.handle(.screen(.key(.control("z")))).first, case .quit? = dashboard.handle(.screen(.ended)).first,
            case .repaint? = dashboard.handle(.screen(.resized(Size(10, 10)))).first
        else {
            Issue.record("a key has another action")
            return
        }
        #expect(dashboard.size == Size(10, 10) && dashboard.handle(.screen(.key(.paste("q")))).isEmpty)
        _ = dashboard.handle(.screen(.key(.character("?"))))
        #expect(dashboard.isHelpShown)
        _ = dashboard.handle(.screen(.key(.escape)))
        #expect(!dashboard.isHelpShown)
    }

    @Test func `no key has two actions in a pane`() {
        for pane in PaneList.types {
            let own = pane == OverviewPane.self ? MessagesPane.bindings : pane.bindings
            let keys = (GlobalKey.all.map(\.binding) + own).flatMap(\.keys)
            #expect(Set(keys).count == keys.count, "\(pane.name)")
        }
    }

    @Test(arguments: 0...60) func `rows are dropped by rank and fill the available height`(height: Int) {
        let row = { (least: Int, most: Int, rank: Int, weight: Int) in PaneRow([], least: least, most: most, rank: rank, weight: weight) }
        let heights = PaneRow.heights([row(6, 16, 0, 3), row(3, 3, 1, 0), row(4, 13, 3, 2), row(1, 1, 2, 0)], in: height)
        #expect(heights.reduce(0, +) <= height && (heights.reduce(0, +) == min(height, 33) || height < 6 || height == 8 || height == 9))
        if height >= 14 { #expect(!heights.contains(0)) }
    }
}
