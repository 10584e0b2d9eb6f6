// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

struct SpellingTests {
    @Test(arguments: [
        ("loops", "loops", 0), ("lops", "loops", 1), ("loosp", "loops", 1), ("", "abc", 3), ("kitten", "sitting", 3), ("LOOPS", "loops", 0),
    ])
    func `the edit distance is counted`(a: String, b: String, edits: Int) {
        #expect(Spelling.edits(from: a, to: b) == edits)
        #expect(Spelling.edits(from: b, to: a) == edits)
    }

    @Test func `a word without a similar one has no suggestion`() {
        #expect(Spelling.nearest(to: "zebra", among: ["loops", "listen"]) == nil)
        #expect(Spelling.nearest(to: String(repeating: "a", count: 10_000), among: ["loops"]) == nil)
    }
}

struct QuantityTests {
    @Test(arguments: [("0s", 0), ("250ms", 250), ("10s", 10_000), ("5 m", 300_000), ("2h", 7_200_000), ("30d", 2_592_000_000)])
    func `a duration is parsed`(text: String, milliseconds: Int) {
        #expect(Quantity.duration(text) == .milliseconds(milliseconds))
    }

    @Test(arguments: ["", "s", "10", "-1s", "1.5s", "10S", "1w", "9223372036854775807d", "٣s"])
    func `an invalid duration is rejected`(text: String) {
        #expect(Quantity.duration(text) == nil)
    }

    @Test(arguments: [("0B", 0), ("1kB", 1_000), ("64KiB", 65_536), ("5MiB", 5 << 20), ("1GiB", 1 << 30), ("2 GB", 2_000_000_000)])
    func `a size is parsed`(text: String, bytes: Int) {
        #expect(Quantity.size(text) == bytes)
    }

    @Test func `printed quantities parse to the same value`() {
        for milliseconds in [0, 1, 250, 999, 1_000, 90_000, 3_600_000, 86_400_000] {
            #expect(Quantity.duration(Quantity.text(.milliseconds(milliseconds))) == .milliseconds(milliseconds))
        }
        for bytes in [0, 1, 1_000, 1_024, 1_536, 5 << 20, 1 << 40] {
            #expect(Quantity.size(Quantity.text(size: bytes)) == bytes)
        }
    }
}
