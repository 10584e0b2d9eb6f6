// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Ingest

@Suite struct MessagePackTests {
    private static func json(_ hex: String) -> [String]? {
        let digits = Array(hex.filter { $0 != " " })
        let bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0..<$0 + 2]), radix: 16) ?? 0 }
        return MessagePack.json(bytes[...])?.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        ("05", "5"), ("7f", "127"), ("e0", "-32"), ("ff", "-1"), ("c0", "null"), ("c2", "false"), ("c3", "true"), ("cc ff", "255"),
        ("cd ffff", "65535"), ("ce ffffffff", "4294967295"), ("cf ffffffffffffffff", "18446744073709551615"), ("d0 80", "-128"),
        ("d1 8000", "-32768"), ("d2 80000000", "-2147483648"), ("d3 8000000000000000", "-9223372036854775808"), ("cb 3ff8000000000000", "1.5"),
        ("ca 3fc00000", "1.5"), ("cb 7ff0000000000000", "null"), ("a0", #""""#), ("a2 6162", #""ab""#), ("a1 22", #""\"""#), ("d9 02 6162", #""ab""#),
        ("da 0002 6162", #""ab""#), ("db 00000002 6162", #""ab""#), ("90", "[]"), ("93 01 02 03", "[1,2,3]"), ("dc 0001 05", "[5]"),
        ("dd 00000001 05", "[5]"), ("80", "{}"), ("81 a1 61 01", #"{"a":1}"#), ("de 0001 a1 61 01", #"{"a":1}"#),
        ("df 00000001 a1 61 01", #"{"a":1}"#),
        ("81 d9 01 61 01", #"{"a":1}"#), ("c4 02 0000", "null"), ("c7 01 05 00", "null"), ("d4 05 00", "null"),
        ("d8 05 00000000000000000000000000000000", "null"),
    ])
    func `a value becomes JSON`(hex: String, json: String) {
        #expect(Self.json(hex) == [json])
    }

    @Test func `several values are separate documents`() {
        #expect(Self.json("01 a1 61 80") == ["1", #""a""#, "{}"])
        #expect(Self.json("") == [])
    }

    @Test(arguments: [
        "a2 61", "d9 05 61", "cd ff", "cb 00", "92 01", "81 a1 61", "81 01 01", "81 c0 01", "dd ffffffff 01", "df ffffffff", "db ffffffff 61",
        "c6 ffffffff", "c9 ffffffff 00",
        "d8 05 00", "01 a5 61",
    ])
    func `truncated values and names that are no texts are rejected`(hex: String) {
        #expect(Self.json(hex) == nil)
    }

    @Test func `deep and large values are rejected`() {
        #expect(MessagePack.json(([UInt8](repeating: 0x91, count: 63) + [1])[...]) != nil)
        #expect(MessagePack.json(([UInt8](repeating: 0x91, count: 64) + [1])[...]) == nil)
        #expect(MessagePack.json([UInt8](repeating: 0x91, count: 1 << 20)[...]) == nil)
        #expect(MessagePack.json([UInt8](repeating: 1, count: (1 << 20) + 1)[...]) == nil)
        #expect(MessagePack.json([UInt8](repeating: 1, count: 1 << 20)[...])?.count == 1_000)
    }
}
