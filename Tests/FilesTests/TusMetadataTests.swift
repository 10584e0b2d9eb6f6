// SPDX-License-Identifier: Apache-2.0

import Files
import Testing

struct TusMetadataTests {
    @Test func `names and texts are read in their order`() throws {
        var metadata = try #require(TusMetadata("path dXNlcnMvYW5uL2EucG5n,type aW1hZ2UvcG5n,draft,Ort TcO8bmNoZW4="))
        #expect(metadata.take("path", "filename") == "users/ann/a.png")
        #expect(metadata.take("filetype", "type") == "image/png")
        #expect(metadata.take("filename") == nil)
        #expect(metadata.entries == [FileDetails.Entry("draft", ""), FileDetails.Entry("Ort", "München")])
        #expect(TusMetadata("")?.entries == [])
    }

    @Test(arguments: [
        "a b c", "a !!", "a YQ", "a /w==", "a YQ==,a YQ==", "ä YQ==", " ", "a\n YQ==", "a \u{e9}", String(repeating: "a,", count: 10_000),
    ])
    func `a malformed field is refused`(_ text: String) {
        #expect(TusMetadata(text) == nil)
    }
}
