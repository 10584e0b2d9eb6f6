// SPDX-License-Identifier: Apache-2.0

import Rules
import SignalboxDocumentModel
import Testing

/// A query that is allowed finds only documents that the same rule allows one by one.
@Suite struct QueryProofTests {
    private static let values: [DocumentValue] = [
        .null, .bool(false), .bool(true), .double(.nan), .integer(-1), .double(-0.5), .integer(0), .double(0), .double(0.5), .integer(1), .double(1),
        .integer(2), .double(2.5), .text(""), .text("a"), .text("ab"), .text("b"), .array([]), .array([.integer(1)]), .array([.double(1)]),
        .array([.text("a"), .text("b")]), .array([.null]), .map(OrderTests.fields([("b", .integer(1))])),
    ]
    private static let literals = ["null", "true", "0", "1", "1.0", "2", "2.5", "''", "'a'", "'b'", "[1]", "['a']"]
    private static let conditions: [String] =
        ["==", "!=", "<", "<=", ">", ">="].flatMap { operation in
            literals.flatMap { ["resource.data.a \(operation) \($0)", "\($0) \(operation) resource.data.a"] }
        } + literals.flatMap { ["\($0) in resource.data.a", "resource.data.a.hasAny([\($0), 7])", "resource.data.a.hasAll([\($0)])"] }
        + ["resource.data.a is int", "resource.data.a in [1, 'a']", "!(resource.data.a in [1, 'a'])", "resource.data.a.size() == 1"]

    private static let documents =
        DocumentPath("c/d").map { path in
            values.map { RecordedDocument(path: path, fields: OrderTests.fields([("a", $0)])) }
        } ?? []

    /// The rules of each condition, and which documents they allow.
    private static let judged = Result {
        try conditions.map { condition in
            let rules = try Ruleset(RuleSyntaxTests.rules("match /c/{id} { allow read: if \(condition); }"))
            let allowed = documents.map { document in
                var request = RuleRequest(.get, document.path, auth: .null, time: .epoch)
                request.existing = .document(RuleDocument(document.path, document.fields))
                return rules.decide(request) { _, _ in nil }.isAllowed
            }
            return (condition, rules, allowed)
        }
    }

    /// Whether a value equals an operand, or an element of it, but for integers that are doubles.
    ///
    /// As in Firestore, `a == 1` counts as proof of `a is int`, although the query also finds 1.0.
    private static func differsInNumberTypes(_ value: DocumentValue, _ operand: DocumentValue) -> Bool {
        let pairs = value.elements.flatMap { element in [(element, operand)] + operand.elements.map { (element, $0) } }
        return ([(value, operand)] + operand.elements.map { (value, $0) } + pairs).contains { $0.order($1) == .same && $0 != $1 }
    }

    @Test(arguments: Comparison.allCases) func `an allowed query finds only allowed documents`(comparison: Comparison) throws {
        let field = try #require(FieldPath("a"))
        let operands = comparison == .isIn || comparison == .notIn || comparison == .containsAny ? Self.values.map { .array([$0]) } : Self.values
        var proved = 0
        for (condition, rules, allowed) in try Self.judged.get() {
            for operand in operands {
                var query = DocumentQuery(collection: PathSegment("c"))
                query.filter = .compare(field, comparison, operand)
                guard rules.decide(query, as: .null, at: .epoch, read: { _, _ in nil }).isAllowed else { continue }
                proved += 1
                for (document, isAllowed) in zip(Self.documents, allowed)
                where !isAllowed && query.matches(document) && !Self.differsInNumberTypes(document.fields["a"] ?? .null, operand) {
                    Issue.record("\(comparison.rawValue) \(operand) finds \(document.fields), which `\(condition)` denies")
                }
            }
        }
        #expect(proved > 20)
    }

