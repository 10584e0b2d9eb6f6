// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import EventStore
import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct FilterTests {
    private static let events = #"""
        [{"name": "a", "params": {"n": 3, "unit": "kg|lb"}, "context": {"app_version": "1.10"}},
         {"name": "b", "params": {"n": 3.0, "unit": "kg"}, "context": {"app_version": "1.1"}},
         {"name": "c", "params": {"n": "0.3e1", "unit": "C:\\dir"}, "context": {"app_version": "1.9.2"}},
         {"name": "d", "params": {"n": 12, "unit": "\\|"}, "context": {"app_version": "1.10.1"}},
         {"name": "e", "params": {"n": 9007199254740993, "unit": "café"}},
         {"name": "f", "params": {"n": "007", "unit": "cafe\u0301"}}]
        """#

    private static let cases: [(filter: String, names: [String])] = [
        // Values with a bar or a backslash.
        (#"params.unit=kg\|lb"#, ["a"]), (#"params.unit=kg\|lb|kg"#, ["a", "b"]), (#"params.unit=kg|lb"#, ["b"]), (#"params.unit~\|"#, ["a", "d"]),
        (#"params.unit=C:\dir"#, ["c"]), (#"params.unit=C:\\dir"#, ["c"]), (#"params.unit=\\\|"#, ["d"]), (#"params.unit~\\"#, ["c", "d"]),
        (#"params.unit~\"#, ["c", "d"]), ("params.unit=café", ["e"]),
        // Numbers by value, without rounding; texts as they are.
        ("params.n=3", ["a", "b", "c"]), ("params.n=3.00|120e-1", ["a", "b", "c", "d"]), ("params.n!=3", ["d", "e", "f"]), ("params.n=7", []),
        ("params.n=9007199254740992", []), ("params.n=9007199254740993.0", ["e"]), ("params.n>9007199254740992", ["e"]),
        ("params.n>=12", ["d", "e"]), ("params.n<12", ["a", "b", "c", "f"]),
        // Context fields are texts: versions that look like numbers differ by their digits.
        ("context.app_version=1.1", ["b"]), ("context.app_version!=1.1", ["a", "c", "d", "e", "f"]), ("context.app_version>=1.10.1", ["c", "d"]),
    ]

    @Test func `values are read with their escapes, and numbers compare as numbers`() async throws {
        // A closed tail counts until the daemon notices.
        try await withDaemon(configure: { $0.store.events.tail.listenersPerKey = Self.cases.count }) { live in
            let keys = try await live.api.makeApp()
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, Self.events)) == Taken(accepted: 6))
            for (filter, names) in Self.cases {
                let encoded = String(decoding: filter.utf8.flatMap(Self.percentEncoded), as: UTF8.self)
                let top = try JSON(await live.api.get("/v1/query/top?field=name&from=-1h&filter=\(encoded)", key: keys.read))
                #expect(top["items"].items.map(\.["name"].text).sorted() == names, "\(filter)")
                let tail = try await EventStream(live.api, "/v1/tail?after=0&filter=\(encoded)", key: keys.read)
                #expect(try await tail.next(names.count).map { try $0.json["name"].text } == names, "\(filter)")
                await tail.close()
            }
        }
    }

    private static func percentEncoded(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
}
