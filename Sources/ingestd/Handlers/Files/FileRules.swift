// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import Database
import DocumentRequests
import DocumentStore
import EventStore
import FileStore
import Files
import HTTPServer
import JSON
import Platform
import Rules

/// The storage rules of an app, for administrators. Every revision is kept.
struct FileRules: Sendable {
    let documents: Documents
    private var store: Stores { documents.store }

    static let routes = [
        Route(.get, "/v1/files-rules", .role(.admin), .task(\.fileRules, FileRules.get)),
        Route(.put, "/v1/files-rules", .role(.admin), .task(\.fileRules, FileRules.put), audit: .fileRulesStore, most: DocumentRules.bodyBytes),
        Route(.post, "/v1/files-rules/test", .role(.admin), .task(\.fileRules, FileRules.test), most: DocumentRules.bodyBytes),
    ]

    /// Returns revisions, newest first.
    func get(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "limit", "after")
        let app = try call.app(in: store)
        let limit = try query.number("limit", 1...100, default: 1)
        let before = try query.cursor("after") ?? Int64.max
        return .revisions(try await store.files.rules(of: app.id, before: before, limit: limit + 1), limit: limit)
    }

    /// Checks rules and makes them those of the app, from the next request on.
    func put(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        let body = try documents.reading(call)
        try body.allow("source")
        let source = try body.ruleSource()
        try store.files.checkCapacity(for: app.id)
        let revision = try await FileRules.reading { try await store.files.setRules(source, app: app.id, by: call.ruleAuthor) }
        call.audit?.note("revision \(revision.number)")
        return .stored(revision, try Ruleset(source, for: .files).warnings)
    }

    static func reading<T>(_ body: () async throws -> T) async throws -> T {
        do { return try await body() } catch let fault as RuleFault { throw Refusal.ofRules(fault) }
    }

    // MARK: Trials

    /// Decides about a request that is not made, by the rules of the body or those of the app. Rules may read the newest documents.
    func test(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        let body = try documents.reading(call)
        try body.allow("source", "path", "method", "auth", "size", "type")
        guard let rules = try await rules(of: body, app.id) else {
            throw Refusal(.notFound, "The app has no rules.", hint: "Send them as `source`, or set them with PUT /v1/files-rules.")
        }
        let decision = try await store.documents.decide(try await trial(body, app), by: rules, app: app.id)
        let line = (decision.allowedBy ?? decision.refusedBy.last)?.line
        return try .json(FileTrialResponse(allowed: decision.isAllowed, line: line, errors: decision.faults.map(\.description)))
    }

    private func rules(of body: DocumentReading, _ app: AppID) async throws -> Ruleset? {
        guard body["source"] != nil else { return try await store.files.newestRules(of: app)?.rules }
        let source = try body.ruleSource()
        return try await FileRules.reading { try Ruleset(new: source, for: .files) }
    }

    /// Reads the request that a trial is about. The file at its path is the one that is there now.
    private func trial(_ body: DocumentReading, _ app: App) async throws -> RuleRequest {
        guard let method = RuleMethodName(rawValue: try body.text("method") ?? "") else {
            throw body.refuse("method", "must be get, list, create, update or delete", code: "unknown")
        }
        guard let path = FilePath(try body.text("path") ?? "") else {
            throw body.refuse("path", "must be the path of a file or a folder", code: "bad_path")
        }
        let (size, type, principal) = (try body.number("size", 0...Int64.max), try body.text("type"), try body.principal("auth"))
        let writes = method == .create || method == .update
        let written = writes ? WrittenFile(path, size: size, details: FileDetails(type: type ?? FileDetails.unknownType)) : nil
        let before = method == .create ? nil : try await store.files.file(path, app: app.id)
        guard let request = RuleRequest(method, path.segments, before, written, in: app, as: principal.auth, at: store.files.now) else {
            throw Refusal(.internalError, "The clock is out of range.", hint: "Set the clock of the machine.")
        }
        return request
    }
}
