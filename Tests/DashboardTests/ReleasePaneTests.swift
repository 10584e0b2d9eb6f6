// SPDX-License-Identifier: Apache-2.0

import Events
import JSON
import Platform
import Terminal
import TestSupport
import Testing

@testable import Panes
@testable import dashboard_cli

struct ReleasePaneTests {
    private static let sizes = [Size(80, 24), Size(120, 40)]
    private static let ways: [(name: String, keys: [Key])] = [("releases", []), ("release", [.enter])]

    private static func shown(_ keys: [Key], _ size: Size = Size(80, 24), answers: [String: String] = SampleReleases.all) throws -> Dashboard {
        try .sample(at: "releases", keys, size, answers: answers)
    }

    private static func lines(_ keys: [Key], _ size: Size = Size(120, 40)) throws -> [String] {
        DashboardView(try shown(keys, size)).frame().lines
    }

    @Test(arguments: ways, sizes)
    func `the list and a release match their golden frames at each size, also while comparing`(way: (name: String, keys: [Key]), size: Size) throws {
        let end = "\(size.width)x\(size.height)"
        try GoldenFrame.check(DashboardView(try Self.shown(way.keys, size)).frame(), "\(way.name)-\(end)")
        try GoldenFrame.check(DashboardView(try Self.shown(way.keys + [.character("c")], size)).frame(), "\(way.name)-compared-\(end)")
    }

    @Test(arguments: sizes) func `an empty and a denied pane match their golden frames`(size: Size) throws {
        let end = "\(size.width)x\(size.height)"
        try GoldenFrame.check(DashboardView(try Self.shown([], size, answers: SampleReleases.empty)).frame(), "releases-empty-\(end)")
        var refused = try Self.shown([], size, answers: SampleReleases.all.filter { $0.key != "releases" })
        let error = RequestError(kind: .denied, what: "This key's role may not do this.", hint: "Use a key with the role read.")
        for query in refused.queries where query.name == "releases" {
            _ = refused.handle(.received(query.request, .failure(error), SampleResponses.now))
        }
        try GoldenFrame.check(DashboardView(refused).frame(), "releases-refused-\(end)")
    }

    @Test func `no size overflows a frame, and control characters in data are replaced`() throws {
        for way in Self.ways {
            for (answers, keys) in [(SampleReleases.all, way.keys), (SampleReleases.all, way.keys + [.character("c")]), (SampleReleases.empty, [])] {
                var dashboard = try Self.shown(keys, answers: answers)
                dashboard.expectStandsEverySize(widthsBy: 7)
            }
        }
    }

    @Test func `the queries follow the range, and a release lists the issues that it brought`() throws {
        let targets = { (dashboard: Dashboard) in dashboard.pane.queries(dashboard.options).map(\.request.target) }
        #expect(targets(try Self.shown([])) == ["/v1/query/crash-free?from=-59m&to=now&interval=minute&limit=20"])
        let compared = targets(try Self.shown([.character("]"), .character("c")]))
        #expect(compared.count == 3 && compared[1] == "/v1/query/crash-free?from=-23h&to=-1h&interval=hour&limit=20")
        #expect(targets(try Self.shown([.enter])).last == "/v1/issues?limit=100&sort=first_seen&first_release=2.0.9")
        let issue = try Self.shown([.enter, .enter])
        #expect(issue.pane.title == "Issue")
        let jumped = try Dashboard.sample(at: "release 2.1.0", answers: SampleReleases.all)
        #expect(targets(jumped).last?.hasSuffix("first_release=2.1.0") == true)
    }

    @Test func `sessions without a release have no pane, and a crash keeps shares below one hundred percent`() throws {
        let lines = try Self.lines([])
        #expect(lines.contains { $0.contains("(none)") } && lines.contains { $0.contains("99.") && $0.contains("2.0.9") })
        let none = try Self.shown([.down, .down, .down, .enter])
        #expect(none.pane.title == "Releases")
        #expect(CrashFreeText.share(0.999999) == "99.99 %" && CrashFreeText.share(1) == "100 %" && CrashFreeText.share(nil) == "–")
    }

