// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import CrashStore
import Crashes
import Events
import HTTPServer
import Platform

/// Crash issues of an app with their crashes, states and notes.
struct Issues: Sendable {
    let store: Stores
    let clock: WallClock
    let log: Log

    static let routes = [
        Route(.get, "/v1/issues", .role(.read), .task(\.issues, Issues.list)),
        Route(.patch, "/v1/issues", .role(.admin), .task(\.issues, Issues.changeMany), audit: .issueChange),
        Route(.delete, "/v1/issues", .role(.admin), .task(\.issues, Issues.removeMany), audit: .issueDelete),
        Route(.get, "/v1/issues/{id}", .role(.read), .task(\.issues, Issues.show)),
        Route(.get, "/v1/issues/{id}/events", .role(.read), .task(\.issues, Issues.events)),
        Route(.get, "/v1/issues/{id}/events/{event}", .role(.read), .task(\.issues, Issues.event)),
        Route(.patch, "/v1/issues/{id}", .role(.admin), .task(\.issues, Issues.change), audit: .issueChange),
        Route(.delete, "/v1/issues/{id}", .role(.admin), .task(\.issues, Issues.remove), audit: .issueDelete),
        Route(.post, "/v1/issues/regroup", .role(.admin), .task(\.issues, Issues.regroup), audit: .issueRegroup),
        Route(.post, "/v1/issues/{id}/merge", .role(.admin), .task(\.issues, Issues.merge), audit: .issueMerge),
        Route(.post, "/v1/issues/{id}/split", .role(.admin), .task(\.issues, Issues.split), audit: .issueSplit),
        Route(.post, "/v1/issues/{id}/notes", .role(.admin), .task(\.issues, Issues.note), audit: .issueNote),
    ]

    func list(_ call: Call) async throws -> HandlerResponse {
        let parameters = try call.query()
        try parameters.allow(
            "app", "state", "kind", "release", "first_release", "environment", "tag", "user", "assignee", "from", "to", "text", "sort", "limit",
            "after")
        var query = IssueQuery(app: try call.app(in: store).id)
        if let state = try parameters.word("state", IssueState.self) { query.states = [state] }
        if let kind = try parameters.word("kind", CrashKind.self) { query.kinds = [kind] }
        query.release = try parameters.shortText("release")
        query.firstRelease = try parameters.shortText("first_release")
        query.report = try parameters.reportFilter()
        query.text = try parameters.shortText("text")
        query.assignee = try parameters.shortText("assignee")
        query.person = try parameters.shortText("user")
        query.seenSince = try parameters.moment("from", now: clock.now())
        query.seenBefore = try parameters.moment("to", now: clock.now())
        query.order = try parameters.choice("sort", default: .lastSeen)
        query.limit = try parameters.number("limit", 1...1_000, default: 100)
        query.after = try parameters.issueCursor("after")
        let (items, next) = try await store.crashes.issues(query)
        return try .json(Page(items: items.map(IssueResponse.init), next: next.map { "\($0.value).\($0.row)" }))
    }

    func show(_ call: Call) async throws -> HandlerResponse {
        try call.query().allow("app")
        return try await response(call.parameter("id"), call)
    }

    func change(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        let update = try IssueUpdate(Body(call.json()), now: clock.now())
        let issue = try await store.crashes.update(call.parameter("id"), app: app.id, to: update)
        logChange(of: issue, named: call.parameter("id"), update, by: call)
        return try await response(call.parameter("id"), call)
    }

    func remove(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        try await store.crashes.removeIssue(call.parameter("id"), app: app.id)
        logDeletion(of: call.parameter("id"), by: call)
        return .noContent
    }

    func merge(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        let body = try Body(call.json())
        try body.allow("issues")
        let others = try body.texts("issues")
        guard !others.isEmpty else { throw Refusal.field("issues", "missing", "must name at least one issue") }
        let done = try await store.crashes.merge(others, into: call.parameter("id"), app: app.id)
        for (issue, name) in zip(done.merged, others) where !issue.utf8.elementsEqual(done.target.utf8) {
            logMerge(of: issue, named: name, into: done.target, by: call)
        }
        return try await response(call.parameter("id"), call)
    }

    /// The number of issues that one request regroups.
    private static let regroupedAtOnce = 200

