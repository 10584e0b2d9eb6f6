// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Testing

struct FileRangeTests {
    private static func part(_ offset: Int, _ length: Int) -> RangeSelection { .part(FileRange(offset: offset, length: length)) }

    @Test(arguments: [
        ("bytes=0-0", part(0, 1)), ("bytes=2-5", part(2, 4)), ("bytes=0-9", part(0, 10)), ("bytes=9-9", part(9, 1)),
        ("bytes=2-", part(2, 8)), ("bytes=0-", part(0, 10)), ("bytes=9-", part(9, 1)), ("bytes=5-10", part(5, 5)), ("bytes=5-99", part(5, 5)),
        ("bytes=5-99999999999999999999", part(5, 5)), ("bytes=-1", part(9, 1)), ("bytes=-10", part(0, 10)), ("bytes=-11", part(0, 10)),
        ("bytes=-99999999999999999999", part(0, 10)), ("BYTES=2-5", part(2, 4)), ("bytes= 2-5 ", part(2, 4)), ("bytes=002-005", part(2, 4)),
    ])
    func `one range selects a part`(field: String, expected: RangeSelection) {
        #expect(RangeSelection(field, size: 10) == expected)
    }

    @Test(arguments: ["bytes=10-", "bytes=10-10", "bytes=11-20", "bytes=99999999999999999999-", "bytes=-0", "bytes=-000"])
    func `a range outside the file is unsatisfiable`(field: String) {
        #expect(RangeSelection(field, size: 10) == .unsatisfiable)
    }

    @Test(arguments: [
        "", "bytes", "bytes=", "bytes=-", "bytes=5", "bytes=5-4", "bytes=a-b", "bytes=0-a", "bytes=a-5", "bytes=+1-5", "bytes=1-+5", "bytes=--5",
        "bytes=1--5", "bytes=1-5-", "bytes=0 -5", "bytes=0- 5", "bytes =0-5", " bytes=0-5", "bytes=0x1-5", "items=0-5", "bytes=0-1,4-5", "bytes=0-1,",
        "bytes=,0-1", "bytes=0-1;", "bytes==0-1", "bytes=٣-٥", "bytes=1.0-5", "bytes:0-5",
    ])
    func `several ranges, other units and malformed values select the whole file`(field: String) {
        #expect(RangeSelection(field, size: 10) == .whole)
    }

    @Test func `an empty file has no part`() {
        for field in ["bytes=0-", "bytes=0-0", "bytes=5-9", "bytes=-0"] { #expect(RangeSelection(field, size: 0) == .unsatisfiable) }
        for field in ["bytes=-1", "bytes=-9"] { #expect(RangeSelection(field, size: 0) == .whole) }
    }

    /// The definition in plain loops: the bytes of the file that the range names.
    @Test func `every small range selects the bytes that it names`() {
        for size in 0...6 {
            let bytes = Array(0..<size)
            for first in 0...7 {
                expect("bytes=\(first)-", size, first < size ? Array(bytes[first...]) : nil)
                for last in first...8 { expect("bytes=\(first)-\(last)", size, first < size ? bytes.filter { $0 >= first && $0 <= last } : nil) }
            }
            for suffix in 1...8 where size > 0 { expect("bytes=-\(suffix)", size, bytes.suffix(suffix)) }
        }
    }

    private func expect(_ field: String, _ size: Int, _ bytes: [Int]?) {
        let expected = bytes.map { FileRangeTests.part($0[0], $0.count) } ?? .unsatisfiable
        #expect(RangeSelection(field, size: size) == expected, "\(field) of \(size)")
    }

    @Test func `fields of the response name the range and the size`() {
        #expect(FileRange(offset: 2, length: 4).contentRange(of: 10) == "bytes 2-5/10")
        #expect(FileRange.unsatisfied(size: 10) == "bytes */10")
    }
}
