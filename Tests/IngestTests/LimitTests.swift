// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import Ingest
import JSON
import Platform
import Testing

/// Each limit at its last allowed size and one beyond.
@Suite struct LimitTests {
    private static func members(_ count: Int, _ value: String = "0") -> String {
        (0..<count).map { #""k\#($0)":\#(value)"# }.joined(separator: ",")
    }

    private static func refusal(_ work: () throws(Refusal) -> Void) -> Refusal? {
        do throws(Refusal) {
            try work()
            return nil
        } catch {
            return error
        }
    }

    private static func told(_ verdict: Verdict?) -> String { verdict.map { "\($0.reason.rawValue) \($0.field): \($0.message)" } ?? "" }

    static let ofEvents = [
        (#"{"name":"e",M}"#, 1, "too_many_entries event: Has more than 1000 members."),
        (#"{"name":"e","params":{M}}"#, 0, "too_many_params params: Has more than 1000 members."),
        (#"{"name":"e","context":{M}}"#, 0, "too_many_entries context: Has more than 1000 members."),
    ]

    @Test(arguments: ofEvents)
    func `an event with too many members is quarantined alone`(event: String, other: Int, told: String) throws {
        func decoded(_ members: Int) throws -> EventSubmission {
            try decode(#"[\#(event.replacing("M", with: Self.members(members))),{"name":"f"}]"#)
        }
        #expect(try decoded(1_000 - other).records.count == 2)
        let beyond = try decoded(1_001 - other)
        #expect(beyond.records.count == 1 && Self.told(beyond.quarantined.first?.verdict) == told)
    }

    @Test func `a line with an object of too many members is quarantined alone`() throws {
        let lines = "{\"name\":\"e\",\"params\":{\(Self.members(65_537))}}\n{\"name\":\"f\"}"
        let decoded = try decode(lines, format: .ndjson)
        #expect(decoded.records.count == 1)
        let told = Self.told(decoded.quarantined.first?.verdict)
        #expect(told.hasPrefix("too_many_entries event: The line has an object with more than 65536 members at byte"), "\(told)")
    }

    @Test func `a shared context with too many members is rejected`() throws {
        func body(_ members: Int) -> String { #"{"context":{\#(Self.members(members))},"events":[{"name":"e"}]}"# }
        #expect(try decode(body(1_000)).records.count == 1)
        let refusal = Self.refusal { () throws(Refusal) in _ = try decode(body(1_001)) }
        #expect(refusal?.fields == [Refusal.Field("context", "too_many_entries", "Has more than 1000 members.")])
    }

    @Test func `a user and its properties have a member limit`() throws {
        func decoded(_ user: String) throws -> UserSubmission {
            let body = Array(#"{"users":[\#(user)]}"#.utf8)
            return try NativeUsers(parser: Given.parser).decode(body, app: Given.app(), received: Given.received, hash: Given.hash)
        }
        #expect(try decoded(#"{"user_id":"u",\#(Self.members(999))}"#).updates.count == 1)
        let entry = try decoded(#"{"user_id":"u",\#(Self.members(1_000))}"#)
        #expect(Self.told(entry.quarantined.first?.verdict) == "too_many_entries user: Has more than 1000 members.")
        #expect(try decoded(#"{"user_id":"u","properties":{\#(Self.members(1_000))}}"#).updates.first?.properties.count == 25)
        let properties = try decoded(#"{"user_id":"u","properties":{\#(Self.members(1_001))}}"#)
        #expect(Self.told(properties.quarantined.first?.verdict) == "too_many_user_properties properties: Has more than 1000 members.")
    }

    @Test func `a crash and its context have a member limit`() throws {
        #expect(try decode(crash: Self.members(999)).crashes.count == 1)
        let entry = try decode(crash: Self.members(1_000))
        #expect(Self.told(entry.quarantined.first?.verdict) == "too_many_entries crash: Has more than 1000 members.")
        #expect(try decode(crash: #""context":{\#(Self.members(1_000))}"#).crashes.count == 1)
        let context = try decode(crash: #""context":{\#(Self.members(1_001))}"#)
        #expect(Self.told(context.quarantined.first?.verdict) == "too_many_entries context: Has more than 1000 members.")
    }

    static let decoders: [(String, @Sendable ([UInt8]) throws(Refusal) -> Void)] = [
        ("native", { body throws(Refusal) in _ = try decode(body) }),
        ("crashes", { body throws(Refusal) in _ = try decode(crashes: body) }),
        ("segment", { body throws(Refusal) in _ = try SegmentCalls(parser: Given.parser).decode(body, .track) }),
        ("posthog", { body throws(Refusal) in _ = try PostHogEvents(parser: Given.parser).decode(body, received: Given.received) }),
    ]

    @Test(arguments: decoders)
    func `every decoder rejects an object with too many members`(
        name: String, decode: @Sendable ([UInt8]) throws(Refusal) -> Void
    ) {
        func body(_ members: Int) -> [UInt8] { Array(#"{"events":[],"crashes":[],\#(Self.members(members - 2))}"#.utf8) }
        #expect(Self.refusal { () throws(Refusal) in try decode(body(65_536)) } == nil, "\(name)")
        let refusal = Self.refusal { () throws(Refusal) in try decode(body(65_537)) }
        #expect(refusal?.code == .tooLarge && refusal?.detail.contains("more than 65536 members") == true, "\(name): \(String(describing: refusal))")
    }

    @Test func `a Sentry event and its objects have member limits`() {
        func refusal(_ event: String) -> String? {
            Self.refusal { () throws(Refusal) in _ = try SentryDecoder(parser: Given.parser).event(Array(event.utf8), received: Given.received) }?
                .detail
        }
        #expect(refusal("{\(Self.members(1_000))}") == nil)
        #expect(refusal("{\(Self.members(1_001))}") == "The event has an object with more than 1000 members at byte 0.")
        #expect(refusal("{\"extra\":{\(Self.members(8_192))}}") == nil)
        #expect(refusal("{\"extra\":{\(Self.members(8_193))}}")?.hasPrefix("The event has an object with more than 8192 members at byte") == true)
    }

    @Test func `a document with too many values is rejected with the limit`() {
        let values = Array(("[" + String(repeating: "0,", count: 999_999) + "0]").utf8)
        let refusal = Self.refusal { () throws(Refusal) in _ = try decode(values) }
        #expect(refusal?.code == .tooLarge && refusal?.detail.contains("more than 1000000 values and keys") == true)
    }

    @Test func `a text report has a line limit`() throws {
        func decoded(_ lines: Int) throws(Refusal) -> CrashBatch {
            let text = "Thread 0 Crashed:\n0 a 0x1 b" + String(repeating: "\n", count: lines - 2)
            return try AppleReports(parser: Given.parser).decode(Array(text.utf8), app: Given.app(), received: Given.received, hash: Given.hash)
        }
        #expect(try decoded(CrashLimits.textLines).crashes.count == 1)
        let refusal = Self.refusal { () throws(Refusal) in _ = try decoded(CrashLimits.textLines + 1) }
        #expect(refusal?.code == .tooLarge && refusal?.detail == "The report has more than 100000 lines.")
    }
}

/// Counts work instead of time: a decoder that searches one object for each entry is rejected.
@Suite struct StepTests {
    private static func tape(members: Int) throws -> JSONTape {
        let text = "{" + (0..<members).map { #""\u006b\#($0)":0"# }.joined(separator: ",") + "}"
        return try Given.parser.withReader { json throws(JSONError) in
            try json.parse(Array(text.utf8), limits: JSONLimits(stepsPerToken: 64))
        }
    }

    @Test func `a walk repeated for each member is rejected, a few walks are not`() throws {
        let tape = try Self.tape(members: 5_000)
        for _ in 0..<100 { #expect(tape.value("missing", of: 0) == nil) }
        try tape.checkSteps()
        #expect(tape.stepsTaken == 100 * 5_000)
        for _ in 0..<5_000 { _ = tape.value("missing", of: 0) }
        // Once the budget is exhausted a walk ends immediately, so it is exceeded by the last walk only.
        let limit = 10_000 + 64 * tape.count
        #expect(tape.stepsTaken > limit && tape.stepsTaken <= limit + 5_000)
        #expect(throws: Refusal.self) { try tape.checkSteps() }
        #expect(tape.value("k0", of: 0) == nil)
        do throws(Refusal) {
            try tape.checkSteps()
        } catch {
            #expect(error.code == .tooLarge)
            #expect(error.detail == "Decoding the request takes more than \(limit) steps, the limit for its size. Nothing was stored.")
        }
    }

    /// Looking up shared fields for each call would take 2,000 × 60,000 steps, fifteen times the budget.
    @Test(arguments: [#"{M,"batch":[B]}"#, #"{"context":{M},"batch":[B]}"#])
    func `shared fields of calls are looked up once`(shape: String) throws {
        let members = (0..<60_000).map { #""\u006b\#($0)":0"# }.joined(separator: ",")
        let calls = (0..<2_000).map { #"{"type":"track","event":"e","userId":"u","messageId":"\#($0)"}"# }.joined(separator: ",")
        let body = shape.replacing("M", with: members).replacing("B", with: calls)
        let batch = try SegmentCalls(parser: Given.parser).decode(Array(body.utf8), nil)
        #expect(batch.events.origins.count == 2_000)
    }
}
