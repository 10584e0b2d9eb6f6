// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

struct ByteSetTests {
    @Test(arguments: ["", "a", "\0\u{7f}?@", "-./\\:@%+*#~$&?!^"]) func `a set has the characters of its text`(text: String) {
        let set = ByteSet(text)
        #expect((UInt8.min...UInt8.max).filter(set.contains) == Set(text.utf8).sorted())
    }

    @Test func `only letters of ASCII have a lower case`() {
        let lower = (UInt8.min...UInt8.max).map(\.lowercased)
        #expect(String(decoding: lower[..<128], as: UTF8.self) == String(decoding: UInt8.min..<128, as: UTF8.self).lowercased())
        #expect(Array(lower[128...]) == Array(128...UInt8.max))
    }
}
