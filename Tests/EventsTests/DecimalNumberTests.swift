// SPDX-License-Identifier: Apache-2.0

import Events
import Testing

@Suite struct DecimalNumberTests {
    private static func number(_ text: String) -> DecimalNumber? { DecimalNumber(Array(text.utf8).span) }

    /// Numbers in ascending order; those of a row are equal.
    private static let rows = [
        ["-1e100000"], ["-9223372036854775809"], ["-100.5", "-1005e-1"], ["-12", "-12.0", "-1.2e1", "-120e-1"], ["-0.1"], ["-1e-99999"],
        ["0", "-0", "0.000", "0e5", "-0e-5"], ["1e-99999"], ["0.09999999999999999999"], ["0.1", "1e-1", "0.10"],
        ["1", "1.0", "1E0", "10e-1", "1e+0"],
        ["9", "9.00"], ["10", "1e1"], ["999999999999999999"], ["1000000000000000000", "1e18"], ["9007199254740992000"],
        ["9007199254740993000", "9007199254740993e3"], ["9007199254740993000.1"], ["1e100000"],
    ]

    @Test func `numbers have the order of their values`() throws {
        let all = try Self.rows.enumerated().flatMap { row, texts in try texts.map { (row, $0, try #require(Self.number($0), "\($0)")) } }
        for (row, text, number) in all {
            for (otherRow, otherText, other) in all {
                #expect((number < other) == (row < otherRow) && (number == other) == (row == otherRow), "\(text) and \(otherText)")
            }
        }
    }

    @Test(arguments: [
        "", "-", "+1", " 1", "1 ", "007", "-01", ".5", "5.", "1.e1", "0x1f", "1e", "1e+", "1e1.5", "nan", "inf", "1e100001", "1e99999999999999999999",
        "1,5", "1_000", "--1", "\u{661}",
    ])
    func `other texts are no numbers`(text: String) {
        #expect(Self.number(text) == nil)
    }
}
