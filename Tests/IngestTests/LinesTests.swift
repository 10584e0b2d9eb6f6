// SPDX-License-Identifier: Apache-2.0

import Events
import Ingest
import Platform
import Testing

@Suite struct LinesTests {
    @Test func `an invalid line is quarantined alone`() throws {
        let lines = [
            #"{"name":"a","params":{"k":"v"}}"#, #"{"name":"b""#, "", "  \t", #"{"name":"c"} "#, "[]", "garbage", #"{"name":"d"}{"name":"e"}"#,
            #""text""#, #"{"name":"f\#u{1}"}"#, #" {"name":"g"}"#,
        ]
        for end in ["\n", "\r\n"] {
            let submission = try decode(lines.joined(separator: end) + end, format: .ndjson)
            #expect(submission.records.map { submission.text($0.name) } == ["a", "c", "g"])
            #expect(submission.records.map(\.index) == [0, 2, 8])
            #expect(submission.params == #"{"k":"v"}"#)
            #expect(
                submission.told == [
                    "1 invalid_json event", "3 not_an_object event", "4 invalid_json event", "5 invalid_json event", "6 not_an_object event",
                    "7 invalid_json event",
                ])
            #expect(submission.text(submission.quarantined[0].raw) == lines[1])
            #expect(submission.text(submission.records[2].raw) == #"{"name":"g"}"#)
        }
    }

    @Test func `a line with invalid UTF-8 is quarantined alone`() throws {
        let body = Array(#"{"name":"a"}"#.utf8) + [0x0a, 0x22, 0xff, 0x22, 0x0a] + Array(#"{"name":"b"}"#.utf8)
        let submission = try decode(body, format: .ndjson)
        #expect(submission.records.count == 2 && submission.told == ["1 invalid_json event"])
        #expect(submission.quarantined[0].verdict.message == "The line is not valid UTF-8 at byte 1.")
    }

    @Test(arguments: ["", "\n\n", "\r\n \t\r\n"])
    func `a body without lines has no events`(body: String) throws {
        #expect(try decode(body, format: .ndjson).outcomeWithoutStoring().accepted == 0)
    }

    @Test func `2,000 lines are accepted, not counting blank ones`() throws {
        let body = repeatElement(#"{"name":"a"}"#, count: 2_000).joined(separator: "\n\n")
        #expect(try decode(body, format: .ndjson).records.count == 2_000)
    }

    @Test func `a line nested too deeply is quarantined alone`() throws {
        let deep = String(repeating: "[", count: 513) + String(repeating: "]", count: 513)
        let submission = try decode("\(deep)\n{\"name\":\"a\"}", format: .ndjson)
        #expect(submission.records.count == 1 && submission.quarantineReason == .invalidJSON)
    }

    @Test func `the position of an error counts from its line`() throws {
        let submission = try decode("{\"name\":\"a\"}\n\n  [1,]\n", format: .ndjson)
        #expect(submission.quarantined[0].verdict.message == "The line has an unexpected character at byte 3.")
    }

    @Test func `escapes are decoded on every line`() throws {
        let body = #"{"name":"\u0061","id":"\u0031"}"# + "\n" + #"{"name":"\u0062","params":{"x y":1,"k":"\u0063"}}"#
        let submission = try decode(body, format: .ndjson)
        #expect(submission.records.map { submission.text($0.name) } == ["a", "b"])
        #expect(submission.text(submission.records[0].idText) == "1")
        #expect(submission.text(submission.records[1].params) == #"{"k":"\u0063"}"#)
    }
}
