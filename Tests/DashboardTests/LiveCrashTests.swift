// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform
import TestSupport
import Testing

/// The crash panes in a pseudo terminal with a running daemon.
struct LiveCrashTests {
    private static let debugID = "c0bcc3f1-9827-fe65-3058-404b2831d9e6"

    /// A session with a screen view and a crash in code without symbols.
    private static func crashed() async throws -> DevelopmentDaemon {
        let running = try await DevelopmentDaemon()
        let now = WallClock.system.now()
        let person = #""session_id": "s1", "installation_id": "my-phone""#
        try await running.take(
            #"{"events": [{"name": "screen_view", "timestamp": "\#((now - .seconds(9)).rfc3339)", \#(person), "params": {"screen_name": "Cart"}}]}"#)
        let frames = """
            [{"function": "main", "filename": "main.swift", "lineno": 3, "in_app": true},
             {"in_app": true, "package": "/shop.app/Pay", "instruction_addr": "0x200004d2a", "image_addr": "0x200000000"},
             {"function": "Cart.checkout()", "filename": "Cart.swift", "lineno": 41, "in_app": true}]
            """
        let image =
            #"{"type": "macho", "debug_id": "\#(debugID)", "image_addr": "0x200000000", "image_size": 65536, "code_file": "/shop.app/Pay", "arch": "arm64"}"#
        let crash = """
            {"crashes": [{"timestamp": "\(now.rfc3339)", "type": "EXC_BAD_ACCESS", "handled": false, "release": "2.1.0", \(person),
              "frames": \(frames), "images": [\(image)], "breadcrumbs": [{"category": "ui.tap", "message": "pay \\u001b[2J now"}]}]}
            """
        let answer = try await running.process.api.post("/v1/crashes", key: running.keys.text("ingest"), crash)
        #expect(answer.status == 200, "\(answer.text)")
        return running
    }

    @Test func `an admin opens an issue down to its frames, annotates, mutes, closes and reopens it`() async throws {
        let running = try await Self.crashed()
        let screen = try LiveScreen(running, as: "admin", rows: 34)
        for (keys, text) in [
            // The list of crashes has a query of its own; nothing can be opened before its response.
            ("9", "EXC_BAD_ACCESS"), ("\r", "received"), ("\r", "Pay + 0x4d2a"), ("v", "screen_view"), ("u", Self.debugID),
            ("\u{7f}\u{7f}", "Crashes by day"), ("N", "A note on"), ("Seen on the beta\r", "Sure?"), ("y", "Note added"),
            // The available actions depend on the state, so the test waits for the state to be shown.
            ("M", "A time (+7d"), ("+7d\r", "Sure?"), ("y", "muted until"), ("C", "Fixed in release"), ("2.1.1\r", "Sure?"),
            ("y", "resolved, fixed in 2.1.1"), ("O", "Sure?"), ("y", "issue is open"),
        ] {
            try screen.see(text, after: keys)
        }
        await screen.leave()
        let answer = try await running.process.api.get("/v1/issues", key: running.keys.text("read"))
        let issue = try #require(try JSONValue(Array(answer.text.utf8))["items"]?.elements.first)
        #expect(issue.text("state") == "open" && issue.text("notes_count") == "1")
        #expect(await running.process.stop() == 0)
    }

    @Test func `a read key opens a crash and cannot change the issue`() async throws {
        let running = try await Self.crashed()
        let screen = try LiveScreen(running, as: "read", rows: 34)
        for (keys, text) in [("9", "EXC_BAD_ACCESS"), ("\r", "Crashes by day"), ("C", "cannot change issues")] { try screen.see(text, after: keys) }
        await screen.leave()
        #expect(await running.process.stop() == 0)
    }
}
