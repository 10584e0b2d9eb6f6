// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Undoes `coding`, producing at most `limit` bytes.
///
/// A bomb costs no more than about twice the limit, since the output only grows as far as it is filled. The result has room for
/// `spare` further bytes, because the JSON reader wants to look a little past the end without copying.
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

private func streamDecoder(for coding: ContentCoding, _ bytes: [UInt8]) -> (any StreamDecoder)? {
    switch coding {
    case .identity: nil
    case .gzip: ZlibDecoder(.gzip)
    case .deflate: ZlibDecoder(looksLikeZlib(bytes) ? .zlib : .raw)
    case .br: BrotliDecoder()
    case .zstd: ZstdDecoder()
    }
}

/// "deflate" means zlib on paper and raw deflate in some clients. A raw stream could only pass this test by beginning with a
/// stored block whose padding bits are set, which no encoder writes.
private func looksLikeZlib(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 2 else { return false }
    let method = bytes[0] & 0x0f, window = bytes[0] >> 4
    return method == 8 && window <= 7 && (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
}

private func drain(_ decoder: any StreamDecoder, _ bytes: [UInt8], limit: Int, spare: Int) throws(DecodeError) -> [UInt8] {
    var drain = Drain(decoder: decoder, input: bytes)
    // One byte past the limit tells a body too large from one that just fits.
    let most = limit < Int.max ? limit + 1 : limit
    var room = min(most, max(1_024, bytes.count.multipliedReportingOverflow(by: 4).partialValue))
    var output = drain.fill(room, after: [], spare: spare)
    while drain.outcome == nil, output.count < most {
        room = min(most, max(1_024, room.multipliedReportingOverflow(by: 4).partialValue))
        output = drain.fill(room, after: output, spare: spare)
    }
    guard output.count <= limit else { throw .tooLarge }
    guard drain.outcome == .finished else { throw .malformed }
    // Much room that was not filled is not handed on: who keeps the result counts its bytes.
    if output.capacity > output.count + output.count / 4 + spare {
        let filled = output
        output = []
        output.reserveCapacity(filled.count + spare)
        output += filled
    }
    return output
}

/// A decoder that empties itself into rooms of growing size. Nothing is written twice but what moves on to a larger room, and a room's memory
/// is touched only as far as it is filled.
private struct Drain {
    private let decoder: any StreamDecoder
    private let input: [UInt8]
    private var consumed = 0
    /// How it ended; nil as long as it wants more room.
    private(set) var outcome: DecoderStep?

    init(decoder: any StreamDecoder, input: [UInt8]) {
        self.decoder = decoder
        self.input = input
    }

    /// What was there before and what comes next, up to `size` bytes and with room for some more.
    mutating func fill(_ size: Int, after before: [UInt8], spare: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: size + spare) { room, count in
            guard let start = room.baseAddress else { return }
            // `count` bytes are initialised: what was there by copying, what follows by the decoder. Both lie within the room.
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
