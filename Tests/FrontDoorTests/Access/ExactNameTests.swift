// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// App names and bundle IDs are compared byte by byte, although Unicode considers some of them equal.
@Suite struct ExactNameTests {
    private static let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")

    @Test func `two apps whose names look alike are found by their own bytes`() async throws {
        try await withDaemon { live in
            let ids = [try await live.api.makeApp(Self.composed).app, try await live.api.makeApp(Self.decomposed).app]
            for _ in 0..<8 {
                for (name, id) in zip([Self.composed, Self.decomposed], ids) {
                    let app = try JSON(await live.api.asOperator("GET", "/v1/apps/\(name.percentEncoded)"))
                    #expect(app["app"].number == Int(id) && app["name"].text.utf8.elementsEqual(name.utf8))
                }
                #expect(try JSON(await live.api.asOperator("GET", "/v1/apps/\("CAF\u{e9}".percentEncoded)"))["app"].number == Int(ids[0]))
            }
            // Case is folded for ASCII letters only, as in the check for duplicate names.
            #expect(try await live.api.asOperator("GET", "/v1/apps/\("CAF\u{c9}".percentEncoded)").status == 404)
        }
    }

    @Test func `a bundle ID of a key is compared byte by byte`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            func make(_ ids: String) async throws -> Reply {
                try await live.api.asOperator("POST", "/v1/apps/\(keys.app)/keys", #"{"role": "ingest", "bundle_ids": \#(ids)}"#)
            }
            func status(_ id: String, _ key: String) async throws -> Int {
                try await live.api.post("/v1/events", key: key, headers: ["X-Bundle-Id": id], #"[{"name": "a"}]"#).status
            }
            let one = try JSON(await make(#"["\#(Self.composed)"]"#))["key"].text
            #expect(try await status(Self.composed, one) == 200)
            #expect(try await status(Self.decomposed, one) == 403)
            let two = try JSON(await make(#"["a", "\#u{301}b"]"#))["key"].text
            for id in ["a", "\u{301}b"] { #expect(try await status(id, two) == 200, "\(id.debugDescription)") }
            #expect(try await status("a,\u{301}b", two) == 403)
            for text in HostileText.texts where text.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) {
                #expect(try await make("[\"a,\(text)b\"]").status == 422, "\(text.debugDescription)")
            }
        }
    }
}