    /// Divides issues by the newest grouping rule, a transaction each. `dry_run`, in the query or the body, only shows what would change.
    func regroup(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "dry_run", "after")
        let app = try call.app(in: store)
        let dryRun = try call.isDryRun(query)
        if dryRun { call.audit?.note("dry run") }
        var (row, items): (Int64, [RegroupedIssueResponse]) = (try query.cursor("after") ?? 0, [])
        for _ in 0..<Issues.regroupedAtOnce {
            guard let step = try await store.crashes.regroup(app.id, after: row, dryRun: dryRun) else { return try .json(Page(items: items)) }
            row = step.row
            if let change = step.change { items.append(RegroupedIssueResponse(change)) }
        }
        return try .json(Page(items: items, next: String(row)))
    }

    func split(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        let body = try Body(call.json())
        try body.allow("variant")
        guard let grouping = Int64(try body.text("variant")) else {
            throw Refusal.field("variant", "unknown", "must be the ID of one of its variants")
        }
        let made = try await store.crashes.split(grouping, from: call.parameter("id"), app: app.id)
        logSplit(of: call.parameter("id"), made: made, by: call)
        return try await response(made, call)
    }

    func note(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        let body = try Body(call.json())
        try body.allow("text", "author")
        let text = try body.text("text"), author = try body.optionalText("author")
        guard (1...4_000).contains(text.unicodeScalars.count) else { throw Refusal.field("text", "bad_text", "must have 1 to 4,000 characters") }
        if let author, !(1...100).contains(author.unicodeScalars.count) { throw Refusal.field("author", "bad_text", "must have 1 to 100 characters") }
        try await store.crashes.note(text, by: author, on: call.parameter("id"), app: app.id)
        return try await response(call.parameter("id"), call)
    }

    private func response(_ id: String, _ call: Call) async throws -> HandlerResponse {
        let app = try call.app(in: store)
        let issue = try await store.crashes.issue(id, app: app.id, days: 30)
        return try .json(IssueResponse(issue))
    }

    // MARK: Crashes

    func events(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "variant", "release", "environment", "tag", "limit", "after")
        let app = try call.app(in: store)
        let limit = try query.number("limit", 1...1_000, default: 100)
        var wanted = CrashQuery(limit: limit + 1)
        wanted.grouping = try query.variant("variant")
        wanted.release = try query.shortText("release")
        wanted.report = try query.reportFilter()
        wanted.after = try query.crashCursor("after")
        let found = try await store.crashes.events(of: call.parameter("id"), app: app.id, wanted)
        let attachments = try await store.crashes.attachments(of: found.map(\.row))
        return try .page(found, limit: limit, cursor: { "\($0.time.milliseconds).\($0.row)" }) { CrashResponse($0, attachments[$0.row]) }
    }

    func event(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        let issue = try await store.crashes.issue(call.parameter("id"), app: app.id, days: 1)
        var id = call.parameter("event")
        if id == "latest" {
            var query = CrashQuery(limit: 1)
            query.onlyWhole = true
            let newest = try await store.crashes.events(of: issue.summary.id, app: app.id, query)
            guard let crash = newest.first else { throw Refusal.noReport }
            id = crash.id
        }
        guard let (crash, payload) = try await store.crashes.crash(id, app: app.id), crash.issue == issue.summary.id else {
            throw Refusal.noReport
        }
        // The preceding events are left out if they cannot be read in time; the report matters more.
        let before = try? await store.events(before: crash, app: app)
        let attachments = try await store.crashes.attachments(of: [crash.row])[crash.row]
        return try .json(CrashResponse(crash, attachments, report: payload, before: before))
    }
}

extension Call {
    /// Whether the query or the body says `dry_run`. An empty body is allowed.
    fileprivate func isDryRun(_ query: QueryString) throws(Refusal) -> Bool {
        let inQuery = try query.flag("dry_run")
        let bytes = try json()
        if bytes.isEmpty { return inQuery }
        let body = try Body(bytes)
        try body.allow("dry_run")
        let inBody = try body.flag("dry_run") ?? false
        return inQuery || inBody
    }
}

extension Refusal {
    fileprivate static var noReport: Refusal {
        Refusal(.notFound, "There is no such crash of this issue.", hint: "GET /v1/issues/{id}/events lists all crashes of an issue.")
    }
}

extension QueryString {
    fileprivate func shortText(_ name: String) throws(Refusal) -> String? {
        guard let text = try one(name) else { return nil }
        guard text.unicodeScalars.count <= 200 else { throw .field(name, "bad_text", "may have at most 200 characters") }
        return text
    }

    /// The environment, and tags as `plan:pro`.
    fileprivate func reportFilter() throws(Refusal) -> ReportFilter {
        var filter = ReportFilter()
        filter.environment = try shortText("environment")
        filter.tags = try all("tag", atMost: 5)
        for tag in filter.tags {
            guard tag.utf8.count <= 2_100 else { throw .field("tag", "bad_text", "may have at most 2,100 bytes") }
            guard let colon = tag.utf8.firstIndex(of: UInt8(ascii: ":")), colon > tag.startIndex else {
                throw .field("tag", "bad_text", "must be a name and a value as in plan:pro")
            }
        }
        return filter
    }

    fileprivate func issueCursor(_ name: String) throws(Refusal) -> IssueQuery.Cursor? {
        try place(name).map { IssueQuery.Cursor(value: $0.0, row: $0.1) }
    }

    fileprivate func crashCursor(_ name: String) throws(Refusal) -> (time: Timestamp, row: Int64)? {
        try place(name).map { (Timestamp(milliseconds: $0.0), $0.1) }
    }

    fileprivate func variant(_ name: String) throws(Refusal) -> Int64? {
        guard let text = try one(name) else { return nil }
        guard let number = Int64(text) else { throw .field(name, "unknown", "must be the ID of one of its variants") }
        return number
    }
}
