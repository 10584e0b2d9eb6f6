// SPDX-License-Identifier: Apache-2.0

import Files
import Testing

struct FileGlobTests {
    @Test(arguments: [
        ("a/*.png", ["a/1.png", "a/.png", "a/ä.png"], ["a/x/1.png", "a/1.PNG", "b/1.png", "a/1.png/"]),
        ("a/**.png", ["a/1.png", "a/x/y/1.png", "a/.png"], ["a.png", "a/1.png.txt"]),
        ("**", ["", "a", "a/b/c"], []),
        ("?", ["a", "ä", "\u{1F600}"], ["", "/", "ab"]),
        ("[a-c]x", ["ax", "bx", "cx"], ["dx", "/x", "x"]),
        ("[!a-c]x", ["dx", "äx"], ["ax", "/x"]),
        ("[^-a]", ["b", "]"], ["-", "a"]),
        ("[]-]", ["]", "-"], ["a"]),
        ("*.{png,jp{,e}g}", ["a.png", "a.jpg", "a.jpeg"], ["a.gif", "a.jp", "a.jpeeg"]),
        ("{*,a/b}", ["a", "a/b", ""], ["a/c"]),
        ("a,b}\\*\\{", ["a,b}*{"], ["a,b}x{"]),
    ])
    func `a pattern matches its names and no others`(pattern: String, matching: [String], others: [String]) throws {
        let glob = try #require(FileGlob(pattern))
        for name in matching { #expect(glob.matches(name), "\(pattern) \(name)") }
        for name in others { #expect(!glob.matches(name), "\(pattern) \(name)") }
    }

    @Test(arguments: [
        "", "[", "[a", "[]", "{a", "{a,b", "\\", "[c-a]", String(repeating: "{", count: 9) + String(repeating: "}", count: 9),
        String(repeating: "a", count: 257),
    ])
    func `a malformed pattern is none`(pattern: String) { #expect(FileGlob(pattern) == nil) }

    @Test func `a pattern that could backtrack costs its length a character`() throws {
        let glob = try #require(FileGlob(String(repeating: "**a", count: 80)))
        #expect(glob.width <= 4 * 80 + 1)
        #expect(!glob.matches(String(repeating: "a", count: 1_000) + "b"))
    }
}
