// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform
import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

struct CrashPaneTests {
    private static func shown(_ keys: Key..., size: Size = Size(80, 24), answers: [String: String] = SampleCrashes.all()) throws -> Dashboard {
        try .sample(pressing: keys, size, answers: answers)
    }

    private static func shown(_ keys: [Key], _ size: Size, _ answers: [String: String]) throws -> Dashboard {
        try .sample(pressing: keys, size, answers: answers)
    }

    private static let view = Key.character("v")
    private static let issue: [Key] = [.character("9"), .enter]
    private static let crash = issue + [.enter]

    static let ways: [(String, [Key])] = [
        ("issues", [.character("9")]), ("issue", issue), ("issue-variants", issue + [view]), ("issue-variant", issue + [view, .enter]),
        ("issue-notes", issue + [view, view]), ("issue-note", issue + [view, view, .enter]), ("issue-history", issue + [view, view, view]),
        ("crash", crash), ("crash-frame", crash + [.down, .down, .down, .down, .down, .down]),
        ("crash-unfolded", crash + Array(repeating: .down, count: 4) + [.character("o")]), ("crash-before", crash + [view]),
        ("crash-threads", crash + [view, view]), ("crash-keys", crash + [view, view, view]),
        ("crash-logs", crash + [view, view, view, view]), ("crash-images", crash + [view, view, view, view, view]),
        ("missing-symbols", [.character("9"), .character("u")]),
    ]

    @Test(arguments: ways, [Size(80, 24), Size(120, 40)])
    func `each pane matches its golden frame at each size`(way: (name: String, keys: [Key]), size: Size) throws {
        let dashboard = try Self.shown(way.keys, size, SampleCrashes.all())
        try GoldenFrame.check(DashboardView(dashboard).frame(), "\(way.name)-\(size.width)x\(size.height)")
    }

    @Test(arguments: ["issues", "issue", "crash", "missing-symbols"], [Size(80, 24), Size(120, 40)])
    func `an empty and a denied pane match their golden frames at each size`(name: String, size: Size) throws {
        let keys: [Key] =
            switch name {
            case "issues": [.character("9")]
            case "missing-symbols": [.character("9"), .character("u")]
            default: Self.issue
            }
        // The issue must be listed before it can be opened.
        var answers = SampleCrashes.empty
        if name == "issue" || name == "crash" { answers["issues"] = SampleCrashes.all()["issues"] }
        if name == "crash" { answers["issue_events"] = SampleCrashes.all()["issue_events"] }
        var dashboard = try Self.shown(keys + (name == "crash" ? [.enter] : []), size, answers)
        try GoldenFrame.check(DashboardView(dashboard).frame(), "\(name)-empty-\(size.width)x\(size.height)")
        let error = RequestError(kind: .denied, what: "This key's role may not do this.", hint: "Use a key with the role read.")
        dashboard = try Self.shown(keys + (name == "crash" ? [.enter] : []), size, answers.filter { $0.key != name.replacing("-", with: "_") })
        for query in dashboard.queries { _ = dashboard.handle(.received(query.request, .failure(error), SampleResponses.now)) }
        try GoldenFrame.check(DashboardView(dashboard).frame(), "\(name)-refused-\(size.width)x\(size.height)")
    }

    @Test(arguments: ways)
    func `no size overflows a frame, and control characters in data are replaced`(way: (name: String, keys: [Key])) throws {
        for last in [nil, Key.character("N"), .character("C"), .character("?")] {
            var dashboard = try Self.shown(way.keys + [last].compactMap(\.self), Size(80, 24), SampleCrashes.all())
            dashboard.expectStandsEverySize(widthsBy: 13)
        }
    }

    // MARK: Queries

    @Test func `state, kind, sort order and text filter the issues`() throws {
        var dashboard = try Self.shown(.character("9"))
        func target() -> String { dashboard.queries.first?.request.target ?? "" }
        #expect(target() == "/v1/issues?limit=100&sort=last_seen&state=open")
        for state in ["&state=closed", "&state=muted", "", "&state=open"] {
            try dashboard.press(.character("f"), SampleCrashes.all())
            #expect(target() == "/v1/issues?limit=100&sort=last_seen\(state)")
        }
        for kind in ["fatal", "anr", "nonfatal"] {
            try dashboard.press(.character("w"), SampleCrashes.all())
            #expect(target() == "/v1/issues?limit=100&sort=last_seen&state=open&kind=\(kind)")
        }
        for sort in ["count", "users"] {
            try dashboard.press(.character("s"), SampleCrashes.all())
            #expect(target() == "/v1/issues?limit=100&sort=\(sort)&state=open&kind=nonfatal")
        }
        for key in [Key.character("w"), .character("s"), .character("/"), .character("q"), .paste("&x\n"), .enter] {
            try dashboard.press(key, SampleCrashes.all())
        }
        #expect(target() == "/v1/issues?limit=100&sort=last_seen&state=open&text=q%26x%20")
        #expect(DashboardView(dashboard).frame().lines[2].contains("«q&x »"))
    }

    @Test func `issues are listed by the time they were last seen`() throws {
        var dashboard = try Self.shown([.character("9"), .character("t")] + Key.typing("7d") + [.enter], Size(80, 24), SampleCrashes.all())
        #expect(dashboard.queries.first?.request.target == "/v1/issues?limit=100&sort=last_seen&state=open&from=-7d")
        #expect(DashboardView(dashboard).frame().lines[2].contains("open · last 7 days · by last seen"))
        for key in [Key.character("t"), .control("u"), .enter] { try dashboard.press(key, SampleCrashes.all()) }
        #expect(dashboard.queries.first?.request.target == "/v1/issues?limit=100&sort=last_seen&state=open")
        for key in [.character("t")] + Key.typing("soon") + [.enter] { try dashboard.press(key, SampleCrashes.all()) }
        #expect(dashboard.notice?.text.contains("«soon» is not a time") == true)
    }

