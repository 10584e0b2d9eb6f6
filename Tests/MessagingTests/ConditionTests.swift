// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform
import Testing

struct ConditionTests {
    @Test(arguments: [
        ("'a' in topics", "'a' in topics"),
        (" ( ( 'a'in topics ) ) ", "'a' in topics"),
        ("'a' in topics&&'b' in\ttopics", "'a' in topics && 'b' in topics"),
        ("('a' in topics && 'b' in topics) && 'a' in topics", "'a' in topics && 'b' in topics && 'a' in topics"),
        ("'a' in topics || ('b' in topics && 'c' in topics)", "'a' in topics || ('b' in topics && 'c' in topics)"),
        ("('a' in topics || 'b' in topics) && 'c' in topics", "('a' in topics || 'b' in topics) && 'c' in topics"),
        ("!'a' in topics", "!('a' in topics)"),
        ("! ! !('a' in topics)", "!('a' in topics)"),
        ("!(!('a' in topics))", "'a' in topics"),
        ("!('a' in topics || !'b' in topics)", "!('a' in topics || !('b' in topics))"),
        ("'%41.~-_' in topics", "'%41.~-_' in topics"),
        ("'in' in topics && 'topics' in topics", "'in' in topics && 'topics' in topics"),
    ])
    func `a condition's normalized text parses to itself`(text: String, canonical: String) throws {
        let condition = try Condition(text)
        #expect(condition.description == canonical)
        #expect(try Condition(canonical) == condition)
    }

    @Test(arguments: [
        ("", "empty", 1), (" \n", "empty", 3), ("a", "unexpected", 1), ("'a'", "unexpected", 4), ("'a' in", "unexpected", 7),
        ("'a' in topic", "unexpected", 8), ("'a' in topicsx", "unexpected", 8), ("'a' IN topics", "unexpected", 5),
        ("\"a\" in topics", "unexpected", 1),
        ("'a' in topics 'b' in topics", "unexpected", 15), ("'a' in topics & 'b' in topics", "unexpected", 15),
        ("'a' in topics &&", "unexpected", 17), ("&& 'a' in topics", "unexpected", 1), ("'a' in topics || || 'b' in topics", "unexpected", 18),
        ("!", "unexpected", 2), ("()", "unexpected", 2), ("'a' in topics !", "unexpected", 15), ("'a' in topics and 'b' in topics", "unexpected", 15),
        ("'a", "unclosed_quote", 1), (" 'a in topics", "bad_topic", 4), ("'' in topics", "bad_topic", 1), ("'a/b' in topics", "bad_topic", 3),
        ("'é' in topics", "bad_topic", 2), ("'a' in topics && é", "unexpected", 18), ("'$alerts.crashes' in topics", "reserved_topic", 2),
        ("('a' in topics", "unclosed_parenthesis", 1), ("('a' in topics || (!'b' in topics)", "unclosed_parenthesis", 1),
        ("'a' in topics)", "unopened_parenthesis", 14), ("('a' in topics))", "unopened_parenthesis", 16),
        ("'a' in topics && 'b' in topics || 'c' in topics", "mixed_operators", 32),
        ("'a' in topics || 'b' in topics || 'c' in topics && 'd' in topics", "mixed_operators", 49),
        ("'x' in topics || ('a' in topics && 'b' in topics || 'c' in topics)", "mixed_operators", 50),
        ("'1' in topics||'2' in topics||'3' in topics||'4' in topics||'1' in topics||'5' in topics||'6' in topics", "too_many_topics", 91),
    ])
    func `errors have their position`(text: String, code: String, place: Int) throws {
        let refused = try #require(refusal(try Condition(text)))
        #expect(refused.fields.map(\.field) == ["condition"] && refused.fields.map(\.code) == [code] && refused.code == .invalid)
        #expect(refused.detail.hasSuffix(", at character \(place)."), "\(refused.detail)")
        #expect(refused.hint != nil)
    }

    @Test(arguments: [
        (
            "'a' in topics||'b' in topics && 'c' in topics",
            "Write ('a' in topics||'b' in topics) && …, or 'a' in topics|| ('b' in topics && …)."
        ),
        (
            "!('z' in topics) || ('a' in topics && 'b' in topics || 'c' in topics)",
            "Write ('a' in topics && 'b' in topics) || …, or 'a' in topics && ('b' in topics || …)."
        ),
    ])
    func `the hint shows where parentheses go`(text: String, hint: String) {
        #expect(refusal(try Condition(text))?.hint == hint)
    }

    @Test func `a long condition with mixed operators gets a short hint`() throws {
        let name = String(repeating: "n", count: 900)
        let refused = refusal(try Condition("'\(name)' in topics || 'b' in topics && 'c' in topics"))
        #expect(try #require(refused?.hint).utf8.count < 200)
    }

    @Test func `five topics of maximum length fit, longer text does not`() throws {
        let names = (1...5).map { String(repeating: "\($0)", count: 900) }
        let text = names.map { "!('\($0)' in topics)" }.joined(separator: " && ")
        #expect(try Condition(text).topics.map(\.text) == names)
        let padding = String(repeating: " ", count: Condition.mostBytes - text.utf8.count)
        #expect(try Condition(text + padding) == Condition(text))
        #expect(fault(try Condition(text + padding + " ")) == "condition too_long")
    }

    @Test(arguments: ["(", "!", "!(", "(!", "'a' in topics && (", "("]) func `no depth overflows the stack`(piece: String) {
        for count in [Condition.mostBytes / piece.utf8.count, 10_000] {
            #expect(fault(try Condition(String(repeating: piece, count: count))) != nil)
        }
    }

    @Test func `twenty nested parentheses are accepted, not more`() throws {
        func nested(_ depth: Int) -> String { String(repeating: "!(", count: depth) + "'a' in topics" + String(repeating: ")", count: depth) }
        #expect(try Condition(nested(20)).description == "'a' in topics")
        #expect(fault(try Condition(nested(21))) == "condition too_deep")
        #expect(try Condition(String(repeating: "!", count: 4_900) + "'a' in topics") == Condition("'a' in topics"))
    }

    @Test(arguments: [
        [String](repeating: "!'a'in topics", count: 333).joined(separator: "&&"),
        "'b'in topics||" + String(repeating: "('c'in topics&&('b'in topics||", count: 10) + "!'a'in topics" + String(repeating: "))", count: 10),
    ])
    func `an accepted condition parses from its own longer text`(text: String) throws {
        let condition = try Condition(text)
        #expect(refusal(try Condition(condition.description)) != nil)
        #expect(try Condition(stored: condition.description) == condition)
    }

    @Test(arguments: [
        ("'a' in topics", false), ("!('a' in topics)", true), ("'a' in topics && !('b' in topics)", false),
        ("'a' in topics || !('b' in topics)", true),
        ("!(!('a' in topics) || 'a' in topics)", false),
    ])
    func `a negated condition matches registrations without topics`(text: String, reached: Bool) throws {
        #expect(try Condition(text).matches { _ in false } == reached)
    }
}
