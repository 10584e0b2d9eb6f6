// SPDX-License-Identifier: Apache-2.0

import API
import JSON
import Testing

/// The functions that types of the module API find in the encoder of the module JSON.
struct EmbeddedTests {
    private static func written(_ value: some Encodable) throws -> String {
        var json = JSONWriter()
        try json.encode(value)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test func `member names that are data keep their capitals`() throws {
        #expect(try Self.written(Members([("planTier", 1)])) == #"{"planTier":1}"#)
        #expect(try Self.written(["planTier": 1]) == #"{"plan_tier":1}"#)
    }

    @Test func `embedded JSON is written byte for byte`() throws {
        #expect(try Self.written(Embedded<[String: AnyText]>.json(Array(#"{"aB": 1.0}"#.utf8))) == #"{"aB": 1.0}"#)
    }
}
