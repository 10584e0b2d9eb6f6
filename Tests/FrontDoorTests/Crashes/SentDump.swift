// SPDX-License-Identifier: Apache-2.0

import Crypto
import Platform
import TestSupport
import WrittenDumps

/// A minidump of the small program of `Tests/Fixtures/symbols`, and the requests that bring it.
struct SentDump: Sendable {
    static let start: UInt64 = 0x7f00_0000_0000
    static let stack: UInt64 = 0x7ffe_0000_0000
    private static let build = Hex.decode("e0be93712a74db218cc905fce5275ed0e6d43d34") ?? []

    let bytes: [UInt8]

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// A dump followed by zeros.
    init(padding: Int) {
        bytes = SentDump().bytes + [UInt8](repeating: 0, count: padding)
    }

    /// - Parameter offset: The place in the program that crashed. `entry`, called by `main`, unless given.
    init(at offset: Int = SymbolFixture.elf.entry, code: UInt32 = 11, annotation: String = "", words: [UInt64]? = nil, pointer: UInt64? = nil) {
        var dump = MinidumpWriter(.amd64, .linux, details: "Linux 6.1.0-13-amd64 #1 SMP")
        dump.add(module: "/app/Shop", at: Self.start, size: 0x1_0000, identity: MinidumpWriter.elf(Self.build))
        dump.add(module: "/usr/lib/libc.so.6", at: 0x7f10_0000_0000, size: 0x1_0000, identity: MinidumpWriter.elf([UInt8](repeating: 5, count: 20)))
        var registers = ["rip": Self.start + UInt64(offset), "rsp": Self.stack]
        registers["rbp"] = pointer
        dump.add(thread: 7, registers, stackAt: Self.stack, words: words ?? [1, Self.start + UInt64(SymbolFixture.elf.main), 0], name: "main")
        dump.add(thread: 8, ["rip": 0x7f10_0000_0100, "rsp": Self.stack + 0x10000], name: "worker")
        if !annotation.isEmpty { dump.add(annotations: [("detail", annotation)]) }
        dump.crash(thread: 7, code: code, flags: 1, address: 0x10)
        bytes = dump.bytes
    }

    /// The dump as a form with further fields, as Crashpad sends it.
    func form(_ fields: (name: String, value: String)...) -> [UInt8] {
        let parts = fields.map { "--b-\r\nContent-Disposition: form-data; name=\"\($0.name)\"\r\n\r\n\($0.value)\r\n" }.joined()
        let head =
            "--b-\r\nContent-Disposition: form-data; name=\"upload_file_minidump\"; filename=\"c.dmp\"\r\nContent-Type: application/octet-stream\r\n\r\n"
        return Array((parts + head).utf8) + bytes + Array("\r\n--b---\r\n".utf8)
    }

    static let formType = "multipart/form-data; boundary=b-"

    /// The dump as an attachment of an envelope, as sentry-native sends it.
    func envelope(_ event: String? = nil, kind: String = "event.minidump") -> [UInt8] {
        let head = event == nil ? "{}\n" : "{\"event_id\":\"7fd08401fdfb4f35babf279a338aec19\"}\n{\"type\":\"event\"}\n\(event ?? "")\n"
        let item = #"{"type":"attachment","length":\#(bytes.count),"attachment_type":"\#(kind)","filename":"minidump.dmp"}"#
        return Array((head + item + "\n").utf8) + bytes + [10]
    }
}

extension CrashingWorld {
    /// Sends a form with a dump to the route of an app.
    func send(form: [UInt8], headers: [String: String] = [:], key: String? = nil) async throws -> Reply {
        try await api.request(
            "POST", "/api/\(ours.app)/minidump/?sentry_key=\(key ?? ours.ingest)",
            headers: ["Content-Type": SentDump.formType].merging(headers) { $1 },
            body: form)
    }

    func send(envelope: [UInt8]) async throws -> Reply {
        try await api.request(
            "POST", "/api/\(ours.app)/envelope/", headers: ["X-Sentry-Auth": "Sentry sentry_version=7, sentry_key=\(ours.ingest)"], body: envelope)
    }

    /// Sends a form that is accepted and returns the ID in its response.
    func take(form: [UInt8]) async throws -> String {
        let reply = try await send(form: form)
        guard reply.status == 200 else { throw UnexpectedReply(text: reply.text) }
        return reply.text
    }

    struct UnexpectedReply: Error { var text: String }

    /// The frames of the crashed thread, the innermost first: `0x1191 entry cfi`. An address without a binary has no offset.
    func walked(_ id: String, of issue: String) async throws -> [String] {
        let threads = try await crash(id, of: issue)["report"]["threads"].items
        let crashed = threads.first { $0["crashed"].exists }
        return crashed.map { $0["frames"].items.reversed() }?.map { frame in
            let address = UInt64(frame["instruction_addr"].text.dropFirst(2), radix: 16) ?? 0
            let offset = address >= SentDump.start ? address - SentDump.start : address
            return [
                "0x" + String(offset, radix: 16), frame["raw_function"].exists ? frame["raw_function"].text : frame["function"].text,
                frame["trust"].text,
            ]
            .filter { !$0.isEmpty }.joined(separator: " ")
        } ?? []
    }
}
