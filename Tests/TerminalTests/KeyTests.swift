// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Terminal

struct KeyTests {
    private static let cases: [(bytes: String, keys: [Key])] = [
        ("a", [.character("a")]), ("ü", [.character("ü")]), ("日", [.character("日")]), ("👍", [.character("👍")]), ("\r", [.enter]), ("\t", [.tab]),
        ("\u{7f}", [.backspace]), ("\u{03}", [.control("c")]), ("\u{1a}", [.control("z")]), ("\u{1b}[A", [.up]), ("\u{1b}OB", [.down]),
        ("\u{1b}[1;5C", [.right]), ("\u{1b}[D", [.left]), ("\u{1b}[H", [.home]), ("\u{1b}[4~", [.end]), ("\u{1b}[5~", [.pageUp]),
        ("\u{1b}[3~", [.delete]),
        ("\u{1b}[Z", [.backTab]), ("\u{1b}OP", [.function(1)]), ("\u{1b}[15~", [.function(5)]), ("\u{1b}[24~", [.function(12)]),
        ("\u{1b}x", [.alt("x")]),
        ("\u{1b}[200~q\r\u{1b}[A\u{1b}[201~", [.paste("q\r\u{1b}[A")]), ("\u{1b}[200~\u{1b}[201~", [.paste("")]),
        ("\u{1b}[<0;3;4M", [.mouse(Mouse(.press, 2, 3))]),
        ("\u{1b}[<0;300;1m", [.mouse(Mouse(.release, 299, 0))]), ("\u{1b}[<20;1;1M", [.mouse(Mouse(.press, 0, 0))]),
        ("\u{1b}[<64;9;9M", [.mouse(Mouse(.wheelUp, 8, 8))]), ("\u{1b}[<65;9;9M", [.mouse(Mouse(.wheelDown, 8, 8))]),
        ("\u{1b}[<1;3;4M", []), ("\u{1b}[<32;3;4M", []), ("\u{1b}[<0;0;4M", []), ("\u{1b}[<0;3M", []), ("\u{1b}[<;;M", []),
        ("\u{1b}[<-1;-1;-1M", []), ("\u{1b}[<0;99999999999999999999;1M", []), ("\u{1b}[<0;3;4A", []),
        ("\u{1b}[?62;c", []), ("qr", [.character("q"), .character("r")]),
    ]

    @Test(arguments: cases.indices) func `a key is decoded however its bytes are split`(index: Int) {
        let (text, keys) = KeyTests.cases[index]
        for cut in 0...text.utf8.count {
            var decoder = KeyDecoder()
            let found = decoder.take(text.utf8.prefix(cut)) + decoder.take(text.utf8.dropFirst(cut)) + decoder.take("!".utf8)
            #expect(found == keys + [.character("!")], "cut at \(cut)")
        }
    }

    @Test func `escape alone is a key when nothing follows`() {
        var decoder = KeyDecoder()
        #expect(decoder.take([0x1b]).isEmpty && decoder.isWaiting)
        #expect(decoder.flush() == [.escape] && !decoder.isWaiting)
        #expect(decoder.take([0x1b, 0x1b]) == [.escape] && decoder.flush() == [.escape])
        #expect(decoder.take(Array("\u{1b}[1".utf8)).isEmpty && decoder.flush().isEmpty && !decoder.isWaiting)
    }

    @Test func `invalid UTF-8 is no key, and decoding continues after it`() {
        var decoder = KeyDecoder()
        #expect(decoder.take([0xff, 0xc3, 0x28, 0x80, 0x61]) == [.character("("), .character("a")])
    }

    @Test func `a paste is limited to 64 KiB`() {
        var decoder = KeyDecoder()
        #expect(decoder.take(Array("\u{1b}[200~".utf8)).isEmpty && !decoder.isWaiting)
        for _ in 0..<100 { #expect(decoder.take([UInt8](repeating: 0x61, count: 4_096)).isEmpty) }
        #expect(decoder.take(Array("\u{1b}[201~b".utf8)) == [.paste(String(repeating: "a", count: 65_536)), .character("b")])
    }
}
