// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import Ingest
import JSON
import Platform
import Testing
import WrittenDumps

private let received = Given.received

/// A form in the order of its parts.
private func form(_ parts: (name: String, value: String)..., dump: [UInt8]? = Array("MDMP".utf8)) -> [UInt8] {
    var body: [UInt8] = []
    for (name, value) in parts { body += Array("--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8) }
    if let dump {
        body +=
            Array("--b\r\nContent-Disposition: form-data; name=\"upload_file_minidump\"; filename=\"c:\\a;b.dmp\"\r\n\r\n".utf8) + dump + [13, 10]
    }
    return body + Array("--b--\r\n".utf8)
}

/// A form of files, followed by a dump.
private func form(files: (name: String, bytes: [UInt8])...) -> [UInt8] {
    var body: [UInt8] = []
    for (name, bytes) in files {
        body += Array("--b\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"\(name)\"\r\n\r\n".utf8) + bytes + [13, 10]
    }
    return body + form(dump: Array("MDMP".utf8))
}

private func request(_ body: [UInt8]) throws -> SentryRequest {
    let form = try MinidumpForm(body, contentType: #"multipart/form-data; boundary="b""#)
    return try SentryDecoder(parser: Given.parser).minidump(form, id: UUID128(high: 7, low: 9), received: received)
}

private func report(_ body: [UInt8]) throws -> CrashReport {
    let batch = try Decoded.crashes(request(body).batch)
    #expect(batch.quarantined.isEmpty)
    return try #require(batch.crashes.first).report
}

@Suite struct MinidumpFormTests {
    @Test func `a form with a dump only has an ID and a level`() throws {
        let request = try request(form())
        #expect(request.eventID == "00000000000000070000000000000009" && request.batch.dumps == [0: Array("MDMP".utf8)])
        let report = try report(form())
        #expect(report.kind == .fatal && report.platform == "native")
    }

    @Test func `the event is read from JSON, its chunks, and its fields`() throws {
        for body in [
            form(("sentry", #"{"release":"shop@2.1","user":{"id":"ann"},"tags":{"plan":"pro"}}"#)),
            form(("sentry__2", #"{"id":"ann"},"tags":{"plan":"pro"}}"#), ("sentry__1", #"{"release":"shop@2.1","user":"#)),
            form(("sentry[release]", "shop@2.1"), ("sentry[user][id]", "ann"), ("sentry[tags][plan]", "pro")),
            form(("sentry", #"{"release":"shop@2.1"}"#), ("sentry[release]", "other@1"), ("sentry[user][id]", "ann"), ("sentry[tags][plan]", "pro")),
            form(("prod", "shop"), ("ver", "2.1"), ("sentry[user][id]", "ann"), ("sentry[tags][plan]", "pro")),
        ] {
            let report = try report(body)
            #expect(report.user == "ann" && report.release?.hasSuffix("2.1") == true, "\(String(decoding: body, as: UTF8.self))")
            #expect(report.customKeys.contains(CustomKey("plan", "pro")))
        }
    }

    @Test func `an event and breadcrumbs in MessagePack are read`() throws {
        let event: [UInt8] = [0x81, 0xa4] + Array("user".utf8) + [0x81, 0xa2] + Array("id".utf8) + [0xa3] + Array("ann".utf8)
        let breadcrumb: [UInt8] = [0x81, 0xa7] + Array("message".utf8) + [0xa5] + Array("first".utf8)
        let report = try report(
            form(files: ("__sentry-event", event), ("__sentry-breadcrumb1", breadcrumb + breadcrumb), ("__sentry-breadcrumb2", [0x80])))
        #expect(report.user == "ann" && report.breadcrumbs.map(\.message).prefix(2) == ["first", "first"])
        let broken = try request(form(files: ("__sentry-event", [0x81]), ("view.png", [1, 2])))
        #expect(broken.eventID == "00000000000000070000000000000009" && broken.batch.attachments.map(\.name) == ["view.png"])
    }

    @Test func `annotations become custom keys`() throws {
        let report = try report(form(("guid", "0f1e"), ("sentry", #"{"extra":{"own":1}}"#), ("lsb", "")))
        #expect(report.customKeys.map(\.name).sorted() == ["guid", "lsb", "own"])
        #expect(report.customKeys.first { $0.name == "guid" }?.value == "0f1e")
    }

    @Test func `a broken event is left out, and the dump is kept`() throws {
        for event in ["{", "[]x", "nonsense", #"{"a":"# + String(repeating: "[", count: 9_999)] {
            let request = try request(form(("sentry", event), ("sentry[user][id]", "ann")))
            #expect(request.skipped.values.reduce(0, +) == 1 && request.batch.dumps.count == 1)
            #expect(try report(form(("sentry", event), ("sentry[user][id]", "ann"))).user == "ann")
        }
    }

    @Test func `hostile fields are ignored`() throws {
        for name in [
            "sentry[]", "sentry[a][]", "sentry[a", "sentry[a]b", "sentry[[a]]", "sentry" + String(repeating: "[a]", count: 9), "sentry[type]",
            "sentry[extra][a]",
            "sentry[\u{1f600}]", "sentry[user]", "sentry[exception][values]", "", "sentry__", "sentry__x", "sentry__99999999999999999999",
        ] {
            let report = try report(form((name, "transaction"), ("sentry[user][id]", "ann")))
            #expect(report.kind == .fatal, "\(name)")
        }
        let many = (0..<200).map { ("sentry[k\($0)]", "v") }
        var body = form(dump: nil).dropLast(7)
        for (name, value) in many { body += Array("--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8) }
        #expect(try report(Array(body) + form()).kind == .fatal)
    }

    @Test func `a form without a dump, with too many parts, or of another type is refused`() throws {
        #expect(throws: Refusal.self) { try request(form(("sentry", "{}"), dump: nil)) }
        #expect(throws: Refusal.self) { try request(form(dump: [])) }
        #expect(throws: Refusal.self) { try request(Array("{}".utf8)) }
        #expect(throws: Refusal.self) { try MinidumpForm(form(), contentType: nil) }
        #expect(throws: Refusal.self) { try MinidumpForm(form(), contentType: "application/json") }
        let parts = (0...MinidumpForm.parts).map { _ in "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nv\r\n" }.joined()
        #expect(throws: Refusal.self) { try request(Array(parts.utf8) + form()) }
    }

    @Test func `the time of a recent dump is that of the crash`() throws {
        func time(_ seconds: Int64) throws -> Timestamp {
            var dump = MinidumpWriter(.amd64, .linux)
            dump.time = UInt32(seconds)
            return try report(form(dump: dump.bytes)).time
        }
        let now = received.milliseconds / 1_000
        #expect(try time(now - 3_600) == received - .hours(1))
        #expect(try time(now - 80 * 3_600) == received && time(now + 60) == received && time(0) == received)
    }
}

/// The parts that a dump adds to the report of its sender.
@Suite struct MinidumpCrashTests {
    private static func dump(_ type: String = "SIGSEGV / SEGV_MAPERR", reason: String? = "SIGSEGV / SEGV_MAPERR at 0x10") -> CrashReport {
        var dump = CrashReport(id: "", kind: .fatal, level: .fatal, time: received, type: type)
        (dump.reason, dump.platform, dump.installation) = (reason, "native", "0f1e")
        var thrown = CrashException()
        (thrown.type, thrown.value, thrown.thread) = (type, reason, 1)
        (thrown.mechanism.type, thrown.mechanism.handled) = ("minidump", false)
        dump.exceptions = [thrown]
        var (thread, frame) = (CrashThread(), StackFrame())
        (frame.address, frame.trust, frame.registers) = (0x1010, .context, [CustomKey("rip", "0x1010")])
        (thread.id, thread.crashed, thread.frames) = (1, true, [frame])
        dump.threads = [thread]
        dump.context = [CustomKey("platform", "linux"), CustomKey("os_version", "6.1")]
        dump.customKeys = [CustomKey("prod", "Shop"), CustomKey("mine", "of the dump")]
        return dump
    }

    private static func sent() -> CrashReport {
        var report = CrashReport(id: "1", kind: .nonfatal, level: .error, time: received, type: "message")
        (report.reason, report.user) = ("it broke", "ann")
        report.context = [CustomKey("os_version", "5.0")]
        report.customKeys = [CustomKey("mine", "of the event")]
        return report
    }

    @Test func `the fault and the stacks are those of the dump, the rest is the sender's`() {
        var report = Self.sent()
        report.read(.report(Self.dump()))
        #expect(report.type == "SIGSEGV / SEGV_MAPERR" && report.kind == .fatal && report.user == "ann" && report.installation == "0f1e")
        #expect(report.threads == Self.dump().threads && report.isMinidump && !report.isMinidumpPending)
        #expect(report.contextValue("os_version") == "5.0" && report.contextValue("platform") == "linux")
        #expect(report.customKeys == [CustomKey("mine", "of the event"), CustomKey("message", "it broke"), CustomKey("prod", "Shop")])
        let once = report
        report.read(.report(Self.dump()))
        #expect(report == once, "reading it again changes nothing")
    }

    @Test func `a stored report keeps trust, registers and the mark of a dump`() throws {
        var report = Self.sent()
        report.read(.report(Self.dump()))
        let again = try #require(Given.stored.report(report.json))
        #expect(again == report && again.isMinidump && again.threads[0].frames[0].trust == .context)
    }

    @Test func `a sender cannot set trust or registers`() throws {
        let batch = try decode(crashes: #"{"crashes":[{"type":"T","frames":[{"function":"f","trust":"cfi","registers":{"a":"b"}}]}]}"#)
        let frame = try #require(batch.crashes.first?.report.frames.first)
        #expect(frame.trust == nil && frame.registers.isEmpty)
    }

    @Test func `a dump that cannot be read, or not yet, says so`() {
        var report = Self.sent()
        report.read(.pending)
        #expect(report.type == "Minidump that was not read yet" && report.kind == .fatal && report.isMinidumpPending)
        var read = report
        read.read(.report(Self.dump()))
        #expect(read.type == "SIGSEGV / SEGV_MAPERR" && !read.isMinidumpPending)
        report.read(.invalid("it is truncated"))
        #expect(report.type == "Minidump that cannot be read" && report.reason == "it is truncated" && !report.isMinidumpPending)
        #expect(report.customKeys.contains(CustomKey("message", "it broke")))
    }
}
