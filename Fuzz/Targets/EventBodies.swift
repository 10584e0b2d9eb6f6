// SPDX-License-Identifier: Apache-2.0

import Events
import Ingest
import JSON
import Platform

/// The fixed inputs of decoders: one app, one time, one parser.
enum Given {
    static let received = Timestamp(milliseconds: 1_760_000_000_000)
    static let hash = KeyedHash(seed: 0x5eed)
    static let parser = JSONParser()
    static let app = App(id: AppID(rawValue: 7), name: "fuzz", created: received, settings: AppSettings())
}

/// Event bodies. Every range is inside its source, every event is accounted for, and stored content decodes to itself.
enum EventBodies {
    private static let decoder = NativeEvents(parser: Given.parser)

    static func run(_ bytes: [UInt8]) {
        for rules in [RuleSet.Names.firebase, .open] {
            for format in [NativeEvents.Format.json, .ndjson] {
                if let submission = decode(bytes, format, rules) { check(submission, rules) }
            }
        }
    }

    private static func decode(_ bytes: [UInt8], _ format: NativeEvents.Format, _ rules: RuleSet.Names) -> EventSubmission? {
        try? decoder.decode(
            bytes, format: format, query: [("context.platform", "web")], app: Given.app, source: rules == .open ? .open : .events,
            received: Given.received, hash: Given.hash)
    }

    private static func check(_ submission: EventSubmission, _ rules: RuleSet.Names) {
        accepted()
        for record in submission.records { check(record, submission, rules) }
        for event in submission.quarantined {
            checkInside(event.raw, submission)
            checkReplay(of: event, submission, rules)
        }
        let indices = submission.records.map { Int($0.index) } + submission.quarantined.map(\.verdict.index)
        require(Set(indices) == Set(0..<indices.count), "an event was lost or counted twice")
        checkAnswer(submission)
    }

    private static func check(_ record: EventRecord, _ submission: EventSubmission, _ rules: RuleSet.Names) {
        require(Int(record.context) < submission.contexts.count, "a context that is not there")
        let ranges = [record.name, record.idText, record.user, record.installation, record.session, record.params, record.raw, record.subject]
        for range in ranges + submission.contexts[Int(record.context)].values {
            checkInside(range, submission)
            require(String(validating: submission.bytes(range), as: UTF8.self) != nil, "a range that is not text")
        }
        require(record.nameKey != 0 && record.idKey != 0 && !record.name.isEmpty && !record.raw.isEmpty, "an event without a name or id")
        require((record.userKey == 0) == record.user.isEmpty, "a user without a key, or a key without a user")
        require((record.installationKey == 0) == record.installation.isEmpty, "an installation without a key, or a key without an installation")
        require((record.sessionKey == 0) == record.session.isEmpty, "a session without a key, or a key without a session")
        require((record.subjectKey == 0) == record.subject.isEmpty, "a subject without a key, or a key without a subject")
        require(record.time <= submission.received + TimeRules.future, "a time too far ahead")
        if !record.params.isEmpty { checkStored(submission.text(record.params), of: record, rules) }
    }

    private static func checkInside(_ range: ByteRange, _ submission: EventSubmission) {
        let bytes = range.source == .body ? submission.body : submission.arena
        require(range.range.upperBound <= bytes.count, "a range outside its bytes")
    }

    /// Checks that cleaned parameters need no further cleaning.
    private static func checkStored(_ params: String, of record: EventRecord, _ rules: RuleSet.Names) {
        guard let again = decode(Array(#"[{"id":"1","name":"e","params":\#(params)}]"#.utf8), .json, rules), let first = again.records.first else {
            return require(false, "stored parameters that are not taken again: \(params)")
        }
        require(again.corrections.isEmpty, "stored parameters that are corrected again: \(params)")
        require(again.text(first.params) == params, "stored parameters that change: \(params)")
    }

    /// Checks that a replayed event is still one event, and that a line that was not JSON is still rejected.
    private static func checkReplay(of event: QuarantinedEvent, _ submission: EventSubmission, _ rules: RuleSet.Names) {
        let raw = submission.bytes(event.raw)
        guard event.verdict.reason != .invalidJSON else { return }
        guard let again = decode([0x5b] + raw + [0x5d], .json, rules) else { return require(false, "a quarantined event that cannot be read again") }
        require(again.records.count + again.quarantined.count == 1, "one quarantined event became several")
        guard let other = again.quarantined.first else { return }
        require(submission.bytes(event.raw).elementsEqual(again.bytes(other.raw)), "a quarantined event that changed")
    }

    private static func checkAnswer(_ submission: EventSubmission) {
        let outcome = submission.outcomeWithoutStoring()
        require(outcome.accepted >= 0 && outcome.accepted + outcome.duplicates == submission.records.count, "miscounted what was accepted")
        require(outcome.quarantined == submission.quarantined.count, "miscounted what was refused")
        checkJSON(responseBody(outcome))
    }
}

/// Checks that the response to a body is JSON.
func checkJSON(_ bytes: [UInt8]) {
    require(Given.parser.withReader { reader in (try? reader.parse(bytes)) != nil }, "an answer that is not JSON")
}
