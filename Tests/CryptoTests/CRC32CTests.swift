// SPDX-License-Identifier: Apache-2.0

import CChecksum
import Crypto
import Testing

@Suite struct CRC32CTests {
    @Test(
        arguments: [
            ("123456789", 0xe306_9283), ("", 0), ("a", 0xc1d0_4330), ("The quick brown fox jumps over the lazy dog", 0x2262_0404),
        ] as [(String, UInt32)])
    func `known texts have their sums`(text: String, sum: UInt32) {
        #expect(CRC32C.sum(Array(text.utf8)) == sum)
    }

    @Test func `RFC 3720's bytes have their sums`() {
        #expect(CRC32C.sum(Array(repeating: 0, count: 32)) == 0x8a91_36aa)
        #expect(CRC32C.sum(Array(repeating: 0xff, count: 32)) == 0x62a8_ab43)
        #expect(CRC32C.sum(Array(0..<32)) == 0x46dd_794e)
    }

    @Test func `the instruction and the tables agree for every length and start`() {
        let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 73 ^ $0 >> 3) }
        for start in 0..<9 {
            for count in 0..<100 {
                let part = Array(bytes[start..<start + count])
                #expect(cchecksum_crc32c(7, part, count) == cchecksum_crc32c_tables(7, part, count))
            }
        }
    }
}
