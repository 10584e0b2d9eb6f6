// SPDX-License-Identifier: Apache-2.0

import Functions
import Testing

@Suite struct PathPatternTests {
    @Test(arguments: [
        ("orders/{id}", "orders/o-7", ["id=o-7"]),
        ("orders/{id}", "orders/o-7/lines", nil),
        ("orders/{id}", "order/o-7", nil),
        ("orders/{id}", "orders", nil),
        ("users/{uid}/{rest=**}", "users/ann/a/b.png", ["uid=ann", "rest=a/b.png"]),
        ("users/{uid}/{rest=**}", "users/ann", nil),
        ("{all=**}", "a/b/c", ["all=a/b/c"]),
        ("a/b", "a/b", []),
        ("caf\u{e9}/{id}", "cafe\u{301}/1", nil),
        ("a/{id}", "a/\u{301}x", ["id=\u{301}x"]),
    ])
    func `a path matches segment by segment`(pattern: String, path: String, expected: [String]?) throws {
        #expect(try #require(PathPattern(pattern)).values(in: path)?.map { "\($0.name)=\($0.text)" } == expected)
    }

    @Test(arguments: ["", "/a", "a/", "a//b", "{}", "{1a}", "{a", "a}", "{a=*}", "{a=**}/b", "{a}/{a}", "x{a}", "a\n", "**"])
    func `malformed patterns are refused`(pattern: String) {
        #expect(PathPattern(pattern) == nil)
    }

    @Test func `patterns are bounded`() {
        #expect(PathPattern(Array(repeating: "a", count: 100).joined(separator: "/")) != nil)
        #expect(PathPattern(Array(repeating: "a", count: 101).joined(separator: "/")) == nil)
        #expect(PathPattern(String(repeating: "a", count: 1_025)) == nil)
    }
}

@Suite struct OrderKeyTests {
    @Test(arguments: [
        ("{params.account}", "a-7"), ("x:{params.account}/{user_id}", "x:a-7/"), ("{missing}", ""), ("{params.account}{params.account}", "a-7a-7"),
    ])
    func `a key has the values of its fields`(template: String, expected: String) throws {
        #expect(try #require(OrderKey(template)).key { $0 == "params.account" ? "a-7" : nil } == expected)
    }

    @Test(arguments: ["", "account", "{", "{}", "{a", "a}", "{a}}", "{a..b}", "{{a}}", "{a b}", "{a}\n"])
    func `malformed templates are refused`(template: String) {
        #expect(OrderKey(template) == nil)
    }
}
