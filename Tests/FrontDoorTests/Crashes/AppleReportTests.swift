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

    /// An `.ips` of a failed check that the compiler inlined into a function of the app, with Apple's frames for it.
    private static func trap(_ check: String, in function: String) throws -> [UInt8] {
        let parts = try fixture("thrown.ips").split(separator: 0x0a, maxSplits: 1)
        var body = try #require(try JSONSerialization.jsonObject(with: Data(parts[1])) as? [String: Any])
        for name in ["lastExceptionBacktrace", "asi", "exceptionReason"] { body[name] = nil }
        body["incident"] = UUID().uuidString
        body["exception"] = ["type": "EXC_BREAKPOINT", "signal": "SIGTRAP", "codes": "0x1, 0x102f04a1c"]
        body["faultingThread"] = 0
        let inlined = ["Swift runtime failure: \(check)", "specialized Array._checkSubscript(_:wasNativeTypeChecked:)"].map {
            ["imageOffset": 18_972, "imageIndex": 0, "symbol": $0, "inline": true, "sourceFile": "/<compiler-generated>"] as [String: Any]
        }
        let outer = [function, "closure #1 in ShopView.body.getter", "main"].enumerated().map { place, name in
            ["imageOffset": 18_972 + place * 100, "imageIndex": 0, "symbol": name, "symbolLocation": 12] as [String: Any]
        }
        body["threads"] = [["triggered": true, "id": 7, "frames": inlined + outer]]
        return parts[0] + [0x0a] + [UInt8](try JSONSerialization.data(withJSONObject: body))
    }

    private static func textTrap(_ check: String, in function: String) throws -> [UInt8] {
        let text = String(decoding: try fixture("access.crash"), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
            if line.hasPrefix("Incident Identifier") { return ["Incident Identifier: \(UUID().uuidString)"] }
            if line.hasPrefix("Exception Type") { return ["Exception Type:  EXC_BREAKPOINT (SIGTRAP)"] }
            guard line.hasPrefix("0   Shop Extra") else { return [String(line)] }
            return [
                "0   Shop Extra                    \t0x0000000102f04a1c Swift runtime failure: \(check) + 0 (<compiler-generated>:0) [inlined]",
                "0   Shop Extra                    \t0x0000000102f04a1c \(function) + 28 (Cart.swift:42)",
            ]
        }
        return Array(lines.joined(separator: "\n").utf8)
    }

    @Test(arguments: [true, false])
    func `an inlined failed check belongs to its function`(isIPS: Bool) async throws {
        let clock = ManualClock(Day(year: 2025, month: 10, day: 10).start)
        try await CrashingWorld.use(clock: clock.clock) { world in
            let functions = ["Cart.price(at:)", "Order.line(_:)"]
            for function in functions + functions {
                for check in ["Index out of range", "arithmetic overflow"] {
                    let body = try isIPS ? Self.trap(check, in: function) : Self.textTrap(check, in: function)
                    let reply = try await world.api.request("POST", "/v1/crashes/report", key: world.ours.ingest, body: body)
                    #expect(try Taken(reply) == Taken(accepted: 1))
                }
            }
            let issues = try await world.issues()
            // The frames of `.ips` files name no source file here.
            let culprits = functions.map { isIPS ? $0 : "\($0) (Cart.swift)" }
            #expect(Set(issues.map(\.["culprit"].text)) == Set(culprits) && issues.allSatisfy { $0["count"].number == 4 })
        }
    }

    private static let otherInput: [String] = ["", "hello", "{}", "{}\n{}", "{\n", "Incident Identifier: 1", "\u{0}\u{1}", "[]"]

    @Test func `other input is rejected with a reason`() async throws {
        try await CrashingWorld.use { world in
            for body in Self.otherInput {
                let reply = try await world.api.request("POST", "/v1/crashes/report", key: world.ours.ingest, body: Array(body.utf8))
                #expect(reply.status == 400, "\(body)")
                #expect(try JSON(reply)["detail"].text.contains("not an Apple crash report"), "\(body)")
                #expect(try await world.issues().isEmpty, "\(body)")
            }
        }
    }
}
