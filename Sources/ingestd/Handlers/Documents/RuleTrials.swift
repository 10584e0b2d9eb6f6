// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import Database
import DocumentRequests
import DocumentStore
import EventStore
import Events
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
        guard let rules = try await rules(of: body, app.id)?.proving(strictly: app.settings.strictRules) else { throw Self.noRules }
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

    /// Returns the decisions of the newest rules by statement and collection, and the denials by kind.
    func denials(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: documents.store)
        return try .json(DocumentDenialsResponse(try await documents.store.documents.ruleFigures(of: app.id)))
    }
}

extension DocumentDenialsResponse {
    fileprivate init(_ found: (statements: [RulePlace], figures: RuleFigures)?) {
        let figures = found?.figures
        self.init(
            revision: figures.map { Int($0.revision) }, since: figures.map { Moment($0.since) },
            statements: (found?.statements ?? []).map { place in
                RuleStatementDecisions(line: place.line, column: place.column, allowed: figures?.allowed[place] ?? 0)
            },
            collections: (figures?.collections ?? []).map { Collection(collection: $0.id, allowed: $0.allowed, denied: $0.denied) },
            items: (figures?.denials ?? []).reversed().map(Denial.init))
    }
}

extension DocumentDenialsResponse.Denial {
    fileprivate init(_ denial: RuleDenial) {
        self.init(
            method: denial.kind.method, collection: denial.kind.collection, line: denial.kind.place?.line, column: denial.kind.place?.column,
            failed: denial.kind.hasFailed, limit: denial.kind.limit?.rawValue, signedIn: denial.kind.isSignedIn, count: denial.count,
            first: Moment(denial.first), last: Moment(denial.last))
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
}
