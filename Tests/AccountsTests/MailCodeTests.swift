// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import Accounts

@Suite struct MailCodeTests {
    private let key = AccountsKey.make()
    private let code = MailCode.make(at: Timestamp(milliseconds: 1_796_000_000_000))

    @Test func `a code reads back, and no other text does`() throws {
        let text = code.text(key).revealed
        #expect(text.utf8.count == 44 && MailCode(text, key) == code && "\(code.text(key))" == "•••")
        #expect(MailCode(text, AccountsKey.make()) == nil)
        for place in text.indices {
            var other = text
            other.replaceSubrange(place...place, with: text[place] == "A" ? "B" : "A")
            #expect(MailCode(other, key) == nil, "\(other)")
        }
        for bad in ["", text + "A", String(text.dropLast()), text + "=", " " + text, "\u{301}" + text.dropFirst()] {
            #expect(MailCode(bad, key) == nil)
        }
    }

    @Test func `digits are bound to the address and to the code`() throws {
        let (ana, bob) = (try #require(EmailAddress("Ana@example.org")), try #require(EmailAddress("bob@example.org")))
        let digits = code.digits(for: ana, key).revealed
        #expect(digits.utf8.count == 8 && digits.utf8.allSatisfy { (0x30...0x39).contains($0) })
        let typed = try #require(TypedDigits("\(digits.prefix(4)) \(digits.suffix(4))"))
        #expect(code.matches(typed, for: ana, key))
        #expect(code.matches(typed, for: try #require(EmailAddress("ana@EXAMPLE.org")), key))
        #expect(!code.matches(typed, for: bob, key) && !code.matches(typed, for: ana, AccountsKey.make()))
        #expect(!MailCode.make(at: Timestamp(milliseconds: 0)).matches(typed, for: ana, key))
    }

    @Test(arguments: ["1234567", "123456789", "1234567a", "", "１２３４５６７８", "12345678\u{301}", "1234\n5678"])
    func `anything but eight digits is none`(text: String) {
        #expect(TypedDigits(text) == nil)
    }

    @Test func `codes live as long as their kind`() {
        #expect(CodeKind.allCases.map { $0.life.milliseconds / 60_000 } == [1_440, 60, 10, 1_440, 10_080, 1_440, 10_080])
        #expect(Set(CodeKind.allCases.map(\.mode)).count == CodeKind.allCases.count)
    }

    // MARK: Pages of apps

    private static let origins = ["https://shop.example", "https://*.shop.example", "http://dev.shop.example:8080"].compactMap { OriginRule($0) }

    @Test(arguments: [
        "https://shop.example", "https://shop.example/", "https://shop.example/welcome?a=b#c", "https://eu.shop.example/x",
        "http://dev.shop.example:8080/", "https://shop.example?next=https://evil.example",
    ])
    func `a page of a listed origin may be opened`(text: String) {
        #expect(ContinueURL(text, origins: Self.origins, isDevelopment: false)?.text == text)
    }

    @Test(arguments: [
        "https://evil.example", "http://shop.example", "https://shop.example@evil.example/", "https://shop.example:443/", "https://shop.example:8443",
        "https://shop.example.evil.example", "//shop.example", "javascript:alert(1)", "https:shop.example", "https://shop.example\\@evil.example",
        "https://shop.example\r\n.evil", "https://shop.example/\"><script>", "https://SHOP.example", " https://shop.example", "",
        "https://evil.example/?https://shop.example", "https://shop.example\u{301}/", "https://.shop.example", "http://localhost/",
    ])
    func `no other page may be opened`(text: String) {
        #expect(ContinueURL(text, origins: Self.origins + [.any], isDevelopment: false) == nil)
    }

    @Test func `pages of this machine may be opened in development`() {
        for text in ["http://localhost/", "http://localhost:3000/a", "http://127.0.0.1:8080", "http://[::1]:8080/"] {
            #expect(
                ContinueURL(text, origins: [], isDevelopment: true) != nil && ContinueURL(text, origins: [], isDevelopment: false) == nil, "\(text)")
        }
        for text in ["http://localhost.evil.example/", "http://localhost@evil.example/", "https://localhost"] {
            #expect(ContinueURL(text, origins: [], isDevelopment: true) == nil, "\(text)")
        }
    }

    @Test func `parameters come before a fragment`() {
        #expect(ContinueURL.adding([("a", "b c"), ("d", "&")], to: "https://x.example/p#f") == "https://x.example/p?a=b%20c&d=%26#f")
        #expect(ContinueURL.adding([("a", "b")], to: "https://x.example/p?q=1") == "https://x.example/p?q=1&a=b")
    }
}
