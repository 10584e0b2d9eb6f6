// SPDX-License-Identifier: Apache-2.0

import Platform
import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

struct AccountPaneTests {
    private static let sizes = [Size(80, 24), Size(120, 40)]

    private static func lines(_ dashboard: Dashboard) -> [String] { DashboardView(dashboard).frame().lines }

    @Test(arguments: ["accounts", "accounts-empty", "accounts-refused"], sizes)
    func `the accounts match their golden frames at each size`(name: String, size: Size) throws {
        let answers = name == "accounts" ? SampleAccounts.all() : name == "accounts-empty" ? SampleAccounts.empty : SampleResponses.all()
        var dashboard = try Dashboard.sample(at: "accounts", [], size, answers: answers)
        if name == "accounts-refused" { dashboard.refuseAll(role: .accounts) }
        try GoldenFrame.check(DashboardView(dashboard).frame(), "\(name)-\(size.width)x\(size.height)")
        dashboard.expectStandsEverySize(widthsBy: 13)
    }

    @Test(arguments: ["account", "account-sessions", "account-empty"], sizes)
    func `an account matches its golden frames at each size`(name: String, size: Size) throws {
        let answers = name == "account-empty" ? SampleAccounts.empty : SampleAccounts.all()
        let keys: [Key] = name == "account-sessions" ? [.character("v")] : []
        var dashboard = try Dashboard.sample(at: "account kd93u5c1pz7w", keys, size, answers: answers)
        try GoldenFrame.check(DashboardView(dashboard).frame(), "\(name)-\(size.width)x\(size.height)")
        dashboard.expectStandsEverySize(widthsBy: 13)
    }

    @Test func `a search is sent to the daemon, and enter opens the selected account`() throws {
        var dashboard = try Dashboard.sample(at: "accounts", answers: SampleAccounts.all())
        for key in [Key.character("/")] + Key.typing("ana@") + [.enter] { try dashboard.press(key, SampleAccounts.all()) }
        #expect(dashboard.pane.queries(dashboard.options).first?.request.target.contains("search=ana%40") == true)
        try dashboard.press(.enter, SampleAccounts.all())
        #expect(dashboard.pane.title == "Account" && Self.lines(dashboard).contains { $0.contains("ana@example.org, verified") })
        try dashboard.press(.enter, SampleAccounts.all())
        #expect(dashboard.pane.title == "Person")
    }

    @Test(
        arguments: [
            ("D", "PATCH", "/v1/auth/accounts/kd93u5c1pz7w", #"{"disabled":true}"#), ("O", "POST", "/v1/auth/accounts/kd93u5c1pz7w/sign-out", ""),
            ("R", "POST", "/v1/auth/accounts/kd93u5c1pz7w/reset", ""),
            ("F", "DELETE", "/v1/auth/accounts/kd93u5c1pz7w/factors", ""), ("X", "DELETE", "/v1/auth/accounts/kd93u5c1pz7w", ""),
        ] as [(Character, String, String, String)])
    func `each change is sent once it is confirmed`(key: Character, method: String, path: String, body: String) throws {
        var dashboard = try Dashboard.sample(at: "account kd93u5c1pz7w", answers: SampleAccounts.all())
        _ = dashboard.handle(.screen(.key(.character(key))))
        #expect(Self.lines(dashboard).contains { $0.contains("ana@example.org (kd93u5c1pz7w)") })
        let actions = dashboard.handle(.screen(.key(.character("y"))))
        let sent = actions.compactMap { action in
            if case .perform(let change) = action { change } else { nil }
        }
        #expect(sent.map(\.method) == [method] && sent.map(\.path) == [path])
        #expect(sent.map { String(decoding: $0.body, as: UTF8.self) } == [body])
    }

    @Test func `a key that may only read is told so`() throws {
        var answers = SampleAccounts.all()
        answers["app"] = SampleResponses.app
        var dashboard = try Dashboard.sample(at: "account kd93u5c1pz7w", answers: answers)
        for key in ["D", "O", "R", "F", "X"] as [Character] {
            try dashboard.press(.character(key), answers)
            #expect(Self.lines(dashboard).contains { $0.contains("cannot change accounts") })
        }
    }

    @Test func `the export has all fields of the accounts`() throws {
        let dashboard = try Dashboard.sample(at: "accounts", answers: SampleAccounts.all())
        let sheet = try Export(dashboard).sheet()
        #expect(sheet.headings.first == "id" && sheet.rows.count == 5 && sheet.rows[1][5] == "true")
    }
}