    /// No document is found, so each of the values proves what it says; the rest of the rule must hold all the same.
    @Test(arguments: [
        ("resource.data.a == 1", [1, 2], true), ("resource.data.a == 2 && resource.data.a == 1", [1, 2], true),
        ("resource.data.a == 3", [1, 2], false),
        ("3 > resource.data.a", [3, 4], false), ("5 > resource.data.a", [3, 4], true), ("resource.data.a in [2, 7]", [1, 2], false),
        ("resource.data.a in [7]", [1, 2], false), ("resource.data.a != 1", [1, 2], true), ("resource.data.a != 1", [1, 1], false),
        ("resource.data.a == 1 && request.auth != null", [1, 2], false), ("resource.data.b == 1", [1, 2], false), ("false", [1, 2], false),
    ])
    func `a query that asks a field for two values is proved by each`(condition: String, values: [Int64], isAllowed: Bool) throws {
        let field = try #require(FieldPath("a"))
        let rules = try Ruleset(RuleSyntaxTests.rules("match /c/{id} { allow read: if \(condition); }"))
        var query = DocumentQuery(collection: PathSegment("c"))
        query.filter = .and(values.map { .compare(field, .equal, .integer($0)) })
        #expect(rules.decide(query, as: .null, at: .epoch, read: { _, _ in nil }).isAllowed == isAllowed)
    }

    /// Nothing equals null or NaN: `isNull` and `isNaN` find them.
    @Test(arguments: [
        (DocumentValue.null, "resource.data.a == null", false), (.null, "null == resource.data.a", false), (.null, "resource.data.a != null", true),
        (.null, "resource.data.a != 1", false), (.double(.nan), "resource.data.a is number", false), (.double(.nan), "resource.data.a != null", true),
    ])
    func `an equality with null or NaN proves that there is a value`(operand: DocumentValue, condition: String, isAllowed: Bool) throws {
        let field = try #require(FieldPath("a"))
        let rules = try Ruleset(RuleSyntaxTests.rules("match /c/{id} { allow read: if \(condition); }"))
        for filter in [Filter.compare(field, .equal, operand), .compare(field, .isIn, .array([operand]))] {
            var query = DocumentQuery(collection: PathSegment("c"))
            query.filter = filter
            #expect(rules.decide(query, as: .null, at: .epoch, read: { _, _ in nil }).isAllowed == isAllowed)
        }
    }

    /// Conditions on fields that the query does not name, and whether documents with other fields are allowed by them.
    private static let ofOthers = [
        "resource.data.get('private', false) == false", "resource.data.get('private', true) != true", "resource.data.get(['m', 'p'], 1) == 1",
        "!('private' in resource.data)", "('private' in resource.data) == false", "'private' in resource.data ? false : true",
        "resource.data.keys().hasOnly(['a', 'm'])", "!resource.data.keys().hasAny(['private'])", "!('private' in resource.data.keys())",
        "resource.data.keys().size() == 2", "resource.data.keys() == ['a', 'm']", "resource.data.size() == 2", "resource.data.values().size() == 2",
        "resource.data == {'a': 1, 'm': {'b': 1}}", "resource.data != {'a': 1, 'm': {'b': 1}, 'private': true}", "resource.data.m == {'b': 1}",
        "resource.data.m != {'b': 1, 'p': 2}", "[resource.data.m] == [{'b': 1}]", "resource.data.m in [{'b': 1}]", "{'b': 1} in [resource.data.m]",
        "[resource.data.m].toSet() == [{'b': 1}].toSet()", "!([resource.data.m].hasAny([{'b': 1, 'p': 2}]))", "!('p' in resource.data.m)",
        "resource.data.diff({'a': 1, 'm': {'b': 1}}).affectedKeys().size() == 0",
        "{'a': 1, 'm': {'b': 1}}.diff(resource.data).addedKeys().size() == 0",
        "[{'x': resource.data.m}].removeAll([{'x': {'b': 1}}]).size() == 0", "resource.size() == 1", "!('id' in resource)",
        "resource.get('id', '') == ''", "public(resource.data)",
    ]
    private static let ofNamed = [
        "resource.data.a == 1 && 'a' in resource.data", "resource.data.get('a', 7) == 1", "resource.data.get(['m', 'b'], 7) == 1",
        "resource.data.keys().hasAll(['a', 'm'])", "resource.data.keys().hasAny(['a', 'z'])", "'a' in resource.data.keys()", "'b' in resource.data.m",
        "resource.data.m is map", "resource != null && resource.data != null", "resource.data.m.b in [1, 2]", "resource.data['a'] == 1",
        "resource.data.whole == {'c': 1} && resource.data.whole.size() == 1", "!('d' in resource.data.whole)",
        "[resource.data.m].size() == 1", "'private' in resource.data || resource.data.a == 1",
    ]

