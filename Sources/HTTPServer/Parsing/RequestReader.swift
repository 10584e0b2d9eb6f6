// SPDX-License-Identifier: Apache-2.0

/// Parses the bytes of a connection into requests. The result does not depend on how the bytes are split.
///
/// Example: `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhiGET` yields `.head`, then after `expect` `.body` with `hi`; `GET`
/// starts the next head.
package struct RequestReader {
    package enum Event {
        /// All bytes were consumed; more are needed.
        case needsMore
        /// A head is complete. The caller must state the body's limit before reading continues.
        case head(HTTPRequestHead)
        /// The range of the input that continues a streamed body of declared length.
        case piece(Range<Int>)
        /// The body, and with it the request, is complete. Of a streamed body, these are the bytes not yet taken.
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
    /// Whether bytes of declared length are returned in place instead of being kept.
    private var streams = false
    /// The limit of body bytes that are kept.
    private var kept = Int.max
    /// Body bytes received so far, including those taken by `takeBody`.
    package private(set) var bodyReceived = 0
    /// Whether bytes of the newest body were dropped because they exceed its limit.
    package private(set) var isTruncated = false

    package init(limits: HeadLimits) {
        self.limits = limits
        parser = RequestHeadParser(limits: limits)
    }

    var isInHead: Bool { if case .head = phase { parser.hasBegun } else { false } }
    package var isInBody: Bool { if case .head = phase { false } else { true } }
    /// Body bytes received so far, without those that are dropped.
    package var bodyKept: Int { min(bodyReceived, kept) }

    /// Continues at `input[offset...]`. A fault is final, because the start of the next request is unknown.
    package mutating func next(_ input: Swift.Span<UInt8>, at offset: inout Int) throws(HTTPRequestError) -> Event {
        precondition((0...input.count).contains(offset), "the offset is inside the input")
        switch phase {
        case .head:
            guard let head = try parser.parse(input, at: &offset) else { return .needsMore }
            return .head(head)
        case .length(let left):
            let count = min(left, input.count - offset)
            assert(count >= 0, "a body does not extend before the offset")
            let range = offset..<(offset + count)
            offset += count
            if streams, count > 0 {
                bodyReceived += count
                phase = .length(left: left - count)
                return .piece(range)
            }
            take(input, range)
            phase = .length(left: left - count)
            return left == count ? finish() : .needsMore
        case .chunked(var decoder):
            phase = .head  // leaves the decoder with one owner, so that changing it copies nothing
            let before = body.count
            let ended = try decoder.decode(input, at: &offset, into: &body)
            bodyReceived += body.count - before
            if skips { body.removeAll(keepingCapacity: true) }
            if body.count > kept {
                body.removeLast(body.count - kept)
                isTruncated = true
            }
            phase = .chunked(decoder)
            return ended ? finish() : .needsMore
        }
    }

    /// Continues with the body of the current head, up to `limit` bytes. With `skipping` the body is discarded.
    ///
    /// - Parameters:
    ///   - kept: The number of bytes to keep. Those after them are read and dropped.
    ///   - streaming: Whether a body of declared length comes in pieces of the input. A chunked one is decoded, and taken with `takePart`.
    package mutating func expect(
        _ framing: BodyFraming, limit: Int, keeping kept: Int = .max, skipping: Bool = false, streaming: Bool = false
    ) throws(HTTPRequestError) {
        precondition(!isInBody, "a body is expected once, after its head")
        (bodyReceived, isTruncated) = (0, false)
        (skips, self.kept, streams) = (skipping, kept, streaming)
        switch framing {
        case .none: phase = .length(left: 0)
        case .length(let length):
            guard length <= limit else { throw .tooLarge }
            phase = .length(left: length)
        case .chunked: phase = .chunked(ChunkedDecoder(limit: limit))
        }
    }

    /// Removes and returns the decoded bytes of a streamed, chunked body since the last call.
    package mutating func takePart() -> [UInt8] {
        defer { body = [] }
        return body
    }

    /// Drops the body of a request that was answered before its end.
    mutating func dropBody() {
        body = []
        skips = true
    }

    /// Reserves memory for a small body at once. A large one grows with the bytes received, whatever its head announces.
    private mutating func take(_ input: Swift.Span<UInt8>, _ range: Range<Int>) {
        bodyReceived += range.count
        if skips { return }
        let range = range.prefix(max(0, kept - body.count))
        isTruncated = bodyReceived > kept
        if case .length(let left) = phase, body.capacity < body.count + range.count {
            body.reserveCapacity(min(body.count + left, kept, max(4 * body.count, 64 * 1_024)) + HTTPRequest.spare)
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
        // One memcpy instead of a loop. The pointer does not escape the closure, and slicing checks the range.
        span.withUnsafeBufferPointer { append(contentsOf: UnsafeBufferPointer(rebasing: $0[range])) }
    }
}
