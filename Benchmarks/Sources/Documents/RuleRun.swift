// SPDX-License-Identifier: Apache-2.0

import Platform
import Rules
import SignalboxDocumentModel

/// Decisions of rules without HTTP and store: a usual rule, one of almost 1,000 expressions, and the proof of a query.
enum RuleRun {
    private static let source = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            function isSignedIn() { return request.auth != null; }
            match /users/{user} {
              match /notes/{note} { allow read, write: if isSignedIn() && request.auth.uid == user && resource.data.state in ['open', 'done']; }
            }
            match /large/{id} { allow get: if \(terms); }
            match /posts/{post} { allow read: if resource.data.owner == request.auth.uid && resource.data.rank <= 100; }
          }
        }
        """
    /// Five expressions each.
    private static let terms = (0..<199).map { "request.auth.uid != 'u\($0)'" }.joined(separator: " && ")

    static func run(_ options: Options) throws {
        let rules = try Ruleset(source)
        let claims = RuleMap.made(["email": .text("ana@example.org"), "admin": .bool(false)])
        let auth = RuleValue.map(.made(["uid": .text("ana"), "token": .map(claims)]))
        let time = DocumentTime.epoch
        let fields = DocumentFields([
            .init("n", .integer(7)), .init("owner", .text("ana")), .init("state", .text("open")), .init("text", .text("Buy milk")),
        ])
        let (note, large) = (try path("users/ana/notes/n1"), try path("large/l1"))
        try measure("usual rule", options.requests) {
            var request = RuleRequest(.get, note, auth: auth, time: time)
            request.existing = fields.map { .document(RuleDocument(note, $0)) }
            return rules.decide(request) { _, _ in nil }
        }
        try measure("rule of 1,000 expressions", max(1, options.requests / 100)) {
            rules.decide(RuleRequest(.get, large, auth: auth, time: time)) { _, _ in nil }
        }
        var query = DocumentQuery(collection: PathSegment("posts"))
        query.filter = .and([
            .compare(try field("owner"), .equal, .text("ana")), .compare(try field("rank"), .atMost, .integer(10)),
        ])
        query.orders = [.init(try field("rank"), descending: true)]
        try measure("proof of a query", max(1, options.requests / 10)) { [query] in
            rules.decide(query, as: auth, at: time) { _, _ in nil }
        }
    }

    private static func measure(_ name: String, _ times: Int, _ decide: () throws -> RuleDecision) throws {
        let last = try decide()
        guard last.isAllowed else { throw BenchmarkError("the \(name) denies: \(last.faults.map(\.message))") }
        var rounds: [Double] = []
        for _ in 0..<5 {
            let start = monotonicSeconds()
            for _ in 0..<times { _ = try decide() }
            rounds.append((monotonicSeconds() - start) / Double(times) * 1_000_000)
        }
        let median = Int(rounds.sorted()[2] * 100)
        print("\(name): \(median / 100).\(median / 10 % 10)\(median % 10) µs, \(last.expressions) expressions")
    }

    private static func path(_ text: String) throws -> DocumentPath {
        guard let path = DocumentPath(text) else { throw BenchmarkError("\(text) is no path") }
        return path
    }

    private static func field(_ text: String) throws -> FieldPath {
        guard let field = FieldPath(text) else { throw BenchmarkError("\(text) is no field") }
        return field
    }
}
