// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

struct OriginRuleTests {
    private static let accepted: [String: [String]] = [
        "*": ["https://shop.example", "http://localhost:3000", "null", "file://", "app://obsidian.md"],
        "https://shop.example": ["https://shop.example"],
        "https://*.shop.example": ["https://eu.shop.example", "https://a.eu.shop.example", "https://x--y.shop.example"],
        "http://*.shop.example:8080": ["http://eu.shop.example:8080"],
    ]

    private static let rejected: [String: [String]] = [
        "*": ["", "https://shop.example x", "https://caf\u{e9}.example", "https://shop.example\u{301}", String(repeating: "a", count: 513)],
        "https://shop.example": [
            "http://shop.example", "https://Shop.example", "https://shop.example:8443", "https://shop.example/", "https://shop.example.evil.example",
            "https://eu.shop.example", "null", "*",
        ],
        "https://*.shop.example": [
            "https://shop.example", "https://.shop.example", "https://..shop.example", "https://evilshop.example", "http://eu.shop.example",
            "https://eu.shop.example:8443", "https://eu.shop.example.evil.example", "https://evil.example/.shop.example",
            "https://evil.example?.shop.example", "https://evil.example#.shop.example", "https://evil.example@a.shop.example",
            "https://evil.example:1.shop.example", "https://EU.shop.example", "https://*.shop.example", "https://",
            "https://shop.example.shop.example/",
        ],
    ]

    @Test func `a rule matches its origins and no others`() throws {
        for (text, origins) in Self.accepted {
            let rule = try #require(OriginRule(text), "\(text)")
            for origin in origins { #expect(rule.matches(origin), "\(text) \(origin)") }
        }
        for (text, origins) in Self.rejected {
            let rule = try #require(OriginRule(text), "\(text)")
            for origin in origins { #expect(!rule.matches(origin), "\(text) \(origin)") }
        }
    }

    @Test func `hostile text around an origin matches nothing`() throws {
        for text in HostileText.texts {
            for rule in ["*", "https://shop.example", "https://*.shop.example"].compactMap({ OriginRule($0) }) {
                for origin in [text + "https://a.shop.example", "https://a.shop.example" + text, "https://a" + text + ".shop.example"] {
                    #expect(!rule.matches(origin) || origin.utf8.allSatisfy { (0x21...0x7e).contains($0) }, "\(origin.debugDescription)")
                }
            }
            #expect(OriginRule("https://*.shop.example" + text) == nil || text.isEmpty, "\(text.debugDescription)")
        }
    }

    @Test(arguments: [
        ("https://shop.example", "shop.example", true), ("https://shop.example", "Shop.Example:443", true),
        ("http://shop.example", "shop.example:80", true),
        ("http://localhost:8787", "localhost:8787", true), ("http://[::1]:8787", "[::1]:8787", true),
        ("https://shop.example", "shop.example:80", false),
        ("https://shop.example", "shop.example:8443", false), ("https://shop.example:8443", "shop.example", false),
        ("https://a.shop.example", "shop.example", false), ("null", "null", false), ("", "", false), ("https://", "", false),
        ("shop.example", "shop.example", false),
        // The Kelvin sign is a k in lower case.
        ("https://key.example", "\u{212a}ey.example", false),
    ])
    func `an origin is compared with the Host field`(origin: String, host: String, isServed: Bool) {
        #expect(WebOrigin.isServed(origin, at: host) == isServed)
    }
}
