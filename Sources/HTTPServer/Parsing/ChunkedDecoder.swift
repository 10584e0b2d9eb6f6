// SPDX-License-Identifier: Apache-2.0

/// An incremental decoder of chunked bodies (RFC 9112, section 7.1). Example: `4\r\nWiki\r\n0\r\n\r\n` decodes to `Wiki`.
///
/// Extensions and trailers are dropped, within a limit. The grammar is enforced strictly: two servers that read chunks differently
/// disagree about where a request ends, which allows request smuggling.
struct ChunkedDecoder {
    private enum State {
        case size(digits: Int)
        case extensions
        case sizeEnd
        case data
        case dataCR
        case dataLF
        case trailerStart
        case trailer
        case trailerLF
        case lastLF
        case finished
    }

    /// The limit of extension and trailer bytes of a body.
    private static let overheadLimit = 4 * 1_024

    private let limit: Int
    private var state = State.size(digits: 0)
    /// The chunk size being read, then the remaining bytes of the chunk.
    private var left = 0
    private var received = 0
    private var overhead = 0
    private var trailer: [UInt8] = []

    /// Creates a decoder of a body of at most `limit` bytes.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Appends decoded bytes to `body`. Returns `true` at the end of the body, with `offset` after it.
    package mutating func decode(_ input: Swift.Span<UInt8>, at offset: inout Int, into body: inout [UInt8]) throws(HTTPRequestError) -> Bool {
        while offset < input.count {
            if case .data = state {
                takeData(input, &offset, into: &body)
            } else {
                try step(input[offset])
                offset += 1
                if case .finished = state { return true }
            }
        }
        return false
    }

    private mutating func takeData(_ input: Swift.Span<UInt8>, _ offset: inout Int, into body: inout [UInt8]) {
        let count = min(left, input.count - offset)
        body.append(input, offset..<(offset + count))
        offset += count
        left -= count
        if left == 0 { state = .dataCR }
    }

    private mutating func step(_ byte: UInt8) throws(HTTPRequestError) {
        switch state {
        case .size(let digits): try readSize(byte, digits)
        case .extensions: try skipExtension(byte)
        case .sizeEnd: try endSize(byte)
        case .dataCR: state = try expect(0x0d, byte, then: .dataLF)
        case .dataLF: state = try expect(0x0a, byte, then: .size(digits: 0))
        case .trailerStart where byte == 0x0d: state = .lastLF
        case .trailerStart, .trailer: try readTrailer(byte)
        case .trailerLF: try endTrailer(byte)
        case .lastLF: state = try expect(0x0a, byte, then: .finished)
        case .data, .finished: break
        }
    }

    private mutating func readSize(_ byte: UInt8, _ digits: Int) throws(HTTPRequestError) {
        if let digit = hexDigit(byte) {
            guard digits < 16, left <= Int.max >> 4 else { throw .badRequest("chunk size out of range") }
            left = left << 4 | digit
            state = .size(digits: digits + 1)
        } else if digits > 0, byte == 0x3b {
            state = .extensions
        } else if digits > 0, byte == 0x0d {
            state = .sizeEnd
        } else {
            throw .badRequest("malformed chunk size")
        }
    }

    private mutating func skipExtension(_ byte: UInt8) throws(HTTPRequestError) {
        try countOverhead()
        if byte == 0x0d {
            state = .sizeEnd
        } else if !isFieldContent(byte) {
            throw .badRequest("control character in a chunk extension")
        }
    }

    private mutating func endSize(_ byte: UInt8) throws(HTTPRequestError) {
        state = try expect(0x0a, byte, then: left == 0 ? .trailerStart : .data)
        guard left <= limit - received else { throw .tooLarge }
        received += left
    }

    private mutating func readTrailer(_ byte: UInt8) throws(HTTPRequestError) {
        try countOverhead()
        if byte == 0x0d {
            state = .trailerLF
        } else {
            // Checked here, because a client that ends lines with a bare line feed considers its request complete and sends nothing more.
            guard isFieldContent(byte) else { throw .badRequest("control character in a trailer") }
            trailer.append(byte)
            state = .trailer
        }
    }

    private mutating func endTrailer(_ byte: UInt8) throws(HTTPRequestError) {
        state = try expect(0x0a, byte, then: .trailerStart)
        let field = try HeadField(trailer, trailer.indices)
        let forbidden: [StaticString] = [
            "content-length", "transfer-encoding", "host", "content-encoding", "content-type", "content-range", "authorization", "trailer", "expect",
            "connection", "te",
        ]
        guard !forbidden.contains(where: { trailer.equals(field.name, $0) }) else {
            throw .badRequest("a header field that is not allowed in a trailer")
        }
        trailer.removeAll(keepingCapacity: true)
    }

    private mutating func countOverhead() throws(HTTPRequestError) {
        overhead += 1
        guard overhead <= ChunkedDecoder.overheadLimit else { throw .headersTooLarge }
    }

    private func expect(_ wanted: UInt8, _ byte: UInt8, then next: State) throws(HTTPRequestError) -> State {
        guard byte == wanted else { throw .badRequest("malformed chunk") }
        return next
    }
}

private func hexDigit(_ byte: UInt8) -> Int? {
    switch byte {
    case 0x30...0x39: Int(byte) - 0x30
    case 0x41...0x46: Int(byte) - 0x37
    case 0x61...0x66: Int(byte) - 0x57
    default: nil
    }
}
