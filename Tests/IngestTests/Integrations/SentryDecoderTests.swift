// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import Foundation
import Ingest
import JSON
import Platform
import Testing

/// Envelopes of real SDKs, in `Tests/Fixtures/sentry`.
private enum Sample {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/sentry")

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appendingPathComponent(name + ".envelope")))
    }

    static let all = [
        "cli-sendevent-event-0", "py-attachment-event+attachment-0", "py-clientreport-client_report-0", "py-deep-recursion-event-0",
        "py-handled-event-0", "py-logging-event-0", "py-message-event-0", "py-misc-check_in-0", "py-misc-log-1", "py-misc-trace_metric-2",
        "py-sessions-session+sessions-0", "py-thread-group-event-0", "py-transaction-transaction-0", "py-unhandled-chained-event-0",
    ]
}

private let decoder = SentryDecoder(parser: Given.parser)
/// A day after the samples were taken.
private let received = Day(year: 2026, month: 11, day: 22).start

private func read(_ body: some Sequence<UInt8>) throws -> SentryRequest {
    try decoder.envelope(Array(body), received: received)
}

private func read(_ text: String) throws -> SentryRequest { try read(text.utf8) }

private func crashes(of request: SentryRequest) throws -> CrashBatch {
    let batch = request.batch
    return try Given.crashes.decode(batch.crashes.body(sentAt: batch.sentAt), app: Given.app(), received: received, hash: Given.hash)
}

private func report(of request: SentryRequest) throws -> CrashReport {
    let batch = try crashes(of: request)
    #expect(batch.quarantined.isEmpty)
    return try #require(batch.crashes.first).report
}

/// One event in an envelope of its own.
private func report(event: String) throws -> CrashReport {
    try report(of: read("{}\n{\"type\":\"event\"}\n\(event)\n"))
}

private func events(of request: SentryRequest) throws -> [(name: String, session: String, id: String)] {
    let batch = request.batch
    let submission = try Given.decoder.decode(
        batch.events.tape(), sentAt: batch.sentAt, app: Given.app(), source: .events, received: received, hash: Given.hash)
    #expect(submission.quarantined.isEmpty && submission.corrections.isEmpty)
    return submission.records.map { (submission.text($0.name), submission.text($0.session), submission.text($0.idText)) }
}

@Suite struct SentryFramingTests {
    private static let event = #"{"message":"m"}"#

    @Test(arguments: [
        "{}\n{\"type\":\"event\"}\n\(event)", "{}\n{\"type\":\"event\"}\n\(event)\n", "{}\n{\"type\":\"event\",\"length\":15}\n\(event)",
        "{}\n{\"type\":\"event\",\"length\":15}\n\(event)\n", "{\"sent_at\":\"nonsense\",\"new\":[1]}\n{\"type\":\"event\",\"x\":{}}\n\(event)\n\n",
        "{}\n{\"type\":\"thing\",\"length\":0}\n\n{\"type\":\"event\"}\n\(event)",
        "{}\n{\"type\":\"attachment\",\"length\":4}\na\r\n\0\n{\"type\":\"event\"}\n\(event)",
        "{}\n{\"type\":\"event\"}\n\(event)\n{\"type\":\"thing\",\"length\":0}\n",
    ])
    func `an item ends after its length or its line`(_ envelope: String) throws {
        #expect(try report(of: read(envelope)).reason == "m")
    }

    @Test(arguments: [
        "", "\n", "[]", "{}\n{}\nx", "{}\n{\"type\":\"event\",\"length\":14}\n\(event)", "{}\n{\"type\":\"event\",\"length\":16}\n\(event)",
        "{}\n{\"type\":\"event\",\"length\":-1}\n\(event)", "{}\n{\"type\":\"event\",\"length\":9223372036854775807}\n\(event)",
        "{}\n{\"type\":\"event\",\"length\":\"15\"}\n\(event)", "{}\nnonsense\n\(event)", "{}\n{\"type\":\"event\"}\n{\"message\":",
        "{}\n{\"type\":\"event\"}\n[]", "{}\n{\"type\":\"session\"}\n",
    ])
    func `an invalid envelope is rejected`(_ envelope: String) {
        #expect(throws: Refusal.self) { try read(envelope) }
    }

    @Test func `an envelope of headers alone is empty`() throws {
        for text in ["{}", "{}\n", "{}\n\n\n", #"{"event_id":"x"}"#] {
            let request = try read(text)
            #expect(request.batch.crashes.isEmpty && request.batch.events.isEmpty && request.eventID == nil)
        }
    }

