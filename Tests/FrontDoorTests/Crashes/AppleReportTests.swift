// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Crash reports in Apple's formats.
@Suite struct AppleReportTests {
    private static func fixture(_ name: String) throws -> [UInt8] {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return [UInt8](try Data(contentsOf: tests.appendingPathComponent("Fixtures/crashes/\(name)")))
    }

    @Test(arguments: [
        ("thrown.ips", "5c32df84-31a0-43e7-87d0-239f7f594940", "NSRangeException: index 4 beyond bounds 0"),
        ("access.crash", "0f6d3e39-6f4c-4b40-9c55-2a3f2b1c5e11", "EXC_BAD_ACCESS"),
    ])
    func `an Apple report is stored once with the query's user and installation`(_ name: String, _ id: String, _ title: String) async throws {
        let clock = ManualClock(Day(year: 2025, month: 10, day: 10).start)
        try await CrashingWorld.use(clock: clock.clock) { world in
            let bytes = try Self.fixture(name)
            func send() async throws -> Reply {
                let target = "/v1/crashes/report?installation_id=phone-1&user_id=ann"
                return try await world.api.request("POST", target, key: world.ours.ingest, body: bytes)
            }
            #expect(try Taken(await send()) == Taken(accepted: 1))
            #expect(try Taken(await send()) == Taken(duplicates: 1))
            let issue = try await world.issues()[0]
            #expect(issue["title"].text.hasPrefix(title) && issue["kind"].text == "fatal" && issue["count"].number == 1)
            let crash = try await world.crash(id, of: issue["id"].text)
            #expect(crash["timestamp"].text == "2025-10-09T08:49:59.250Z" && crash["report"]["installation_id"].text == "phone-1")
            #expect(crash["report"]["user_id"].text == "ann" && !crash["report"]["threads"].items.isEmpty)
        }
    }

    @Test(arguments: ["", "hello", "{}", "{}\n{}", "{\n", "Incident Identifier: 1", "\u{0}\u{1}", "[]"])
    func `other input is rejected with a reason`(body: String) async throws {
        try await CrashingWorld.use { world in
            let reply = try await world.api.request("POST", "/v1/crashes/report", key: world.ours.ingest, body: Array(body.utf8))
            #expect(reply.status == 400)
            #expect(try JSON(reply)["detail"].text.contains("not an Apple crash report"))
            #expect(try await world.issues().isEmpty)
        }
    }
}
