// SPDX-License-Identifier: Apache-2.0

import Files
import Testing

struct UploadRangeTests {
    @Test(
        arguments: [
            ("bytes 0-262143/*", 0...262_143, nil), ("bytes 5-9/10", 5...9, 10), ("Bytes 0-0/1", 0...0, 1), ("bytes */300001", nil, 300_001),
            ("bytes */*", nil, nil), ("bytes */0", nil, 0),
        ] as [(String, ClosedRange<Int64>?, Int64?)])
    func `a range is read`(text: String, bytes: ClosedRange<Int64>?, total: Int64?) throws {
        let range = try #require(UploadRange(text))
        #expect(range.bytes == bytes && range.total == total)
    }

    @Test(arguments: [
        "", "bytes", "bytes ", "bytes 0-9", "bytes 9-0/*", "bytes 0-9/9", "bytes -9/10", "bytes 0-/10", "bytes 0-9/10/11", "bytes +0-9/10",
        "bytes 0-9223372036854775807/*", "bytes 0-99999999999999999999/*", "octets 0-9/10", "bytes 0-9/x", "bytes  0-9/10", "bytes 0-9-10/20",
    ])
    func `anything else is none`(text: String) { #expect(UploadRange(text) == nil) }
}
