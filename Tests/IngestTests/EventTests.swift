// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import Ingest
import Platform
import Testing

@Suite struct EventTests {
    static let long64 = String(repeating: "é", count: 64)
    static let long256 = String(repeating: "é", count: 256)

    static let quarantined: [(String, Reason, String)] = [
        ("1", .notAnObject, "event"), ("\"a\"", .notAnObject, "event"), ("null", .notAnObject, "event"), ("[]", .notAnObject, "event"),
        ("{}", .missingName, "name"), (#"{"name":null}"#, .missingName, "name"), (#"{"name":""}"#, .missingName, "name"),
        (#"{"name":1}"#, .badName, "name"), (#"{"name":{}}"#, .badName, "name"), (#"{"name":"a b"}"#, .badName, "name"),
        (#"{"name":"_a"}"#, .badName, "name"), (#"{"name":"\ud800"}"#, .badName, "name"), (#"{"name":"a\u0000"}"#, .badName, "name"),
        (#"{"name":"error"}"#, .reservedName, "name"), (#"{"name":"firebase_x"}"#, .reservedName, "name"),
        ("{\"name\":\"\(String(repeating: "a", count: 41))\"}", .badName, "name"),
        (#"{"name":"a","name":"b"}"#, .duplicateKey, "name"), (#"{"name":"a","params":{},"params":{}}"#, .duplicateKey, "params"),
        (#"{"name":"a","n\u0061me":"a"}"#, .duplicateKey, "name"),
        (#"{"name":"a","id":1}"#, .badID, "id"), (#"{"name":"a","id":{}}"#, .badID, "id"), (#"{"name":"a","id":"x\n"}"#, .badID, "id"),
        (#"{"name":"a","id":"\udc00"}"#, .badID, "id"), ("{\"name\":\"a\",\"id\":\"\(long64)x\"}", .badID, "id"),
        (#"{"name":"a","timestamp":true}"#, .badTimestamp, "timestamp"), (#"{"name":"a","timestamp":"soon"}"#, .badTimestamp, "timestamp"),
        (#"{"name":"a","timestamp":1e17}"#, .badTimestamp, "timestamp"), (#"{"name":"a","timestamp":{}}"#, .badTimestamp, "timestamp"),
        (#"{"name":"a","timestamp":123456789012345678901234567890}"#, .badTimestamp, "timestamp"),
        (#"{"name":"a","timestamp":18446744073709551615}"#, .badTimestamp, "timestamp"),
        (#"{"name":"a","timestamp":0}"#, .tooOld, "timestamp"), (#"{"name":"a","timestamp":-1}"#, .tooOld, "timestamp"),
        (#"{"name":"a","timestamp":"1970-01-01T00:00:00Z"}"#, .tooOld, "timestamp"),
        (#"{"name":"a","user_id":1}"#, .badUser, "user_id"), ("{\"name\":\"a\",\"user_id\":\"\(long256)x\"}", .badUser, "user_id"),
        (#"{"name":"a","user_id":"\u0000"}"#, .badUser, "user_id"), (#"{"name":"a","installation_id":[]}"#, .badInstallation, "installation_id"),
        (#"{"name":"a","session_id":1}"#, .badSession, "session_id"), (#"{"name":"a","params":[]}"#, .badParams, "params"),
        (#"{"name":"a","params":"x"}"#, .badParams, "params"), (#"{"name":"a","context":1}"#, .badContext, "context"),
    ]

    @Test(arguments: quarantined)
    func `an invalid event is quarantined with its reason and bytes`(event: String, reason: Reason, field: String) throws {
        let submission = try decode("[{\"name\":\"before\"},\(event),{\"name\":\"after\"}]")
        #expect(submission.records.map(\.index) == [0, 2])
        #expect(submission.told == ["1 \(reason.rawValue) \(field)"])
        let quarantined = try #require(submission.quarantined.first)
        #expect(submission.text(quarantined.raw) == event)
        #expect(quarantined.verdict.result == .quarantined && !quarantined.verdict.message.isEmpty)
    }

    @Test func `a quarantined event has its ID and time if they are readable`() throws {
        let submission = try decode(event: #"{"id":"X1","timestamp":1760000000,"name":"a b"}"#)
        #expect(submission.quarantined[0].verdict.id == "X1")
        #expect(submission.quarantined[0].time == Given.received)
        #expect(try decode(event: #"{"id":5,"name":"a"}"#).quarantined[0].verdict.id == nil)
    }

    /// A plus as .NET's encoder writes it.
    @Test func `every decoder reads times with escapes`() throws {
        let (plain, escaped) = ("2025-10-09T10:00:00+02:00", #"2025-10-09T10:00:00\u002b02:00"#)
        let expected = Timestamp(milliseconds: 1_759_996_800_000)
        #expect(try decode(event: #"{"name":"a","timestamp":"\#(plain)"}"#).records.map(\.time) == [expected])
        #expect(try decode(event: #"{"name":"a","timestamp":"\#(escaped)"}"#).records.map(\.time) == [expected])
        let users = #"{"users":[{"user_id":"u","timestamp":"\#(escaped)"}]}"#
        let updates = try NativeUsers(parser: Given.parser).decode(Array(users.utf8), app: Given.app(), received: Given.received, hash: Given.hash)
        #expect(updates.updates.map(\.time) == [expected])
        let crashes = #"[{"type":"t","timestamp":"\#(escaped)"}]"#
        let batch = try Given.crashes.decode(Array(crashes.utf8), app: Given.app(), received: Given.received, hash: Given.hash)
        #expect(batch.crashes.map(\.report.time) == [expected])
        let segment = #"{"batch":[{"type":"track","event":"a","timestamp":"\#(escaped)"}]}"#
        #expect(try Decoded.events(SegmentCalls(parser: Given.parser).decode(Array(segment.utf8), nil)).records.map(\.time) == [expected])
    }

    @Test func `an escaped sent_at corrects the clock`() throws {
        // Both clocks are an hour fast, so the excess is subtracted.
        let times = try ["+", #"\u002b"#].map { plus in
            let body = #"{"sent_at":"2025-10-09T09:53:20\#(plus)00:00","events":[{"name":"a","timestamp":"2025-10-09T09:53:20Z"}]}"#
            return try decode(body).records[0].time
        }
        #expect(times[0] == times[1] && times[0] < Given.received + .minutes(5))
    }

    @Test func `corrections of a quarantined event are not reported`() throws {
        let submission = try decode(event: #"{"name":"a","context":{"platform":true},"params":1}"#)
        #expect(submission.told == ["0 bad_params params"])
    }

    static let kinds: [(String, EventKind)] = EventKind.allCases.filter { $0 != .custom }.map { ($0.name, $0) } + [("level_up", .custom)]

    @Test(arguments: kinds)
    func `well-known event names are allowed`(name: String, kind: EventKind) throws {
        let record = try #require(try decode(event: #"{"name":"\#(name)"}"#).records.first)
        #expect(record.kind == kind)
        #expect(record.nameKey == Given.hash(.name, app: AppID(rawValue: 7), Array(name.utf8).span))
    }

    @Test func `UUID IDs are compared by value`() throws {
        let submission = try decode(
            #"[{"name":"a","id":"0189F7AE-1111-7222-8333-ABCDEF012345"},{"name":"a","id":"0189f7ae-1111-7222-8333-abcdef012345"}]"#)
        let record = submission.records[0]
        #expect(record.idText.isEmpty && record.uuid == UUID128(high: 0x0189_f7ae_1111_7222, low: 0x8333_abcd_ef01_2345))
        #expect(record.idKey == submission.records[1].idKey)
        #expect(record.idKey == Given.hash(.eventID, app: AppID(rawValue: 7), record.uuid))
        let outcome = submission.outcomeWithoutStoring()
        #expect(outcome.accepted == 1 && outcome.duplicates == 1)
        #expect(outcome.verdicts.map(\.id) == ["0189f7ae-1111-7222-8333-abcdef012345"] && outcome.verdicts[0].index == 1)
    }

    @Test func `other IDs are compared byte by byte`() throws {
        let submission = try decode(#"[{"name":"a","id":"Abc"},{"name":"a","id":"abc"},{"name":"a","id":"\u0041bc"},{"name":"a","id":" abc"}]"#)
        #expect(submission.records.map { submission.text($0.idText) } == ["Abc", "abc", "Abc", " abc"])
        #expect(submission.told == ["2 event_duplicate id"])
        #expect(try decode(event: "{\"name\":\"a\",\"id\":\"\(Self.long64)\"}").told.isEmpty)
    }

    @Test(arguments: [#""id":"","#, #""id":null,"#, ""])
    func `an event without an ID gets one that sorts by time`(id: String) throws {
        let submission = try decode("[{\(id)\"name\":\"a\"},{\(id)\"name\":\"b\"},{\(id)\"name\":\"c\"}]")
        let ids = submission.records.map(\.uuid)
        #expect(submission.records.allSatisfy { $0.idText.isEmpty })
        #expect(ids.allSatisfy { $0.high >> 16 == UInt64(Given.received.milliseconds) && $0.high >> 12 & 15 == 7 && $0.low >> 62 == 2 })
        #expect(Set(ids).count == 3 && Set(submission.records.map(\.idKey)).count == 3)
        #expect(submission.records[0].idKey == Given.hash(.eventID, app: AppID(rawValue: 7), ids[0]))
        #expect(submission.outcomeWithoutStoring().accepted == 3)
    }

    @Test func `a generated ID is not reported as the sender's`() throws {
        #expect(try decode(event: #"{"name":"a","params":{"x y":1}}"#).corrections.map(\.id) == [nil])
        #expect(try decode(event: #"{"params":{"x y":1},"name":"a","id":"k"}"#).corrections.map(\.id) == ["k"])
    }

    @Test func `user IDs of 256 characters are accepted`() throws {
        let submission = try decode(event: "{\"name\":\"a\",\"user_id\":\"\(Self.long256)\",\"installation_id\":\"\\u0069\"}")
        #expect(submission.text(submission.records[0].user) == Self.long256)
        #expect(submission.text(submission.records[0].installation) == "i")
    }

    static let times: [(String, Int64, EventFlags)] = [
        ("1760000000", 0, []), ("1760000000000", 0, []), ("1760000000000000", 0, []), ("1759999999.5", -500, []), ("1.76e9", 0, []),
        (#""2025-10-09T08:53:20Z""#, 0, []), (#""2025-10-09T08:53:20""#, 0, []), (#""2025-10-09T10:53:20.25+02:00""#, 250, []), ("null", 0, []),
        ("1760082800", 82_800_000, []), ("1760082801", 0, .clock), ("1759740800", -259_200_000, []), ("1759740799", -259_201_000, .late),
        ("1752224000", -7_776_000_000, .late), ("9999999999", 0, .clock),
    ]

    @Test(arguments: times)
    func `a timestamp is read in every form`(json: String, offset: Int64, flags: EventFlags) throws {
        let record = try #require(try decode(event: #"{"name":"a","timestamp":\#(json)}"#).records.first)
        #expect(record.time == Given.received + .init(milliseconds: offset))
        #expect(record.flags == flags)
    }

    @Test func `open rules accept names that Firebase rules reject`() throws {
        let body = #"[{"name":"Order Completed ✓"},{"name":"error"},{"name":"$x\u0021"},{"name":"a\tb"}]"#
        let submission = try decode(body, rules: .open)
        #expect(submission.records.map { submission.text($0.name) } == ["Order Completed ✓", "error", "$x!"])
        #expect(submission.told == ["3 bad_event_name name"])
    }

    @Test func `contexts are merged by field and stored once`() throws {
        let submission = try decode(
            #"""
            {"context":{"platform":"ios","app_version":"1.0","build":12},"events":[{"name":"a"},{"name":"b","context":{}},
             {"name":"c","context":{"app_version":"2.0","other":1}},{"name":"d","context":{"app_version":"2.0","platform":null}},
             {"name":"e","context":{"platform":"","app_version":"","build":""}}]}
            """#)
        let contexts = submission.records.map { submission.contexts[Int($0.context)] }
        #expect(
            contexts.map { $0.values.prefix(3).map(submission.text) } == [
                ["ios", "1.0", "12"], ["ios", "1.0", "12"], ["ios", "2.0", "12"], ["ios", "2.0", "12"], ["", "", ""],
            ])
        #expect(Set(contexts.map(\.key)).count == 3 && contexts[4].key == 0 && submission.contexts.count == 3)
    }

    @Test func `all eight context fields are supported`() throws {
        let fields = EventContext.fields.map { "\"\($0)\":\"v-\($0)\"" }.joined(separator: ",")
        let submission = try decode(event: "{\"name\":\"a\",\"context\":{\(fields)}}")
        #expect(submission.contexts[1].values.map(submission.text) == EventContext.fields.map { "v-\($0)" })
    }

    static let contexts: [(String, String, String)] = [
        (#"{"platform":true,"build":"1"}"#, "0 bad_context context.platform", "1"), (#"{"build":{}}"#, "0 bad_context context.build", ""),
        (#"{"build":"\ud800"}"#, "0 bad_context context.build", ""), (#"{"build":"a","build":"b"}"#, "0 duplicate_key context.build", "b"),
        ("{\"build\":\"\(String(repeating: "é", count: 101))\"}", "0 bad_context context.build", ""),
    ]

    @Test(arguments: contexts)
    func `an invalid context value is dropped and reported`(context: String, told: String, build: String) throws {
        let submission = try decode(event: "{\"name\":\"a\",\"context\":\(context)}")
        #expect(submission.told == [told])
        #expect(submission.records[0].flags == .corrected)
        #expect(submission.text(submission.contexts[Int(submission.records[0].context)].values[2]) == build)
    }
}
