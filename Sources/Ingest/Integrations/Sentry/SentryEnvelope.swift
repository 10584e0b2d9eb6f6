// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import JSON
import Platform

/// A parsed envelope: a line of headers, then items, each a line of headers and a payload.
///
///     {"event_id":"9ec7…","sent_at":"2026-01-01T00:00:00Z"}
///     {"type":"event","length":41}
///     {"message":"boom","level":"error"}
///     {"type":"client_report"}
///     {"discarded_events":[]}
///
/// `length` counts bytes. An item without it ends with its line.
struct SentryEnvelope {
    struct Item {
        var type: String
        var payload: Range<Int>
        /// The length that its header states, or that it has.
        var length: Int
        /// The name and types of an attachment.
        var file: SentryFile?

        /// Whether the payload ends before the item, because the end of the envelope was dropped.
        var isTruncated: Bool { payload.count < length }
    }

    /// The limit of a line of headers, which holds a trace and an SDK's name.
    private static let headerBytes = 64 << 10
    private static let mostItems = 1_000

    /// The line of its headers.
    private(set) var header = 0..<0
    private(set) var eventID: String?
    private(set) var sentAt: Timestamp?
    private(set) var items: [Item] = []

    /// The index of the first complete attachment that is a minidump.
    var minidump: Int? { items.firstIndex { $0.file?.kind == "event.minidump" && !$0.isTruncated && !$0.payload.isEmpty } }

    /// The limit of an item's stated length. Items of truncated envelopes are shorter than stated, so the number is not to be trusted.
    private static let longestItem: Int64 = 1 << 40

    /// Parses the frame. Payloads are not parsed.
    ///
    /// - Parameter isTruncated: Whether the end of the envelope was dropped. Its last item may then be incomplete; headers without an end are
    ///   ignored.
    init(_ body: [UInt8], _ json: JSONReader, isTruncated: Bool = false) throws(Refusal) {
        var lines = EnvelopeLines(body, isTruncated: isTruncated)
        header = lines.line()
        try readHeaders(of: body, header, json)
        while !lines.isAtEnd, let line = lines.header() {
            guard items.count < SentryEnvelope.mostItems else { throw .tooMany("items of an envelope", limit: SentryEnvelope.mostItems) }
            let header = try SentryEnvelope.header(body, line, json)
            defer { json.reuse(header) }
            guard let type = header.value("type", of: 0).flatMap({ header.text(header[$0]) }) else {
                throw .malformedEnvelope("an item has no type")
            }
            let (payload, length) = try lines.payload(length: SentryEnvelope.length(header))
            items.append(Item(type: type, payload: payload, length: length, file: type == "attachment" ? SentryFile(header) : nil))
        }
    }

    /// Returns only the key that an envelope's headers may contain: `{"dsn":"https://KEY@host/1"}`.
    static func key(in body: [UInt8]) -> String? {
        guard let end = body.prefix(headerBytes + 1).firstIndex(of: 0x0a) ?? (body.count <= headerBytes ? body.count : nil) else { return nil }
        var scan = JSONKeyScan(body, in: 0..<end)
        let dsn = scan.places(of: ["dsn"], in: scan.root)[0]
        return scan.text(dsn, atMost: 2_048).flatMap(key(ofDSN:))
    }

    /// Returns the user of `scheme://key[:secret]@host/app`.
    private static func key(ofDSN dsn: String) -> String? {
        guard let scheme = dsn.firstRange(of: "://"), let at = dsn[scheme.upperBound...].firstIndex(of: "@") else { return nil }
        return String(dsn[scheme.upperBound..<at].prefix { $0 != ":" })
    }

    private mutating func readHeaders(of body: [UInt8], _ line: Range<Int>, _ json: JSONReader) throws(Refusal) {
        let header = try SentryEnvelope.header(body, line, json)
        defer { json.reuse(header) }
        eventID = header.shortText("event_id", of: 0, limit: FixedLimits.idLength)
        // An unreadable time means that no clock is corrected; the events are still accepted.
        sentAt = header.value("sent_at", of: 0).flatMap { Timestamp($0, in: SourceText(tape: header)) }
    }

    private static func header(_ body: [UInt8], _ line: Range<Int>, _ json: JSONReader) throws(Refusal) -> JSONTape {
        guard line.count <= headerBytes else { throw .malformedEnvelope("a header line has more than \(headerBytes >> 10) KiB") }
        do throws(JSONError) {
            let tape = try json.parse(body, in: line)
            if tape[0].kind == .object { return tape }
        } catch {
            throw .malformedEnvelope("a header line \(error.counted(from: line.lowerBound).explanation)")
        }
        throw .malformedEnvelope("a header line is not a JSON object")
    }

    private static func length(_ header: JSONTape) throws(Refusal) -> Int? {
        guard let value = header.value("length", of: 0) else { return nil }
        guard let length = header[value].integer, (0...longestItem).contains(length) else {
            throw .malformedEnvelope("an item's length is not a whole number of at most \(longestItem)")
        }
        return Int(length)
    }
}

/// The header of an attachment: `{"type":"attachment","length":5,"filename":"a.log","content_type":"text/plain"}`.
struct SentryFile {
    let name: String?
    let contentType: String?
    /// The purpose of the file, such as `event.minidump`.
    let kind: String?

    init(_ header: JSONTape) {
        name = header.shortText("filename", of: 0, limit: CrashLimits.attachmentNameCharacters)
        contentType = header.shortText("content_type", of: 0, limit: CrashLimits.attachmentTypeCharacters)
        kind = header.shortText("attachment_type", of: 0, limit: CrashLimits.attachmentTypeCharacters)
    }
}

/// Iterates over the lines of an envelope. Only LF ends a line; a CR belongs to its content.
private struct EnvelopeLines {
    private let body: [UInt8]
    private let isTruncated: Bool
    private var at = 0

    init(_ body: [UInt8], isTruncated: Bool) {
        self.body = body
        self.isTruncated = isTruncated
    }

    /// Whether only empty lines follow. They are not items.
    var isAtEnd: Bool { body[at...].allSatisfy { $0 == 0x0a } }

    mutating func line() -> Range<Int> {
        let end = body[at...].firstIndex(of: 0x0a) ?? body.count
        defer { at = min(end + 1, body.count) }
        return at..<end
    }

    /// Returns the next line of headers; nil if its end may have been dropped.
    mutating func header() -> Range<Int>? {
        let header = line()
        return isTruncated && header.upperBound == body.count ? nil : header
    }

    /// Returns `length` bytes, which a line end must follow, or the bytes up to the next line end, and the length of the item. The payload
    /// is shorter if the end of the envelope was dropped; the real length of an item that states none is then unknown, and one more.
    mutating func payload(length: Int?) throws(Refusal) -> (Range<Int>, length: Int) {
        guard let length else {
            let payload = line()
            return (payload, payload.count + (isTruncated && payload.upperBound == body.count ? 1 : 0))
        }
        guard length <= body.count - at else {
            guard isTruncated else { throw .malformedEnvelope("it ends inside an item") }
            defer { at = body.count }
            return (at..<body.count, length)
        }
        let payload = at..<at + length
        guard payload.upperBound == body.count || body[payload.upperBound] == 0x0a else {
            throw .malformedEnvelope("an item is longer than its length")
        }
        at = min(payload.upperBound + 1, body.count)
        return (payload, length)
    }
}

extension Refusal {
    static func malformedEnvelope(_ problem: String) -> Refusal {
        Refusal(.badRequest, "The envelope is malformed: \(problem).", hint: "Send it as the SDK wrote it.")
    }
}
