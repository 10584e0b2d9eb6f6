// SPDX-License-Identifier: Apache-2.0

import Platform

/// A reader of `multipart/related` bodies of two parts, as Google's clients upload files: metadata, then the bytes of the file.
///
///     --b
///     Content-Type: application/json
///
///     {"name": "users/ann/a.png"}
///     --b
///     Content-Type: image/png
///
///     (bytes)
///     --b--
///
/// The body comes in pieces of any size. The reader keeps the metadata, and passes on the bytes of the file as they come. No byte is
/// looked at twice, and what it keeps is bounded. Lines end with CR LF, or all with LF, as the first one does.
package struct RelatedReader: Sendable {
    package enum Fault: Error, Hashable, Sendable {
        /// The body does not have the form above.
        case malformed
        /// The metadata, or the header of a part, is too long.
        case tooLong
    }

    package static let maximumMetadataBytes = 64 << 10
    private static let maximumHeaderBytes = 4 << 10

    private enum State: Sendable {
        /// The line of the first boundary.
        case start
        case header(metadata: Bool)
        case metadata
        case contents
        /// The line behind a boundary.
        case boundary(metadata: Bool)
        case end
    }

    /// The metadata, once the first part is complete.
    package private(set) var metadata: [UInt8] = []
    /// The header of the second part.
    private var header: [UInt8] = []
    private var state = State.start
    private let boundary: [UInt8]
    /// The line end and the boundary, once the first line tells which line end it is.
    private var delimiter: [UInt8] = []
    /// The number of bytes of the delimiter that the last bytes match.
    private var matched = 0
    /// The bytes of a line or header that is not complete.
    private var line: [UInt8] = []

    /// - Parameter contentType: The header field of the request, with the boundary. Nil for anything else.
    package init?(contentType: String) {
        let parts = contentType.utf8.split(separator: UInt8(ascii: ";"))
        guard let type = parts.first, RelatedReader.trimmed(type).map(\.lowercased).elementsEqual("multipart/related".utf8) else { return nil }
        let values = parts.dropFirst().compactMap { part -> [UInt8]? in
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard pair.count == 2, RelatedReader.trimmed(pair[0]).map(\.lowercased).elementsEqual("boundary".utf8) else { return nil }
            return RelatedReader.unquoted(RelatedReader.trimmed(pair[1]))
        }
        guard values.count == 1, let boundary = values.first, (1...70).contains(boundary.count), boundary.allSatisfy({ (0x20..<0x7f).contains($0) })
        else { return nil }
        self.boundary = boundary
    }

    private static func trimmed(_ text: Substring.UTF8View) -> [UInt8] {
        let blanks: Set<UInt8> = [0x20, 0x09]
        return text.drop { blanks.contains($0) }.reversed().drop { blanks.contains($0) }.reversed()
    }

    private static func unquoted(_ text: [UInt8]) -> [UInt8]? {
        let quote = UInt8(ascii: "\"")
        let isQuoted = text.first == quote
        let inner = isQuoted ? Array(text.dropFirst().dropLast()) : text
        guard !isQuoted || text.count > 1 && text.last == quote, !inner.contains(quote) else { return nil }
        return inner
    }

    /// The `Content-Type` of the second part.
    package var contentType: String? {
        for field in header.split(separator: 0x0a) {
            let pair = field.split(separator: UInt8(ascii: ":"), maxSplits: 1)
            guard pair.count == 2, pair[0].map(\.lowercased).elementsEqual("content-type".utf8) else { continue }
            let value = pair[1].drop { $0 == 0x20 || $0 == 0x09 }.reversed().drop { $0 == 0x0d || $0 == 0x20 || $0 == 0x09 }.reversed()
            return String(decoding: value, as: UTF8.self)
        }
        return nil
    }

    /// Whether the last boundary came.
    package var isComplete: Bool { if case .end = state { true } else { false } }

    // MARK: Reading

    /// Reads the next bytes of the body.
    ///
    /// - Parameter take: Takes bytes of the file.
    package mutating func read(_ piece: Span<UInt8>, _ take: (Span<UInt8>) throws -> Void) throws {
        var at = 0
        while at < piece.count {
            switch state {
            case .start, .header, .boundary: try readLine(piece, &at)
            case .metadata: try readMetadata(piece, &at)
            case .contents: try readPart(piece, &at, take)
            // Bytes after the last boundary are ignored.
            case .end: at = piece.count
            }
        }
    }

    private mutating func readLine(_ piece: Span<UInt8>, _ at: inout Int) throws(Fault) {
        while at < piece.count {
            let byte = piece[at]
            at += 1
            guard line.count < RelatedReader.maximumHeaderBytes else { throw .tooLong }
            line.append(byte)
            switch state {
            case .boundary(let metadata) where line.count == 2 && line == [0x2d, 0x2d]:
                guard !metadata else { throw .malformed }
                state = .end
                return
            case .boundary, .start:
                guard byte == 0x0a else { continue }
                try endBoundaryLine()
                return
            default:
                guard byte == 0x0a, endsHeader else { continue }
                try endHeader()
                return
            }
        }
    }

    /// Ends the line behind a boundary, which has blanks at most.
    private mutating func endBoundaryLine() throws(Fault) {
        defer { line = [] }
        guard case .boundary(let isMetadata) = state else { return try begin() }
        guard isMetadata, line.allSatisfy({ [0x20, 0x09, 0x0d, 0x0a].contains($0) }) else { throw .malformed }
        state = .header(metadata: false)
    }

    /// Ends the first line, which tells how lines end. An empty one may precede it.
    private mutating func begin() throws(Fault) {
        let hasReturn = line.dropLast().last == 0x0d
        let text = line.dropLast(hasReturn ? 2 : 1)
        if text.isEmpty, delimiter.isEmpty {
            delimiter = [0x0a]
            return
        }
        guard text.starts(with: [0x2d, 0x2d]), let boundary = boundary(of: text.dropFirst(2)) else { throw .malformed }
        delimiter = (hasReturn ? [0x0d, 0x0a] : [0x0a]) + [0x2d, 0x2d] + boundary
        state = .header(metadata: true)
    }

    /// Returns the boundary that the first line has; nil if it has another one. gsutil names the boundary between apostrophes, which its body
    /// leaves out.
    private func boundary(of line: ArraySlice<UInt8>) -> [UInt8]? {
        let apostrophe = UInt8(ascii: "'")
        let isEnclosed = boundary.count > 2 && boundary.first == apostrophe && boundary.last == apostrophe
        return (isEnclosed ? [boundary, Array(boundary.dropFirst().dropLast())] : [boundary]).first { candidate in
            line.starts(with: candidate) && line.dropFirst(candidate.count).allSatisfy { $0 == 0x20 || $0 == 0x09 }
        }
    }

    /// Whether the header ends with an empty line. An empty header is that line alone.
    private var endsHeader: Bool {
        line == [0x0a] || line == [0x0d, 0x0a] || ends(with: [0x0a, 0x0a]) || ends(with: [0x0a, 0x0d, 0x0a])
    }

    /// Looks at the last bytes of the line only, since each byte of a header asks.
    private func ends(with bytes: [UInt8]) -> Bool {
        line.count >= bytes.count && bytes.indices.allSatisfy { line[line.count - bytes.count + $0] == bytes[$0] }
    }

    private mutating func endHeader() throws(Fault) {
        defer { line = [] }
        guard case .header(let isMetadata) = state else { return }
        if !isMetadata { header = line }
        (state, matched) = (isMetadata ? .metadata : .contents, 0)
        guard RelatedReader.isPlain(line) else { throw .malformed }
    }

    /// Whether a header names no transfer encoding that would have to be undone.
    private static func isPlain(_ header: [UInt8]) -> Bool {
        header.split(separator: 0x0a).allSatisfy { field in
            let text = field.map(\.lowercased)
            guard text.starts(with: "content-transfer-encoding:".utf8) else { return true }
            let value = text.dropFirst("content-transfer-encoding:".utf8.count).filter { $0 > 0x20 }
            return ["binary", "8bit", "7bit"].contains { value.elementsEqual($0.utf8) }
        }
    }

    private mutating func readMetadata(_ piece: Span<UInt8>, _ at: inout Int) throws {
        var kept: [UInt8] = []
        swap(&kept, &metadata)
        defer { metadata = kept }
        try readPart(piece, &at) { bytes in
            guard bytes.count <= RelatedReader.maximumMetadataBytes - kept.count else { throw Fault.tooLong }
            for place in bytes.indices { kept.append(bytes[place]) }
        }
    }

    /// Passes on the bytes of a part up to the next delimiter.
    ///
    /// The first byte of the delimiter, a line end, is nowhere else in it, so a mismatch can only begin it anew at the current byte.
    private mutating func readPart(_ piece: Span<UInt8>, _ at: inout Int, _ take: (Span<UInt8>) throws -> Void) throws {
        var carried = matched
        let start = at
        while at < piece.count {
            let byte = piece[at]
            if byte != delimiter[matched] {
                if carried > 0 { try take(delimiter.span.extracting(0..<carried)) }
                (carried, matched) = (0, 0)
            }
            if byte == delimiter[matched] { matched += 1 }
            at += 1
            guard matched == delimiter.count else { continue }
            try pass(piece, start..<(at - matched + carried), take)
            try endPart()
            return
        }
        try pass(piece, start..<max(start, piece.count - matched + carried), take)
    }

    private func pass(_ piece: Span<UInt8>, _ range: Range<Int>, _ take: (Span<UInt8>) throws -> Void) throws {
        if !range.isEmpty { try take(piece.extracting(range)) }
    }

    private mutating func endPart() throws(Fault) {
        if case .metadata = state { state = .boundary(metadata: true) } else { state = .boundary(metadata: false) }
        (matched, line) = (0, [])
    }
}
