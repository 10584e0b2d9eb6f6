// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import Ingest
import Platform
import Testing

@Suite struct CrashRefusalTests {
    static let refused: [(String, Reason, String)] = [
        ("1", .notAnObject, "crash"), ("{}", .missingType, "type"), (#"{"type":""}"#, .missingType, "type"),
        (#"{"type":"T","id":7}"#, .badID, "id"), (#"{"type":"T","id":"\u0000"}"#, .badID, "id"),
        ("{\"type\":\"T\",\"id\":\"\(String(repeating: "x", count: 65))\"}", .badID, "id"),
        (#"{"type":"T","timestamp":"soon"}"#, .badTimestamp, "timestamp"), (#"{"type":"T","timestamp":1000000000}"#, .tooOld, "timestamp"),
        (#"{"type":"T","user_id":1}"#, .badUser, "user_id"), (#"{"type":"T","installation_id":[]}"#, .badInstallation, "installation_id"),
        (#"{"type":"T","session_id":true}"#, .badSession, "session_id"), (#"{"type":"T","context":[]}"#, .badContext, "context"),
        (#"{"type":"T","type":"U"}"#, .duplicateKey, "type"), (#"{"type":"T","\u0074ype":"U"}"#, .duplicateKey, "type"),
    ]

    @Test(arguments: refused) func `an invalid crash is quarantined with its bytes`(crash: String, reason: Reason, field: String) throws {
        let batch = try decode(crashes: #"{"release":"a@1","crashes":[{"type":"A","user_id":"u"},\#(crash),{"type":"B"}]}"#)
        #expect(batch.crashes.map(\.index) == [0, 2] && batch.told == ["1 \(reason.rawValue) \(field)"])
        let refused = try #require(batch.quarantine)
        #expect(refused.source == .crashes && refused.text(refused.quarantined[0].raw) == crash)
        #expect(String(decoding: refused.envelope.json, as: UTF8.self) == #"{"release":"a@1"}"#)
    }

    @Test func `a quarantined crash has its user's keys for erasure`() throws {
        let batch = try decode(crashes: #"[{"user_id":"u","installation_id":"i","timestamp":5}]"#)
        let event = try #require(batch.quarantined.first)
        #expect(event.user == Given.hash(.user, app: AppID(rawValue: 7), Array("u".utf8).span))
        #expect(event.installation == Given.hash(.installation, app: AppID(rawValue: 7), Array("i".utf8).span))
        #expect(event.time == Timestamp(milliseconds: 5_000))
    }

    static let bodies: [(String, Refusal.Code)] = [
        ("", .invalidJSON), ("{", .invalidJSON), ("5", .badRequest), ("{}", .badRequest), (#"{"crashes":{}}"#, .badRequest),
        (#"{"crashes":[],"crashes":[]}"#, .badRequest), (#"{"crashes":[],"user_id":5}"#, .badRequest), (#"{"crashes":[],"release":5}"#, .badRequest),
        ("[\(Array(repeating: "1", count: 101).joined(separator: ","))]", .tooLarge),
    ]

    @Test(arguments: bodies) func `an invalid request is rejected`(body: String, code: Refusal.Code) {
        #expect { try decode(crashes: body) } throws: { ($0 as? Refusal)?.code == code }
    }

    @Test func `a report above 1 MiB after all cuts is quarantined`() throws {
        let frame = #"{"function":"\#(String(repeating: "f", count: 1_024))","module":"\#(String(repeating: "m", count: 1_024))"}"#
        let frames = Array(repeating: frame, count: 250).joined(separator: ",")
        let exceptions = (0..<3).map { #"{"type":"E\#($0)","frames":[\#(frames)]}"# }.joined(separator: ",")
        #expect(try decode(crash: #""exceptions":[\#(exceptions)]"#).told == ["0 value_too_long crash"])
    }

    @Test func `a body above 5 MiB is rejected`() {
        let long = String(repeating: " ", count: 5 << 20)
        #expect { try decode(crashes: "[\(long)]") } throws: { ($0 as? Refusal)?.code == .tooLarge }
    }
}
