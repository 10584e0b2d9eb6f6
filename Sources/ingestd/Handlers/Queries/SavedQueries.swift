// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import EventStore
import Events
import HTTPServer
import Ingest
import JSON
import Platform

/// Queries and cohorts under a name: stored, listed and, queries, run.
struct SavedQueries: Sendable {
    let store: Stores
    let clock: WallClock
    let log: Log

    static let routes: [Route] =
        common("/v1/saved-queries", .query) + common("/v1/cohorts", .cohort) + [
            Route(.put, "/v1/cohorts/{name}", .role(.admin), .task(\.savedQueries, SavedQueries.saveCohort), audit: .cohortStore),
            Route(.put, "/v1/saved-queries/{name}", .role(.admin), .task(\.savedQueries, SavedQueries.saveQuery), audit: .queryStore),
            Route(.get, "/v1/saved-queries/{name}/result", .role(.read), .task(\.savedQueries, SavedQueries.run)),
        ]

    /// The routes of a list that do not depend on its kind.
    private static func common(_ path: String, _ kind: SavedList) -> [Route] {
        [
            Route(.get, path, .role(.read), .task { try await $0.savedQueries.list(kind, $1) }),
            Route(.get, path + "/{name}", .role(.read), .task { try await $0.savedQueries.show(kind, $1) }),
            Route(
                .delete, path + "/{name}", .role(.admin), .task { try await $0.savedQueries.delete(kind, $1) },
                audit: kind == .cohort ? .cohortDelete : .queryDelete),
        ]
    }

    private func list(_ kind: SavedList, _ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "limit", "after")
        let app = try call.app(in: store)
        let limit = try query.number("limit", 1...1_000, default: 100)
        let after = try query.one("after") ?? ""
        let found = try await store.events.saved(in: kind, of: app.id, after: after, limit: limit + 1)
        return try .page(found, limit: limit, cursor: \.name) { SavedQueryResponse($0) }
    }

    private func show(_ kind: SavedList, _ call: Call) async throws -> HandlerResponse {
        try call.query().allow("app")
        return try .json(SavedQueryResponse(try await found(kind, call, of: call.app(in: store))))
    }

    private func delete(_ kind: SavedList, _ call: Call) async throws -> HandlerResponse {
        try call.query().allow("app")
        let name = call.parameter("name")
        guard try await store.events.deleteSaved(name, from: kind, of: call.app(in: store).id) else { throw SavedQueries.notFound(kind) }
        logged(kind == .cohort ? "cohort deleted" : "query deleted", name, call)
        return .noContent
    }

    func saveQuery(_ call: Call) async throws -> HandlerResponse {
        try call.query().allow("app")
        let app = try call.app(in: store)
        let body = try Body(call.json())
        try body.allow("query", "parameters")
        guard let query = QueryName(rawValue: try body.text("query")) else {
            throw Refusal.field("query", "unknown", "must be one of \(QueryName.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        let parameters = try body.definition("parameters")
        _ = try await self.query(query, parameters, app)
        return try await save(.query(query), parameters, call, of: app)
    }

    /// The body is the definition itself.
    func saveCohort(_ call: Call) async throws -> HandlerResponse {
        try call.query().allow("app")
        let app = try call.app(in: store)
        let body = try Body(call.json())
        _ = try Cohort(QueryParameters(body.parameters(of: Cohort.fields), settings: app.settings, now: clock.now()))
        return try await save(.cohort, body.compact("filter"), call, of: app)
    }

    private func save(_ kind: SavedDefinition.Kind, _ parameters: [UInt8], _ call: Call, of app: App) async throws -> HandlerResponse {
        let name = call.parameter("name")
        try SavedDefinition.check(name)
        let saved = try await store.events.save(SavedDefinition(kind, name: name, parameters: parameters, at: clock.now()), of: app.id)
        logged(kind == .cohort ? "cohort saved" : "query saved", name, call)
        return try .json(SavedQueryResponse(saved.definition), status: saved.isNew ? 201 : 200)
    }

    /// Runs a query with the current time and settings.
    func run(_ call: Call) async throws -> HandlerResponse {
        try call.query().allow("app")
        let app = try call.app(in: store)
        let saved = try await found(.query, call, of: app)
        guard case .query(let name) = saved.kind else { throw SavedQueries.notFound(.query) }
        return try .json(try await store.result(of: try await query(name, saved.parameters, app), app: app.id))
    }

    private func found(_ kind: SavedList, _ call: Call, of app: App) async throws -> SavedDefinition {
        guard let found = try await store.events.saved(call.parameter("name"), in: kind, of: app.id) else { throw SavedQueries.notFound(kind) }
        return found
    }

    private static func notFound(_ kind: SavedList) -> Refusal {
        Refusal(.notFound, "There is no \(kind == .query ? "saved query" : "cohort") of this name.", hint: "GET lists them, PUT stores one.")
    }

    private func query(_ name: QueryName, _ parameters: [UInt8], _ app: App) async throws -> Query {
        try await store.query(name, app, now: clock.now()) { () throws(Refusal) in try Body(parameters).parameters(of: name) }
    }

    private func logged(_ text: StaticString, _ name: String, _ call: Call) {
        log.info(text, ["id": .text("\(call.head.id)"), "by": .text(call.caller.name), "name": .text(name)])
    }
}

extension SavedQueryResponse {
    fileprivate init(_ saved: SavedDefinition) {
        let query: String? = if case .query(let name) = saved.kind { name.rawValue } else { nil }
        self.init(
            name: saved.name, query: query, parameters: .json(saved.parameters), createdAt: Moment(saved.created), changedAt: Moment(saved.changed))
    }
}

extension Body {
    /// Returns a member that is an object, as compact JSON; an empty object without the member.
    fileprivate func definition(_ name: String) throws(Refusal) -> [UInt8] {
        guard let index = values.first(where: { $0.name == name })?.index else { return Array("{}".utf8) }
        guard tape[index].kind == .object else { throw .field(name, "wrong_type", "must be an object with the parameters of the query") }
        return try Body(tape, at: index).compact(name, at: index)
    }

    /// Returns the object as compact JSON. `name` is the field of the refusal.
    fileprivate func compact(_ name: String, at index: Int = 0) throws(Refusal) -> [UInt8] {
        var json = JSONWriter()
        try json.compact(index, of: tape)
        guard json.bytes.count <= SavedDefinition.byteLimit else {
            throw .field(name, "too_long", "must have at most \(SavedDefinition.byteLimit) bytes")
        }
        return json.bytes
    }
}
