// SPDX-License-Identifier: Apache-2.0

import Events
import Ingest
import Platform
import Testing

@Suite struct UnknownFieldTests {
    static let reported: [(String, String, String)] = [
        (#"{"name":"a","userid":"u"}"#, "userid", "Is not a known field and was not stored."),
        (#"{"userid":"u","name":"a","Name":"b","x":{"deep":[1]}}"#, "userid", "Is not a known field and was not stored, nor are 2 others."),
        (#"{"name":"a","context":{"platfrom":"ios"}}"#, "context.platfrom", "Is not a known field and was not stored."),
        (#"{"name":"a","context":{"os":"x","platform":"ios"},"x":1}"#, "x", "Is not a known field and was not stored, nor is 1 other."),
        (#"{"name":"a","\u0078y":1}"#, "xy", "Is not a known field and was not stored."),
        (#"{"name":"a","\ud800":1}"#, "?", "Is not a known field and was not stored."),
        (#"{"name":"a","e\u0301":1}"#, "e\u{301}", "Is not a known field and was not stored."),
        (#"{"name":"a","":1,"":2}"#, "", "Is not a known field and was not stored, nor is 1 other."),
    ]

    @Test(arguments: reported)
    func `unknown fields are one correction of their event`(event: String, field: String, message: String) throws {
        for submission in [try decode(event: event), try decode(event, format: .ndjson)] {
            let verdicts = submission.outcomeWithoutStoring().verdicts
            #expect(verdicts.map(\.field) == [field] && verdicts.map(\.message) == [message] && verdicts[0].reason == .unknownField)
            #expect(submission.records[0].flags == .corrected)
        }
    }

    @Test func `a long name is shortened and a thousand names are counted`() throws {
        let long = String(repeating: "n", count: 5_000)
        #expect(try decode(event: #"{"name":"a","\#(long)":1}"#).told == ["0 unknown_field " + String(repeating: "n", count: 100) + "…"])
        let many = (0..<999).map { #""f\#($0)":1"# }.joined(separator: ",")
        let verdict = try decode(event: #"{"name":"a",\#(many)}"#).outcomeWithoutStoring().verdicts
        #expect(verdict.map(\.message) == ["Is not a known field and was not stored, nor are 998 others."])
    }

    @Test func `events with the same context report its unknown fields each, also line by line`() throws {
        let event = #"{"name":"a","context":{"platform":"ios","carrier":"x"}}"#
        let told = (0..<3).map { "\($0) unknown_field context.carrier" }
        #expect(try decode("[\(event),\(event),\(event)]").told == told)
        #expect(try decode([event, event, event].joined(separator: "\n"), format: .ndjson).told == told)
    }

    @Test func `unknown fields of the shared context are reported with the first stored event`() throws {
        let body = #"{"context":{"platform":"ios","carrier":"x"},"events":[{"name":"not a name"},{"name":"a"},{"name":"b","y":1}]}"#
        #expect(try decode(body).told == ["0 bad_event_name name", "1 unknown_field context.carrier", "2 unknown_field y"])
    }

    @Test func `a quarantined event has no correction`() throws {
        #expect(try decode(event: #"{"name":"a","x":1,"params":7}"#).told == ["0 bad_params params"])
    }

    @Test func `translated events report none`() throws {
        #expect(try decode(event: #"{"name":"a","x":1,"context":{"y":1}}"#, rules: .open).told.isEmpty)
    }
}