    private static func decisions(_ condition: String) throws -> (rules: Ruleset, query: DocumentQuery) {
        var query = DocumentQuery(collection: PathSegment("c"))
        let known: [(name: String, value: DocumentValue)] = [
            ("a", .integer(1)), ("m.b", .integer(1)), ("whole", .map(OrderTests.fields([("c", .integer(1))]))),
        ]
        query.filter = .and(
            known.prefix(condition.contains("whole") ? 3 : 2).compactMap { one in
                FieldPath(one.name).map { Filter.compare($0, .equal, one.value) }
            })
        let text = "function public(d) { let p = d.get('private', false); return !p; } match /c/{id} { allow read: if \(condition); }"
        return (try Ruleset(RuleSyntaxTests.rules(text)), query)
    }

    @Test(arguments: ofOthers) func `strict rules take no field for missing that a query does not name`(condition: String) throws {
        let (rules, query) = try Self.decisions(condition)
        #expect(!rules.proving(strictly: true).decide(query, as: .null, at: .epoch, read: { _, _ in nil }).isAllowed)
    }

    @Test(arguments: ofNamed) func `strict rules know the fields that a query names`(condition: String) throws {
        let (rules, query) = try Self.decisions(condition)
        let decision = rules.proving(strictly: true).decide(query, as: .null, at: .epoch) { _, _ in nil }
        #expect(decision.isAllowed, "\(decision.faults)")
    }

    /// As Google's emulator decides them. Such rules are warned of.
    @Test(arguments: [
        "resource.data.get('private', false) == false", "!('private' in resource.data)", "resource.data.keys().hasOnly(['a', 'm'])",
        "resource.data.size() == 2", "resource.data == {'a': 1, 'm': {'b': 1}}", "resource.data.m == {'b': 1}", "public(resource.data)",
    ])
    func `without strictness the fields that a query names are all`(condition: String) throws {
        let (rules, query) = try Self.decisions(condition)
        #expect(rules.decide(query, as: .null, at: .epoch, read: { _, _ in nil }).isAllowed)
        #expect(rules.warnings.count == 1 && rules.warnings[0].message.contains("strict_rules"), "\(rules.warnings)")
    }

    @Test(arguments: [
        "resource.data.a == 1", "'a' in resource.data", "resource.data.keys().hasAll(['a'])", "'a' in resource.data.keys()",
        "resource.data.a.size() == 1", "resource.data != null", "resource.data.a in ['x']", "request.auth.token.get('admin', false) == true",
        "resource.data.l.hasAny([request.auth.uid])", "!(resource.data.a in ['x'])",
    ])
    func `conditions that queries prove are not warned of`(condition: String) throws {
        #expect(try Ruleset(RuleSyntaxTests.rules("match /c/{id} { allow list: if \(condition); }")).warnings.isEmpty)
    }

    @Test func `a warning names the place, and gets are not warned of`() throws {
        let text = "match /c/{id} { allow get, create: if resource.data.get('p', 1) == 1;\n allow list: if resource.data.get('p', 1) == 1; }"
        let message =
            "`get` depends on fields that a query need not name, so a query may find documents that this denies, unless strict_rules is set."
        #expect(try Ruleset(RuleSyntaxTests.rules(text)).warnings.map(\.description) == ["5:30: \(message)"])
    }
}
