// SPDX-License-Identifier: Apache-2.0

/// Reads a chunked body (RFC 9112, section 7.1): `2\r\n42\r\n0\r\n\r\n` is `42`. Extensions and trailers are dropped, within a limit.
struct ChunkReader {
    private enum State {
        case size(digits: Int)
        case extensions
        case sizeEnd
        case data
        case dataEnd
        case dataLineFeed
        /// A line of the trailer, with its length so far.
        case trailer(Int)
        case trailerLineFeed(Int)
        case complete
    }

    private static let maximumOverhead = 16 << 10

    private var state = State.size(digits: 0)
    private var left = 0
    private var overhead = 0

    var isComplete: Bool {
        if case .complete = state { true } else { false }
    }

    /// Appends the content of bytes. Returns the number of bytes that belong to the body.
    mutating func read(_ input: ArraySlice<UInt8>, into content: inout [UInt8]) throws(CourierFailure) -> Int {
        var rest = input
        while let byte = rest.first, !isComplete {
            if case .data = state {
                let piece = rest.prefix(left)
                content += piece
                left -= piece.count
                rest = rest.dropFirst(piece.count)
                if left == 0 { state = .dataEnd }
            } else {
                state = try next(byte)
                rest = rest.dropFirst()
            }
        }
        return input.count - rest.count
    }

    private mutating func next(_ byte: UInt8) throws(CourierFailure) -> State {
        switch (state, byte) {
        case (.size(let digits), _): return try size(byte, digits)
        case (.extensions, 0x0d): return .sizeEnd
        case (.extensions, 0x20...0x7e), (.extensions, 0x09), (.extensions, 0x80...): return try counted(.extensions)
        case (.sizeEnd, 0x0a): return left == 0 ? .trailer(0) : .data
        case (.dataEnd, 0x0d): return .dataLineFeed
        case (.dataLineFeed, 0x0a): return .size(digits: 0)
        case (.trailer(let length), 0x0d): return .trailerLineFeed(length)
        case (.trailer(let length), 0x20...0x7e), (.trailer(let length), 0x09), (.trailer(let length), 0x80...):
            return try counted(.trailer(length + 1))
        case (.trailerLineFeed(let length), 0x0a): return length == 0 ? .complete : .trailer(0)
        default: throw .badResponse
        }
    }

    private mutating func size(_ byte: UInt8, _ digits: Int) throws(CourierFailure) -> State {
        if let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 {
            guard digits < 15 else { throw .badResponse }
            left = left << 4 | digit
            return .size(digits: digits + 1)
        }
        switch byte {
        case 0x3b where digits > 0, 0x20 where digits > 0: return .extensions
        case 0x0d where digits > 0: return .sizeEnd
        default: throw .badResponse
        }
    }

    private mutating func counted(_ state: State) throws(CourierFailure) -> State {
        overhead += 1
        guard overhead <= ChunkReader.maximumOverhead else { throw .badResponse }
        return state
    }
}
