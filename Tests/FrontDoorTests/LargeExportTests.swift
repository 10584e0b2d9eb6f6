// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

@testable import ingestd

/// Exports of the daemon process that are larger than its memory limits.
@Suite(.serialized) struct LargeExportTests {
    private static let batches = 25
    private static let events = batches * 2_000

    @Test func `a large export uses constant memory and resumes after disconnects`() async throws {
        let folder = TemporaryFolder()
        let daemon = try await DaemonProcess.start(in: folder.path, environment: ["INGESTD_SERVER_LISTEN": "127.0.0.1:0"])
        let keys = try await daemon.api.makeApp()
        try await Self.fill(daemon, keys)

        let (whole, growth) = try await Self.exportAll(daemon, keys)
        #expect(whole.lines == Self.events && whole.isRising)
        #expect(whole.bytes > 20 << 20)
        #expect(growth < 16 << 20, "grew by \(growth >> 10) KiB over an export of \(whole.bytes >> 20) MiB")

        // Disconnects after some megabytes at varying places and resumes after the last complete line.
        var parts = SeqCheck()
        var cuts = 0
        while parts.lines < Self.events {
            let start = parts.bytes
            parts.startAnew()
            try await Self.export(daemon, keys, after: parts.last) { bytes in
                parts.read(bytes)
                return parts.bytes - start < 9 << 20
            }
            cuts += 1
        }
        #expect(parts.lines == Self.events && parts.isRising && parts.last == whole.last)
        #expect(cuts > 3)
        #expect(await daemon.stop() == 0)
    }

    @Test func `an export of large events uses memory for a page of bytes, not of 1,000 events`() async throws {
        let folder = TemporaryFolder()
        let daemon = try await DaemonProcess.start(in: folder.path, environment: ["INGESTD_SERVER_LISTEN": "127.0.0.1:0"])
        let keys = try await daemon.api.makeApp()
        let item = "{" + (0..<20).map { #""p\#($0)":"\#(String(repeating: "x", count: 100))""# }.joined(separator: ",") + "}"
        let items = Array(repeating: item, count: 200).joined(separator: ",")
        let event = #"{"name":"purchase","params":{"value":1,"currency":"EUR","items":[\#(items)]}}"#
        for _ in 0..<10 {
            let body = "[\(Array(repeating: event, count: 10).joined(separator: ","))]"
            try #require(try Taken(await daemon.api.post("/v1/events", key: keys.ingest, body)) == Taken(accepted: 10))
        }
        let (whole, growth) = try await Self.exportAll(daemon, keys)
        #expect(whole.lines == 100 && whole.isRising && whole.bytes > 40 << 20)
        #expect(growth < 40 << 20, "grew by \(growth >> 10) KiB over an export of \(whole.bytes >> 20) MiB")
        #expect(await daemon.stop() == 0)
    }

    private static func fill(_ daemon: DaemonProcess, _ keys: AppKeys) async throws {
        let connection = try daemon.api.connect()
        let text = String(repeating: "abcdefgh", count: 12)
        let params = ["p", "q", "r", "s", "t", "u"].map { #""\#($0)":"\#(text)""# }.joined(separator: ",")
        for batch in 0..<batches {
            let events = (0..<2_000).map { #"{"id":"\#(batch)-\#($0)","name":"a","user_id":"u\#($0)","params":{\#(params)}}"# }
            let body = Array("[\(events.joined(separator: ","))]".utf8)
            let reply = try await connection.exchange(
                TestClient.bytes("POST", "/v1/events", key: keys.ingest, headers: ["Content-Type": "application/json"], body: body))
            try #require(try Taken(reply) == Taken(accepted: 2_000))
        }
    }

    /// Reads the whole export and measures the daemon's largest growth meanwhile.
    private static func exportAll(_ daemon: DaemonProcess, _ keys: AppKeys) async throws -> (read: SeqCheck, growth: Int) {
        let before = daemon.residentBytes
        var most = before
        var read = SeqCheck()
        try await export(daemon, keys, after: 0) { bytes in
            read.read(bytes)
            most = max(most, daemon.residentBytes)
            return true
        }
        return (read, most - before)
    }

    /// Reads the export in pieces of some hundred kilobytes until its end or until the closure returns `false`.
    private static func export(_ daemon: DaemonProcess, _ keys: AppKeys, after seq: Int, _ isWanted: ([UInt8]) -> Bool) async throws {
        let connection = try daemon.api.connect()
        var request = TestClient.bytes("GET", "/v1/export?after=\(seq)", key: keys.read, headers: ["Connection": "close"])
        while true {
            if !request.isEmpty { try await connection.send(request) }
            request = []
            let bytes = try await connection.raw(atLeast: 300 << 10)
            guard !bytes.isEmpty, isWanted(bytes) else { break }
        }
        await connection.close(abruptly: true)
    }
}

/// Parses exported lines from the raw response. Chunk headers are separate lines without a brace.
private struct SeqCheck {
    private(set) var lines = 0
    private(set) var bytes = 0
    private(set) var last = 0
    private(set) var isRising = true
    private var rest: [UInt8] = []
    private static let start = Array(#"{"seq":"#.utf8)

    /// Drops an incomplete line after a disconnect.
    mutating func startAnew() {
        rest = []
    }

    /// Lines are found by one call each, as a loop over bytes is slow in a debug build.
    mutating func read(_ piece: [UInt8]) {
        bytes += piece.count
        let all = rest + piece
        var place = 0
        all.withUnsafeBytes { text in
            guard let start = text.baseAddress else { return }
            while let end = memchr(start + place, 0x0a, text.count - place) {
                let next = UnsafeRawPointer(end) - start + 1
                take(UnsafeRawBufferPointer(rebasing: text[place..<next]))
                place = next
            }
        }
        rest = Array(all[place...])
    }

    private mutating func take(_ line: UnsafeRawBufferPointer) {
        guard line.starts(with: SeqCheck.start) else { return }
        let digits = line.dropFirst(7).prefix { (0x30...0x39).contains($0) }
        let seq = digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
        if seq <= last { isRising = false }
        (last, lines) = (seq, lines + 1)
    }
}
