// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// An incremental parser of request heads.
///
/// A line is parsed once, when it is complete. Bytes are never scanned twice, so a client that sends byte by byte costs linear time.
struct RequestHeadParser {
    private let limits: HeadLimits
    private var bytes: [UInt8] = []
    private var fields: [HeadField] = []
    private var requestLine: RequestLine?
    private var lineStart = 0
    private var fieldsStart = 0
    private var skippedEmptyLine = false

    package init(limits: HeadLimits) {
        self.limits = limits
    }

    /// Whether a part of a head was received.
    package var hasBegun: Bool { !bytes.isEmpty || skippedEmptyLine }

    /// Consumes `input` from `offset` up to the end of the head, if it is there.
    package mutating func parse(_ input: Swift.Span<UInt8>, at offset: inout Int) throws(HTTPRequestError) -> HTTPRequestHead? {
        while offset < input.count {
            let isComplete = takeLine(of: input, at: &offset)
            try checkSize()
            guard isComplete else { return nil }
            if try endLine() { return try finish() }
        }
        return nil
    }

    /// Copies up to and including the next line feed; returns `false` if there is none.
    private mutating func takeLine(of input: Swift.Span<UInt8>, at offset: inout Int) -> Bool {
        if bytes.capacity == 0 {
            bytes.reserveCapacity(512)
            fields.reserveCapacity(12)
        }
        // memchr compares many bytes at a time. The pointer does not escape the closure, and the range is inside the span.
        return input.withUnsafeBufferPointer { buffer in
            let rest = UnsafeBufferPointer(rebasing: buffer[offset...])
            guard let start = rest.baseAddress else { return false }
            let found = memchr(start, 0x0a, rest.count).map { UnsafeRawPointer($0) - UnsafeRawPointer(start) + 1 }
            bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: found ?? rest.count))
            offset += found ?? rest.count
            return found != nil
        }
    }

    private func checkSize() throws(HTTPRequestError) {
        if requestLine == nil {
            guard bytes.count <= limits.requestLine else { throw .uriTooLong }
        } else {
            guard bytes.count - fieldsStart <= limits.headerBytes else { throw .headersTooLarge }
        }
    }

    /// Parses the last line; returns `true` if it is the empty line after the fields.
    private mutating func endLine() throws(HTTPRequestError) -> Bool {
        let end = bytes.count - 2
        guard end >= lineStart, bytes[end] == 0x0d else { throw .badRequest("a line does not end with CRLF") }
        let line = lineStart..<end
        lineStart = bytes.count
        if requestLine == nil {
            try beginHead(line)
            return false
        }
        if line.isEmpty { return true }
        guard fields.count < limits.fields else { throw .headersTooLarge }
        fields.append(try HeadField(bytes, line))
        return false
    }

    private mutating func beginHead(_ line: Range<Int>) throws(HTTPRequestError) {
        if line.isEmpty {
            guard !skippedEmptyLine else { throw .badRequest("empty lines before the request") }
            skippedEmptyLine = true
            bytes.removeAll(keepingCapacity: true)
            lineStart = 0
        } else {
            requestLine = try RequestLine(bytes, line)
            fieldsStart = bytes.count
        }
    }

    private mutating func finish() throws(HTTPRequestError) -> HTTPRequestHead? {
        guard let line = requestLine else { return nil }
        let framing = try RequestFraming(bytes, fields, line)
        let head = HTTPRequestHead(bytes: bytes, fields: fields, line: line, framing: framing)
        self = RequestHeadParser(limits: limits)
        return head
    }
}

extension HeadField {
    /// Parses `name: value` from `bytes[line]`, which excludes the CRLF.
    init(_ bytes: [UInt8], _ line: Range<Int>) throws(HTTPRequestError) {
        if bytes[line.lowerBound] == 0x20 || bytes[line.lowerBound] == 0x09 { throw .badRequest("folded header field") }
        var colon = line.lowerBound
        while colon < line.upperBound, ByteSet.token.contains(bytes[colon]) { colon += 1 }
        guard colon > line.lowerBound, colon < line.upperBound, bytes[colon] == 0x3a else { throw .badRequest("malformed header field name") }
        for i in (colon + 1)..<line.upperBound where !isFieldContent(bytes[i]) { throw .badRequest("control character in a header field") }
        self.init(name: line.lowerBound..<colon, value: bytes.trimmed((colon + 1)..<line.upperBound))
    }
}
