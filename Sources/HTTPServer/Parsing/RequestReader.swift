// SPDX-License-Identifier: Apache-2.0

/// Turns the bytes of a connection into requests: a pure function of the bytes, however they are cut.
package struct RequestReader {
    package enum Event {
        /// Everything was taken in; only more bytes can lead on.
        case needsMore
        /// A head is complete. The reader goes on when it was told what the body may weigh.
        case head(HTTPRequestHead)
        /// The body is complete, and so is the request.
        case body([UInt8])
    }

    private enum Phase {
        case head
        case length(left: Int)
        case chunked(ChunkedDecoder)
    }

    private let limits: HeadLimits
    private var parser: RequestHeadParser
    private var phase = Phase.head
    private var body: [UInt8] = []
    private var skips = false
    /// Bytes of the body so far, those that were taken away included.
    package private(set) var bodyReceived = 0

    package init(limits: HeadLimits) {
        self.limits = limits
        parser = RequestHeadParser(limits: limits)
    }

    package var isInHead: Bool { if case .head = phase { parser.hasBegun } else { false } }
    package var isInBody: Bool { if case .head = phase { false } else { true } }

    /// Reads on from `input[offset...]`. A fault is final: what follows it cannot be told apart any more.
    package mutating func next(_ input: Swift.Span<UInt8>, at offset: inout Int) throws(HTTPFault) -> Event {
        switch phase {
        case .head:
            guard let head = try parser.parse(input, at: &offset) else { return .needsMore }
            return .head(head)
        case .length(let left):
            let count = min(left, input.count - offset)
            take(input, offset..<(offset + count))
            offset += count
            phase = .length(left: left - count)
            return left == count ? finish() : .needsMore
        case .chunked(var decoder):
            phase = .head  // leaves the decoder with one owner, so that changing it copies nothing
            let before = body.count
            let ended = try decoder.decode(input, at: &offset, into: &body)
            bodyReceived += body.count - before
            if skips { body.removeAll(keepingCapacity: true) }
            phase = .chunked(decoder)
            return ended ? finish() : .needsMore
        }
    }

    /// Says that the body of the head just read is wanted, up to `limit` bytes of it, or only to be got past where `skipping`.
    package mutating func expect(_ framing: BodyFraming, limit: Int, skipping: Bool = false) throws(HTTPFault) {
        bodyReceived = 0
        skips = skipping
        switch framing {
        case .none: phase = .length(left: 0)
        case .length(let length):
            guard length <= limit else { throw .tooLarge }
            phase = .length(left: length)
        case .chunked: phase = .chunked(ChunkedDecoder(limit: limit))
        }
    }

    /// What of the body has come since the last time, for one that goes to a file.
    package mutating func takePart() -> [UInt8] {
        defer { body = [] }
        return body
    }

    /// Of a request that was answered before its end nothing is kept.
    package mutating func dropBody() {
        body = []
        skips = true
    }

    /// A small body is given its room at once; a large one grows with what really arrives, whatever its head promised.
    private mutating func take(_ input: Swift.Span<UInt8>, _ range: Range<Int>) {
        bodyReceived += range.count
        if skips { return }
        if case .length(let left) = phase, body.capacity < body.count + range.count {
            body.reserveCapacity(min(body.count + left, max(4 * body.count, 64 * 1_024)) + HTTPRequest.spare)
        }
        body.append(input, range)
    }

    private mutating func finish() -> Event {
        phase = .head
        if !body.isEmpty, body.capacity < body.count + HTTPRequest.spare { body.reserveCapacity(body.count + HTTPRequest.spare) }
        defer { body = [] }
        return .body(body)
    }
}

extension [UInt8] {
    mutating func append(_ span: Swift.Span<UInt8>, _ range: Range<Int>) {
        // One memcpy instead of a loop; the pointer does not leave the closure and slicing checks the range.
        span.withUnsafeBufferPointer { append(contentsOf: UnsafeBufferPointer(rebasing: $0[range])) }
    }
}
