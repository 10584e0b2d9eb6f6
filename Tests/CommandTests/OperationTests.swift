// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Compares the files and pages for operators with the program.
struct OperationTests {
    private static let root =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    private static func file(_ path: String) throws -> String {
        try String(contentsOfFile: root + "/" + path, encoding: .utf8)
    }

    /// The metric names in a text; the suffixes of a histogram are removed.
    private static func metrics(in text: String, of kinds: [String: String]) -> Set<String> {
        Set(
            text.matches(of: /signalbox_[a-z_]+[a-z]/).map { match in
                let name = String(match.output)
                let base = name.replacing(/_(bucket|sum|count)$/, with: "")
                return kinds[base] == "histogram" ? base : name
            })
    }

    /// The metrics that a daemon exposes right after its start, with their types.
    private static func exposed() async throws -> [String: String] {
        let folder = TemporaryFolder()
        let daemon = try await RunningDaemon.start(on: folder.path + "/data")
        let text = try await daemon.ask("GET", "/metrics", key: "none").body
        #expect(await daemon.stop() == 0)
        let types = text.matches(of: /(?m)^# TYPE (\S+) (\S+)$/)
        return Dictionary(uniqueKeysWithValues: types.map { (String($0.output.1), String($0.output.2)) })
    }

    @Test func `a daemon without an app logs how to create one`() async throws {
        let folder = TemporaryFolder()
        let daemon = try await RunningDaemon.start(on: folder.path + "/data")
        try await daemon.says("msg=\"there is no app yet; create one\" hint=\"ingestd app create NAME --data \(folder.path)/data\"")
        #expect(await daemon.stop() == 0)
    }

    @Test func `the metrics page lists exactly the exposed metrics with their types`() async throws {
        let kinds = try await Self.exposed()
        #expect(kinds.count > 30)
        // A row of the page: | `name{labels}` | type | meaning |
        let rows = try Self.file("docs/reference/metrics.md").matches(of: /(?m)^\| `(signalbox_\w+)(?:\{[\w,]+\})?` \| (\w+) \| \S/)
        let documented = Dictionary(rows.map { (String($0.output.1), String($0.output.2)) }) { first, _ in first }
        #expect(documented.count == rows.count)
        for name in Set(documented.keys).union(kinds.keys).sorted() {
            #expect(documented[name] == kinds[name], "\(name) is a \(kinds[name] ?? "metric that does not exist")")
        }
    }

    @Test func `alerts and Grafana panels query existing metrics`() async throws {
        let kinds = try await Self.exposed()
        let dashboard = try Self.file("config/grafana.json")
        let panels = try #require(JSONSerialization.jsonObject(with: Data(dashboard.utf8)) as? [String: Any])["panels"] as? [[String: Any]] ?? []
        let questions = panels.flatMap { $0["targets"] as? [[String: Any]] ?? [] }.compactMap { $0["expr"] as? String }
        #expect(panels.count > 10 && questions.count >= panels.count)
        for question in questions + [try Self.file("config/alerts.yml")] {
            let asked = Self.metrics(in: question, of: kinds)
            #expect(!asked.isEmpty && asked.isSubset(of: kinds.keys), "\(asked.subtracting(kinds.keys)) in \(question.prefix(200))")
        }
        // No series is required for each metric, but the page names each alert.
        for alert in try Self.file("config/alerts.yml").matches(of: /alert: (\w+)/) {
            #expect(try Self.file("docs/operate/monitoring.md").contains("`\(alert.output.1)`"))
        }
    }

    @Test(.enabled("needs systemd-analyze", { FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze") }))
    func `the systemd unit has the exposure level stated in the documentation`() async throws {
        let analysis = try await ChildProcess.run(
            "/usr/bin/systemd-analyze", ["security", "--offline=yes", "--no-pager", Self.root + "/config/ingestd.service"],
            environment: ["LANG": "C.UTF-8"])
        let level = try #require(analysis.output.firstMatch(of: /exposure level for ingestd.service: (\d+\.\d)/)).output.1
        #expect(try Self.file("docs/operate/install.md").contains("`systemd-analyze security` rates its exposure \(level)"))
        #expect(try #require(Double(level)) < 1.5)
    }
}
