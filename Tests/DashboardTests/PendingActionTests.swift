// SPDX-License-Identifier: Apache-2.0

import Platform
import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

/// Confirmation and outcome of actions.
struct PendingActionTests {
    private static func shown(_ keys: Key...) throws -> Dashboard {
        try .sample(pressing: keys, answers: SampleMessages.all())
    }

    @Test func `an action waits for y, and any other key cancels it`() throws {
        var dashboard = try Self.shown(.character("0"), .tab, .tab, .character("R"))
        #expect(dashboard.pendingAction != nil && dashboard.bindings.map(\.names) == ["y", "esc", "q ctrl-c", "ctrl-z"])
        #expect(dashboard.handle(.screen(.key(.down))).isEmpty && dashboard.pendingAction == nil)
        #expect(dashboard.handle(.screen(.key(.character("y")))).isEmpty)
        try dashboard.press(.character("R"), SampleMessages.all())
        guard case .perform(let action)? = dashboard.handle(.screen(.key(.character("y")))).first else {
            Issue.record("no action is performed")
            return
        }
        #expect(action.path == "/v1/deliveries/\(SampleMessages.id)_17/retry" && dashboard.pendingAction == nil)
        let after = dashboard.handle(.finished(.success("It is tried again.")))
        #expect(after.count == 3 && dashboard.notice?.text == "It is tried again.")
    }

    @Test func `a confirmation stands in the last line for five seconds, an error above it until a key`() throws {
        var dashboard = try Self.shown(.character("0"), .tab, .tab)
        _ = dashboard.handle(.finished(.success("Retrying: the delivery is pending.")))
        let lines = DashboardView(dashboard).frame().lines
        #expect(lines.last?.hasPrefix(" ✓ Retrying: the delivery is pending.  q quit") == true)
        try GoldenFrame.check(DashboardView(dashboard).frame(), "deliveries-done")
        try dashboard.press(.down, SampleMessages.all())
        #expect(dashboard.notice != nil)
        _ = dashboard.handle(.tick(SampleResponses.now + .seconds(6)))
        #expect(dashboard.notice == nil && DashboardView(dashboard).frame().lines.last?.hasPrefix(" q quit") == true)
        _ = dashboard.handle(.finished(.failure(RequestError(kind: .denied, what: "This key's role may not do this", hint: "Use another."))))
        _ = dashboard.handle(.tick(SampleResponses.now + .seconds(600)))
        #expect(dashboard.notice?.isError == true)
        let frame = DashboardView(dashboard).frame().lines
        #expect(frame[22].contains("Use another.") && frame[23].hasPrefix(" q quit"))
        try dashboard.press(.up, SampleMessages.all())
        #expect(dashboard.notice == nil)
    }

    @Test func `a message is cancelled after confirmation, unless it is over`() throws {
        let cancel = [Key.character("0"), .tab, .character("X")]
        var dashboard = try Dashboard.sample(pressing: cancel, answers: SampleMessages.all())
        #expect(dashboard.pendingAction?.confirmation.contains("to offers.autumn.2026.everything-that-is-left? It is not sent then.") == true)
        guard case .perform(let action)? = dashboard.handle(.screen(.key(.character("y")))).first else {
            Issue.record("no action is performed")
            return
        }
        #expect(action.method == "DELETE" && action.path == "/v1/messages/msg_9aBcDeFgHiJkLmNoPqRsTu" && action.body.isEmpty)
        #expect(try action.outcome([]) == "Message cancelled.")
        for (keys, role) in [([Key.character("0"), .tab, .end, .character("X")], "send"), (cancel, "read")] {
            let refused = try Dashboard.sample(pressing: keys, answers: SampleMessages.all(role: role))
            #expect(refused.pendingAction == nil && refused.notice?.isError == true)
        }
    }
}
