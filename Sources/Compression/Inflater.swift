// SPDX-License-Identifier: Apache-2.0

import CZlib

/// A decoder of raw deflate that gives its output in pieces, for files larger than the memory they may use.
package final class Inflater {
    private static let pieceBytes = 1 << 18

    private let decoder: ZlibDecoder
    /// Whether the stream is complete.
    package private(set) var isFinished = false

    package init?() {
        guard let decoder = ZlibDecoder(.raw) else { return nil }
        self.decoder = decoder
    }

    /// Decodes the input into pieces of at most 256 KiB. The last piece of input must end with the stream.
    package func decode(_ input: [UInt8], _ write: ([UInt8]) throws -> Void) throws {
        var consumed = 0
        while true {
            var step = DecoderStep.more
            var read = 0
            let output = [UInt8](unsafeUninitializedCapacity: Inflater.pieceBytes) { room, count in
                // zlib initializes the bytes that it reports as written.
                (step, read, count) = input.withUnsafeBufferPointer { decoder.step(UnsafeBufferPointer(rebasing: $0[consumed...]), into: room) }
            }
            consumed += read
            if !output.isEmpty { try write(output) }
            switch step {
            case .malformed: throw DecodeError.malformed
            case .finished:
                isFinished = true
                return
            case .more: if read == 0 && output.isEmpty { return }
            }
        }
    }
}

/// The checksum of ZIP and gzip.
package struct CRC32 {
    package private(set) var value: UInt32 = 0

    package init() {}

    package mutating func update(_ bytes: [UInt8]) {
        value = bytes.withUnsafeBufferPointer { UInt32(truncatingIfNeeded: crc32(UInt(value), $0.baseAddress, UInt32($0.count))) }
    }
}