    @Test func `an export contains all rows with full numbers and times`() throws {
        func csv(_ keys: [Key]) throws -> [Substring] {
            try Export(try Self.shown(keys, Size(80, 24), SampleCrashes.all())).sheet().csv.split(separator: "\r\n")
        }
        let issues = try csv([.character("9")])
        #expect(issues.count == 6 && issues[1].contains(",120481,3311,2026-11-02T09:00:00.000Z,2026-11-21T11:27:58.000Z,2.0.0,2.1.0"))
        #expect(
            try csv(Self.issue)[1].hasPrefix("2026-11-21T11:27:58.000Z,2026-11-21T11:28:01.000Z,0190a5d4-7e4a-7c3e-9d2b-5f0c7a1b2c3d,fatal,2.1.0,ios")
        )
        #expect(try csv(Self.issue + [Self.view])[1].hasPrefix("17,120000,2026-11-21T11:27:58.000Z,EXC_BAD_ACCESS"))
        #expect(try csv(Self.issue + [Self.view, Self.view])[1].hasPrefix("2026-11-21T10:00:00.000Z,ann,"))
        #expect(try csv(Self.issue + [Self.view, Self.view, Self.view])[1] == "2026-11-21T11:00:00.000Z,regressed,2.1.0")
        #expect(try csv(Self.issue + [Self.view, .enter]).count == 4)
        #expect(try csv([.character("9"), .character("u")])[1].contains(",arm64,4211,2026-11-02T09:00:00.000Z,"))
    }

    // MARK: Display

    @Test func `a report that is no longer stored cannot be opened`() throws {
        let dashboard = try Self.shown(Self.issue + [.down, .enter], Size(80, 24), SampleCrashes.all())
        #expect(dashboard.pane.title == "Issue" && dashboard.notice?.text.contains("not stored") == true)
    }

    @Test func `frames show location, app mark and missing symbols`() throws {
        let lines = DashboardView(try Self.shown(Self.crash, Size(120, 40), SampleCrashes.all())).frame().lines
        func line(_ text: String) -> String? { lines.first { $0.contains(text) } }
        #expect(line("Cart.checkout(with:coupons:)")?.contains("●") == true)
        #expect(line("  ●    Array.first.getter") != nil && line("?  Pay + 0x4d2a") != nil && line("?  shop + 0xff00") != nil)
        #expect(line("symbols ")?.contains("Pay 11111111-2222-3333-4444-555555555555 and 1 more are missing") == true)
        let frame = try Self.shown(Self.crash + Array(repeating: .down, count: 5), Size(80, 24), SampleCrashes.all())
        #expect(DashboardView(frame).frame().lines.contains { $0.hasPrefix(" shop + 0xff00 · 0x10000ff00 · symbols of c0bcc3f1-") })
    }

    @Test func `source lines and variables of a frame are unfolded and folded`() throws {
        let frame = Self.crash + Array(repeating: .down, count: 4)
        func lines(_ keys: [Key], _ size: Size = Size(120, 80)) throws -> [String] {
            DashboardView(try Self.shown(frame + keys, size, SampleCrashes.all())).frame().lines
        }
        #expect(try lines([]).contains { $0.contains("▸ Cart.checkout") } && !lines([]).contains { $0.contains("> 41") })
        let shown = try lines([.character("o")])
        #expect(shown.contains { $0.contains("▾ Cart.checkout") } && shown.contains { $0.contains("> 41      total += coupons.first!.amount") })
        #expect(shown.contains { $0.contains("  40  for item in items {") } && shown.contains { $0.contains("total = 3.5") })
        #expect(shown.contains { $0.contains("code = ?[2Jx") } && shown.contains { $0.contains("… 2 more variables") })
        #expect(shown.contains { $0.contains("36  a") } && !shown.contains { $0.contains("far above") })
        // A small terminal shows fewer source lines, so that the current one is visible at once.
        let small = try lines([.character("o")], Size(80, 24))
        #expect(small.contains { $0.contains("> 41      total += coupons") } && !small.contains { $0.contains("38  c") })
        // A line below the frame folds it as well, and frames without details have no such key.
        #expect(try !lines([.character("o"), .down, .down, .character("o")]).contains { $0.contains("▾") })
        #expect(try lines([.down, .down, .down, .character("o")]).filter { $0.contains("▾") }.isEmpty)
        let opened = try Self.shown(frame + [.enter], Size(120, 40), SampleCrashes.all())
        #expect(DashboardView(opened).frame().lines.contains { $0.contains("> 41      total += coupons.first!.amount") })
    }

    @Test func `kinds, states and changes of a newer daemon are shown by name`() throws {
        let answers = SampleCrashes.all().mapValues {
            $0.replacing("\"fatal\"", with: "\"hang\"").replacing("\"open\"", with: "\"parked\"").replacing("\"appeared\"", with: "\"moved\"")
        }
        let history = Self.issue + [Self.view, Self.view, Self.view]
        let lines = DashboardView(try Self.shown(history, Size(120, 40), answers)).frame().lines
        #expect(lines.contains { $0.contains("hang · parked · regressed") } && lines.contains { $0.contains("moved") })
        let list = DashboardView(try Self.shown([.character("9")], Size(120, 40), answers)).frame().lines
        #expect(list.contains { $0.contains("?  EXC_BAD_ACCESS") })
    }
}
