// SPDX-License-Identifier: Apache-2.0

import Events
import Ingest
import Platform
import TestSupport
import Testing

@Suite struct RobustnessTests {
    static let envelope = #"""
        {"sent_at":"2025-10-09T08:53:21Z","user_id":"ü\u0031","context":{"platform":"ios","build":7},"events":[
        {"id":"0189f7ae-1111-7222-8333-abcdef012345","name":"purchase","timestamp":1760000000.5,"params":{"value":9.99,"currency":"EUR",
        "transaction_id":"T\n1","items":[{"item_id":"a","price":"1e1"},{"x y":[1]}],"x y":1,"\u0061":"é\ud83d\ude00"}},
        {"name":"screen_view","params":{"screen_name":"Home","screen_name":"Home"},"context":{"platform":null,"locale":"de_DE"}},
        {"name":"in_app_purchase","params":{"price":1.99,"quantity":3,"currency":"usd"},"session_id":"s"}, {"name":"a b"}, 7]}
        """#
    static let lines = #"""
        {"id":"x","name":"a","params":{"k":null,"l":[{}]}}
        {"name":"refund","params":{"value":"0.1","currency":"EUR","transaction_id":17}}
        {"name":
        {"name":"b","timestamp":"2025-10-01T00:00:00+02:00","user_id":""}
        """#
    static let users = #"{"users":[{"user_id":"u","installation_id":"i","alias":true,"properties":{"a":"\u00e9","b":null,"x y":1},"timestamp":1}]}"#

    @Test func `a truncated body is decoded or rejected and never traps`() {
        for rules in [RuleSet.Names.firebase, .open] {
            for (text, format) in [(Self.envelope, NativeEvents.Format.json), (Self.lines, .ndjson)] {
                let bytes = Array(text.utf8)
                for length in 0...bytes.count { check(Array(bytes[..<length]), format, rules) }
            }
        }
        let bytes = Array(Self.users.utf8)
        for length in 0..<bytes.count { #expect(throws: Refusal.self) { try decode(users: Array(bytes[..<length])) } }
    }

    @Test func `a corrupted body is decoded or rejected and never traps`() {
        var random = SeededGenerator(11)
        var readable = 0
        for round in 0..<15_000 {
            let (text, format) = round % 3 == 0 ? (Self.lines, NativeEvents.Format.ndjson) : (Self.envelope, .json)
            let bytes = mutated(Array(text.utf8), &random)
            if check(bytes, format, round % 2 == 0 ? .firebase : .open) { readable += 1 }
            _ = try? decode(users: mutated(Array(Self.users.utf8), &random))
        }
        #expect(readable > 5_000)
    }

    private func decode(users: [UInt8]) throws(Refusal) -> UserSubmission {
        try NativeUsers(parser: Given.parser).decode(users, app: Given.app(), received: Given.received, hash: Given.hash)
    }

    /// Decodes, and checks that every range is inside its bytes and every event is accounted for.
    @discardableResult
    private func check(_ bytes: [UInt8], _ format: NativeEvents.Format, _ rules: RuleSet.Names) -> Bool {
        guard let submission = try? IngestTests.decode(bytes, format: format, rules: rules) else { return false }
        for record in submission.records {
            let ranges = [record.name, record.idText, record.user, record.installation, record.session, record.params, record.raw, record.subject]
            for range in ranges + submission.contexts[Int(record.context)].values { expectInside(range, submission) }
            #expect(record.nameKey != 0 && record.idKey != 0 && !record.name.isEmpty)
            #expect((record.userKey == 0) == record.user.isEmpty && (record.subjectKey == 0) == record.subject.isEmpty)
            if !record.params.isEmpty { #expect(isInOrder(submission.text(record.params), rules)) }
            #expect(record.time <= submission.received + TimeRules.future)
        }
        for event in submission.quarantined { expectInside(event.raw, submission) }
        let indices = submission.records.map { Int($0.index) } + submission.quarantined.map(\.verdict.index)
        #expect(Set(indices) == Set(0..<indices.count))
        #expect(!responseBody(submission.outcomeWithoutStoring()).isEmpty)
        return true
    }

    private func expectInside(_ range: ByteRange, _ submission: EventSubmission) {
        let bytes = range.source == .body ? submission.body : submission.arena
        #expect(range.range.upperBound <= bytes.count)
    }

    /// Checks that stored events decode again without a change.
    private func isInOrder(_ params: String, _ rules: RuleSet.Names) -> Bool {
        guard let again = try? IngestTests.decode(params: params, rules: rules) else { return false }
        return again.told.isEmpty && again.params == params
    }

    private func mutated(_ original: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        let spice = Array(#"{}[],:"\ 019.-+eEtfnuid_"#.utf8) + [0x00, 0x0a, 0x0d, 0x80, 0xff, 0xed]
        var bytes = original
        for _ in 0...Int.random(in: 0..<4, using: &random) {
            let at = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[at] = spice[Int.random(in: 0..<spice.count, using: &random)]
            case 1: bytes.insert(spice[Int.random(in: 0..<spice.count, using: &random)], at: at)
            case 2: bytes.remove(at: at)
            default: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + 12)], at: at)
            }
        }
        return bytes
    }
}
