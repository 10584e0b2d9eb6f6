// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Terminal

struct GlyphTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("Größen", 6), ("日本", 4), ("ｆｕ", 4), ("한글", 4), ("e\u{301}", 1), ("👍", 2), ("👍🏽", 2), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 1),
        ("a\u{200b}b", 2), ("\u{202e}abc", 3), ("─█⣿", 3), ("\u{301}", 0),
    ])
    func `a text has its width in columns`(text: String, columns: Int) {
        #expect(text.width == columns)
    }

    @Test(arguments: [
        ("a\u{1b}[31mb", "a?[31mb"), ("a\nb\r\tc", "a?b??c"), ("\u{9b}2J", "?2J"), ("\u{202e}abc\u{2066}", "abc"), ("👩‍👩‍👧", "👩"), ("🇩🇪", "DE"),
        ("e\u{301}", "e\u{301}"), ("a\u{7f}", "a?"), ("\u{d4e}admin", "\u{d4e}admin"), ("\u{600}1", "1"),
        ("\u{915}\u{94d}\u{937}\u{93e}", "\u{915}\u{94d}\u{937}\u{93e}"), ("a\u{e0100}", "a"), ("\r\n", "?"), ("\u{2028}", ""),
        ("a" + String(repeating: "\u{301}", count: 50), "a" + String(repeating: "\u{301}", count: 2)),
    ])
    func `control and invisible characters are replaced or removed`(text: String, shown: String) {
        #expect(String(text.glyphs.map(\.character)).unicodeScalars.elementsEqual(shown.unicodeScalars))
    }

    @Test(arguments: ["\u{1b}[2J", "\u{9b}2J", "\u{1b}]0;t\u{7}", "\u{7f}", "a"])
    func `no scalar beside a control character lets it through`(token: String) {
        for text in HostileText.around(token) {
            let scalars = text.glyphs.flatMap { Array($0.character.unicodeScalars) }
            let kinds = scalars.map(\.properties.generalCategory)
            #expect(!kinds.contains { [.control, .lineSeparator, .paragraphSeparator].contains($0) }, "\(text.debugDescription)")
            #expect(!scalars.contains { $0.properties.isDefaultIgnorableCodePoint }, "\(text.debugDescription)")
        }
    }

    @Test func `a text is cut with an ellipsis, not within a wide character`() {
        #expect(String("abcdef".glyphs.cut(to: 4).map(\.character)) == "abc…")
        #expect(String("日本語".glyphs.cut(to: 4).map(\.character)) == "日…")
        #expect("日本".glyphs.cut(to: 4).count == 2 && "日本".glyphs.cut(to: 0).isEmpty)
    }
}
