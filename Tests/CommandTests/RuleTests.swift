// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `ingestd rules check` and `ingestd rules test`.
struct RuleTests {
    private let folder = TemporaryFolder()

    private static let rules = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            function isAdmin() { return get(/databases/$(database)/documents/users/$(request.auth.uid)).data.admin == true; }
            match /users/{id} {
              allow read: if request.auth.uid == id;
              allow create: if request.auth.uid == id && request.resource.data.age is int;
              allow update: if request.resource.data.age > resource.data.age;
              allow delete: if isAdmin();
            }
            match /notes/{id} {
              allow list: if resource.data.owner == request.auth.uid && request.query.limit <= 20;
              allow create: if request.resource.data.at == request.time;
              allow update: if getAfter(/databases/$(database)/documents/notes/$(id)).data.n == 1 && exists(/databases/$(database)/documents/users/a);
            }
          }
        }
        """

    private func run(_ words: [String], rules: String = RuleTests.rules, cases: String = "[]") async throws -> Program.Ended {
        try rules.write(toFile: folder.path + "/my.rules", atomically: true, encoding: .utf8)
        try cases.write(toFile: folder.path + "/cases.json5", atomically: true, encoding: .utf8)
        return try await Program.run(["rules"] + words, in: folder)
    }

    private func test(_ cases: String) async throws -> Program.Ended { try await run(["test", "my.rules", "cases.json5"], cases: cases) }

    @Test func `rules without errors are ok`() async throws {
        let ended = try await run(["check", "my.rules"])
        #expect(ended.code == 0 && ended.output == "ok: 7 statements\n", "\(ended)")
    }

    @Test func `an error names line and column`() async throws {
        let ended = try await run(["check", "my.rules"], rules: RuleTests.rules.replacing("is int", with: "is whole"))
        #expect(ended.code == 1 && ended.complaintIsOneLine && ended.complaint.hasPrefix("ingestd: my.rules:7:79: "), "\(ended)")
        let broken = try await run(["check", "my.rules"], rules: "service cloud.firestore {")
        #expect(broken.code == 1 && broken.complaint.hasPrefix("ingestd: my.rules:1:"), "\(broken)")
    }

    @Test(arguments: ["allow read, write;", "allow read, write: if true;"]) func `an open statement is a warning`(statement: String) async throws {
        let rules = "service cloud.firestore {\n match /databases/{d}/documents {\n  match /a/{b} { \(statement) }\n } }"
        let ended = try await run(["check", "my.rules"], rules: rules)
        #expect(ended.output == "warning: my.rules:3:18: Everyone is allowed get, list, create, update, delete.\nok: 1 statement\n", "\(ended)")
    }

    @Test func `a condition that queries do not prove is a warning`() async throws {
        let statement = "allow list: if !('secret' in resource.data);"
        let rules = "service cloud.firestore {\n match /databases/{d}/documents {\n  match /a/{b} { \(statement) }\n } }"
        let ended = try await run(["check", "my.rules"], rules: rules)
        #expect(ended.code == 0 && ended.output.hasPrefix("warning: my.rules:3:44: `in` depends on fields that a query need not name"), "\(ended)")
    }

    @Test(arguments: ["missing.rules", "."]) func `a file that cannot be read is an error`(name: String) async throws {
        let ended = try await run(["check", name])
        #expect(ended.code == 1 && ended.complaintIsOneLine && ended.complaint.hasPrefix("ingestd: \(name): "))
    }

    @Test func `a test suite of Firebase runs`() async throws {
        let ended = try await test(
            """
            {"testSuite": {"testCases": [
              {"expectation": "ALLOW", "request": {"auth": {"uid": "a", "token": {"email": "a@example.org"}}, "method": "get",
                "path": "/databases/(default)/documents/users/a"}, "resource": {"data": {"age": 1}}},
              {"expectation": "DENY", "request": {"auth": null, "method": "get", "path": "/databases/(default)/documents/users/a"}},
              {"expectation": "ALLOW", "request": {"auth": {"uid": "b"}, "method": "delete", "path": "/databases/(default)/documents/users/a"},
                "functionMocks": [{"function": "get", "args": [{"exactValue": "/databases/(default)/documents/users/b"}],
                  "result": {"value": {"data": {"admin": true}}}}]},
              {"expectation": "DENY", "request": {"auth": {"uid": "b"}, "method": "delete", "path": "/databases/(default)/documents/users/a"},
                "functionMocks": [{"function": "get", "args": [{"anyValue": {}}], "result": {"undefined": {}}}],
                "pathEncoding": "PLAIN", "expressionReportLevel": "NONE"}
            ]}}
            """)
        #expect(ended.code == 0 && ended.output == "4 passed, 0 failed\n", "\(ended)")
    }

    @Test func `cases in JSON5 have documents, times and queries`() async throws {
        let ended = try await test(
            """
            [ // comments are fine
              {expectation: "ALLOW", request: {path: "users/a", method: "create", auth: {uid: "a"}, resource: {data: {age: 7}}}},
              {expectation: "DENY", request: {path: "users/a", method: "create", auth: {uid: "a"}, resource: {data: {age: 7.5}}}},
              {expectation: "ALLOW", request: {path: "users/a", method: "update", resource: {data: {age: 8}}}, resource: {data: {age: 7}}},
              {expectation: "DENY", request: {path: "users/a", method: "update", resource: {data: {age: 7}}}, resource: {data: {age: 7}}},
              {expectation: "ALLOW", request: {path: "users/a", method: "delete", auth: {uid: "b"}}, documents: {"users/b": {admin: true}}},
              {expectation: "DENY", request: {path: "users/a", method: "delete", auth: {uid: "b"}}, documents: {"users/c": {admin: true}}},
              {expectation: "ALLOW", request: {path: "notes", method: "list", auth: {uid: "b"}, query: {where: [["owner", "==", "b"]], limit: 20}}},
              {expectation: "DENY", request: {path: "notes", method: "list", auth: {uid: "b"}, query: {where: [["owner", "==", "b"]], limit: 21}}},
              {expectation: "DENY", request: {path: "notes", method: "list", auth: {uid: "b"}, query: {where: ["owner", ">=", "b"], limit: 1}}},
              {expectation: "DENY", request: {path: "notes", method: "list", auth: {uid: "b"},
                query: {where: {or: [["owner", "==", "b"], ["n", "==", 1]]}, limit: 1}}},
              {expectation: "ALLOW", request: {path: "notes/n", method: "list", auth: {uid: "b"}, query: {limit: 3}}, resource: {data: {owner: "b"}}},
              {expectation: "ALLOW", request: {path: "notes/n", method: "create", time: "2026-01-31T23:59:59.000001Z",
                resource: {data: {at: {$time: "2026-02-01T00:59:59.000001+01:00"}}}}},
              {expectation: "ALLOW", request: {path: "notes/n", method: "update", resource: {data: {n: 1}}}, documents: {"users/a": {}}},
              {expectation: "DENY", request: {path: "notes/n", method: "update", resource: {data: {n: 2}}}, documents: {"users/a": {}}},
              {expectation: "DENY", request: {path: "notes/n", method: "update", resource: {data: {n: 1}}},
                functionMocks: [{function: "exists", args: [{exactValue: "users/a"}], result: {value: false}}], documents: {"users/a": {}}},
            ]
            """)
        #expect(ended.code == 0 && ended.output == "15 passed, 0 failed\n", "\(ended)")
    }

    @Test func `strict rules prove queries only where Google's emulator does`() async throws {
        let rules = "service cloud.firestore { match /databases/{d}/documents { match /a/{b} { allow read: if resource.data.i <= 2; } } }"
        let request = #"{"path": "a", "method": "list", "query": {"where": [["i", "<=", {"$double": 1}]]}}"#
        for (options, expectation) in [([], "ALLOW"), (["--strict"], "DENY")] as [([String], String)] {
            let cases = #"[{"expectation": "\#(expectation)", "request": \#(request)}]"#
            let ended = try await run(["test", "my.rules", "cases.json5"] + options, rules: rules, cases: cases)
            #expect(ended.code == 0 && ended.output == "1 passed, 0 failed\n", "\(options): \(ended)")
        }
    }

    @Test func `a failed case names the statement or the errors`() async throws {
        let cases = """
            [{name: "strangers read", expectation: "ALLOW", request: {path: "users/a", method: "get"}},
             {expectation: "DENY", request: {path: "users/a", method: "get", auth: {uid: "a"}}},
             {expectation: "ALLOW", request: {path: "other/a", method: "get"}}]
            """
        let ended = try await test(cases)
        #expect(ended.code == 1 && ended.complaintIsOneLine && ended.complaint.contains("3 of 3 test cases failed"))
        let lines = ended.output.split(separator: "\n")
        #expect(lines[0] == "FAILED strangers read: ALLOW expected" && lines[1].hasPrefix("  my.rules:6:"), "\(ended.output)")
        #expect(
            lines[2...] == [
                "FAILED case 2: DENY expected", "  allowed by my.rules:6:7", "FAILED case 3: ALLOW expected", "  no statement allows it",
                "0 passed, 3 failed",
            ])
        let json = try await run(["test", "my.rules", "cases.json5", "--json"], cases: cases).json()
        let first = try #require((json["cases"] as? [[String: Any]])?[1])
        #expect(json["failed"] as? Int == 3 && first["decision"] as? String == "ALLOW" && first["allowed_by"] as? String == "6:7")
    }

    @Test(arguments: [
        ("[{expectation: 'ALLOW', requst: {}}]", "1:25", "Did you mean request?"), ("[", "1:2", "end of the text"),
        ("[]", "1:1", "list of test cases"),
        ("[{expectation: 'YES'}]", "1:16", "DENY"), ("[{expectation: 'DENY'}]", "1:2", "request is missing"),
        ("[{expectation: 'DENY', request: {path: 'a', method: 'get'}}]", "1:40", "even number"),
        ("[{expectation: 'DENY', request: {path: '//', method: 'get'}}]", "1:40", "path"),
        ("[{expectation: 'DENY', request: {path: 'a/b', method: 'read'}}]", "1:55", "\"list\""),
        ("[{expectation: 'DENY', request: {path: 'a/b', method: 'create'}}]", "1:2", "request.resource"),
        ("[{expectation: 'DENY', request: {path: 'a', method: 'list', query: {where: ['a', '=', 1]}}}]", "1:82", "not-in"),
        ("[{expectation: 'DENY', request: {path: 'a/b', method: 'get', time: 'now'}}]", "1:68", "time"),
        ("[{expectation: 'DENY', request: {path: 'a/b', method: 'get'}, resource: {data: {a: 1, a: 2}}}]", "1:80", "twice"),
    ]) func `an invalid case names its place`(cases: String, place: String, words: String) async throws {
        let ended = try await test(cases)
        #expect(ended.code == 1 && ended.complaintIsOneLine && ended.complaint.hasPrefix("ingestd: cases.json5:\(place): "), "\(ended)")
        #expect(ended.complaint.contains(words), "\(ended)")
    }
}
