// SPDX-License-Identifier: Apache-2.0

import Rules
import SignalboxDocumentModel
import Testing

@Suite struct RuleSyntaxTests {
    static func rules(_ body: String, version: Int = 2) -> String {
        "rules_version = '\(version)';\nservice cloud.firestore {\n match /databases/{database}/documents {\n\(body)\n }\n}"
    }

    static func allow(_ condition: String) -> String { rules("match /c/{id} { allow get: if \(condition); }") }

    static func isAllowed(_ text: String, _ path: String = "c/d") throws -> Bool {
        let request = RuleRequest(.get, try #require(DocumentPath(path)), auth: .null, time: .epoch)
        return try Ruleset(text).decide(request) { _, _ in nil }.isAllowed
    }

    @Test(arguments: [
        ("match /c { allow get if true; }", "4:22"), ("match /c { allow get: if 'a; }", "4:26"), ("match /c { allow: if true; }", "4:17"),
        ("match /c { allow get: if 1 +; }", "4:29"), ("match /c { allow get: if 1 is house; }", "4:31"),
        ("match /c { allow get: if [,] == []; }", "4:27"), ("match /c { allow get: if true true; }", "4:31"),
        ("match /c { allow get: if 1.size(); }", "4:27"),
        ("match /c { allow get: if [1; }", "4:28"), ("match /c {}", "4:1"), ("match c { allow get; }", "4:7"), ("/* never ends", "4:1"),
        ("match /{a=**}/{b=**} { allow get; }", "4:22"), ("match /{a=**} { match /{b=**} { allow get; } }", "4:31"),
        ("match /c { allow get: if '\\u12'; }", "4:28"), ("match /c { allow get: if 99999999999999999999 == 1; }", "4:26"),
        ("function f() { return f(); } match /c { allow get: if f(); }", "4:23"),
        ("function f() { return g(); } function g() { return f(); } match /c { allow get: if f(); }", "4:23"),
        ("function f() { return 1; } function f() { return 2; } match /c { allow get; }", "4:37"),
        ("function f(a, a) { return 1; } match /c { allow get; }", "4:16"),
        ("function f() { let a = 1; let a = 2; return a; } match /c { allow get; }", "4:33"),
    ])
    func `a fault has its place`(body: String, place: String) {
        do {
            _ = try Ruleset(Self.rules(body))
            Issue.record("\(body) was accepted")
        } catch {
            #expect(error.place.description == place, "\(error)")
        }
    }

    @Test(arguments: [
        ("1 + 2 * 3 == 7", true), ("!true == false", true), ("1 < 2 == true", true), ("'a' in ['a'] == true", false), ("true == 1 is int", false),
        ("1 == 1 in [true]", true), ("1 in [1] in [true]", true), ("-1 in [-1]", true), ("true || 1 / 0 == 1", true), ("1 / 0 == 1 || true", true),
        ("1 / 0 == 1 && false", false), ("!(1 / 0 == 1 && false)", true), ("true ? true : 1 / 0 == 1", true), ("'\\u0041' == 'A'", true),
        ("/c/d == path('c/d')", true), ("request.path == /databases/(default)/documents/c/d", true), ("id == 'd' && database == '(default)'", true),
        ("'é' == 'e\u{301}'", false), ("1 == 1.0 && !([1] == [1.0])", true), ("[1].toSet() == [1.0].toSet()", true), ("true < false", false),
        ("string(12345678.0) == '1.2345678E7' && string(0.0001) == '1.0E-4' && string(1.0) == '1.0'", true),
        ("'abc'.replace('(b)(c)', '$2$1') == 'acb' && 'abc'.replace('b*', '-') == '-a--c-'", true), ("'a'.matches('(')", false),
        ("'a,b,,'.split(',') == ['a', 'b'] && 'abc'.split('') == ['', 'a', 'b', 'c']", true),
        ("hashing.crc32('a').toHexString() == '43BEB7E8'", true),
        ("timestamp.date(2020, 2, 29).dayOfYear() == 60 && timestamp.date(2020, 1, 5).dayOfWeek() == 7", true),
        ("timestamp.date(2021, 2, 29) is timestamp", false),
        ("duration.value(-1500, 'ms').nanos() == -500000000 && duration.value(400000, 'd') is duration", true),
        ("'abc'[1:] + 'abc'[:2] == 'bcab' && ['a', 'b'][:] == ['a', 'b']", true), ("'abc'[:0] == ''", false), ("'abc'[3:] == ''", false),
        ("b'\\xff\\101\\u0041' == b'\\xFFAA' && '\\101' == 'A' && 'a'.toUtf8() == b\"a\"", true), ("'\\uD83D\\uDE00' == '😀'", true),
        ("math.ceil(2.1) is float && math.floor(2) is float && math.round(2.5) is int", true), ("7.5 % 2 == 1.5", true),
        ("/a/$('b/c') == /a/b/c", false), ("/a/$(1)/$(true)/$(/b/c) == /a/1/true/b/c", true), ("/a/$('b/c')[1] == 'b/c'", true),
        ("exists(/databases/(default)/documents/c/$('d/e/f')) || true", true), ("!exists(/databases/(default)/documents/c/$('d/e/f'))", false),
        ("get(/databases/(default)/documents/c/none) == null", false), ("request.auth == null", true), ("resource == null", true),
    ])
    func `an expression has its value`(condition: String, isTrue: Bool) throws {
        #expect(try Self.isAllowed(Self.allow(condition)) == isTrue)
    }

    @Test(arguments: [
        ("unknown", "4:31: The name `unknown` is unknown."), ("unknown == null", "4:31: The name `unknown` is unknown."),
        ("!(read.auth == null)", "4:33: The name `read` is unknown."), ("f(1)", "4:31: The function `f` is unknown."),
        ("request.fly()", "4:38: There is no method `fly`."), ("'a'.size(1) == 1", "4:34: `size` takes another number of arguments."),
        ("timestamp.now() != null", "4:31: The function `timestamp.now` is unknown."), ("math == 1", "4:31: The name `math` is unknown."),
        ("[unknown] != []", "4:32: The name `unknown` is unknown."), ("exists()", "4:31: `exists` takes another number of arguments."),
    ])
    func `what does not exist is an error when it is evaluated`(condition: String, warning: String) throws {
        #expect(try Ruleset(Self.allow(condition)).warnings.map(\.description) == [warning])
        #expect(try !Self.isAllowed(Self.allow(condition)))
        #expect(try Self.isAllowed(Self.allow("\(condition) || true")))
    }

    @Test(arguments: [
        ("match /c/{id} { allow get: if true\n allow list: if false }", true), ("match /c/{id} { allow list\n allow get }", true),
        ("match /c/{id=*} { allow get: if id == 'd'; }", true), ("match /c/{id} { allow fly; }", false),
        ("match /c/{id} { allow get, fly: if [1, 2,] == [1, 2] && {'a': 1,} == {'a': 1} && math.abs(-1,) == 1; }", true),
        ("allow read; match /c/{id} { allow write; }", false),
    ])
    func `loose spellings are read as Firestore reads them`(body: String, isAllowed: Bool) throws {
        #expect(try Self.isAllowed(Self.rules(body)) == isAllowed)
    }

    @Test func `everything is denied that no statement allows`() throws {
        #expect(try !Self.isAllowed("service cloud.firestore { match /databases/{d}/documents { match /c/{id} { allow write; } } }"))
        #expect(try !Self.isAllowed("service firebase.storage { match /{all=**} { allow read; } }"))
        #expect(try Self.isAllowed("service cloud.firestore { match /databases/{d}/documents { match /c/{id} { allow read; } } }"))
        #expect(try !Self.isAllowed(""))
    }

    @Test func `version 1 needs a segment for the rest, version 2 none`() throws {
        for (version, isAllowed) in [(1, false), (2, true)] {
            #expect(try Self.isAllowed(Self.rules("match /c/d/{rest=**} { allow get; }", version: version)) == isAllowed)
        }
    }

    @Test func `a decision evaluates a bounded number of expressions, calls and documents`() throws {
        #expect(try !Self.isAllowed(Self.allow(Array(repeating: "true", count: 1_001).joined(separator: " && "))))
        #expect(try Self.isAllowed(Self.allow(Array(repeating: "true", count: 900).joined(separator: " && "))))
        let functions = (0..<25).map { "function f\($0)() { return f\($0 + 1)(); }" }.joined() + "function f25() { return true; }"
        #expect(try !Self.isAllowed(Self.rules("\(functions) match /c/{id} { allow get: if f0(); }")))
        #expect(try Self.isAllowed(Self.rules("\(functions) match /c/{id} { allow get: if f10(); }")))
        func reads(_ count: Int) -> String { (0..<count).map { "!exists(/databases/(default)/documents/c/x\($0))" }.joined(separator: " && ") }
        #expect(try Self.isAllowed(Self.allow(reads(10))))
        #expect(try !Self.isAllowed(Self.allow(reads(11))))
    }

    @Test func `a text that is nested too deeply or too long is refused`() {
        #expect(throws: RuleFault.self) { try Ruleset(Self.allow(String(repeating: "(", count: 5_000) + "1" + String(repeating: ")", count: 5_000))) }
        #expect(throws: RuleFault.self) { try Ruleset(Self.allow(String(repeating: "!", count: 5_000) + "true")) }
        for unit in ["1 + ", "'a'.trim().", "[0][0]", "true ? true : ", "/* ", "1 in "] {
            #expect(throws: RuleFault.self) { try Ruleset(Self.allow(String(repeating: unit, count: 5_000) + "1")) }
        }
        #expect(throws: RuleFault.self) { try Ruleset(String(repeating: "\n", count: 300_000)) }
    }

    /// Counts work and not time: pairs of 4,000 elements would be 16 million comparisons.
    @Test func `long lists are compared by their hashes, and visited a bounded number of times`() throws {
        let path = try #require(DocumentPath("c/d"))
        let list = DocumentValue.array((0..<4_000).map { .text(ExactName("element \($0)")) })
        var request = RuleRequest(.get, path, auth: .null, time: .epoch)
        request.existing = .document(RuleDocument(path, OrderTests.fields([("l", list)])))
        let once = "resource.data.l.toSet().hasAll(resource.data.l) && resource.data.l.removeAll(resource.data.l).size() == 0"
        for (count, isAllowed) in [(1, true), (60, false)] {
            let rules = try Ruleset(Self.allow(Array(repeating: once, count: count).joined(separator: " && ")))
            #expect(rules.decide(request) { _, _ in nil }.isAllowed == isAllowed)
        }
    }

    @Test func `a query of every depth needs a rule of every depth`() throws {
        var query = DocumentQuery(collection: PathSegment("c"), everyDepth: true)
        func isAllowed(_ body: String) throws -> Bool {
            try Ruleset(Self.rules(body)).decide(query, as: .null, at: .epoch) { _, _ in nil }.isAllowed
        }
        #expect(try !isAllowed("match /c/{id} { allow list; }"))
        #expect(try !isAllowed("match /{a}/{b}/c/{id} { allow list; }"))
        #expect(try !isAllowed("match /{a}/c/{id} { allow list; }"))
        #expect(try isAllowed("match /{path=**}/c/{id} { allow list; }"))
        query.everyDepth = false
        #expect(try isAllowed("match /c/{id} { allow list; }"))
        #expect(try !isAllowed("match /c/{id} { allow list: if id == 'a'; }"))
        #expect(try !isAllowed("match /c/a { allow list; }"))
    }

    @Test(arguments: [
        ("match /{c}/{id} { allow list; }", false, true), ("match /{c}/{id} { allow list: if c != 'secret'; }", false, false),
        ("match /{c}/{id} { allow list: if request.path[3] != 'secret'; }", false, false), ("match /c/{id} { allow list; }", false, false),
        ("match /{p=**}/{c}/{id} { allow list; }", true, true), ("match /{p=**}/{c}/{id} { allow list: if c != 'secret'; }", true, false),
        ("match /{c}/{id} { allow list; }", true, false), ("match /{p=**}/{c}/{id} { allow list: if request.path[3] != 'secret'; }", true, false),
    ])
    func `a query of all collections knows none of them`(body: String, everyDepth: Bool, isAllowed: Bool) throws {
        let query = DocumentQuery(collection: nil, everyDepth: everyDepth)
        #expect(try Ruleset(Self.rules(body)).decide(query, as: .null, at: .epoch) { _, _ in nil }.isAllowed == isAllowed)
    }
}
