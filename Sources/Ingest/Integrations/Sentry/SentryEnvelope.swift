// SPDX-License-Identifier: Apache-2.0

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
    }

    /// The limit of a line of headers, which holds a trace and an SDK's name.
    private static let headerBytes = 64 << 10
    private static let mostItems = 1_000

    private(set) var eventID: String?
    private(set) var sentAt: Timestamp?
    private(set) var items: [Item] = []

    /// Parses the frame. Payloads are not parsed.
    init(_ body: [UInt8], _ json: JSONReader) throws(Refusal) {
        var lines = EnvelopeLines(body)
        try readHeaders(of: body, lines.line(), json)
        while !lines.isAtEnd {
            guard items.count < SentryEnvelope.mostItems else { throw .tooMany("items of an envelope", limit: SentryEnvelope.mostItems) }
            let header = try SentryEnvelope.header(body, lines.line(), json)
            defer { json.reuse(header) }
            guard let type = header.value("type", of: 0).flatMap({ header.text(header[$0]) }) else {
                throw .malformedEnvelope("an item has no type")
            }
            items.append(Item(type: type, payload: try lines.payload(length: SentryEnvelope.length(header))))
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
        guard let length = header[value].integer, length >= 0 else { throw .malformedEnvelope("an item's length is not a whole number") }
        return Int(length)
    }
}

/// Iterates over the lines of an envelope. Only LF ends a line; a CR belongs to its content.
private struct EnvelopeLines {
    private let body: [UInt8]
    private var at = 0

    init(_ body: [UInt8]) {
        self.body = body
    }

    /// Whether only empty lines follow. They are not items.
    var isAtEnd: Bool { body[at...].allSatisfy { $0 == 0x0a } }

    mutating func line() -> Range<Int> {
        let end = body[at...].firstIndex(of: 0x0a) ?? body.count
        defer { at = min(end + 1, body.count) }
        return at..<end
    }

    /// Returns `length` bytes, which a line end must follow, or the bytes up to the next line end.
    mutating func payload(length: Int?) throws(Refusal) -> Range<Int> {
        guard let length else { return line() }
        guard length <= body.count - at else { throw .malformedEnvelope("it ends inside an item") }
        let payload = at..<at + length
        guard payload.upperBound == body.count || body[payload.upperBound] == 0x0a else {
            throw .malformedEnvelope("an item is longer than its length")
        }
        at = min(payload.upperBound + 1, body.count)
        return payload
    }
}

extension Refusal {
    static func malformedEnvelope(_ problem: String) -> Refusal {
        Refusal(.badRequest, "The envelope is malformed: \(problem).", hint: "Send it as the SDK wrote it.")
    }
}
