// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The demo is the first command of a new user.
struct DemoTests {
    @Test func `the demo shows a filled overview and removes its files`() async throws {
        let programs = URL(fileURLWithPath: ProgramUnderTest.ingestd.path).deletingLastPathComponent().path
        let folder = TemporaryFolder()
        let environment = ProcessInfo.processInfo.environment.merging(
            ["SIGNALBOX_BUILD": programs, "SIGNALBOX_DEMO_PEOPLE": "100", "TMPDIR": folder.path, "LANG": "C.UTF-8"]) { $1 }
        // The demo stores thousands of events, also under a sanitizer.
        let (ended, shown) = try await ChildProcess.run(
            "/bin/sh", ["-c", #"exec "$0" --once 2>&1"#, Repository.folder + "/scripts/demo"], environment: environment, within: 240)
        #expect(ended == 0, "\(shown)")
        // Sales of today are not expected, because there are none at night.
        for part in ["Top screens", "screen_view", "Events by day", "bad_event_name"] { #expect(shown.contains(part), "\(part) in\n\(shown)") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
