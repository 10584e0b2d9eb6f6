// SPDX-License-Identifier: Apache-2.0

import DocumentRequests
import AcrossStores
import AuditStore
import Database
import DocumentStore
import EventStore
import HTTPServer
import JSON
import Platform
import Rules

/// The security rules of an app, for administrators. Every revision is kept.
struct DocumentRules: Sendable {
    static let sourceBytes = DocumentReading.ruleSourceBytes
    /// The source with its escapes.
    static let bodyBytes = 1 << 20
    private static let (mostCases, shownFailures) = (500, 100)

    let documents: Documents

    static let routes = [
        Route(.get, "/v1/documents:rules", .role(.admin), .task(\.documentRules, DocumentRules.get)),
        Route(.put, "/v1/documents:rules", .role(.admin), .task(\.documentRules, DocumentRules.put), audit: .rulesStore, most: bodyBytes),
    ]

    /// Returns revisions, newest first.
    func get(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "limit", "after")
        let app = try call.app(in: documents.store)
        let limit = try query.number("limit", 1...100, default: 1)
        let before = try query.cursor("after") ?? Int64.max
        let found = try await documents.store.documents.rules(of: app.id, before: before, limit: limit + 1)
        return .revisions(found, limit: limit)
    }

    /// Checks rules and makes them those of the app, from the next commit on. Test cases beside them must pass.
    func put(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: documents.store)
        let body = try documents.reading(call)
        try body.allow("source", "testSuite", "testCases")
        let source = try body.ruleSource()
        if body["testSuite"] != nil || body["testCases"] != nil { try Self.check(source, by: try Self.cases(try call.json()), app) }
        try documents.requireCapacity(for: app.id)
        let revision = try await Refusal.ofDocuments { try await documents.store.documents.setRules(source, app: app.id, by: call.ruleAuthor) }
        call.audit?.note("revision \(revision.number)")
        return .stored(revision, try Ruleset(source).warnings)
    }

    // MARK: Test cases

    static func cases(_ body: [UInt8]) throws(Refusal) -> [RuleCase] {
        let cases: [RuleCase]
        do throws(RuleCaseError) { cases = try RuleCaseReader.cases(body) } catch {
            // The sentence of a refused field ends with a full stop of its own.
            let reason = error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message
            throw .field("testCases", "invalid", "cannot be read at \(error.position.line):\(error.position.column) of the body: \(reason)")
        }
        guard cases.count <= mostCases else { throw .field("testCases", "too_many", "has more than \(mostCases) cases") }
        return cases
    }

    /// Throws unless each case has the decision that it expects.
    private static func check(_ source: String, by cases: [RuleCase], _ app: App) throws {
        let rules = try Ruleset(new: source).proving(strictly: app.settings.strictRules)
        let failed = cases.enumerated().compactMap { index, test -> Refusal.Field? in
            let result = RuleCaseResult(test: test, decision: test.decide(rules))
            return result.isExpected ? nil : .init("testCases[\(index)]", "failed", "\(test.name): \(result.explanation)")
        }
        if failed.isEmpty { return }
        throw Refusal(
            .invalid, "\(failed.count) of \(cases.count) test cases failed; the rules were not changed.",
            hint: "Correct the rules or the expectations.", fields: Array(failed.prefix(shownFailures)))
    }
}

extension DocumentReading {
    /// Reads `source`, the text of rules.
    func ruleSource() throws(Refusal) -> String {
        guard let source = try text("source") else { throw missing("source") }
        guard source.utf8.count <= DocumentRules.sourceBytes else { throw refuse("source", "has more than \(DocumentRules.sourceBytes) bytes") }
        return source
    }
}

extension Call {
    /// The caller as the author of rules that it sets.
    var ruleAuthor: RuleAuthor {
        let caller = self.caller.audited(from: head.client)
        return RuleAuthor(caller.role, key: caller.key)
    }
}

extension JSONWriter {
    /// Writes an author of rules as an entry of the audit log names a caller.
    ///
    ///     "by":{"role":"admin","key":7}   "by":{"role":"operator"}
    fileprivate mutating func field(_ name: String, _ author: RuleAuthor) {
        key(name)
        beginObject()
        field("role", author.role.rawValue)
        if author.key != 0 { field("key", author.key) }
        endObject()
    }
}

extension HandlerResponse {
    private static let shownWarnings = 100

    /// The answer to rules that were set, with the warnings that `rules check` prints.
    static func stored(_ revision: RuleRevision, _ warnings: [RuleFault]) -> HandlerResponse {
        .response(
            .json { json in
                json.beginObject()
                json.field("revision", revision.number)
                if !warnings.isEmpty {
                    json.key("warnings")
                    json.beginArray()
                    for warning in warnings.prefix(shownWarnings) {
                        json.beginObject()
                        json.field("line", warning.place.line)
                        json.field("column", warning.place.column)
                        json.field("message", warning.message)
                        json.endObject()
                    }
                    json.endArray()
                }
                json.endObject()
            })
    }

    /// A page of revisions of rules, newest first.
    ///
    /// - Parameter found: One more than the limit if there is a next page.
    static func revisions(_ found: [RuleRevision], limit: Int) -> HandlerResponse {
        .response(
            .json { json in
                json.beginObject()
                json.key("items")
                json.beginArray()
                for revision in found.prefix(limit) {
                    json.beginObject()
                    json.field("revision", revision.number)
                    json.field("at", revision.at.rfc3339)
                    if let author = revision.author { json.field("by", author) }
                    json.field("source", revision.source)
                    json.endObject()
                }
                json.endArray()
                if found.count > limit { json.field("next", String(found[limit - 1].number)) }
                json.endObject()
            })
    }
}