    @Test func `an event may have 1 MiB, other items the size of the body`() throws {
        let large = String(repeating: "a", count: 1 << 20)
        #expect(throws: Refusal.self) { try read("{}\n{\"type\":\"event\"}\n{\"message\":\"\(large)\"}") }
        #expect(try read("{}\n{\"type\":\"attachment\"}\n\(large)\n{\"type\":\"event\"}\n\(Self.event)").events == 1)
    }

    @Test func `an attachment belongs to the event of its envelope, or to the one that its headers name`() throws {
        let file = #"{"type":"attachment","length":4,"filename":"a.log","content_type":"text/plain","attachment_type":"event.view_hierarchy"}"#
        let (plain, id) = ("7fd08401fdfb4f35babf279a338aec19", "7fd08401-fdfb-4f35-babf-279a338aec19")
        for head in [plain, id] {
            let both = try read("{\"event_id\":\"\(head)\"}\n\(file)\na\r\n\0\n{\"type\":\"event\"}\n\(Self.event)")
            let alone = try read("{\"event_id\":\"\(head)\"}\n\(file)\na\r\n\0\n")
            for request in [both, alone] {
                let found = try #require(request.batch.attachments.first)
                #expect(found.report == id && found.name == "a.log" && found.contentType == "text/plain" && found.kind == "event.view_hierarchy")
                #expect(found.size == 4 && found.bytes == Array("a\r\n\0".utf8) && request.attachments == 1 && request.eventID == plain)
            }
        }
        let bare = try read("{}\n{\"type\":\"event\"}\n\(Self.event)\n{\"type\":\"attachment\",\"filename\":\"a\\u0001b\"}\nx")
        let found = try #require(bare.batch.attachments.first)
        let generated = try report(of: bare).id
        #expect(found.name == nil && found.kind == "event.attachment" && found.report == generated)
        let sample = try read(Sample.bytes("py-attachment-event+attachment-0")).batch.attachments
        #expect(sample.map(\.name) == ["log.bin"] && sample[0].bytes?.count == 17)
    }

    @Test(arguments: [
        "{}\n{\"type\":\"event\"}\n\(event)\n{\"type\":\"attachment\",\"length\":90,\"filename\":\"a\"}\nab",
        "{}\n{\"type\":\"event\",\"length\":15}\n\(event)\n{\"type\":\"attachment\",\"length\":2}\nab\n{\"type\":\"attach",
        "{}\n{\"type\":\"event\"}\n\(event)\n{\"type\":\"attachment\"}\nab",
    ])
    func `the event before a dropped end is accepted`(_ text: String) throws {
        let request = try decoder.envelope(Array(text.utf8), isTruncated: true, received: received)
        #expect(try report(of: request).reason == "m" && request.attachments == 1)
        let isWhole = text.contains("\"length\":2")
        #expect(request.batch.attachments.map { $0.bytes == nil } == [!isWhole])
        #expect(request.batch.attachments[0].size == (isWhole ? 2 : text.contains("90") ? 90 : 3))
    }

    @Test(arguments: [
        "{}\n{\"type\":\"event\"}\n\(event)", "{}\n{\"type\":\"event\",\"length\":90}\n\(event)", "{}\n{\"type\":\"session\"}\n{\"sid\":",
        "{}\n{\"type\":\"attachment\",\"length\":90}\nab", "{}\n{\"type\":\"session\",\"length\":11}\n{\"sid\":\"a\"}\n{",
    ])
    func `an event at a dropped end is too large`(_ text: String) throws {
        #expect { try decoder.envelope(Array(text.utf8), isTruncated: true, received: received) } throws: { ($0 as? Refusal)?.code == .tooLarge }
    }

    @Test(arguments: Sample.all)
    func `a truncated sample is rejected or its complete items are accepted`(_ name: String) throws {
        let bytes = try Sample.bytes(name)
        let whole = try read(bytes)
        // A large sample is cut at some two thousand places.
        for end in stride(from: 0, to: bytes.count, by: 1 + bytes.count / 2_000) {
            guard let part = try? read(bytes[..<end]) else { continue }
            #expect(part.events == 0 || part.batch.crashes.body(sentAt: nil) == whole.batch.crashes.body(sentAt: nil), "cut at \(end)")
            #expect(part.sessions == 0 || part.batch.events.body(sentAt: nil) == whole.batch.events.body(sentAt: nil), "cut at \(end)")
        }
    }

