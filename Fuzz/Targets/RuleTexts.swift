// SPDX-License-Identifier: Apache-2.0

import Rules
import SignalboxDocumentModel

/// Security rules, which decide about a few requests; and names of fields and documents, which print as they are read.
enum RuleTexts {
    static func run(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        checkNames(text)
        guard let rules = try? Ruleset(text), let path = DocumentPath("c/d") else { return }
        accepted()
        let fields = DocumentFields([.init("a", .integer(1)), .init("l", .array([.text("x"), .null])), .init("t", .time(.epoch))]) ?? .init()
        for method in RuleMethodName.allCases where method != .list {
            var request = RuleRequest(method, path, auth: .map(.made(["uid": .text("u"), "token": .map(.made([:]))])), time: .epoch)
            if method != .create { request.existing = .document(RuleDocument(path, fields)) }
            if method != .delete { request.written = .document(RuleDocument(path, fields)) }
            let first = rules.decide(request) { _, _ in fields }
            require(first.isAllowed == rules.decide(request) { _, _ in fields }.isAllowed, "a decision changed")
        }
        var query = DocumentQuery(collection: path.segments[0])
        query.filter = FieldPath("a").map { .compare($0, .atLeast, .integer(1)) }
        _ = rules.decide(query, as: .null, at: .epoch) { _, _ in nil }
    }

    private static func checkNames(_ text: String) {
        if let path = FieldPath(text) {
            require(FieldPath(path.description) == path, "the field \(path) is read as another one")
        }
        if let path = DocumentPath(text) {
            require(path.description.utf8.elementsEqual(text.utf8), "the document \(path) is printed differently")
        }
    }
}
