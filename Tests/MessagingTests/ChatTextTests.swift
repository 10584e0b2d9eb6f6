// SPDX-License-Identifier: Apache-2.0

import Messaging
import TestSupport
import Testing

struct ChatTextTests {
    @Test(arguments: [
        ("<!channel> <@U1> <#C1|x>", "‹!channel› ‹＠U1› ‹#C1|x›"), ("@everyone @here @all", "＠everyone ＠here ＠all"),
        ("[Sign in](https://evil.example)", "[Sign in］(https://evil.example)"), ("[a]\u{301}(b)", "[a］\u{301}(b)"), ("a[0] (b)", "a[0] (b)"),
        ("```rm -rf```", "'''rm -rf'''"), ("# Title", "＃ Title"), ("  \n# Title", "＃ Title"), ("issue #1", "issue #1"), ("- a", "－ a"),
        ("-[Cart pay:] at Cart.m", "-[Cart pay:] at Cart.m"), ("~~~", "～~~"), ("||hidden||", "｜|hidden||"), ("_main", "_main"), ("---", "－--"),
        ("&lt;!channel&gt; &#64;here", "＆lt;!channel＆gt; ＆#64;here"), ("a && b & c", "a && b & c"),
        ("shop@2.4.1+60 failed", "shop@2.4.1+60 failed"), ("@2x", "＠2x"), ("shop@prod", "shop＠prod"),
        ("a\r\n\r\n b\u{2028}c\u{85}d\u{1b}e", "a b c d e"),
        ("\u{202e}gpj\u{2066}.exe", "gpj.exe"), ("a\u{200b}\u{feff}\u{e0041}b\u{fe0f}", "ab"), ("", ""), (" \n ", ""),
        ("Größe: 日本 🚀 שלום", "Größe: 日本 🚀 שלום"),
    ])
    func `markup becomes similar plain text`(outside: String, shown: String) {
        #expect(ChatText(outside).text.unicodeScalars.elementsEqual(shown.unicodeScalars), "\(ChatText(outside).text)")
    }

    private static let tokens = [
        "<!channel>", "<!here|x>", "<@U024BE7LH>", "<#C024BE7LR>", "<@&1234>", "<https://evil.example|Sign in>", "@everyone", "@here", "@channel",
        "a@b", "x](https://evil.example)", "![a](b)", "```x```", "# a", "> a", "&lt;a&gt;", "<at>a</at>", "<a href='b'>c</a>",
    ]

    @Test(arguments: tokens)
    func `no adjacent scalar lets a token through`(token: String) {
        let texts = HostileText.around(token)
        for hostile in texts + texts.map({ "Title \($0) at f()" }) {
            let shown = ChatText(hostile).text.unicodeScalars
            let isHarmless = shown.allSatisfy { !"<>`@".unicodeScalars.contains($0) && !$0.properties.isDefaultIgnorableCodePoint }
            #expect(isHarmless && shown.first != "#" && !String(shown).holds("](") && !String(shown).holds("&lt"), "\(hostile.debugDescription)")
            let kinds = shown.map(\.properties.generalCategory)
            #expect(!kinds.contains { [.control, .lineSeparator, .paragraphSeparator].contains($0) }, "\(hostile.debugDescription)")
        }
    }

    @Test func `a text is cut by scalars, not characters`() {
        let pile = "a" + String(repeating: "\u{301}", count: 5_000)
        #expect(ChatText(pile).text.unicodeScalars.count == 1_000 && ChatText(pile).text.unicodeScalars.last == "…")
        #expect(ChatText("abcdef", limit: 6).text == "abcdef" && ChatText("abcdefg", limit: 6).text == "abcde…")
        #expect(ChatText(String(repeating: "\u{200b}", count: 5_000) + "end", limit: 10).text == "end")
    }
}
