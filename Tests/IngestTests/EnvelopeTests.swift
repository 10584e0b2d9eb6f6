// SPDX-License-Identifier: Apache-2.0

import Events
import Ingest
import JSON
import Platform
import Testing

@Suite struct EnvelopeTests {
    @Test func `an object, an array and NDJSON decode to the same events`() throws {
        let events = [#"{"name":"a"}"#, #"{"name":"b"}"#]
        let bodies: [(String, NativeEvents.Format)] = [
            (#"{"events":[\#(events.joined(separator: ","))]}"#, .json), ("[\(events.joined(separator: ","))]", .json),
            (events.joined(separator: "\n"), .ndjson),
        ]
        for (body, format) in bodies {
            let submission = try decode(body, format: format)
            #expect(submission.records.map { submission.text($0.name) } == ["a", "b"])
            #expect(submission.records.map(\.index) == [0, 1])
            #expect(submission.app == AppID(rawValue: 7) && submission.received == Given.received)
        }
    }

    @Test(arguments: [#"{"events":[]}"#, "[]", #" {"events" : [ ] } "#])
    func `an empty list is not an error`(body: String) throws {
        #expect(try decode(body).outcomeWithoutStoring() == EventOutcome(accepted: 0, duplicates: 0, quarantined: 0, verdicts: []))
    }

    @Test(arguments: ["1", "\"x\"", "null", "true", "{}", #"{"event":[]}"#, #"{"name":"a"}"#])
    func `any other document is rejected`(body: String) {
        #expect(refusal(body)?.code == .badRequest)
    }

    static let broken: [(String, String)] = [
        ("", "is empty"), ("[{\"name\":\"a\"}", "ends unexpectedly at byte 13"), ("[1,]", "unexpected character at byte 3"), ("[NaN]", "at byte 1"),
        ("[]]", "after its end at byte 2"), ("\u{feff}[]", "byte order mark"), ("[\"\\x\"]", "escape"), ("[\"\n\"]", "control character"),
    ]

    @Test(arguments: broken)
    func `invalid JSON is rejected with the byte of the error`(body: String, phrase: String) {
        let refusal = refusal(body)
        #expect(refusal?.code == .invalidJSON)
        #expect(refusal?.detail.contains(phrase) == true)
    }

    @Test func `invalid UTF-8 is rejected`() {
        #expect(throws: Refusal.self) { try decode([0x5b, 0x22, 0xff, 0x22, 0x5d]) }
    }

    @Test func `2,000 events are accepted, 2,001 are rejected`() throws {
        func list(_ count: Int) -> String { "[" + repeatElement(#"{"name":"a"}"#, count: count).joined(separator: ",") + "]" }
        #expect(try decode(list(2_000)).records.count == 2_000)
        #expect(refusal(list(2_001))?.code == .tooLarge)
        #expect(refusal(#"{"events":\#(list(2_001))}"#)?.code == .tooLarge)
        let lines = repeatElement(#"{"name":"a"}"#, count: 2_001).joined(separator: "\n")
        #expect(refusal(lines, format: .ndjson)?.code == .tooLarge)
    }

    @Test func `envelope fields are defaults at any position in the object`() throws {
        let submission = try decode(
            #"""
            {"events":[{"name":"a"},{"name":"b","user_id":"u2","session_id":"s2","installation_id":"i2"},{"name":"c","user_id":""},
             {"name":"d","user_id":null}],"user_id":"u1","installation_id":"i1","session_id":"s1"}
            """#)
        #expect(submission.records.map { submission.text($0.user) } == ["u1", "u2", "", "u1"])
        #expect(submission.records.map { submission.text($0.installation) } == ["i1", "i2", "i1", "i1"])
        #expect(submission.records.map { submission.text($0.session) } == ["s1", "s2", "s1", "s1"])
        #expect(submission.records[2].userKey == 0 && submission.records[0].userKey == submission.records[3].userKey)
        #expect(submission.records[0].userKey == Given.hash(.user, app: AppID(rawValue: 7), Array("u1".utf8).span))
        #expect(submission.records[0].installationKey == Given.hash(.installation, app: AppID(rawValue: 7), Array("i1".utf8).span))
        #expect(submission.records[0].sessionKey == Given.hash(.session, app: AppID(rawValue: 7), Array("s1".utf8).span))
    }

    @Test(arguments: [NativeEvents.Format.json, .ndjson])
    func `query parameters are defaults for arrays and NDJSON`(format: NativeEvents.Format) throws {
        let query = [
            ("sent_at", "2025-10-09T09:03:20Z"), ("user_id", "ü"), ("installation_id", "i"), ("session_id", "s"), ("context.platform", "ios"),
            ("unknown", "x"),
        ].map { (name: $0.0, value: $0.1) }
        let event = #"{"name":"a","timestamp":"2025-10-09T09:03:20Z"}"#
        let submission = try decode(format == .json ? "[\(event)]" : event, format: format, query: query)
        let record = submission.records[0]
        #expect(submission.text(record.user) == "ü" && submission.text(record.installation) == "i" && submission.text(record.session) == "s")
        #expect(submission.text(submission.contexts[Int(record.context)].values[0]) == "ios")
        #expect(record.time == Given.received + .seconds(150))
    }

    @Test func `an object's envelope replaces the query`() throws {
        let submission = try decode(#"{"events":[{"name":"a"}]}"#, query: [(name: "user_id", value: "u")])
        #expect(submission.records[0].userKey == 0)
    }

    static let wrong: [(String, String)] = [
        (#""user_id":1"#, "user_id"), (#""installation_id":{}"#, "installation_id"), (#""session_id":true"#, "session_id"),
        (#""context":[]"#, "context"), (#""context":"ios""#, "context"), (#""context":{"platform":true}"#, "context.platform"),
        (#""context":{"platform":"a","platform":"b"}"#, "context.platform"), (#""user_id":"a","user_id":"b""#, "user_id"),
        (#""events":[]"#, "events"), (#""sent_at":1,"sent_at":2"#, "sent_at"), (#""user_id":"a\u0000""#, "user_id"),
        (#""user_id":"\ud800""#, "user_id"), ("\"user_id\":\"\(String(repeating: "x", count: 257))\"", "user_id"),
        ("\"context\":{\"locale\":\"\(String(repeating: "x", count: 101))\"}", "context.locale"),
    ]

    @Test(arguments: wrong)
    func `an invalid envelope rejects the request and names the field`(field: String, name: String) {
        let refusal = refusal(#"{"events":[],\#(field)}"#)
        #expect(refusal?.code == .badRequest)
        #expect(refusal?.fields.map(\.field) == [name])
    }

    @Test func `events that are not an array, and duplicate query fields, reject the request`() {
        #expect(refusal(#"{"events":{}}"#)?.fields.map(\.field) == ["events"])
        #expect(refusal("[]", query: [(name: "user_id", value: "a"), (name: "user_id", value: "b")])?.fields.map(\.field) == ["user_id"])
        #expect(refusal("[]", query: [(name: "session_id", value: "a\n")])?.fields.map(\.field) == ["session_id"])
    }

    @Test(arguments: ["\"never\"", "true", "{}", "1e300", "null", "-5e17", #""2025-13-01T00:00:00Z""#])
    func `an invalid sent_at is ignored`(sentAt: String) throws {
        let submission = try decode(#"{"sent_at":\#(sentAt),"events":[{"name":"a","timestamp":1760000000}]}"#)
        #expect(submission.records[0].time == Given.received)
    }

    static let sentAts = ["1760001000", "1760001000000", "1760001000000000", "1760001000.0", #""2025-10-09T09:10:00Z""#, #""1760001000""#]

    @Test(arguments: sentAts)
    func `a fast clock is corrected by the excess over the tolerance`(sentAt: String) throws {
        let submission = try decode(#"{"sent_at":\#(sentAt),"events":[{"name":"a","timestamp":1760000990},{"name":"b"}]}"#)
        #expect(submission.records[0].time == Timestamp(milliseconds: 1_760_000_140_000))
        #expect(submission.records[1].time == Given.received)
    }

    @Test func `unknown fields around the events are ignored`() throws {
        let submission = try decode(#"{"v":1,"v":2,"events":[{"name":"a"}],"batch":[]}"#)
        #expect(submission.records.count == 1 && submission.told.isEmpty)
    }

    @Test func `field names may contain escapes`() throws {
        let submission = try decode(#"{"\u0065vents":[{"n\u0061me":"a","\u0069d":"x"}],"user_\u0069d":"u","context":{"platf\u006frm":"ios"}}"#)
        #expect(submission.text(submission.records[0].name) == "a" && submission.text(submission.records[0].user) == "u")
        #expect(submission.text(submission.contexts[1].values[0]) == "ios")
    }
}
