// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import Platform
import Testing

@testable import ingestd

/// Responses about crashes, issues and symbols.
extension ResponseTests {
    static let elf = "7193bee0-742a-21db-8cc9-05fce5275ed0"

    /// A report with every field, of a build that needs symbols.
    static let whole = #"""
        {"id": "c-1", "timestamp": "2026-11-21T08:00:00Z", "type": "EXC_BAD_ACCESS", "reason": "at 0x18", "level": "fatal", "user_id": "ann", "session_id": "s",
         "installation_id": "i", "release": "shop@2.1.0+57", "context": {"platform": "ios", "os_version": "18.1", "device_model": "iPhone17,1"},
         "exceptions": [{"type": "EXC_BAD_ACCESS", "value": "at 0x18", "module": "Shop", "thread_id": 1, "mechanism": {"type": "mach", "handled": false,
           "meta": {"signal": {"number": 11}, "mach_exception": {"exception": 1}, "ns_error": {"domain": "d", "code": 3}}},
           "frames": [{"function": "main", "module": "Shop", "filename": "Main.swift", "lineno": 3, "colno": 5, "in_app": true,
             "pre_context": ["{"], "post_context": ["}"], "vars": {"count": "3"}},
                      {"instruction_addr": "0x7f0000001191", "in_app": true, "package": "/app/Shop"}]}],
         "threads": [{"id": 1, "name": "main", "crashed": true, "current": true, "frames": [{"function": "run", "instruction_addr": 16}]}],
         "images": [{"type": "elf", "debug_id": "\#(elf)", "image_addr": "0x7f0000000000", "image_size": 65536, "code_file": "/app/Shop", "arch": "x86_64"}],
         "breadcrumbs": [{"timestamp": 1790000000, "category": "ui", "message": "tap", "level": "info", "data": {"a": 1}}],
         "custom_keys": {"cart": 7}, "logs": "one\ntwo", "fingerprint": ["{{ default }}", "till"]}
        """#

    private static let others = #"""
        {"id": "c-2", "timestamp": "2026-11-21T08:00:00Z", "reason": "cut", "level": "info", "fingerprint": "none", "logs": "\#(String(repeating: "l", count: 64_001))"}, {"id": "c-2", "type": "E"}, {"id": "c-3"}
        """#

    @Test func `responses about crashes match their schemas exactly`() async throws {
        let schema = try JSONSchema()
        try await RunningDaemon.use { running in
            let daemon = Checked(running, schema)
            let event =
                #"[{"name": "screen_view", "user_id": "ann", "session_id": "s", "timestamp": "2026-11-21T07:59:00Z", "params": {"screen_name": "Till"}}]"#
            #expect(try await running.send("POST", "/v1/events", as: .ingest, Array(event.utf8)).status == 200)
            let taken = try await daemon.check(
                "POST", "/v1/crashes", as: .ingest, #"{"sent_at": null, "crashes": [\#(Self.whole), \#(Self.others)]}"#)
            let results = taken["results"]?.items ?? []
            #expect(Set(results.compactMap { $0["result"]?.text }) == ["accepted", "corrected", "duplicate", "quarantined"])
            try await daemon.check("GET", "/v1/quarantine", as: .read)
            let apple = try Data(contentsOf: Self.fixtures.appendingPathComponent("crashes/thrown.ips"))
            for _ in 0..<2 { try await daemon.check("POST", "/v1/crashes/report", as: .ingest, bytes: [UInt8](apple)) }
            let issue = results.first?["issue"]?.text ?? ""
            try await symbols(daemon, issue)
            try await issues(daemon, issue, results.dropFirst().first?["issue"]?.text ?? "")
            for query in ["", "?limit=1&interval=month&from=-90d"] {
                try await daemon.check("GET", "/v1/query/crash-free", at: "/v1/query/crash-free\(query)", as: .read)
            }
            try await daemon.check("POST", "/v1/query/crash-free", as: .read, "{}")
        }
    }

    static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures")

    private func symbols(_ daemon: Checked, _ issue: String) async throws {
        let waiting = try await daemon.check("GET", "/v1/symbols/missing", as: .read)
        #expect(waiting["items"]?.items.first?["debug_id"]?.text == Self.elf)
        try await daemon.check("GET", "/v1/issues/{id}/events/{event}", at: "/v1/issues/\(issue)/events/latest", as: .read)
        let file = [UInt8](try Data(contentsOf: Self.fixtures.appendingPathComponent("symbols/Probe.elf")))
        for status in [201, 200] {
            try await daemon.check("PUT", "/v1/symbols/{debug_id}", at: "/v1/symbols/\(Self.elf)", as: .admin, bytes: file, status: status)
        }
        try await daemon.check("GET", "/v1/symbols", at: "/v1/symbols?limit=1", as: .read)
        var shown = JSONValue.null
        while shown["symbols"]?.text != "complete" {
            shown = try await daemon.check("GET", "/v1/issues/{id}/events/{event}", at: "/v1/issues/\(issue)/events/c-1", as: .read)
            try #require(shown["symbols"] != nil)
        }
        #expect(shown["before"]?.items.count == 1 && shown["report"]?["cuts"] == nil)
    }

    private func issues(_ daemon: Checked, _ issue: String, _ other: String) async throws {
        let path = "/v1/issues/\(issue)"
        let changes = [
            #"{"state": "closed", "release": "3.0"}"#, #"{"state": "closed"}"#, #"{"state": "muted"}"#, #"{"state": "muted", "until": "+1d"}"#,
            #"{"state": "muted", "until_count": 5}"#, #"{"state": "open"}"#,
        ]
        for change in changes {
            try await daemon.check("PATCH", "/v1/issues/{id}", at: path, as: .admin, change)
            try await daemon.check("GET", "/v1/issues", as: .read)
        }
        try await daemon.check("PATCH", "/v1/issues", at: "/v1/issues", as: .admin, #"{"ids": ["\#(issue)", "none"], "assignee": "ann"}"#)
        try await daemon.check("DELETE", "/v1/issues", at: "/v1/issues?id=none", as: .admin, "")
        try await daemon.check("GET", "/v1/issues", at: "/v1/issues?assignee=ann", as: .read)
        try await daemon.check("POST", "/v1/issues/{id}/notes", at: path + "/notes", as: .admin, #"{"text": "t", "author": "a"}"#)
        let more = #"[{"type": "F", "handled": false, "timestamp": "2026-11-21T08:00:00Z"}]"#
        let second = try await daemon.check("POST", "/v1/crashes", as: .ingest, more)["results"]?.items.first?["issue"]?.text ?? ""
        try await daemon.check("POST", "/v1/issues/{id}/merge", at: path + "/merge", as: .admin, #"{"issues": ["\#(second)"]}"#)
        let merged = try await daemon.check("GET", "/v1/issues/{id}", at: "/v1/issues/\(second)", as: .read)
        #expect(merged["id"]?.text == issue && other != issue)
        let variant = (merged["variants"]?.items ?? []).first { $0["title"]?.text == "F" }?["id"]?.text ?? ""
        try await daemon.check("POST", "/v1/issues/{id}/split", at: path + "/split", as: .admin, #"{"variant": "\#(variant)"}"#)
        try await daemon.check("GET", "/v1/issues/{id}/events", at: path + "/events?limit=1", as: .read)
        try await daemon.check("GET", "/v1/issues/{id}/events/{event}", at: "/v1/issues/\(other)/events/latest", as: .read)
    }
}
