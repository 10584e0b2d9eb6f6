// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import Ingest
import Platform
import Testing

@Suite struct AppErrorTests {
    private func reports(_ events: String, except refused: Set<Int> = []) throws -> [CrashReport] {
        let batch = AppErrors(parser: Given.parser).batch(of: try decode(events), except: refused)
        return batch.crashes.map(\.report)
    }

    @Test func `an app_error becomes a nonfatal crash with the event's ID and context`() throws {
        let events = #"""
            {"installation_id":"i","context":{"platform":"ios","app_version":"2.1","build":"9"},"events":[{"name":"open"},{"id":"e1","name":"app_error",
            "timestamp":1759999000,"user_id":"u","session_id":"s","params":{"error_description":"CheckoutError: card declined","error_context":"step 3\nline",
            "amount":12.50,"screen":"pay"}}]}
            """#
        let batch = AppErrors(parser: Given.parser).batch(of: try decode(events))
        #expect(batch.crashes.map(\.index) == [1] && batch.quarantine == nil)
        let report = try #require(batch.crashes.first?.report)
        #expect(report.id == "e1" && report.kind == .nonfatal && report.level == .error && report.handled == true)
        #expect(report.time == Timestamp(milliseconds: 1_759_999_000_000) && report.type == "CheckoutError" && report.reason == "card declined")
        #expect(report.user == "u" && report.installation == "i" && report.session == "s" && report.releaseKey == "2.1" && report.build == "9")
        #expect(report.logs == "step 3\nline" && report.customKeys == [.init("amount", "12.50"), .init("screen", "pay")])
        #expect(Given.stored.report(report.json) == report)
    }

    static let descriptions: [(String, String, String?)] = [
        ("Timeout", "app_error", "Timeout"), ("could not pay: no card", "app_error", "could not pay: no card"),
        ("java.io.IOException: closed", "java.io.IOException", "closed"), ("URLError:", "URLError", nil), ("error: x", "app_error", "error: x"),
        ("12E: x", "app_error", "12E: x"), (": x", "app_error", ": x"),
    ]

    @Test(arguments: descriptions) func `an error text may begin with a type`(description: String, type: String, reason: String?) throws {
        let report = try #require(try reports(#"[{"name":"app_error","params":{"error_description":"\#(description)"}}]"#).first)
        #expect(report.type == type && report.reason == reason)
    }

    @Test func `an app_error without parameters becomes a crash unless it was rejected`() throws {
        let events = #"[{"name":"app_error"},{"name":"app_error","id":"b"},{"name":"app_error","id":"c d","params":{"error_description":5}}]"#
        #expect(try reports(events).map(\.type) == ["app_error", "app_error", "app_error"])
        #expect(try reports(events, except: [0, 1]).map(\.id) == ["c d"])
    }
}
