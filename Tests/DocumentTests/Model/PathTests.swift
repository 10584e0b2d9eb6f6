// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel
import Testing

@Suite struct PathTests {
    @Test(arguments: ["a", "users/u1", "a b/é", "__id7__", "__id-7__", "__x", "x__", "__", "...", String(repeating: "x", count: 1_500)])
    func `a path is read and written alike`(text: String) throws {
        let path = try #require(DocumentPath(text))
        #expect(path.description == text)
        #expect(path.isDocument == (text.contains("/")))
    }

    @Test(arguments: [
        "", "/", "a/", "/a", "a//b", ".", "..", "a/..", "__x__", "____", "__id07__", "__id0__", "__idx__", "a\0", "__id9223372036854775808__",
        String(repeating: "x", count: 1_501), Array(repeating: "a", count: 201).joined(separator: "/"),
        Array(repeating: String(repeating: "x", count: 1_499), count: 5).joined(separator: "/"),
    ])
    func `a path that Firestore refuses is refused`(text: String) {
        #expect(DocumentPath(text) == nil)
    }

    @Test(arguments: [
        ("a", ["a"]), ("a.b", ["a", "b"]), ("_1.x", ["_1", "x"]), ("`a.b`.c", ["a.b", "c"]), (#"`a\`b`"#, ["a`b"]), (#"`a\\b`"#, [#"a\b"#]),
        ("`é`", ["é"]), ("`1`", ["1"]),
    ])
    func `a field path is read and written alike`(text: String, names: [String]) throws {
        let path = try #require(FieldPath(text))
        #expect(path.names == names.map(ExactName.init(_:)))
        #expect(path.description == text)
    }

    @Test(arguments: ["", ".", "a.", ".a", "a..b", "1", "a b", "é", "`", "``", "`a", "`a`b", #"`a\"#, "a-b", String(repeating: "a", count: 1_501)])
    func `a field path that Firestore refuses is refused`(text: String) {
        #expect(FieldPath(text) == nil)
    }

    @Test func `names are told apart byte by byte`() {
        let fields = DocumentFields([.init("\u{e9}", .integer(1)), .init("e\u{301}", .integer(2))])
        #expect(fields?["\u{e9}"] == .integer(1))
        #expect(fields?["e\u{301}"] == .integer(2))
        #expect(DocumentFields([.init("a", .null), .init("a", .null)]) == nil)
    }

    @Test func `a value within a map is set and removed`() throws {
        var fields = DocumentFields()
        let (path, other) = (try #require(FieldPath("a.b.c")), try #require(FieldPath("a.x")))
        fields[path] = .integer(1)
        fields[other] = nil
        #expect(fields[path] == .integer(1))
        fields[try #require(FieldPath("a"))] = .text("t")
        fields[path] = nil
        #expect(fields["a"] == .text("t"))
        fields[path] = .integer(2)
        #expect(fields[path] == .integer(2))
    }
}
