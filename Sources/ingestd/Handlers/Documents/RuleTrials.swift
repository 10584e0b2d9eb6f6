// SPDX-License-Identifier: Apache-2.0

import DocumentRequests
import AcrossStores
import DocumentStore
import EventStore
import HTTPServer
import JSON
import Platform
import Rules
import SignalboxDocumentModel

/// Test cases, explanations and counts of what rules decide. Clients never see reasons.
struct RuleTrials: Sendable {
    private static let bodyBytes = 1 << 20

    let documents: Documents

    static let routes = [
        Route(.post, "/v1/documents:rules/test", .role(.admin), .task(\.ruleTrials, RuleTrials.test), most: bodyBytes),
        Route(.post, "/v1/documents:rules/explain", .role(.admin), .task(\.ruleTrials, RuleTrials.explain), most: bodyBytes),
        Route(
            .post, "/v1/documents:rules/shadow", .role(.admin), .task(\.ruleTrials, RuleTrials.beginShadow), audit: .rulesShadow, most: bodyBytes),
        Route(.get, "/v1/documents:rules/shadow", .role(.read), .task(\.ruleTrials, RuleTrials.shadow)),
        Route(.delete, "/v1/documents:rules/shadow", .role(.admin), .task(\.ruleTrials, RuleTrials.endShadow), audit: .rulesShadow),
        Route(.get, "/v1/documents:denials", .role(.read), .task(\.ruleTrials, RuleTrials.denials)),
    ]

    /// Runs test cases with the rules of the body, or with those of the app.
    func test(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: documents.store)
        let body = try documents.reading(call)
        try body.allow("source", "testSuite", "testCases")
        let cases = try DocumentRules.cases(try call.json())
        guard let rules = try await rules(of: body, app.id) else { throw Self.noRules }
        let results = cases.map { RuleCaseResult(test: $0, decision: $0.decide(rules)) }
        return .response(
            .json { json in
                json.beginObject()
                RuleCaseResult.write(results, to: &json)
                json.endObject()
            })
    }

    private static let noRules = Refusal(
        .notFound, "The app has no rules.", hint: "Send them as `source`, or set them with PUT /v1/documents:rules.")

    /// Returns the rules of the body, or the newest ones of the app.
    private func rules(of body: DocumentReading, _ app: AppID) async throws -> Ruleset? {
        if let own = try rules(in: body) { return own }
        guard let source = try await documents.store.documents.rules(of: app, limit: 1).first?.source else { return nil }
        return try? Ruleset(source)
    }

    private func rules(in body: DocumentReading) throws -> Ruleset? {
        guard let source = try body.text("source") else { return nil }
        do throws(RuleFault) { return try Ruleset(new: source) } catch { throw Refusal.ofRules(error) }
    }

    /// Decides about a request with the documents of the app, and shows the value of each expression.
    func explain(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: documents.store)
        let body = try documents.reading(call)
        try body.allow("as", "get", "query", "write", "source")
        let (request, principal, rules) = (try body.explained(), try body.principal(), try rules(in: body))
        let decision = try await Refusal.ofDocuments {
            try await documents.store.documents.explain(request, app: app.id, as: principal, by: rules)
        }
        return .response(
            .json { json in
                json.beginObject()
                json.field("allowed", decision.isAllowed)
                if let place = decision.allowedBy { json.field("allowed_by", place.description) }
                json.field("refused_by", decision.refusedBy.map(\.description))
                json.field("errors", decision.faults.map(\.description))
                json.key("steps")
                json.beginArray()
                for step in decision.steps { json.step(step) }
                json.endArray()
                json.endObject()
            })
    }

    /// Returns how often each statement allowed a request, and the denials of the newest rules by kind, newest first.
    func denials(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: documents.store)
        let found = try await documents.store.documents.ruleFigures(of: app.id)
        return .response(
            .json { json in
                json.beginObject()
                if let (_, figures) = found {
                    json.field("revision", figures.revision)
                    json.field("since", figures.since.rfc3339)
                }
                json.key("statements")
                json.beginArray()
                for place in found?.statements ?? [] { json.statement(place, found?.figures.allowed[place] ?? 0) }
                json.endArray()
                json.key("items")
                json.beginArray()
                for denial in found?.figures.denials.reversed() ?? [] { json.denial(denial) }
                json.endArray()
                json.endObject()
            })
    }
}

extension JSONWriter {
    fileprivate mutating func step(_ step: RuleStep) {
        beginObject()
        field("line", step.place.line)
        field("column", step.place.column)
        field("value", step.value)
        endObject()
    }

    fileprivate mutating func statement(_ place: RulePlace, _ allowed: Int) {
        beginObject()
        field("line", place.line)
        field("column", place.column)
        field("allowed", allowed)
        endObject()
    }

    fileprivate mutating func denial(_ denial: RuleDenial) {
        beginObject()
        field("method", denial.kind.method)
        field("collection", denial.kind.collection)
        if let place = denial.kind.place {
            field("line", place.line)
            field("column", place.column)
        }
        field("failed", denial.kind.hasFailed)
        field("signed_in", denial.kind.isSignedIn)
        field("count", denial.count)
        field("first", denial.first.rfc3339)
        field("last", denial.last.rfc3339)
        endObject()
    }
}
