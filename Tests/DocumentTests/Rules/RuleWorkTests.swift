// SPDX-License-Identifier: Apache-2.0

import Rules
import SignalboxDocumentModel
import Testing

/// The work of one decision is bounded before values are made: without that, most of these cases need more memory or time than there is.
@Suite struct RuleWorkTests {
    private static let path = DocumentPath("c/d")
    private static let long = DocumentValue.text(ExactName(String(repeating: "a", count: 1_000_000)))
    private static let words = DocumentValue.text(ExactName(String(repeating: "ab cd,", count: 1_700)))
    private static let many = DocumentValue.array(Array(repeating: .text("a"), count: 100_000))

    /// Decides about a document `{t: long text, l: list of 100,000, w: words}`.
    static func decision(_ condition: String, functions: String = "") throws -> RuleDecision {
        try decision(RuleSyntaxTests.rules("\(functions) match /c/{id} { allow get: if \(condition); }"), [("t", long), ("l", many), ("w", words)])
    }

    private static func decision(_ rules: String, _ fields: [(ExactName, DocumentValue)]) throws -> RuleDecision {
        let path = try #require(path)
        var request = RuleRequest(.get, path, auth: .null, time: .epoch)
        request.existing = .document(RuleDocument(path, OrderTests.fields(fields)))
        return try Ruleset(rules).decide(request) { _, _ in nil }
    }

    private static let tooLarge = "The values are too large for one decision."

    @Test(arguments: [
        "resource.data.t.replace('a', resource.data.t) != ''",
        "resource.data.t.replace('.', '$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0') != ''",
        "resource.data.l.join(resource.data.t) != ''", "resource.data.t.split('') != []", "resource.data.t.split('a') != []",
    ])
    func `a text or list that is too large is not made`(condition: String) throws {
        let decision = try Self.decision(condition)
        #expect(!decision.isAllowed)
        #expect(decision.faults.map(\.message) == [Self.tooLarge])
    }

    @Test(arguments: [
        "resource.data.t.split('a|[ab]*c').size() > 0", "resource.data.t.replace('a|[ab]*c', '') == ''",
        "resource.data.t.replace('a(b*c)?', '') == ''", "!resource.data.t.matches('(a|b)*a(a|b){900}c')",
    ])
    func `a pattern that reads a text often costs as much`(condition: String) throws {
        #expect(try Self.decision(condition).faults.map(\.message) == [Self.tooLarge])
    }

    @Test(arguments: [
        "resource.data.t.matches('a*')", "resource.data.t.matches('(?s).*')", "resource.data.t.replace('b', '') == resource.data.t",
        "resource.data.w.split(',').size() == 1700", "resource.data.w.split('[ ,]+').size() == 3400",
        "resource.data.w.replace(' ', '').size() == 8500", "resource.data.w.replace('(a)(b)', '$2$1')[0:3] == 'ba '",
        "resource.data.l.join('').size() == 100000", "resource.data.l.toSet().size() == 1", "resource.data.l.hasOnly(['a', 'b'])",
        "'aXbX'.replace('X', '[$0]') == 'a[X]b[X]'", "'a'.replace('a', '\\\\$1') == '$1'", "'a'.replace('b', '$1') == 'a'",
        "'é'.replace('', '-') == '-é-'", "''.split(',') == ['']", "''.replace('', 'a') == 'a'",
    ])
    func `usual work is within the bound`(condition: String) throws {
        let decision = try Self.decision(condition)
        #expect(decision.isAllowed, "\(decision.faults)")
    }

    @Test func `a group that the pattern lacks is an error`() throws {
        #expect(try Self.decision("'a'.replace('a', '$1') == ''").faults.first?.message.contains("`replace` does not work") == true)
    }

    /// A pattern in the text of rules costs its evaluation, one that rules compute also its compilation.
    @Test(arguments: [
        ("'a'.matches(LARGE)", true), ("f('a', LARGE)", true), ("g('a')", true), ("'a'.split(LARGE) == ['']", true),
        ("'a'.matches('a{1}' + '')", false), ("'a'.split('b{1}' + '') == ['a']", false),
    ])
    func `patterns of the text are compiled once, and computed ones are charged`(condition: String, isAllowed: Bool) throws {
        let functions = "function f(t, p) { return t.matches(p); } function g(t) { let p = LARGE; return t.matches(p); }"
        let all = Array(repeating: condition, count: 140).joined(separator: " && ")
        let texts = [functions, all].map { $0.replacing("LARGE", with: "'a\\\\p{L}{0,9}'") }
        let decision = try Self.decision(texts[1], functions: texts[0])
        #expect(decision.isAllowed == isAllowed, "\(decision.faults)")
        #expect(decision.faults.map(\.message) == (isAllowed ? [] : [Self.tooLarge]))
    }

