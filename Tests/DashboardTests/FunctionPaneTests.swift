// SPDX-License-Identifier: Apache-2.0

import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

struct FunctionPaneTests {
    private static let sizes = [Size(80, 24), Size(120, 40)]

    private static func lines(_ dashboard: Dashboard) -> [String] { DashboardView(dashboard).frame().lines }

    @Test(arguments: ["functions", "functions-empty", "functions-refused"], sizes)
    func `the functions match their golden frames at each size`(name: String, size: Size) throws {
        let answers = name == "functions-empty" ? SampleFunctions.empty : name == "functions" ? SampleFunctions.all() : SampleResponses.all()
        var dashboard = try Dashboard.sample(at: "functions", [], size, answers: answers)
        if name == "functions-refused" { dashboard.refuseAll() }
        try GoldenFrame.check(DashboardView(dashboard).frame(), "\(name)-\(size.width)x\(size.height)")
        dashboard.expectStandsEverySize(widthsBy: 13)
    }

    @Test(arguments: ["function", "function-log", "function-empty", "run", "run-log", "run-data"], sizes)
    func `a function and a run match their golden frames at each size`(name: String, size: Size) throws {
        let target = name.hasPrefix("run") ? "run run_3fGq9VxJ2LkPzR7cTn5YdW" : "function receipt"
        let keys: [Key] = name.hasSuffix("-log") ? [.character("v")] : name.hasSuffix("-data") ? [.character("v"), .character("v")] : []
        let answers = name.hasSuffix("-empty") ? SampleFunctions.empty : SampleFunctions.all()
        var dashboard = try Dashboard.sample(at: target, keys, size, answers: answers)
        try GoldenFrame.check(DashboardView(dashboard).frame(), "\(name)-\(size.width)x\(size.height)")
        dashboard.expectStandsEverySize(widthsBy: 13)
    }

    @Test func `enter goes from functions to runs to one run, and a state is sent to the daemon`() throws {
        var dashboard = try Dashboard.sample(at: "functions", answers: SampleFunctions.all())
        for key in [Key.down, .down, .enter] { try dashboard.press(key, SampleFunctions.all()) }
        #expect(dashboard.pane.title == "Function" && Self.lines(dashboard).contains { $0.contains("Function receipt") })
        try dashboard.press(.character("f"), SampleFunctions.all())
        #expect(dashboard.pane.queries(dashboard.options).contains { $0.request.target.contains("state=dead") })
        try dashboard.press(.enter, SampleFunctions.all())
        #expect(dashboard.pane.title == "Run")
    }

    @Test(
        arguments: [
            ("functions", [.character("s"), .character("s"), .character("s")], "/v1/functions/receipt/redrive"),
            ("function receipt", [], "/v1/runs/run_3fGq9VxJ2LkPzR7cTn5YdW/retry"),
            ("run run_3fGq9VxJ2LkPzR7cTn5YdW", [], "/v1/runs/run_3fGq9VxJ2LkPzR7cTn5YdW/retry"),
        ] as [(String, [Key], String)])
    func `a retry is sent once it is confirmed`(target: String, keys: [Key], path: String) throws {
        var dashboard = try Dashboard.sample(at: target, keys, answers: SampleFunctions.all())
        _ = dashboard.handle(.screen(.key(.character("R"))))
        let actions = dashboard.handle(.screen(.key(.character("y"))))
        let sent = actions.compactMap { action in
            if case .perform(let change) = action { change } else { nil }
        }
        #expect(sent.map(\.method) == ["POST"] && sent.map(\.path) == [path])
    }

    @Test func `a key that may only read is told so, and what is done is not retried`() throws {
        var answers = SampleFunctions.all()
        answers["app"] = SampleResponses.app
        for target in ["functions", "function receipt", "run run_3fGq9VxJ2LkPzR7cTn5YdW"] {
            var dashboard = try Dashboard.sample(at: target, answers: answers)
            try dashboard.press(.character("R"), answers)
            #expect(Self.lines(dashboard).contains { $0.contains("cannot retry runs") }, "\(target)")
        }
        var dashboard = try Dashboard.sample(at: "function receipt", [.character("G")], answers: SampleFunctions.all())
        try dashboard.press(.character("R"), SampleFunctions.all())
        #expect(Self.lines(dashboard).contains { $0.contains("A done run cannot be retried") })
    }

    @Test func `the sheets have functions and runs`() throws {
        let functions = try Export(try Dashboard.sample(at: "functions", answers: SampleFunctions.all())).sheet()
        #expect(functions.rows.map(\.first) == ["broken", "evil", "receipt", "thumbnail"] && functions.rows[2].last == "7")
        let runs = try Export(try Dashboard.sample(at: "function receipt", answers: SampleFunctions.all())).sheet()
        #expect(runs.rows.count == 3 && runs.rows[0][5] == "purchase")
    }
}
