// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Decodes at most `limit` bytes.
///
/// A decompression bomb costs no more than about twice the limit, since the buffer only grows as it fills. The result has capacity for
/// `spare` further bytes, because the JSON reader looks a little past the end.
package func decode(_ bytes: [UInt8], coding: ContentCoding, limit: Int, spare: Int = 0) throws(DecodeError) -> [UInt8] {
    if coding == .identity {
        guard bytes.count <= limit else { throw .tooLarge }
        var copy = bytes
        copy.reserveCapacity(bytes.count + spare)
        return copy
    }
    guard let decoder = streamDecoder(for: coding, bytes) else { throw .malformed }
    return try drain(decoder, bytes, limit: limit, spare: spare)
}

/// Decodes the beginning of a stream, at most `limit` bytes. `isWhole` is false if there is more.
///
/// - Parameter isTruncated: Whether the end of `bytes` is missing. Otherwise an incomplete stream is malformed.
package func decodeBeginning(
    _ bytes: [UInt8], coding: ContentCoding, limit: Int, isTruncated: Bool, spare: Int = 0
) throws(DecodeError) -> (bytes: [UInt8], isWhole: Bool) {
    guard let decoder = streamDecoder(for: coding, bytes) else {
        guard coding == .identity else { throw .malformed }
        return (Array(bytes.prefix(limit)), !isTruncated && bytes.count <= limit)
    }
    var (output, outcome) = drained(decoder, bytes, limit: limit, spare: spare)
    let isWhole = outcome == .finished && output.count <= limit
    guard isWhole || isTruncated || output.count > limit else { throw .malformed }
    output.removeLast(max(0, output.count - limit))
    return (output, isWhole && !isTruncated)
}

private func streamDecoder(for coding: ContentCoding, _ bytes: [UInt8]) -> (any StreamDecoder)? {
    switch coding {
    case .identity: nil
    case .gzip: ZlibDecoder(.gzip)
    case .deflate: ZlibDecoder(looksLikeZlib(bytes) ? .zlib : .raw)
    case .br: BrotliDecoder()
    case .zstd: ZstdDecoder()
    }
}

/// Whether the body is a zlib stream. "deflate" means zlib by specification and raw deflate in some clients. A raw stream passes this test
/// only if it begins with a stored block whose padding bits are set, which no encoder writes.
private func looksLikeZlib(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 2 else { return false }
    let method = bytes[0] & 0x0f, window = bytes[0] >> 4
    return method == 8 && window <= 7 && (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
}

private func drain(_ decoder: any StreamDecoder, _ bytes: [UInt8], limit: Int, spare: Int) throws(DecodeError) -> [UInt8] {
    let (output, outcome) = drained(decoder, bytes, limit: limit, spare: spare)
    guard output.count <= limit else { throw .tooLarge }
    guard outcome == .finished else { throw .malformed }
    return output
}

/// Returns the output of a decoder, which ends one byte past the limit, and the final result; nil if it has more.
private func drained(_ decoder: any StreamDecoder, _ bytes: [UInt8], limit: Int, spare: Int) -> ([UInt8], DecoderStep?) {
    var drain = Drain(decoder: decoder, input: bytes)
    // One byte past the limit distinguishes a body that is too large from one that just fits.
    let most = limit < Int.max ? limit + 1 : limit
    var room = min(most, max(1_024, bytes.count.multipliedReportingOverflow(by: 4).partialValue))
    var output = drain.fill(room, after: [], spare: spare)
    while drain.outcome == nil, output.count < most {
        room = min(most, max(1_024, room.multipliedReportingOverflow(by: 4).partialValue))
        output = drain.fill(room, after: output, spare: spare)
    }
    // A mostly empty buffer is copied to a smaller one, because callers are charged for its size.
    if output.capacity > output.count + output.count / 4 + spare {
        let filled = output
        output = []
        output.reserveCapacity(filled.count + spare)
        output += filled
    }
    return (output, drain.outcome)
}

/// The output of a decoder in buffers of growing size. Only content that moves to a larger buffer is copied, and memory is touched only as
/// it fills.
private struct Drain {
    private let decoder: any StreamDecoder
    private let input: [UInt8]
    private var consumed = 0
    /// The final result; nil while the decoder needs more space.
    private(set) var outcome: DecoderStep?

    init(decoder: any StreamDecoder, input: [UInt8]) {
        self.decoder = decoder
        self.input = input
    }

    /// Continues into a buffer of `size` bytes that starts with the previous content, with capacity for some more.
    mutating func fill(_ size: Int, after before: [UInt8], spare: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: size + spare) { room, count in
            guard let start = room.baseAddress else { return }
            // `count` bytes are initialized: the previous content by copying, the rest by the decoder. Both are within the buffer.
            before.withUnsafeBytes { _ = memcpy(start, $0.baseAddress ?? UnsafeRawPointer(start), $0.count) }
            count = before.count
            while outcome == nil, count < size { count += step(into: UnsafeMutableBufferPointer(rebasing: room[count..<size])) }
        }
    }

    private mutating func step(into room: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let (step, read, written) = input.withUnsafeBufferPointer { decoder.step(UnsafeBufferPointer(rebasing: $0[consumed...]), into: room) }
        consumed += read
        switch step {
        case .finished, .malformed: outcome = step
        case .more: if read == 0 && written == 0 { outcome = .malformed }
        }
        return written
    }
}