    @Test(arguments: [
        ("'ab'.matches('a' + '.')", true), ("'abc-def'.split('-' + '') == ['abc', 'def']", true), ("'a'.matches('(' + '')", false),
        ("'a'.matches('\\\\p{L}{20}' + '|a')", false), ("'a'.matches('\\\\p{L}{20}|a')", true),
        ("'a'.matches('a|[' + resource.data.w + ']')", false),
    ])
    func `computed patterns are small`(condition: String, isAllowed: Bool) throws {
        for _ in 0..<2 { #expect(try Self.decision(condition).isAllowed == isAllowed) }
    }

    /// The pattern needs more than the 64 KiB that each has where there are many.
    @Test(arguments: [(10, true), (300, false)]) func `the patterns of a text have a bound together`(others: Int, isAllowed: Bool) throws {
        let functions = (0..<others).map { "function f\($0)() { return 'a'.matches('b\($0)'); }" }.joined(separator: " ")
        #expect(try Self.decision("'a'.matches('\\\\p{L}{20}|a')", functions: functions).isAllowed == isAllowed)
    }

    @Test func `work does not depend on the patterns that were compiled before`() throws {
        let works = try (0..<3).map { _ in try Self.decision("'a'.matches('a[x-z]?' + '')").work }
        #expect(Set(works).count == 1)
    }

    /// Maps that hold the map before twice have 2^50 members, of which few are ever made.
    @Test(arguments: [
        "f0(m) == f0(m)", "[f0(m)] == [f0(m)]", "f0(m) in [f0(m)]", "[f0(m)].toSet().size() == 1", "[f0(m)].hasAny([f0(m)])",
        "f0(m).diff(f0(m)).addedKeys().size() == 0", "[f0(m)].toSet().union([f0(m)].toSet()).size() == 1",
    ])
    func `maps within maps are visited a bounded number of times`(condition: String) throws {
        let doubled = (0..<5).reversed().map { depth in
            let inner = depth == 4 ? "l" : "f\(depth + 1)(l)"
            let lets = (0..<10).map { "let x\($0) = {'a': \($0 == 0 ? "m" : "x\($0 - 1)"), 'b': \($0 == 0 ? "m" : "x\($0 - 1)")};" }.joined(
                separator: " ")
            return "function f\(depth)(m) { \(lets) return \(inner.replacing("l", with: "x9")); }"
        }
        let decision = try Self.decision(condition.replacing("(m)", with: "({'a': 1})"), functions: doubled.joined(separator: " "))
        #expect(decision.faults.map(\.message) == [Self.tooLarge])
    }

    @Test(.timeLimit(.minutes(10))) func `values without an equal do not collide`() throws {
        let list = DocumentValue.array(Array(repeating: .double(.nan), count: 200_000))
        let rules = RuleSyntaxTests.allow("resource.data.l.toSet().size() == 200000")
        #expect(try Self.decision(rules, [("l", list)]).isAllowed)
    }

    /// Maps that differ only in the types and counts of what they hold.
    @Test(.timeLimit(.minutes(10))) func `empty values within maps do not collide`() throws {
        let empty = DocumentValue.map(OrderTests.fields([]))
        let values: [DocumentValue] = [empty, .array([]), .array([empty]), .array([empty, empty])]
        let maps = (0..<32_768).map { number in
            DocumentValue.map(OrderTests.fields((0..<8).map { (ExactName("\($0)"), values[number >> (2 * $0) & 3]) }))
        }
        let rules = RuleSyntaxTests.allow("resource.data.l.toSet().size() == 32768")
        #expect(try Self.decision(rules, [("l", .array(maps))]).isAllowed)
    }

    /// A path counts with its texts: one of few segments may be as long as a document.
    @Test func `the texts of paths are charged`() throws {
        let paths = Array(repeating: "p", count: 100).joined(separator: ", ")
        let decision = try Self.decision("f(/c/$(resource.data.t))", functions: "function f(p) { return [\(paths)].size() == 100; }")
        #expect(decision.faults.map(\.message) == [Self.tooLarge])
    }
}
