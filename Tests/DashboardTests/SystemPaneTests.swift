// SPDX-License-Identifier: Apache-2.0

import API
import Platform
import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

struct SystemPaneTests {
    private static let sizes = [Size(80, 24), Size(120, 40)]

    private static func shown(_ keys: [Key] = [], _ size: Size = Size(80, 24), answers: [String: String] = SampleSystem.all()) throws -> Dashboard {
        try .sample(at: "system", keys, size, answers: answers)
    }

    private static func lines(_ dashboard: Dashboard) -> [String] { DashboardView(dashboard).frame().lines }

    @Test(arguments: ["system", "system-sick", "system-empty"], sizes)
    func `a healthy, an unhealthy and an empty system match their golden frames at each size`(name: String, size: Size) throws {
        let answers = name == "system" ? SampleSystem.all() : name == "system-sick" ? SampleSystem.sick : SampleSystem.empty
        try GoldenFrame.check(DashboardView(try Self.shown([], size, answers: answers)).frame(), "\(name)-\(size.width)x\(size.height)")
    }

    @Test(arguments: sizes) func `a key without permission matches its golden frame`(size: Size) throws {
        var dashboard = try Self.shown([], size, answers: SampleSystem.all().filter { $0.key != "system" })
        let error = RequestError(kind: .denied, what: "This key's role may not do this.", hint: "Use a key with the role read.")
        _ = dashboard.handle(.received(SystemResponse.query.request, .failure(error), SampleResponses.now))
        try GoldenFrame.check(DashboardView(dashboard).frame(), "system-refused-\(size.width)x\(size.height)")
    }

    @Test(arguments: ["audit", "audit-empty", "audit-refused"], sizes)
    func `the audit log matches its golden frames at each size`(name: String, size: Size) throws {
        var answers = SampleSystem.all()
        if name == "audit-empty" { answers["audit"] = #"{"items": []}"# }
        if name == "audit-refused" { answers["audit"] = nil }
        var dashboard = try Self.shown([.character("a")], size, answers: answers)
        if name == "audit-refused" {
            let error = RequestError(kind: .denied, what: "This key's role may not do this.", hint: "Use a key with the role admin.")
            for query in dashboard.queries where query.name == "audit" {
                _ = dashboard.handle(.received(query.request, .failure(error), SampleResponses.now))
            }
        }
        try GoldenFrame.check(DashboardView(dashboard).frame(), "\(name)-\(size.width)x\(size.height)")
        dashboard.expectStandsEverySize(widthsBy: 13)
    }

    @Test func `the audit log is found by text and exported with all fields`() throws {
        var dashboard = try Self.shown([.character("a")])
        let sheet = try Export(dashboard).sheet()
        #expect(sheet.headings.first == "at" && sheet.headings.last == "detail" && sheet.rows.count == 6)
        #expect(sheet.rows[1].prefix(6) == ["2026-11-21T11:00:00.000Z", "role.denied", "2", "ingest", "2001:db8::17", "rejected"])
        for key in [Key.character("/")] + "denied".map(Key.character) + [.enter] { try dashboard.press(key, SampleSystem.all()) }
        #expect(Self.lines(dashboard).contains { $0.contains("role.denied") } && !Self.lines(dashboard).contains { $0.contains("key.create") })
    }

    @Test func `no size overflows a frame`() throws {
        for answers in [SampleSystem.all(), SampleSystem.sick, SampleSystem.empty] {
            var dashboard = try Self.shown([], answers: answers)
            for width in Array(stride(from: 0, through: 130, by: 7)) + [30, 31] {
                for height in [5, 6, 7, 9, 12, 13, 20, 31] {
                    _ = dashboard.handle(.screen(.resized(Size(width, height))))
                    let lines = Self.lines(dashboard)
                    #expect(lines.count == height && lines.allSatisfy { $0.width <= width })
                }
            }
        }
    }

    @Test(arguments: [
        ("the disk is full", #""ready": true, "reasons": []"#, #""ready": false, "reasons": ["the disk is full"]"#),
        ("limits of the operator are reached: events.", #""max_events_per_day": 50000"#, #""max_events_per_day": 31210"#),
        ("limits of the operator are reached: storage.", #""max_storage_bytes": 5368709120"#, #""max_storage_bytes": 2147483648"#),
        (
            "limits of the operator are reached: requests,", #""max_storage_bytes""#,
            #""max_bytes_per_day": 1, "max_devices": 412, "max_storage_bytes""#
        ),
        ("install llvm-symbolizer", #""reads_dwarf": true"#, #""reads_dwarf": false"#),
        (
            "Readers of symbol files are not fully confined", #""reads_dwarf": true"#,
            #""reads_dwarf": true, "confinement_failure": "the kernel does not allow Landlock""#
        ),
        (
            "Functions of crash reports are incomplete: the demangler does not start.", #""reads_dwarf": true"#,
            #""reads_dwarf": true, "symbol_failure": "the demangler does not start""#
        ),
    ])
    func `each problem has a sentence`(sentence: String, well: String, ill: String) throws {
        func said(_ answers: [String: String]) throws -> String { Self.lines(try Self.shown(answers: answers)).joined(separator: " ") }
        let answers = SampleSystem.all()
        let changed = answers.mapValues { $0.replacing(well, with: ill) }
        #expect(try !said(answers).contains(sentence) && said(answers).contains("Healthy."))
        #expect(try said(changed).contains(sentence) && !said(changed).contains("Healthy."))
    }

    @Test func `the system query is shared, and u opens missing symbols`() throws {
        var dashboard = try Self.shown()
        #expect(dashboard.queries.map(\.name) == ["system", "system_history", "app"])
        try dashboard.press(.character("u"), SampleSystem.all())
        #expect(dashboard.pane.title == "Missing symbols")
    }

    @Test func `an export contains all values`() throws {
        let sheet = try Export(try Self.shown()).sheet()
        #expect(sheet.headings == ["name", "value"] && sheet.rows.contains(["events.last_seq", "48352"]))
        #expect(sheet.rows.contains(["usage.storage_bytes", "2147483648"]))
    }
}
