// SPDX-License-Identifier: Apache-2.0

import DocumentRequests
import DocumentStore
import JSON
import Rules
import SignalboxDocumentModel

/// Bodies of the native routes of documents: commits, queries, listens, settings, lines of imports and trials of rules.
///
/// A body is read as each of them, as the handlers read it. What is accepted is within the limits of its route.
enum DocumentRequestBodies {
    private static let parser = JSONParser()

    static func run(_ bytes: [UInt8]) {
        guard let body = try? DocumentReading(bytes, parser) else { return }
        readWrites(body)
        readQueries(body)
        readSettings(body)
        if let line = try? body.importedLine() {
            accepted()
            if case .document(let write) = line { require(write.path.isDocument, "a line of a collection") }
        }
        _ = try? body.principal()
        if (try? body.explained()) != nil { accepted() }
    }

    private static func readWrites(_ body: DocumentReading) {
        if let commit = try? body.commit() {
            accepted()
            require(commit.writes.count <= DocumentBounds.writes && commit.reads.count <= DocumentBounds.conditions, "a commit beyond its limits")
        }
        if let write = try? body.write() {
            accepted()
            require(write.path.isDocument, "a write of a collection")
        }
    }

    private static func readQueries(_ body: DocumentReading) {
        if (try? body.allowQuery()) != nil, let query = try? body.query() {
            accepted()
            require((try? query.validate()) != nil, "an invalid query was read")
        }
        if let list = try? body.aggregates() {
            accepted()
            require((1...5).contains(list.count), "more aggregates than a query may have")
        }
        for member in ["targets", "add"] {
            guard let targets = try? body.listenTargets(member, examining: 100) else { continue }
            accepted()
            require(Set(targets.map(\.number)).count == targets.count, "two targets with one number")
            require(targets.count <= DocumentListener.targetsAtOnce, "more targets than a stream may have")
        }
    }

    private static func readSettings(_ body: DocumentReading) {
        if let shapes = try? body.indexDeclaration().shapes {
            accepted()
            require(shapes.count <= DocumentBounds.indexes && Set(shapes).count == shapes.count, "an index twice, or too many")
        }
        if let fields = try? body.expiryFields() {
            accepted()
            require(Set(fields.map(\.collection)).count == fields.count, "a collection with two times")
        }
        for pattern in (try? body.personPatterns()) ?? [] {
            accepted()
            guard case .path(let path) = pattern else { continue }
            require(PersonPath(path.description) == path, "the path \(path) is read as another one")
        }
    }
}

/// Test cases of rules, which decide about their requests, with the rules of the body or with some that read documents and requests.
enum RuleCaseBodies {
    /// Parsed with each input: LeakSanitizer takes the literals of rules in a global for leaks, as their pointers have tags.
    private static let source = """
        service cloud.firestore { match /databases/{d}/documents {
          function member(id) { return exists(/databases/$(d)/documents/members/$(id)); }
          match /{c}/{id} {
            allow read: if resource.data.open == true || member(request.auth.uid);
            allow write: if request.resource.data.keys().hasOnly(['a', 'b']) && get(/databases/$(d)/documents/c/$(id)).data.a == 1;
          }
        } }
        """

    static func run(_ bytes: [UInt8]) {
        guard let cases = try? RuleCaseReader.cases(bytes) else { return }
        accepted()
        guard let rules = own(bytes) ?? (try? Ruleset(source)) else { return require(false, "the rules are no rules") }
        for test in cases.prefix(500) {
            require(test.path.isDocument || test.request.method == .list, "a \(test.request.method) of a collection")
            require(test.decide(rules).isAllowed == test.decide(rules).isAllowed, "a decision changed")
        }
    }

    private static func own(_ bytes: [UInt8]) -> Ruleset? {
        guard let body = try? DocumentReading(bytes, JSONParser()), let source = try? body.text("source") else { return nil }
        return source.utf8.count <= DocumentReading.ruleSourceBytes ? try? Ruleset(source) : nil
    }
}
