// SPDX-License-Identifier: Apache-2.0

import Platform
import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

/// Keys that change issues.
struct IssueActionTests {
    private static func shown(_ keys: [Key], role: String = "admin") throws -> Dashboard {
        try shown(keys, SampleCrashes.all(role: role))
    }

    private static func shown(_ keys: [Key], _ answers: [String: String]) throws -> Dashboard {
        try .sample(pressing: keys, answers: answers)
    }

    private static let view = Key.character("v")
    private static let issue: [Key] = [.character("9"), .enter]

    private static func action(_ keys: [Key], _ answers: [String: String] = SampleCrashes.all()) throws -> String? {
        var dashboard = try shown(keys, answers)
        let actions = dashboard.handle(.screen(.key(.character("y"))))
        guard case .perform(let action)? = actions.first else { return nil }
        return "\(action.method) \(action.path) \(String(decoding: action.body, as: UTF8.self))"
    }

    @Test func `an issue is closed, muted, reopened and annotated after confirmation`() throws {
        let path = "/v1/issues/\(SampleCrashes.id)"
        let closed = try Self.action(Self.issue + [.character("C")] + Key.typing(" 2.1.1") + [.enter])
        #expect(closed == #"PATCH \#(path) {"state":"closed","release":"2.1.1"}"#)
        #expect(try Self.action([.character("9"), .character("C"), .enter]) == #"PATCH \#(path) {"state":"closed"}"#)
        for (text, end) in [("", ""), ("+7d", #","until":"+7d""#), ("100", #","until_count":100"#)] {
            let muted = try Self.action(Self.issue + [.character("M")] + Key.typing(text) + [.enter])
            #expect(muted == "PATCH \(path) {\"state\":\"muted\"\(end)}")
        }
        let note = try Self.action(Self.issue + [.character("N")] + Key.typing("quit?") + [.backspace, .paste("\n\"on\u{1b}\u{7}ly\""), .enter])
        #expect(note == #"POST \#(path)/notes {"text":"quit \"on  ly\""}"#)
        var muted = SampleCrashes.all()
        muted["issues"] = SampleCrashes.mutedIssues
        #expect(try Self.action([.character("9"), .character("O")], muted) == #"PATCH /v1/issues/iss_4 {"state":"open"}"#)
        #expect(try Self.action(Self.issue + [.character("O")]) == nil)
    }

    @Test func `an issue is assigned after confirmation, and assigned to nobody`() throws {
        let path = "/v1/issues/\(SampleCrashes.id)"
        let erase = [Key](repeating: .backspace, count: 30)
        for (text, assignee) in [(" bob <b@example.com> ", #""bob <b@example.com>""#), ("", "null"), ("  ", "null")] {
            let assigned = try Self.action(Self.issue + [.character("A")] + erase + Key.typing(text) + [.enter])
            #expect(assigned == "PATCH \(path) {\"assignee\":\(assignee)}")
        }
        // The list has no assignee for the second issue, so that the prompt is empty.
        let other = try Self.action([.character("9"), .down, .character("A")] + Key.typing("ann") + [.enter])
        #expect(other == #"PATCH /v1/issues/iss_2 {"assignee":"ann"}"#)
        let reader = try Self.shown([.character("9"), .character("A")], role: "read")
        #expect(reader.pendingAction == nil && reader.notice?.isError == true)
    }

    @Test func `an issue is deleted after confirmation, and its pane closes`() throws {
        let path = "/v1/issues/\(SampleCrashes.id)"
        #expect(try Self.action([.character("9"), .character("D")]) == "DELETE \(path) ")
        var dashboard = try Self.shown(Self.issue + [.character("D")])
        #expect(dashboard.pendingAction?.confirmation.contains("with its 120,481 crashes, notes and history? This cannot be undone.") == true)
        try GoldenFrame.check(DashboardView(dashboard).frame(), "issue-delete-sure")
        _ = dashboard.handle(.screen(.key(.escape)))
        #expect(dashboard.pendingAction == nil && dashboard.pane.title == "Issue")
        try dashboard.press(.character("D"), SampleCrashes.all())
        guard case .perform(let action)? = dashboard.handle(.screen(.key(.character("y")))).first else {
            Issue.record("no action is performed")
            return
        }
        #expect(try action.method == "DELETE" && action.path == path && action.outcome([]) == "Issue deleted." && dashboard.pane.title == "Crashes")
        let reader = try Self.shown([.character("9"), .character("D")], role: "read")
        #expect(reader.pendingAction == nil && reader.notice?.isError == true)
    }

    @Test func `a split reports the former ID that the variant gets back`() throws {
        for (id, message) in [("iss_old", "Split off as iss_old, its former ID."), ("iss_new", "Split off as iss_new.")] {
            var dashboard = try Self.shown(Self.issue + [Self.view, .down, .character("S")])
            guard case .perform(let action)? = dashboard.handle(.screen(.key(.character("y")))).first else {
                Issue.record("no action is performed")
                return
            }
            let response = (SampleCrashes.all()["issue"] ?? "").replacing(SampleCrashes.id, with: id)
            #expect(try action.outcome(Array(response.utf8)) == message)
        }
    }

    @Test func `issues are merged, and a variant is split off`() throws {
        let path = "/v1/issues/\(SampleCrashes.id)"
        for text in ["iss_2", "iss_2 NSInvalid", " iss_2 "] {
            let joined = try Self.action([.character("9"), .character("J")] + Key.typing(text) + [.enter])
            #expect(joined == #"POST \#(path)/merge {"issues":["iss_2"]}"#)
        }
        let completed = try Self.shown([.character("9"), .character("J")] + Key.typing("ISS_5") + [.tab, .enter])
        #expect(completed.pendingAction?.confirmation.hasPrefix("Merge «ZeroDivisionError: division by zero» into «EXC_BAD_ACCESS") == true)
        let split = try Self.action(Self.issue + [Self.view, .down, .character("S")])
        #expect(split == #"POST \#(path)/split {"variant":"208"}"#)
        // Outside the variants view no variant is selected.
        #expect(try Self.action(Self.issue + [.character("S")]) == nil)
        try GoldenFrame.check(
            DashboardView(try Self.shown([.character("9"), .character("J")])).frame(), "issues-join")
        try GoldenFrame.check(
            DashboardView(try Self.shown(Self.issue + [Self.view, .character("S")])).frame(), "issue-split-sure")
    }

    @Test func `an invalid or unauthorized merge or split asks for no confirmation`() throws {
        for (keys, role) in [
            ([Key.character("9"), .character("J"), .enter], "admin"),
            ([.character("9"), .character("J")] + Key.typing(SampleCrashes.id) + [.enter], "admin"), ([.character("9"), .character("J")], "read"),
            (Self.issue + [Self.view, .character("S")], "read"),
        ] {
            let dashboard = try Self.shown(keys, SampleCrashes.all(role: role))
            #expect(dashboard.pendingAction == nil && dashboard.prompt == nil && dashboard.notice?.isError == true, "\(keys)")
        }
        let bare = SampleCrashes.empty.merging(["issues": SampleCrashes.all()["issues"] ?? ""]) { $1 }
        #expect(try Self.action(Self.issue + [Self.view, .character("S")], bare) == nil)
    }

    @Test func `a cancelled, empty, invalid or unauthorized action asks for no confirmation`() throws {
        for keys in [
            [Key.character("N"), .character("a"), .escape], [.character("N"), .character(" "), .enter], [.character("M"), .character("+"), .enter],
        ]
            + ["+7", "-3", "7d", "++7d", "+-7d", "0"].map({ [.character("M")] + Key.typing($0) + [.enter] })
        {
            let dashboard = try Self.shown(Self.issue + keys)
            #expect(dashboard.pendingAction == nil && dashboard.prompt == nil && dashboard.pane.title == "Issue")
        }
        for key in [Key.character("C"), .character("M"), .character("N")] {
            let dashboard = try Self.shown(Self.issue + [key], role: "read")
            #expect(dashboard.pendingAction == nil && dashboard.prompt == nil && dashboard.notice?.isError == true)
        }
    }

    @Test func `the prompt and the confirmation match their golden frames`() throws {
        let typing = try Self.shown(
            Self.issue + [.character("N")] + Key.typing("It begins with the coupon of the autumn, and only where the cart is empty"))
        try GoldenFrame.check(DashboardView(typing).frame(), "issue-typing")
        #expect(typing.bindings.map(\.label) == ["accept", "cancel", "clear", "complete"])
        try GoldenFrame.check(
            DashboardView(try Self.shown(Self.issue + [.character("C"), .character("3"), .enter])).frame(),
            "issue-sure")
        try GoldenFrame.check(
            DashboardView(try Self.shown(Self.issue + [.character("M")], role: "read")).frame(), "issue-denied")
        try GoldenFrame.check(DashboardView(try Self.shown([.character("9"), .character("?")])).frame(), "issues-help")
    }

    @Test func `a prompt accepts text up to 4,000 characters, and only quit and suspend keep their keys`() throws {
        var dashboard = try Self.shown(
            Self.issue + [.character("N")] + Key.typing("ab") + [.control("u")] + Key.typing("q5"))
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
}
