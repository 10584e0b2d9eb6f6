// SPDX-License-Identifier: Apache-2.0

/// Reads a response of HTTP/1.1 piece by piece, without I/O.
///
///     HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n7   →   head: 200; body: 7
///     7                                               →   body: 7; complete, and the connection may be used again
package struct ResponseReader {
    private enum Body {
        case none
        case length(Int)
        case chunks(ChunkReader)
        /// Until the end of the connection.
        case rest
    }

    package static let maximumHeadBytes = 64 << 10

    /// The bytes of the head so far, and where its last line begins.
    private var text: [UInt8] = []
    private var lineStart = 0
    private var headBytes = 0
    private var body = Body.none
    /// Nil until the head is complete.
    package private(set) var head: ResponseHead?
    package private(set) var isComplete = false
    private var hasBytesLeft = false

    package init() {}

    /// Whether no byte has come.
    package var isUntouched: Bool { head == nil && headBytes == 0 }

    /// Whether the next response may follow on the connection.
    package var isReusable: Bool {
        if case .rest = body { return false }
        return isComplete && !hasBytesLeft && head?.keepsAlive == true
    }

    /// Reads bytes and passes those of the body on. Returns false if `take` wants no more.
    package mutating func read(_ input: ArraySlice<UInt8>, _ take: (ResponseHead, [UInt8]) -> Bool) throws(CourierFailure) -> Bool {
        var rest = input
        while head == nil {
            guard let lines = try headLines(&rest) else { return true }
            let head = try ResponseHead(lines)
            // An interim response announces another one.
            if head.status >= 200 { try begin(head) }
        }
        guard let head, !rest.isEmpty else { return true }
        let piece = try content(of: rest)
        return piece.isEmpty || take(head, piece)
    }

    /// The connection has ended. Throws if the response has not.
    package mutating func end() throws(CourierFailure) {
        if case .rest = body, head != nil { isComplete = true }
        guard isComplete else { throw isUntouched ? .noResponse : .badResponse }
    }

    private mutating func begin(_ head: ResponseHead) throws(CourierFailure) {
        self.head = head
        if head.status == 204 || head.status == 304 {
            isComplete = true
        } else if head.isChunked {
            body = .chunks(ChunkReader())
        } else if let length = head.length {
            body = .length(length)
            isComplete = length == 0
        } else {
            body = .rest
        }
    }

    /// Returns the bytes of a head with its empty line once they have come.
    private mutating func headLines(_ rest: inout ArraySlice<UInt8>) throws(CourierFailure) -> [UInt8]? {
        while let end = rest.firstIndex(of: 0x0a) {
            try append(rest[...end])
            rest = rest[(end + 1)...]
            let isEmpty = text.count - lineStart == 2 && text[lineStart] == 0x0d
            lineStart = text.count
            guard isEmpty else { continue }
            defer { (text, lineStart) = ([], 0) }
            return text
        }
        try append(rest)
        rest = []
        return nil
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) throws(CourierFailure) {
        text += bytes
        headBytes += bytes.count
        guard headBytes <= ResponseReader.maximumHeadBytes else { throw .badResponse }
    }

    private mutating func content(of rest: ArraySlice<UInt8>) throws(CourierFailure) -> [UInt8] {
        switch body {
        case .none:
            hasBytesLeft = true
            return []
        case .rest: return Array(rest)
        case .length(let left):
            hasBytesLeft = rest.count > left
            body = .length(max(0, left - rest.count))
            isComplete = rest.count >= left
            return Array(rest.prefix(left))
        case .chunks(var reader):
            var piece: [UInt8] = []
            let used = try reader.read(rest, into: &piece)
            isComplete = reader.isComplete
            hasBytesLeft = used < rest.count
            body = .chunks(reader)
            return piece
        }
    }
}
