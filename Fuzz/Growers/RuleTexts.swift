// SPDX-License-Identifier: Apache-2.0

/// Security rules.
extension Grower {
    static let rules: [Grower] = [
        rule("matches", "#", "match /c§/{x} { allow read; } "),
        rule("statements", "match /c/{x} { # }", "allow read: if 1 == 2; "),
        rule("functions", "# match /c/{x} { allow read: if f0(); }", "function f§() { return true; } "),
        rule("calls", "function f(a) { return a; } match /c/{x} { allow read: if # true; }", "f(true) && "),
        rule("conjunction", "match /c/{x} { allow read: if # true; }", "true && "),
        rule("disjunction of errors", "match /c/{x} { allow read: if # true; }", "1 / 0 == 1 || "),
        rule("sum", "match /c/{x} { allow read: if # 1 == 1; }", "1 + "),
        rule("parentheses", "match /c/{x} { allow read: if #true#; }", "(", ")"),
        rule("not", "match /c/{x} { allow read: if #true; }", "!"),
        rule("fields", "match /c/{x} { allow read: if resource#; }", ".a"),
        rule("indexes", "match /c/{x} { allow read: if resource#; }", "[0]"),
        rule("list", "match /c/{x} { allow read: if [#1].size() == 1; }", "1, "),
        rule("set", "match /c/{x} { allow read: if [#1].toSet().size() == 1; }", "1, "),
        rule("map", "match /c/{x} { allow read: if {#'a': 1}.a == 1; }", "'a§': 1, "),
        rule("path", "match /c/{x} { allow read: if #/a == /b; }", "/a"),
        rule("segments", "match #/c/{x} { allow read; }", "/a"),
        rule("wildcards", "match #/c/{x} { allow read; }", "/{a§}"),
        rule("matches in matches", "#match /c/{x} { allow read; }#", "match /a { ", "}"),
        rule("choices", "match /c/{x} { allow read: if #true; }", "true ? true : "),
        rule("comments", "# match /c/{x} { allow read; }", "/* * / */ // a\n"),
        rule("long text", "match /c/{x} { allow read: if '#' == 'a'; }", "a"),
        rule("escapes", "match /c/{x} { allow read: if '#' == 'a'; }", "\\u0041"),
        rule("pattern", "match /c/{x} { allow read: if 'a'.matches('#'); }", "(a|b)*"),
        rule("text and pattern", "match /c/{x} { allow read: if '#b'.matches('(a*)*'); }", "a"),
        rule("replacement", "match /c/{x} { allow read: if '#'.replace('', '-') == ''; }", "a"),
        rule("long name", "match /c/{x} { allow read: if #; }", "a"),
        rule("long number", "match /c/{x} { allow read: if 1# == 1; }", "0"),
        rule("open braces", "#", "match /a { "),
        text("rules", "services", "#", "service cloud.firestore { } "),
        text("rules", "field path", "#a", "a."),
        text("rules", "quoted field path", "`#`", "\\`"),
        text("rules", "document path", "#a", "a/"),
    ]

    private static func rule(_ name: String, _ body: String, _ unit: String, _ rest: String = "") -> Grower {
        text("rules", name, "rules_version = '2'; service cloud.firestore { match /databases/{d}/documents { \(body) } }", unit, rest)
    }
}
