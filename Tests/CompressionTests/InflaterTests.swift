// SPDX-License-Identifier: Apache-2.0

import Compression
import Testing

struct InflaterTests {
    private func deflated(_ bytes: [UInt8]) -> [UInt8] { Array(gzip(bytes).dropFirst(10).dropLast(8)) }

    @Test(arguments: [0, 1, 1_000, 1 << 18, 3_000_000]) func `deflated bytes are decoded in pieces of any size`(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * $0 >> 7) }
        let packed = deflated(bytes)
        for size in [1, 7, 4_096, packed.count] where packed.count / size < 100_000 {
            let inflater = try #require(Inflater())
            var out: [UInt8] = []
            for start in stride(from: 0, to: packed.count, by: size) {
                try inflater.decode(Array(packed[start..<min(start + size, packed.count)])) { piece in
                    #expect(piece.count <= 1 << 18)
                    out += piece
                }
            }
            #expect(out == bytes && inflater.isFinished)
        }
    }

    @Test func `truncated bytes do not finish, and other bytes are malformed`() throws {
        let packed = deflated(Array("a text".utf8))
        let truncated = try #require(Inflater())
        try truncated.decode(Array(packed.dropLast())) { _ in }
        #expect(!truncated.isFinished)
        let other = try #require(Inflater())
        #expect(throws: DecodeError.malformed) { try other.decode([0xff, 0xff, 0xff]) { _ in } }
    }

    @Test func `an error of the receiver ends the decoding`() throws {
        struct Full: Error {}
        let inflater = try #require(Inflater())
        var pieces = 0
        #expect(throws: Full.self) {
            try inflater.decode(deflated([UInt8](repeating: 0, count: 64 << 20))) { _ in
                pieces += 1
                if pieces == 2 { throw Full() }
            }
        }
        #expect(pieces == 2)
    }

    @Test func `the checksum is that of ZIP`() {
        var checksum = CRC32()
        #expect(checksum.value == 0)
        for part in ["1234", "", "56789"] { checksum.update(Array(part.utf8)) }
        #expect(checksum.value == 0xcbf4_3926)
    }
}
