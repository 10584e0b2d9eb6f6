// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The live pane in a pseudo terminal with a running daemon.
struct LiveTailTests {
    @Test func `events arrive live, one is opened, and a pause holds others back`() async throws {
        let running = try await DevelopmentDaemon()
        try await running.take(#"[{"name": "came_before", "user_id": "ann"}, {"name": "9lives", "params": {"cats": 9}}]"#)
        let screen = try LiveScreen(running, as: "admin")
        try screen.see("came_before", after: "2")
        try await running.take(#"[{"name": "level_up", "user_id": "bea", "params": {"level": 7}}]"#)
        try screen.see("level_up")
        try screen.see(#""level": 7"#, after: "\r")
        try screen.see("bad_event_name", after: "\u{7f}")
        try screen.see("paused", after: " ")
        try await running.take(#"[{"name": "held_back"}]"#)
        try screen.see("1 wait")
        try screen.see("held_back", after: " ")
        // A quarantined event arrives too, and its raw text can be loaded.
        try screen.see(#""cats": 9"#, after: "jj\r")
        try screen.see("Sure?", after: "P")
        try screen.see("1 still quarantined", after: "y")
        await screen.leave()
        #expect(await running.process.stop() == 0)
    }
}
