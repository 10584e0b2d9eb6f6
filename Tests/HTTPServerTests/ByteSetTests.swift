// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform
import Testing

struct ByteSetTests {
    private static func members(_ set: ByteSet) -> String {
        String(decoding: (UInt8.min...UInt8.max).filter(set.contains), as: UTF8.self)
    }

    private static let digits = "0123456789", upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", lower = "abcdefghijklmnopqrstuvwxyz"

    @Test(arguments: [
        (ByteSet.token, "!#$%&'*+-.^_`|~" + digits + upper + lower),
        (ByteSet.target, String(decoding: (0x21...0x7e).filter { $0 != 0x23 }, as: UTF8.self)),
        (ByteSet.host, "!$%&'()*+,-.;=_~" + digits + upper + lower),
        (ByteSet.addressLiteral, ":." + digits + "ABCDEFabcdef"),
    ])
    func `each set contains exactly its characters`(set: ByteSet, expected: String) {
        #expect(Set(ByteSetTests.members(set)) == Set(expected))
    }
}
