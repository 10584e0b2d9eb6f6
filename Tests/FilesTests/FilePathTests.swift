// SPDX-License-Identifier: Apache-2.0

import Files
import TestSupport
import Testing

@Suite struct FilePathTests {
    @Test(arguments: [
        "a", "users/ann/photo.jpg", "...", "a/.../b", ".hidden", "a b", "über/日本語/👩‍👩‍👧", "a/..b", "a\u{301}/b", String(repeating: "a", count: 1_024),
    ])
    func `a path keeps its bytes`(text: String) throws {
        let path = try #require(FilePath(text))
        #expect(Array(path.text.utf8) == Array(text.utf8))
        #expect(FilePath(utf8: Array(text.utf8)) == path)
    }

    @Test(arguments: [
        "", "/", "/a", "a/", "a//b", ".", "..", "a/.", "./a", "a/../b", "a/..", "a\n", "a\0b", "\u{7f}", "a\u{85}b", "a\r\nb",
        String(repeating: "a", count: 1_025), String(repeating: "é", count: 513),
    ])
    func `a path that leads out or has control characters is none`(text: String) {
        #expect(FilePath(text) == nil)
    }

    @Test(arguments: ["../a", "a/../b", "a//b", "/a", "a/", "./a"])
    func `no scalar beside a token lets a path lead out`(token: String) {
        #expect(FilePath(token) == nil)
        for text in HostileText.around(token) {
            guard let path = FilePath(text) else { continue }
            let segments = path.text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Array($0) }
            #expect(!segments.contains([]) && !segments.contains(Array(".".utf8)) && !segments.contains(Array("..".utf8)), "\(text.debugDescription)")
            #expect(!path.text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f })
        }
    }

    @Test func `equal characters of different bytes are different paths`() throws {
        let (one, two) = (try #require(FilePath("\u{e9}")), try #require(FilePath("e\u{301}")))
        #expect(one != two && Set([one, two]).count == 2 && two < one)
    }

    @Test(arguments: [[0xff], [0xc0, 0xaf], [0x61, 0xed, 0xa0, 0x80], [0x2e, 0x2e, 0xc0, 0xaf]] as [[UInt8]])
    func `bytes that are not UTF-8 are no path`(bytes: [UInt8]) {
        #expect(FilePath(utf8: bytes) == nil)
    }

    @Test func `the name is the last segment`() throws {
        #expect(try #require(FilePath("a/b/c.txt")).name == "c.txt")
        #expect(try #require(FilePath("c.txt")).name == "c.txt")
    }
}

@Suite struct FileDetailsTests {
    @Test func `headers and metadata that can be sent are valid`() {
        var details = FileDetails(type: "image/png")
        (details.cacheControl, details.contentDisposition) = ("max-age=60", "attachment; filename=\"a.png\"")
        details.metadata = [.init("Owner", "Änne\nSchmidt"), .init("owner", "")]
        #expect(details.isValid)
    }

    @Test(arguments: ["", "a\r\nX-Evil: 1", "a\0", "ä", String(repeating: "a", count: 1_025)])
    func `a header that would begin another is invalid`(text: String) {
        for (name, path) in [
            ("type", nil), ("cache_control", \FileDetails.cacheControl), ("content_disposition", \.contentDisposition),
            ("content_encoding", \.contentEncoding), ("content_language", \.contentLanguage),
        ] as [(String, WritableKeyPath<FileDetails, String?>?)] {
            var details = FileDetails()
            if let path { details[keyPath: path] = text } else { details.type = text }
            #expect(details.invalidPart == name)
        }
    }

    @Test func `metadata is bounded, and its names are different and not empty`() {
        for metadata in [
            [FileDetails.Entry("", "a")], [.init("a", "1"), .init("a", "2")], [.init("a\n", "1")],
            [.init("a", String(repeating: "b", count: 8_192))],
        ] {
            var details = FileDetails()
            details.metadata = metadata
            #expect(details.invalidPart == "metadata")
        }
        var largest = FileDetails()
        largest.metadata = [.init("a", String(repeating: "b", count: 8_191))]
        #expect(largest.isValid)
    }
}
