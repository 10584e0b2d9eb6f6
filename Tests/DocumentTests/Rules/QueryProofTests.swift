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
}
