// SPDX-License-Identifier: Apache-2.0

import Platform
import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

struct QuarantinePaneTests {
    private static let sizes = [Size(80, 24), Size(120, 40)]
    private static let ways: [(String, [Key])] = [
        ("quarantine", []), ("quarantine-reason", [.character("f")]), ("refused", [.enter]), ("quarantine-sure", [.character("P")]),
    ]

    private static func shown(_ keys: [Key], _ size: Size = Size(80, 24), answers: [String: String] = SampleSystem.all()) throws -> Dashboard {
        try .sample(at: "quarantine", keys, size, answers: answers)
    }

    private static func lines(_ dashboard: Dashboard) -> [String] { DashboardView(dashboard).frame().lines }

    @Test(arguments: ways, sizes)
    func `each view matches its golden frame at each size`(way: (name: String, keys: [Key]), size: Size) throws {
        try GoldenFrame.check(DashboardView(try Self.shown(way.keys, size)).frame(), "\(way.name)-\(size.width)x\(size.height)")
    }

    @Test(arguments: sizes) func `an empty quarantine, a missing event and a denied key match their golden frames`(size: Size) throws {
        let name = "\(size.width)x\(size.height)"
        try GoldenFrame.check(DashboardView(try Self.shown([], size, answers: SampleSystem.empty)).frame(), "quarantine-empty-\(name)")
        let gone = SampleSystem.all().merging(["refused": #"{"items": [], "counts": []}"#]) { $1 }
        try GoldenFrame.check(DashboardView(try Self.shown([.enter], size, answers: gone)).frame(), "refused-empty-\(name)")
        let error = RequestError(kind: .denied, what: "This key's role may not do this.", hint: "Use a key with the role read.")
        for (keys, name) in [([], "quarantine-refused-\(name)"), ([Key.enter], "refused-refused-\(name)")] {
            let unanswered = keys.isEmpty ? ["quarantine", "quarantined"] : ["refused"]
            var dashboard = try Self.shown(keys, size, answers: SampleSystem.all().filter { !unanswered.contains($0.key) })
            for query in dashboard.queries { _ = dashboard.handle(.received(query.request, .failure(error), SampleResponses.now)) }
            try GoldenFrame.check(DashboardView(dashboard).frame(), name)
        }
    }

    @Test func `no size overflows a frame, and control characters in data are replaced`() throws {
        for (_, keys) in Self.ways {
            for last in [nil, Key.character("/"), .character("?")] {
                var dashboard = try Self.shown(keys + [last].compactMap(\.self))
                dashboard.expectStandsEverySize(widthsBy: 13)
            }
        }
    }

    @Test func `f cycles reasons, the most frequent first`() throws {
        var dashboard = try Self.shown([])
        for reason in ["&reason=missing_name", "&reason=bad_event_name", "&reason=blocked", "&reason=too_old", ""] {
            try dashboard.press(.character("f"), SampleSystem.all())
            #expect(dashboard.queries.first?.request.target == "/v1/quarantine?limit=100\(reason)")
        }
    }

    @Test func `a text filters the events, and an event is loaded by its number`() throws {
        var dashboard = try Self.shown([.character("/")] + Key.typing("PURCHASE") + [.enter])
        #expect(Self.lines(dashboard).contains { $0.hasPrefix(" >") && $0.contains("too_old") })
        #expect(try Export(dashboard).sheet().rows.map { $0[0] } == ["47000"])
        try dashboard.press(.enter, [:])
        #expect(dashboard.queries.first?.request.target == "/v1/quarantine?limit=1&after=47001")
        let raw = try Self.shown([.end, .enter], answers: SampleSystem.all())
        #expect(raw.queries.first?.request.target == "/v1/quarantine?limit=1&after=47000")
    }

    // MARK: Replay

    private static func action(_ keys: [Key]) throws -> PendingAction? {
        var dashboard = try shown(keys)
        let actions = dashboard.handle(.screen(.key(.character("y"))))
        if case .perform(let action)? = actions.first { return action }
        return nil
    }

    @Test func `all events, those of a reason, or one are replayed after confirmation`() throws {
        let put = Key.character("P")
        #expect(try Self.action([put])?.path == "/v1/quarantine/replay")
        #expect(try Self.action([.character("f"), put])?.path == "/v1/quarantine/replay?reason=missing_name")
        let one = try #require(try Self.action([.enter, put]))
        #expect(one.path == "/v1/quarantine/replay?reason=bad_event_name&limit=1&after=48334" && one.method == "POST" && one.body.isEmpty)
        func outcome(_ answer: String) throws -> String? { try Self.action([put])?.outcome(Array(answer.utf8)) }
        #expect(try outcome(#"{"accepted":1200,"duplicates":0,"quarantined":3}"#) == "1,200 accepted, 3 still quarantined.")
        #expect(
            try outcome(#"{"accepted":0,"duplicates":2,"quarantined":998,"next":"7"}"#)
                == "0 accepted, 2 duplicates, 998 still quarantined. Older events were not replayed.")
        #expect(try !one.outcome(Array(#"{"accepted":0,"duplicates":0,"quarantined":1,"next":"7"}"#.utf8)).contains("Older"))
    }

    @Test func `a replay of unstored events or without permission asks for no confirmation`() throws {
        let blocked = try Self.shown([.character("f"), .character("f"), .character("f"), .character("P")])
        #expect(blocked.pendingAction == nil && blocked.notice?.text.contains("only counted") == true)
        for keys in [[Key.character("P")], [.enter, .character("P")]] {
            let reader = try Self.shown(keys, answers: SampleSystem.all(role: "read"))
            #expect(reader.pendingAction == nil && reader.notice?.text.contains("admin key") == true)
        }
    }

    @Test func `a replay beyond the daemon's limit states the limit`() throws {
        let many = SampleSystem.all().mapValues { $0.replacing(#""kept": 102"#, with: #""kept": 10200"#) }
        #expect(try Self.shown([.character("P")], answers: many).pendingAction?.confirmation.contains("newest 1,000 of 10,241?") == true)
    }
}
