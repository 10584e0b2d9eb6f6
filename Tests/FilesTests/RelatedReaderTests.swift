// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Files

/// Bodies of metadata and a file, in pieces of any size.
@Suite struct RelatedReaderTests {
    private struct Read: Equatable {
        var metadata: [UInt8]
        var contents: [UInt8]
        var type: String?
        var isComplete: Bool
    }

    private static func read(_ body: [UInt8], by size: Int, boundary: String = "b") throws -> Read {
        var reader = try #require(RelatedReader(contentType: "multipart/related; boundary=\(boundary)"))
        var contents: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: size) {
            let piece = Array(body[start..<min(start + size, body.count)])
            try reader.read(piece.span) { bytes in for place in bytes.indices { contents.append(bytes[place]) } }
        }
        return Read(metadata: reader.metadata, contents: contents, type: reader.contentType, isComplete: reader.isComplete)
    }

    private static func body(_ contents: [UInt8], end: String = "\r\n", metadata: String = "{}") -> [UInt8] {
        Array("--b\(end)Content-Type: application/json\(end)\(end)\(metadata)\(end)--b\(end)content-type: image/png \(end)\(end)".utf8) + contents
            + Array("\(end)--b--\(end)".utf8)
    }

    /// Contents that nearly contain the delimiter.
    private static let contents = [
        "", "plain", "\r\n--", "\r\n--c", "a\r\r\n--", "\r\n\r\n--a\r\n-", "--b", "--b--", "\n--", "x\r\n", "x\r", "\r\n--\r\n--\r\n--", "-\n-\n--",
    ]

    @Test(arguments: ["\r\n", "\n"], contents)
    func `bytes come out as they were put in, however they are split`(_ end: String, _ text: String) throws {
        let (contents, metadata) = (Array(text.utf8), #"{"name": "a\r\n--"}"#)
        let body = Self.body(contents, end: end, metadata: metadata)
        let expected = Read(metadata: Array(metadata.utf8), contents: contents, type: "image/png", isComplete: true)
        for size in 1...body.count { #expect(try Self.read(body, by: size) == expected, "pieces of \(size)") }
    }

    @Test func `a body that ends early is not complete, and one that goes on is`() throws {
        let body = Self.body(Array("abc".utf8))
        for count in 0..<body.count - 2 { #expect(try !Self.read(Array(body[..<count]), by: 7).isComplete) }
        #expect(try Self.read(body + Array("epilogue\r\n--b\r\n".utf8), by: 7).contents == Array("abc".utf8))
        #expect(try Self.read(Array("\r\n".utf8) + body, by: 7).isComplete)
    }

    @Test(arguments: [
        "x", "preamble\r\n--b\r\n\r\n", "--c\r\n\r\n", "--bb\r\n\r\n", "--b\r\n\r\n{}\r\n--b--", "--b\r\n\r\n{}\r\n--bx\r\n\r\n",
        "--b\r\n\r\n{}\r\n--b\r\n\r\nx\r\n--b\r\n\r\ny\r\n--b--", "--b\r\n\r\n{}\r\n--b\r\nContent-Transfer-Encoding: base64\r\n\r\n",
        "\r\n\r\n--b\r\n",
    ])
    func `another form is malformed`(_ text: String) {
        for size in [1, 3, 1_000] { #expect(throws: RelatedReader.Fault.malformed) { try Self.read(Array((text + "\r\n").utf8), by: size) } }
    }

    @Test(arguments: ["'b'", "\"'b'\""])
    func `a boundary between apostrophes may be in the body without them`(_ named: String) throws {
        let plain = Self.body(Array("abc".utf8), end: "\n")
        let quoted = Array("--'b'\r\n\r\n{}\r\n--'b'\r\n\r\nx\r\n--b\r\ny\r\n--'b'--".utf8)
        for size in [1, 7, 1_000] {
            let read = try Self.read(plain, by: size, boundary: named)
            #expect(read.contents == Array("abc".utf8) && read.isComplete)
            let other = try Self.read(quoted, by: size, boundary: named)
            #expect(other.contents == Array("x\r\n--b\r\ny".utf8) && other.isComplete)
        }
        #expect(throws: RelatedReader.Fault.malformed) { try Self.read(Array("--'b\r\n\r\n".utf8), by: 7, boundary: named) }
    }

    @Test func `headers and metadata have limits`() {
        let endless = Array("--b\r\nX: ".utf8) + Array(repeating: 0x61, count: 5_000)
        let large = Array("--b\r\n\r\n".utf8) + Array(repeating: 0x61, count: 65 << 10)
        let blanks = Array("--b".utf8) + Array(repeating: 0x20, count: 5_000)
        for body in [endless, large, blanks] {
            for size in [1, 100, 100_000] { #expect(throws: RelatedReader.Fault.tooLong) { try Self.read(body, by: size) } }
        }
    }

    @Test func `a content type needs one boundary of 1 to 70 bytes`() {
        let long = String(repeating: "a", count: 71)
        for text in [
            "multipart/related", "multipart/form-data; boundary=b", "multipart/related; boundary=", "multipart/related; boundary=\"\"",
            "multipart/related; boundary=\(long)", "multipart/related; boundary=a; boundary=b", "multipart/related; boundary=\"a",
            "multipart/related; boundary=\u{e9}", "", ";boundary=b",
        ] { #expect(RelatedReader(contentType: text) == nil, "\(text)") }
        for text in ["multipart/related; boundary=b", "Multipart/Related;Boundary=\"=b=\"", "multipart/related; type=x; boundary= b "] {
            #expect(RelatedReader(contentType: text) != nil, "\(text)")
        }
    }
}
