// SPDX-License-Identifier: Apache-2.0

import Files
import Testing

struct UploadRangeTests {
    @Test(
        arguments: [
            ("bytes 0-262143/*", .piece(0...262_143), nil), ("bytes 5-9/10", .piece(5...9), 10), ("Bytes 0-0/1", .piece(0...0), 1),
            ("bytes */300001", .nothing, 300_001), ("bytes */*", .nothing, nil), ("bytes */0", .nothing, 0), ("bytes 0-*/*", .rest(from: 0), nil),
            ("bytes 5-*/10", .rest(from: 5), 10), ("bytes 10-*/10", .rest(from: 10), 10),
        ] as [(String, UploadRange.Bytes, Int64?)])
    func `a range is read`(text: String, bytes: UploadRange.Bytes, total: Int64?) throws {
        let range = try #require(UploadRange(text))
        #expect(range.bytes == bytes && range.total == total)
    }

    @Test(arguments: [
        "", "bytes", "bytes ", "bytes 0-9", "bytes 9-0/*", "bytes 0-9/9", "bytes -9/10", "bytes 0-/10", "bytes 0-9/10/11", "bytes +0-9/10",
        "bytes 0-9223372036854775807/*", "bytes 0-99999999999999999999/*", "octets 0-9/10", "bytes 0-9/x", "bytes  0-9/10", "bytes 0-9-10/20",
        "bytes 11-*/10", "bytes *-9/10", "bytes 0-**/10", "bytes -*/10", "bytes 0-*", "bytes *-*/*",
    ])
    func `anything else is none`(text: String) { #expect(UploadRange(text) == nil) }
}
