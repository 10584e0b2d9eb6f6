// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Runs `report` against a running daemon.
struct ReportCommandTests {
    @Test func `a report contains the daemon's data and overwrites only another report`() async throws {
        let running = try await DevelopmentDaemon()
        #expect(try await running.run("demo", "--people", "20", "--days", "3", as: "ingest").code == 0)
        // The demo's data is random; these events make the expected parts certain.
        let certain = [
            #"{"name": "screen_view", "params": {"screen_name": "<script>alert('\u202e')</script>"}}"#, #"{"name": "bad name"}"#,
            #"{"name": "purchase", "params": {"value": 9.5, "currency": "EUR", "transaction_id": "certain"}}"#,
        ]
        try await running.take(#"{"installation_id": "x", "events": [\#(certain.joined(separator: ","))]}"#)
        #expect(try await running.run("send", "--topic", "news", "--title", "Hello <you>", as: "send").code == 0)
        let folder = TemporaryFolder()
        let path = folder.path + "/report.html"

        let first = try await running.run("report", "--html", path)
        #expect(first.code == 0 && first.output.contains("the last 7 days of «default»"), "\(first)")
        let page = try String(contentsOfFile: path, encoding: .utf8)
        for part in [
            "Revenue in EUR", "<bdi>&lt;script&gt;alert(&#39;&#39;)&lt;/script&gt;</bdi>", "Hello &lt;you&gt;", "bad_event_name", "screen_view",
        ] {
            #expect(page.contains(part), "\(part)")
        }
        #expect(!page.contains("class=\"trouble\"") && !page.contains("<script"))
        #expect(try await running.run("report", "--html", path, "--since", "24h").code == 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("Report of the last 24 hours"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["report.html"])

        try Data("a letter".utf8).write(to: URL(fileURLWithPath: path))
        let kept = try await running.run("report", "--html", path)
        #expect(kept.code == 1 && kept.complaintIsOneLine && kept.complaint.contains("is not a report"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "a letter")
        #expect(try await running.run("report", "--html", path, "--force").code == 0)
        let nowhere = try await running.run("report", "--html", folder.path + "/none/report.html")
        #expect(nowhere.code == 1 && nowhere.complaintIsOneLine && nowhere.complaint.contains("/none/report.html» cannot be written"), "\(nowhere)")
        #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
        #expect(await running.process.stop() == 0)
    }

    @Test func `a report shows the parts that the key may query, and fails if there are none`() async throws {
        let running = try await DevelopmentDaemon()
        let some = try await running.run("report", "--html", "-", as: "send")
        #expect(some.code == 0 && some.output.contains("class=\"trouble\"") && some.output.contains("No messages."), "\(some.complaint)")
        let none = try await running.run("report", "--html", "-", as: "ingest")
        #expect(none.code == 3 && none.output.isEmpty && none.complaintIsOneLine, "\(none)")
        for wrong in [
            ["report"], ["report", "--html", "-", "--since", "7m"], ["overview", "--size", "80x24"], ["overview", "--svg", "-", "--size", "9x9"],
            ["releases", "--csv", "--svg", "-"], ["live", "--svg", "-", "--json"], ["crashes", "--svg", "-", "--watch"],
        ] {
            let ended = try await ProgramUnderTest.dashboard.run(wrong, environment: running.environment("read"))
            #expect(ended.code == 2 && ended.complaintIsOneLine, "\(ended)")
        }
        try await running.take(#"{"installation_id": "my-phone", "events": [{"name": "level_up"}]}"#)
        let stream = try await running.run("live", "--svg", "-")
        #expect(stream.code == 0 && stream.output.contains("level_up</text>"), "\(stream)")
        let picture = try await running.run("overview", "--svg", "-", "--size", "80x24")
        #expect(picture.code == 0 && picture.output.hasPrefix("<svg ") && picture.output.contains(">Overview</text>"))
        #expect(await running.process.stop() == 0)
    }
}
