// SPDX-License-Identifier: Apache-2.0

import Rules
import SignalboxDocumentModel
import Testing

/// Comparisons of numbers in rules, with the results of Google's emulator.
@Suite struct RuleComparisonTests {
    private static let notANumber = "math.sqrt(-1)"

    private static func rules(_ condition: String) throws -> Ruleset {
        try Ruleset(RuleSyntaxTests.rules("match /c/{id} { allow read: if \(condition); }"))
    }

    private static func allows(_ condition: String) throws -> Bool {
        let path = try #require(DocumentPath("c/d"))
        return try rules(condition).decide(RuleRequest(.get, path, auth: .null, time: .epoch)) { _, _ in nil }.isAllowed
    }

    @Test(arguments: ["<", "<=", ">", ">=", "=="]) func `no comparison with NaN holds`(operation: String) throws {
        for (left, right) in [("1", Self.notANumber), (Self.notANumber, "1.5"), (Self.notANumber, Self.notANumber)] {
            let condition = "\(left) \(operation) \(right)"
            #expect(try !Self.allows(condition), "\(condition)")
            #expect(try Self.allows("!(\(condition))"), "\(condition)")
        }
    }

    @Test func `NaN is unequal to everything`() throws {
        #expect(try Self.allows("1 != \(Self.notANumber) && \(Self.notANumber) != \(Self.notANumber)"))
        #expect(try !Self.allows("\(Self.notANumber) in [\(Self.notANumber)]"))
    }

    @Test(arguments: [
        ("['a', 'b'][0:1] == ['a']", true), ("['a', 'b'][1:1].size() == 0", true), ("['a', 'b'][0:0].size() == 0", false),
        ("['a', 'b'][2:2].size() == 0", false), ("['a', 'b'][0:3].size() > 0", false), ("['a', 'b', 'c'][2:1].size() == 0", false),
        ("'ab'[0:0] == ''", false), ("'ab'[1:1] == ''", true), ("'ab'[0:2] == 'ab'", true), ("'ab'[2:2] == ''", false), ("'ab'[1] == 'b'", true),
    ]) func `a slice begins at an element and ends behind one`(condition: String, isAllowed: Bool) throws {
        #expect(try Self.allows(condition) == isAllowed)
    }

    @Test func `strings are compared by UTF-16 units, and Base64 is that of URLs`() throws {
        #expect(try Self.allows("'\u{1F600}' < '\u{FFFF}' && '\u{1F600}' > 'z' && !('\u{E000}' <= '\u{1F600}')"))
        #expect(try Self.allows("hashing.md5('u').toBase64() == 'e3dO_-SjScbdgq1PTyHTTA=='"))
    }

    /// A rule about a document that refers to `c/d` of this app as `own`, of another database as `database`, and of another project as `project`.
    private static func allows(ofReferences condition: String) throws -> Bool {
        let path = try #require(DocumentPath("c/d"))
        let fields = OrderTests.fields([
            ("own", .reference(DocumentReference(path))),
            ("database", .reference(DocumentReference(path, database: "projects/p/databases/other"))),
            ("project", .reference(DocumentReference(path, database: "projects/other/databases/(default)"))),
        ])
        var request = RuleRequest(.get, path, auth: .null, time: .epoch)
        request.existing = .document(RuleDocument(path, fields))
        return try rules(condition.replacing("~", with: "resource.data")).decide(request) { path, _ in fields }.isAllowed
    }

    @Test(arguments: [
        "~.own == /databases/(default)/documents/c/d", "exists(~.own) && get(~.own).data.own == ~.own", "~.database is path && ~.project is path",
        "~.database == /databases/other/documents/c/d", "~.database != ~.own && ~.project != ~.own && ~.project != ~.database",
        "~.project != /databases/(default)/documents/c/d", "!(~.project in [~.own, ~.database])", "!([~.own].hasAny([~.project, ~.database]))",
        "string(~.project) == '/projects/other/databases/(default)/documents/c/d'", "string(~.database) == '/databases/other/documents/c/d'",
    ]) func `a reference to another project or database is no path of this one`(condition: String) throws {
        #expect(try Self.allows(ofReferences: condition))
    }

    @Test(arguments: [
        "~.project", "~.database", "/databases/other/documents/c/d", "/projects/other/databases/(default)/documents/c/d",
        "/projects/p/databases/(default)/documents/c/d",
    ]) func `a document of another project or database cannot be read`(path: String) throws {
        for condition in [
            "exists(\(path))", "!exists(\(path))", "get(\(path)) != null", "get(\(path)).data.own is path", "getAfter(\(path)) != null",
        ] {
            #expect(try !Self.allows(ofReferences: condition), "\(condition)")
        }
        #expect(try Self.allows(ofReferences: "exists(~.own)"))
    }

    @Test func `a query does not prove a comparison with NaN`() throws {
        var query = DocumentQuery(collection: PathSegment("c"))
        query.filter = .compare(try #require(FieldPath("a")), .greater, .integer(1))
        for (bound, isAllowed) in [("1", true), (Self.notANumber, false)] {
            let decision = try Self.rules("resource.data.a >= \(bound)").decide(query, as: .null, at: .epoch) { _, _ in nil }
            #expect(decision.isAllowed == isAllowed, "\(bound)")
        }
    }

    @Test func `a query that excludes a value proves that it is not the value`() throws {
        let field = try #require(FieldPath("a"))
        for (value, literal) in [(DocumentValue.bool(true), "true"), (.text("x"), "'x'"), (.integer(1), "1"), (.array([.integer(1)]), "[1]")] {
            for (bound, isAllowed) in [(literal, true), ("false", false)] {
                var query = DocumentQuery(collection: PathSegment("c"))
                query.filter = .compare(field, .unequal, value)
                for condition in ["resource.data.a != \(bound)", "\(bound) != resource.data.a"] {
                    let decision = try Self.rules(condition).decide(query, as: .null, at: .epoch) { _, _ in nil }
                    #expect(decision.isAllowed == isAllowed, "\(condition) \(value)")
                }
            }
        }
    }

    @Test(arguments: [
        ("9007199254740993 == 9007199254740992.0", true), ("9007199254740993 > 9007199254740992.0", false),
        ("9007199254740993 <= 9007199254740992.0", true), ("9223372036854775807 < 9223372036854775808.0", false),
        ("9007199254740993 > 9007199254740992", true), ("-0.0 < 0.0", false), ("0 == -0.0", true),
    ]) func `an integer and a float are compared as floats`(condition: String, isAllowed: Bool) throws {
        #expect(try Self.allows(condition) == isAllowed)
    }
}
