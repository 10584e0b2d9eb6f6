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
        ("crash-before", crash + [view]), ("crash-threads", crash + [view, view]), ("crash-keys", crash + [view, view, view]),
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

    @Test func `no size overflows a frame, and control characters in data are replaced`() throws {
        for (_, keys) in Self.ways {
            for last in [nil, Key.character("N"), .character("C"), .character("?")] {
                var dashboard = try Self.shown(keys + [last].compactMap(\.self), Size(80, 24), SampleCrashes.all())
                dashboard.expectStandsEverySize(widthsBy: 13)
            }
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

    // MARK: Actions

    private static func action(_ keys: [Key], _ answers: [String: String] = SampleCrashes.all()) throws -> String? {
        var dashboard = try shown(keys, Size(80, 24), answers)
        let actions = dashboard.handle(.screen(.key(.character("y"))))
        guard case .perform(let action)? = actions.first else { return nil }
        return "\(action.method) \(action.path) \(String(decoding: action.body, as: UTF8.self))"
    }

    private static func typed(_ text: String) -> [Key] { text.map { .character($0) } }

    @Test func `an issue is closed, muted, reopened and annotated after confirmation`() throws {
        let path = "/v1/issues/\(SampleCrashes.id)"
        let closed = try Self.action(Self.issue + [.character("C")] + Self.typed(" 2.1.1") + [.enter])
        #expect(closed == #"PATCH \#(path) {"state":"closed","release":"2.1.1"}"#)
        #expect(try Self.action([.character("9"), .character("C"), .enter]) == #"PATCH \#(path) {"state":"closed"}"#)
        for (text, end) in [("", ""), ("+7d", #","until":"+7d""#), ("100", #","until_count":100"#)] {
            let muted = try Self.action(Self.issue + [.character("M")] + Self.typed(text) + [.enter])
            #expect(muted == "PATCH \(path) {\"state\":\"muted\"\(end)}")
        }
        let note = try Self.action(Self.issue + [.character("N")] + Self.typed("quit?") + [.backspace, .paste("\n\"on\u{1b}\u{7}ly\""), .enter])
        #expect(note == #"POST \#(path)/notes {"text":"quit \"on  ly\""}"#)
        var muted = SampleCrashes.all()
        muted["issues"] = SampleCrashes.mutedIssues
        #expect(try Self.action([.character("9"), .character("O")], muted) == #"PATCH /v1/issues/iss_4 {"state":"open"}"#)
        #expect(try Self.action(Self.issue + [.character("O")]) == nil)
    }

    @Test func `issues are merged, and a variant is split off`() throws {
        let path = "/v1/issues/\(SampleCrashes.id)"
        for text in ["iss_2", "iss_2 NSInvalid", " iss_2 "] {
            let joined = try Self.action([.character("9"), .character("J")] + Self.typed(text) + [.enter])
            #expect(joined == #"POST \#(path)/merge {"issues":["iss_2"]}"#)
        }
        let completed = try Self.shown([.character("9"), .character("J")] + Self.typed("ISS_5") + [.tab, .enter], Size(80, 24), SampleCrashes.all())
        #expect(completed.pendingAction?.confirmation.hasPrefix("Merge «ZeroDivisionError: division by zero» into «EXC_BAD_ACCESS") == true)
        let split = try Self.action(Self.issue + [Self.view, .down, .character("S")])
        #expect(split == #"POST \#(path)/split {"variant":"208"}"#)
        // Outside the variants view no variant is selected.
        #expect(try Self.action(Self.issue + [.character("S")]) == nil)
        try GoldenFrame.check(
            DashboardView(try Self.shown([.character("9"), .character("J")], Size(80, 24), SampleCrashes.all())).frame(), "issues-join")
        try GoldenFrame.check(
            DashboardView(try Self.shown(Self.issue + [Self.view, .character("S")], Size(80, 24), SampleCrashes.all())).frame(), "issue-split-sure")
    }

    @Test func `an invalid or unauthorized merge or split asks for no confirmation`() throws {
        for (keys, role) in [
            ([Key.character("9"), .character("J"), .enter], "admin"),
            ([.character("9"), .character("J")] + Self.typed(SampleCrashes.id) + [.enter], "admin"), ([.character("9"), .character("J")], "read"),
            (Self.issue + [Self.view, .character("S")], "read"),
        ] {
            let dashboard = try Self.shown(keys, Size(80, 24), SampleCrashes.all(role: role))
            #expect(dashboard.pendingAction == nil && dashboard.prompt == nil && dashboard.notice?.isError == true, "\(keys)")
        }
        let bare = SampleCrashes.empty.merging(["issues": SampleCrashes.all()["issues"] ?? ""]) { $1 }
        #expect(try Self.action(Self.issue + [Self.view, .character("S")], bare) == nil)
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

    @Test func `a cancelled, empty, invalid or unauthorized action asks for no confirmation`() throws {
        for keys in [
            [Key.character("N"), .character("a"), .escape], [.character("N"), .character(" "), .enter], [.character("M"), .character("+"), .enter],
        ]
            + ["+7", "-3", "7d", "++7d", "+-7d", "0"].map({ [.character("M")] + Self.typed($0) + [.enter] })
        {
            let dashboard = try Self.shown(Self.issue + keys, Size(80, 24), SampleCrashes.all())
            #expect(dashboard.pendingAction == nil && dashboard.prompt == nil && dashboard.pane.title == "Issue")
        }
        for key in [Key.character("C"), .character("M"), .character("N")] {
            let dashboard = try Self.shown(Self.issue + [key], Size(80, 24), SampleCrashes.all(role: "read"))
            #expect(dashboard.pendingAction == nil && dashboard.prompt == nil && dashboard.notice?.isError == true)
        }
    }

    @Test func `the prompt and the confirmation match their golden frames`() throws {
        let typing = try Self.shown(
            Self.issue + [.character("N")] + Self.typed("It begins with the coupon of the autumn, and only where the cart is empty"), Size(80, 24),
            SampleCrashes.all())
        try GoldenFrame.check(DashboardView(typing).frame(), "issue-typing")
        #expect(typing.bindings.map(\.label) == ["accept", "cancel", "clear", "complete"])
        try GoldenFrame.check(
            DashboardView(try Self.shown(Self.issue + [.character("C"), .character("3"), .enter], Size(80, 24), SampleCrashes.all())).frame(),
            "issue-sure")
        try GoldenFrame.check(
            DashboardView(try Self.shown(Self.issue + [.character("M")], Size(80, 24), SampleCrashes.all(role: "read"))).frame(), "issue-denied")
        try GoldenFrame.check(DashboardView(try Self.shown(.character("9"), .character("?"))).frame(), "issues-help")
    }

    @Test func `a prompt accepts text up to 4,000 characters, and only quit and suspend keep their keys`() throws {
        var dashboard = try Self.shown(
            Self.issue + [.character("N")] + Self.typed("ab") + [.control("u")] + Self.typed("q5"), Size(80, 24), SampleCrashes.all())
        #expect(dashboard.prompt?.text == "q5" && dashboard.pane.title == "Issue")
        guard case .suspend? = dashboard.handle(.screen(.key(.control("z")))).first,
            case .quit? = dashboard.handle(.screen(.key(.control("c")))).first
        else {
            Issue.record("a key has another action")
            return
        }
        _ = dashboard.handle(.screen(.key(.paste(String(repeating: "x", count: 9_000)))))
        #expect(dashboard.prompt?.text.count == 4_000)
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
