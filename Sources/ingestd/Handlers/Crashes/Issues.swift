// SPDX-License-Identifier: Apache-2.0

import CrashStore
import Crashes
import Events
import HTTPServer
import JSON
import Platform
import AcrossStores

/// What goes wrong in an app: its issues, their crashes, and what people say of them.
enum Issues {
    @Sendable static func list(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let asked = try call.query()
        try asked.allow("app", "state", "kind", "release", "text", "sort", "limit", "after")
        var query = IssueQuery(app: try call.app(in: daemon.store).id)
        if let state = try asked.word("state", IssueState.self) { query.states = [state] }
        if let kind = try asked.word("kind", CrashKind.self) { query.kinds = [kind] }
        query.release = try asked.shortText("release")
        query.text = try asked.shortText("text")
        query.order = try asked.choice("sort", default: .lastSeen)
        query.limit = try asked.number("limit", 1...1_000, default: 100)
        query.after = try asked.issueCursor("after")
        let (items, next) = try await daemon.store.crashes.issues(query)
        return .response(
            .json { json in
                json.beginObject()
                json.key("items")
                json.beginArray()
                for item in items {
                    json.beginObject()
                    json.write(item)
                    json.endObject()
                }
                json.endArray()
                if let next { json.field("next", "\(next.value).\(next.row)") }
                json.endObject()
            })
    }

    @Sendable static func show(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        try call.query().allow("app")
        return try await answer(call.parameter("id"), daemon, call)
    }

    @Sendable static func change(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.onlyApp(in: daemon.store)
        let change = try IssueChange(Body(call.json()), now: daemon.clock.now())
        try await daemon.store.crashes.change(call.parameter("id"), app: app.id, to: change)
        return try await answer(call.parameter("id"), daemon, call)
    }

    @Sendable static func merge(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.onlyApp(in: daemon.store)
        let body = try Body(call.json())
        try body.allow("issues")
        let others = try body.texts("issues")
        guard !others.isEmpty else { throw Refusal.field("issues", "missing", "must name at least one issue") }
        try await daemon.store.crashes.merge(others, into: call.parameter("id"), app: app.id)
        return try await answer(call.parameter("id"), daemon, call)
    }

    @Sendable static func split(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.onlyApp(in: daemon.store)
        let body = try Body(call.json())
        try body.allow("variant")
        guard let grouping = Int64(try body.text("variant")) else {
            throw Refusal.field("variant", "unknown", "must be the id of one of its variants")
        }
        let made = try await daemon.store.crashes.split(grouping, from: call.parameter("id"), app: app.id)
        return try await answer(made, daemon, call)
    }

    @Sendable static func note(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.onlyApp(in: daemon.store)
        let body = try Body(call.json())
        try body.allow("text", "author")
        let text = try body.text("text"), author = try body.optionalText("author")
        guard (1...4_000).contains(text.unicodeScalars.count) else { throw Refusal.field("text", "bad_text", "must have 1 to 4,000 characters") }
        if let author, !(1...100).contains(author.unicodeScalars.count) { throw Refusal.field("author", "bad_text", "must have 1 to 100 characters") }
        try await daemon.store.crashes.note(text, by: author, on: call.parameter("id"), app: app.id)
        return try await answer(call.parameter("id"), daemon, call)
    }

    private static func answer(_ id: String, _ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.app(in: daemon.store)
        let issue = try await daemon.store.crashes.issue(id, app: app.id, days: 30)
        return .response(.json { $0.write(issue) })
    }

    // MARK: Crashes

    @Sendable static func events(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let query = try call.query()
        try query.allow("app", "variant", "limit", "after")
        let app = try call.app(in: daemon.store)
        let limit = try query.number("limit", 1...1_000, default: 100)
        let found = try await daemon.store.crashes.events(
            of: call.parameter("id"), app: app.id, grouping: try query.variant("variant"), after: try query.crashCursor("after"), limit: limit + 1)
        return .page(found, limit: limit, cursor: { "\($0.time.milliseconds).\($0.row)" }) { json, crash in
            json.beginObject()
            json.write(crash)
            json.endObject()
        }
    }

    @Sendable static func event(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.onlyApp(in: daemon.store)
        let issue = try await daemon.store.crashes.issue(call.parameter("id"), app: app.id, days: 1)
        var id = call.parameter("event")
        if id == "latest" {
            let newest = try await daemon.store.crashes.events(of: issue.summary.id, app: app.id, onlyWhole: true, limit: 1)
            guard let crash = newest.first else { throw Refusal.noReport }
            id = crash.id
        }
        guard let (crash, payload) = try await daemon.store.crashes.crash(id, app: app.id), crash.issue == issue.summary.id else {
            throw Refusal.noReport
        }
        // What cannot be read in time is left out: the report is what was asked for.
        let before = try? await daemon.store.events(before: crash, app: app)
        return .response(
            .json { json in
                json.beginObject()
                json.write(crash)
                if let payload {
                    json.key("report")
                    json.raw(payload[...])
                }
                if let before {
                    json.key("before")
                    json.beginArray()
                    for event in before { json.raw(event.json[...]) }
                    json.endArray()
                }
                json.endObject()
            })
    }
}

extension Refusal {
    fileprivate static var noReport: Refusal {
        Refusal(.notFound, "There is no such crash of this issue.", hint: "GET /v1/issues/{id}/events lists those there are.")
    }
}

extension QueryString {
    fileprivate func shortText(_ name: String) throws(Refusal) -> String? {
        guard let text = try one(name) else { return nil }
        guard text.unicodeScalars.count <= 200 else { throw .field(name, "bad_text", "may have 200 characters") }
        return text
    }

    fileprivate func issueCursor(_ name: String) throws(Refusal) -> IssueQuery.Cursor? {
        try place(name).map { IssueQuery.Cursor(value: $0.0, row: $0.1) }
    }

    fileprivate func crashCursor(_ name: String) throws(Refusal) -> (time: Timestamp, row: Int64)? {
        try place(name).map { (Timestamp(milliseconds: $0.0), $0.1) }
    }

    fileprivate func variant(_ name: String) throws(Refusal) -> Int64? {
        guard let text = try one(name) else { return nil }
        guard let number = Int64(text) else { throw .field(name, "unknown", "must be the id of one of its variants") }
        return number
    }
}
