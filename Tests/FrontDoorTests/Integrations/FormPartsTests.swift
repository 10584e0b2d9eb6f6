// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import Ingest

@Suite struct FormPartsTests {
    private static func parts(_ body: String, boundary: String = "--b") throws(Refusal) -> [String] {
        try FormParts(Array(body.utf8), "multipart/form-data; boundary=\(boundary)", most: 3).all.map {
            "\($0.name)=\(String(decoding: $0.bytes, as: UTF8.self))"
        }
    }

    private static let head = "\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n"

    @Test func `text similar to the boundary belongs to the part`() throws {
        for text in ["", "\r", "\r\n", "\r\n--", "\r\n---", "\r\n----\r\n----", "\r\r\n\r\n----c", "\r\n----\r\n----\r", "x----b"] {
            #expect(try Self.parts("----b\(Self.head)\(text)\r\n----b--") == ["n=\(text)"])
        }
    }

    @Test func `any bytes of a part are preserved`() throws {
        var random = SeededGenerator(5)
        let alphabet = Array("\r\n-b".unicodeScalars)
        for _ in 0..<5_000 {
            var text = ""
            for _ in 0..<Int.random(in: 0..<24, using: &random) {
                text.unicodeScalars.append(alphabet[Int.random(in: 0..<alphabet.count, using: &random)])
            }
            // Text with the boundary itself is another form.
            let pieces = Array("\r\n\(text)\r".utf8).split(separator: Array("\r\n----b".utf8), omittingEmptySubsequences: false)
            guard pieces.count == 1 else { continue }
            let parts = try Self.parts("----b\(Self.head)\(text)\r\n----b\(Self.head)x\r\n----b--")
            #expect(parts.map { Array($0.utf8) } == [Array("n=\(text)".utf8), Array("n=x".utf8)], "\(text.debugDescription)")
        }
    }

    @Test func `a huge part header and a body without an end are rejected`() {
        #expect(throws: Refusal.self) { try Self.parts("----b\r\nA: \(String(repeating: "a", count: 16 << 10))\(Self.head)x\r\n----b--") }
        #expect(throws: Refusal.self) { try Self.parts("----b\(Self.head)" + String(repeating: "\r\n----", count: 100_000)) }
    }
}
