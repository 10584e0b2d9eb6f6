// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Crashes

struct WordListTests {
    private static let list = WordList(["java.", "javax.", "sun.", "sun.misc.", "é", ""])

    @Test(arguments: [
        ("java.", true, true), ("java.util", true, false), ("sun.misc.Unsafe", true, false), ("sun.misc.", true, true), ("jav", false, false),
        ("kotlin.", false, false), ("Java.", false, false), ("", false, false), ("é", true, true), ("e\u{301}", false, false),
    ])
    func `a text is a word of the list, or begins with one`(text: String, begins: Bool, isWord: Bool) {
        let bytes = Array("»\(text)".utf8)[2...]
        #expect(Self.list.begins(bytes) == begins && Self.list.contains(bytes) == isWord)
        #expect(Self.list.contains(lowercased: bytes) == (isWord || text == "Java."))
    }
}

struct MemoTests {
    @Test func `a value is computed once for each of the last texts`() {
        var (memo, computed): (Memo<Int>, [String]) = (Memo(), [])
        func value(_ text: String) -> Int {
            memo.value(of: text) { text in
                computed.append(text)
                return text.utf8.count
            }
        }
        let texts = (1...8).map { String(repeating: "a", count: $0) }
        for text in texts + texts.reversed() { #expect(value(text) == text.utf8.count) }
        #expect(computed == texts)
        // A ninth text replaces another.
        #expect(value("ninth") == 5 && value("ninth") == 5 && computed.count == 9)
        for text in texts { #expect(value(text) == text.utf8.count) }
        #expect((10...17).contains(computed.count))
    }

    @Test func `texts that are equal only to a reader keep their own values`() {
        var memo = Memo<[UInt8]>()
        // The last two have as many bytes as each other, and Swift counts them as equal.
        for text in ["é", "e\u{301}", "K", "\u{212a}", "q\u{307}\u{323}", "q\u{323}\u{307}"] {
            #expect(memo.value(of: text) { Array($0.utf8) } == Array(text.utf8))
        }
    }
}
