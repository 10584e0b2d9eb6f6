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
    var output = GrowingOutput(limit: limit, spare: spare, hint: bytes.count)
    var consumed = 0
    while true {
        let (step, read, written) = output.withRoom { room in
            bytes.withUnsafeBufferPointer { decoder.step(UnsafeBufferPointer(rebasing: $0[consumed...]), into: room) }
        }
        consumed += read
        output.filled += written
        guard output.filled <= limit else { throw .tooLarge }
        switch step {
        case .malformed: throw .malformed
        case .finished: return output.finish()
        case .more where output.isFull: output.grow()
        case .more where read == 0 && written == 0: throw .malformed
        case .more: continue
        }
    }
}

/// Output that doubles as it fills, up to one byte past the limit: the byte that tells a body too large from one that just fits.
private struct GrowingOutput {
    var filled = 0
    private var bytes: [UInt8]
    private let most: Int
    private let spare: Int

    init(limit: Int, spare: Int, hint: Int) {
        self.spare = spare
        most = limit < Int.max ? limit + 1 : limit
        bytes = []
        resize(to: min(most, max(1_024, hint.multipliedReportingOverflow(by: 4).partialValue)))
    }

    var isFull: Bool { filled == bytes.count }

    mutating func grow() {
        resize(to: min(most, max(1_024, bytes.count.multipliedReportingOverflow(by: 2).partialValue)))
    }

    mutating func withRoom<R>(_ body: (UnsafeMutableBufferPointer<UInt8>) -> R) -> R {
        let start = filled
        return bytes.withUnsafeMutableBufferPointer { body(UnsafeMutableBufferPointer(rebasing: $0[start...])) }
    }

    /// Much room that was not filled is not handed on: who keeps the result counts its bytes.
    mutating func finish() -> [UInt8] {
        if bytes.count > filled + filled / 4 { resize(to: filled) }
        bytes.removeLast(bytes.count - filled)  // keeps the capacity
        bytes.reserveCapacity(filled + spare)
        return bytes
    }

    private mutating func resize(to size: Int) {
        let (old, kept) = (bytes, filled)
        bytes = [UInt8](unsafeUninitializedCapacity: size + spare) { room, count in
            // Everything up to `count` is initialised: what was there by copying, the rest to zero. Both ranges lie within the capacity.
            guard let start = room.baseAddress else { return }
            old.withUnsafeBytes { _ = memcpy(start, $0.baseAddress ?? UnsafeRawPointer(start), kept) }
            memset(start + kept, 0, size - kept)
            count = size
        }
    }
}