    @Test func `a truncated event without an envelope is rejected`() throws {
        let lines = try Sample.bytes("py-handled-event-0").split(separator: 0x0a)
        let event = Array(lines[2])
        #expect(try decoder.event(event, received: received).events == 1)
        for end in 0..<event.count {
            #expect(throws: Refusal.self) { try decoder.event(Array(event[..<end]), received: received) }
        }
    }

    @Test func `the key of an envelope is in its DSN`() {
        func key(_ dsn: String) -> String? { SentryDecoder.key(inEnvelope: Array(#"{"dsn":"\#(dsn)"}"#.utf8)) }
        #expect(key("https://abc@o1.example.com/42") == "abc" && key("http://abc:secret@127.0.0.1:8000/path/1") == "abc")
        #expect(key("nonsense") == nil && key("https://example.com/1") == nil && SentryDecoder.key(inEnvelope: []) == nil)
    }
}

@Suite struct SentryEventTests {
    @Test(arguments: Sample.all)
    func `all entries of the samples are accepted`(_ name: String) throws {
        let request = try read(Sample.bytes(name))
        let batch = try crashes(of: request)
        #expect(batch.quarantined.isEmpty && batch.crashes.count == request.events)
        _ = try events(of: request)
        let isErrors = name.contains("event")
        #expect(request.events == (isErrors ? 1 : 0) && (request.eventID?.count == 32) == isErrors)
    }

    @Test func `a handled exception keeps its stack, tags and user`() throws {
        let kept = try report(of: read(Sample.bytes("py-handled-event-0")))
        #expect(kept.id == "7fd08401-fdfb-4f35-babf-279a338aec19" && kept.kind == .nonfatal && kept.level == .error)
        #expect(kept.type == "ZeroDivisionError" && kept.reason == "division by zero" && kept.user == "user-1")
        #expect(kept.exceptions.first?.frames.map(\.function) == ["<module>", "f"] && kept.exceptions.first?.frames.last?.line == 23)
        #expect(kept.release == "sample-app@1.2.3" && kept.contextValue("environment") == "production")
        #expect(kept.breadcrumbs.map(\.message) == ["opened cart"])
        #expect(kept.customKeys.contains(CustomKey("flavour", "beta")) && kept.customKeys.contains(CustomKey("server_name", "host-1")))
    }

    @Test func `an unhandled exception is fatal and named after the last of its chain`() throws {
        let kept = try report(of: read(Sample.bytes("py-unhandled-chained-event-0")))
        #expect(kept.kind == .fatal && kept.type == "RuntimeError" && kept.exceptions.map(\.type) == ["ValueError", "RuntimeError"])
        let group = try report(of: read(Sample.bytes("py-thread-group-event-0")))
        #expect(group.kind == .fatal && group.type == "ExceptionGroup" && group.exceptions.count == 3)
    }

    @Test func `a logged message is grouped by its template`() throws {
        let logged = try report(of: read(Sample.bytes("py-logging-event-0")))
        #expect(logged.reason == "order A-17 for 3 items failed" && logged.fingerprint == ["order %s for %d items failed"])
        #expect(logged.kind == .nonfatal && logged.customKeys.contains(CustomKey("logger", "checkout")))
        let plain = try report(of: read(Sample.bytes("py-message-event-0")))
        #expect(plain.level == .info && plain.reason == "user 4711 at 10.0.0.7 failed after 15ms" && plain.fingerprint.isEmpty)
        let sent = try report(of: read(Sample.bytes("cli-sendevent-event-0")))
        #expect(sent.reason == "hi x" && sent.user == "root" && sent.contextValue("platform") == "linux" && sent.level == .error)
    }

    @Test(arguments: [
        (#"{"exception":[{"type":"E","value":"v"}]}"#, "E", "v"), (#"{"exception":{"type":"E","value":{"a":1}}}"#, "E", #"{"a":1}"#),
        (#"{"exception":{"values":[{"type":"E","stacktrace":{"frames":null}},null]}}"#, "E", nil),
        (#"{"exception":{"values":[{"value":"v"}]}}"#, "Error", "v"), (#"{"exception":{"values":[]},"message":"m"}"#, "message", "m"),
        (#"{"exception":null,"logentry":"m"}"#, "message", "m"), (#"{"message":{"message":"m %d","params":[7]}}"#, "message", "m 7"),
        (#"{"logentry":{"message":"a {} 100%% {}","params":["x",1]}}"#, "message", "a x 100% 1"), ("{}", "event", nil),
        (#"{"exception":{"values":[{"mechanism":{"meta":{"signal":{"number":11}}}}]}}"#, "SIGSEGV", nil),
        (#"{"exception":{"values":[{"type":"E","value":"v"}]},"message":"said"}"#, "E", "v"), (#"{"message":" "}"#, "event", nil),
    ])
    func `every exception form has a name`(_ event: String, _ type: String, _ reason: String?) throws {
        let kept = try report(event: event)
        #expect(kept.type == type && kept.reason == reason)
    }

    @Test func `IDs, times and users have many forms`() throws {
        let text =
            #"{"event_id":"519420f9-02e9-4902-A295-8805E2E23A18"}"# + "\n" + #"{"type":"event"}"# + "\n"
            + #"{"event_id":"00000000000000000000000000000000","timestamp":1795228643.8314457,"user":{"id":17},"level":"critical","message":"m"}"#
        let request = try read(text)
        let kept = try report(of: request)
        #expect(request.eventID == "519420f902e94902a2958805e2e23a18" && kept.id == "519420f9-02e9-4902-a295-8805e2e23a18")
        #expect(kept.user == "17" && kept.installation == "17" && kept.kind == .fatal && kept.time.milliseconds == 1_795_228_643_831)
        let odd = try read("{\"event_id\":\"a\\u0000\"}\n{\"type\":\"event\"}\n{\"message\":\"m\",\"event_id\":\"mine\"}")
        #expect(odd.eventID == "mine")
        #expect(try report(event: #"{"message":"m","timestamp":"soon","user":{"id":"a\u0000b","email":"a@b.c"}}"#).user == "a@b.c")
        #expect(try report(event: #"{"message":"m","tags":[["a","b"],["c",null],7]}"#).customKeys == [CustomKey("a", "b")])
    }

    @Test func `an error sent with its session belongs to it`() throws {
        let session = #"{"sid":"A-1","did":"phone","status":"crashed","started":"2026-11-21T10:00:00Z","attrs":{"release":"shop@2.0+7"}}"#
        let event = #"{"message":"m","user":{"id":"ann"}}"#
        let request = try read("{}\n{\"type\":\"event\"}\n\(event)\n{\"type\":\"session\"}\n\(session)")
        let kept = try report(of: request)
        #expect(kept.session == "a-1" && kept.installation == "phone" && kept.user == "ann")
        #expect(try events(of: request).map(\.name) == ["session_start", "session_crash"])
    }

    @Test(arguments: [
        #"{"exception":7,"threads":"x","tags":5,"extra":[1],"contexts":"c","user":[],"debug_meta":1,"fingerprint":{},"request":[],"breadcrumbs":0}"#,
        #"{"event_id":{},"timestamp":[],"level":9,"platform":{},"release":[],"dist":{},"environment":1e400,"message":[1,2],"logentry":{"params":{}}}"#,
        #"{"exception":{"values":{"values":{"values":[]}}},"stacktrace":[[[]]],"tags":{"a":{"b":[1,null]}},"message":"\ud800\u0000"}"#,
        #"{"contexts":{"os":7,"app":[],"device":{"id":99999999999999999999999},"x":{"y":{"z":1}}},"user":{"id":-0.0,"geo":5}}"#,
    ])
    func `a wrong type drops only its field`(_ event: String) throws {
        _ = try report(event: event)
    }

    @Test(arguments: [29, 200, 5_000])
    func `deep nesting is cut and the crash is stored`(levels: Int) throws {
        let nested = String(repeating: #"{"a":"#, count: levels) + "1" + String(repeating: "}", count: levels)
        let kept = try report(
            event: #"{"message":"m","extra":{"x":\#(nested),"y":"kept"},"breadcrumbs":[{"message":"b","data":\#(nested)}]}"#)
        #expect(kept.reason == "m" && kept.customKeys.map(\.name) == ["x", "y"] && kept.breadcrumbs.map(\.message) == ["b"])
        #expect(kept.breadcrumbs[0].data.isEmpty == (levels > 32) && kept.cuts.contains { $0.hasPrefix("breadcrumbs.data: ") } == (levels > 32))
        #expect(StoredCrashes(parser: Given.parser).report(kept.json)?.breadcrumbs == kept.breadcrumbs)
        let lists = String(repeating: #"{"values":"#, count: levels) + "[]" + String(repeating: "}", count: levels)
        #expect(try report(event: #"{"message":"m","threads":\#(lists)}"#).threads.isEmpty)
    }
}

@Suite struct SentryCountTests {
    @Test func `a session becomes a start and an end event with derived IDs`() throws {
        let sid = "3ed92494-a7b1-4215-9451-74e4b8587c8e"
        let request = try read(Sample.bytes("py-sessions-session+sessions-0"))
        let found = try events(of: request)
        #expect(found.map(\.name) == ["session_start", "session_crash"] && Set(found.map(\.session)) == [sid])
        #expect(found.map(\.id) == ["session:\(sid)", "session-end:\(sid)"])
        #expect(request.countedSessions == ["exited": 3])
        let counts = try #require(request.batch.sessionCounts.first)
        let start = Day(year: 2026, month: 11, day: 21).start + .minutes(2 * 60 + 37)
        #expect(
            counts.sessions == [CountedSessions(start: start, release: "1.2.3", environment: "production", sessions: 3, crashed: 0)])
        #expect(counts.identity == nil)
        for status in ["ok", "new_word"] {
            let update = try read("{}\n{\"type\":\"session\"}\n{\"sid\":\"\(sid)\",\"status\":\"\(status)\"}")
            #expect(try events(of: update).map(\.id) == ["session:\(sid)"])
        }
        #expect(try read("{}\n{\"type\":\"session\"}\n{\"status\":\"ok\"}").skipped == ["session": 1])
    }

    @Test func `client drops are counted by known labels`() throws {
        #expect(try read(Sample.bytes("py-clientreport-client_report-0")).losses == [.init(reason: "ratelimit_backoff", category: "error"): 1])
        let odd = #"{"discarded_events":[{"reason":"x","category":"error","quantity":2},{"reason":7,"quantity":-5},{"reason":"before_send"},8]}"#
        let losses = try read("{}\n{\"type\":\"client_report\"}\n\(odd)").losses
        #expect(losses == [.init(reason: "other", category: "error"): 2, .init(reason: "other", category: "other"): 0])
    }

    @Test func `hostile aggregates are counted as far as they are numbers`() throws {
        func counts(_ aggregates: String, _ header: String = "{}") throws -> SentryRequest {
            try read("\(header)\n{\"type\":\"sessions\"}\n{\"attrs\":{\"release\":\"shop@2.1+7\"},\"aggregates\":\(aggregates)}")
        }
        for nothing in ["null", "{}", "7", "[]", "[1,null,[],{}]", #"[{"exited":-5}]"#, #"[{"exited":"5"}]"#, #"[{"exited":null,"did":"ann"}]"#] {
            #expect(try counts(nothing).batch.sessionCounts.isEmpty, "\(nothing)")
        }
        let large = try counts(#"[{"started":"x","exited":99999999999999999999,"crashed":1e300,"errored":5000000000,"other":3}]"#)
        let one = try #require(large.batch.sessionCounts.first?.sessions.first)
        #expect(one.start == received && one.sessions <= 3_000_000_000 && one.release == "2.1")
        let many = try counts("[" + Array(repeating: #"{"exited":1}"#, count: 500).joined(separator: ",") + "]")
        #expect(many.batch.sessionCounts[0].sessions.count == 100)
        let header = #"{"sent_at":"2026-11-21T12:00:00Z"}"#
        let identities = try [
            (#"[{"exited":1}]"#, header), (#"[{"exited":1}]"#, header), (#"[{"exited":2}]"#, header), (#"[{"exited":1}]"#, "{\"sent_at\":7}"),
        ]
        .map { try counts($0, $1).batch.sessionCounts[0].identity }
        #expect(identities[0] == identities[1] && Set(identities.dropFirst()).count == 3 && !identities.contains(nil))
    }

    @Test(arguments: [
        "transaction", "span", "profile", "profile_chunk", "replay_event", "replay_recording", "log", "trace_metric", "check_in",
        "feedback", "user_report", "security", "unreal_report", "form_data",
    ])
    func `an unsupported item is counted by type whatever its content`(_ type: String) throws {
        let request = try read("{}\n{\"type\":\"\(type)\",\"length\":3}\n\0\r\n\n{\"type\":\"event\"}\n{\"message\":\"m\"}")
        #expect(request.skipped == [type: 1] && request.events == 1)
    }

    @Test func `unsupported items are counted by type`() throws {
        let types = ["py-transaction-transaction-0", "py-misc-check_in-0", "py-misc-log-1", "py-misc-trace_metric-2"]
        let counted = try types.map { try read(Sample.bytes($0)).skipped }
        #expect(counted == [["transaction": 1], ["check_in": 1], ["log": 1], ["trace_metric": 1]])
        #expect(try read("{}\n{\"type\":\"\u{1f600}\"}\nx\n{\"type\":\"zzz\"}\n").skipped == ["other": 2])
    }
}