    @Test func `the list is sorted, searched and exported`() throws {
        let rows = { (keys: [Key]) in try Export(try Self.shown(keys)).sheet() }
        let sheet = try rows([])
        #expect(sheet.headings == CrashFreeResult.Release.headings && sheet.rows.map { $0[0].prefix(5) } == ["2.0.9", "2.1.0", "2.0.0", "", "1.0"])
        #expect(sheet.rows[4] == ["1.0", "\(sheet.rows[4][1])", "\(sheet.rows[4][2])", "1", "0", "1.0", "1", "0", "1.0", "0", "0"])
        #expect(try rows([.character("s")]).rows.first?[0].hasPrefix("2.0.0") == true)
        #expect(try rows([.character("s"), .character("s")]).rows.first?[9] == "12")
        #expect(try rows([.character("/")] + Key.typing("2.1") + [.enter]).rows.map { $0[0] } == ["2.1.0"])
    }

    @Test func `a daemon counts the sessions, crashes and new issues of each release`() async throws {
        let running = try await DevelopmentDaemon()
        let now = WallClock.system.now()
        let event = { (user: String, release: String) in
            #"{"name": "e", "user_id": "\#(user)", "session_id": "\#(user)", "context": {"app_version": "\#(release)"}}"#
        }
        try await running.take("[\(event("ann", "1.0")), \(event("bob", "1.1")), \(event("eve", "1.1"))]")
        let crash = """
            {"crashes": [{"timestamp": "\(now.rfc3339)", "type": "EXC_BAD_ACCESS", "handled": false, "release": "1.1", "user_id": "bob", "session_id": "bob",
              "frames": [{"function": "Cart.checkout()", "in_app": true}]}]}
            """
        #expect(try await running.process.api.post("/v1/crashes", key: running.keys.text("ingest"), crash).status == 200)
        // A server counts its sessions and knows no users.
        let counts = #"{"aggregates": [{"started": "\#(now.rfc3339)", "exited": 9, "crashed": 1}], "attrs": {"release": "web@3.0"}}"#
        #expect(
            try await running.process.api.post("/api/1/envelope/", key: running.keys.text("ingest"), "{}\n{\"type\":\"sessions\"}\n" + counts).status
                == 200)
        let csv = try await running.run("releases", "--csv", "--since", "24h").output.split(separator: "\r\n")
        #expect(csv.count == 4 && csv[1].hasPrefix("3.0,") && csv[1].hasSuffix(",10,1,0.9,0,0,,0,10"), "\(csv)")
        #expect(csv[2].hasPrefix("1.1,") && csv[2].hasSuffix(",2,1,0.5,2,1,0.5,1,0") && csv[3].hasSuffix(",1,0,1.0,1,0,1.0,0,0"), "\(csv)")
        let plain = try await running.run("releases", "--since", "24h")
        #expect(plain.code == 0 && plain.output.contains("crash-free users") && plain.output.contains("66.66 %"), "\(plain)")
        let server = plain.output.split(separator: "\n").first { $0.contains(" 3.0 ") } ?? ""
        #expect(server.split(separator: " ").filter { $0 == "–" }.count == 3 && server.contains("90.00 %"), "\(plain)")
        let one = try await running.run("releases", "1.1", "--plain", "--since", "24h", "--compare")
        #expect(
            one.code == 0 && one.output.contains("50.00 %") && one.output.contains("New issues") && one.output.contains("EXC_BAD_ACCESS"), "\(one)")
        let screen = try LiveScreen(running, as: "read", rows: 34)
        for (keys, text) in [
            (":releases\r", "Share of sessions"), ("]", "50.00 %"), ("\u{1b}[B", "50.00 %"), ("\r", "EXC_BAD_ACCESS"), ("\r", "Crashes by day"),
        ] {
            try screen.see(text, after: keys)
        }
        await screen.leave()
        #expect(await running.process.stop() == 0)
    }
}
