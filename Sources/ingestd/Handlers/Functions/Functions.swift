// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import AppDirectory
import Delivery
import EventStore
import FunctionStore
import Functions
import HTTPServer
import JSON
import Messaging
import Platform

/// The definitions of functions, for administrators.
struct AppFunctions: Sendable {
    let store: Stores
    let disk: DiskGuard
    let quotas: AppQuotas
    let configuration: LiveConfiguration
    private var sources: TriggerSources { TriggerSources(store: store) }

    static let routes = [
        Route(.get, "/v1/functions", .role(.admin), .task(\.functions, AppFunctions.list)),
        Route(.get, "/v1/functions/{name}", .role(.admin), .task(\.functions, AppFunctions.show)),
        Route(
            .put, "/v1/functions/{name}", .role(.admin), .task(\.functions, AppFunctions.put), audit: .functionStore,
            most: FunctionDefinition.maximumBytes),
        Route(.delete, "/v1/functions/{name}", .role(.admin), .task(\.functions, AppFunctions.delete), audit: .functionDelete),
    ]

    func list(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "limit", "after")
        let app = try call.app(in: store)
        let limit = try query.number("limit", 1...1_000, default: 100)
        let found = try await store.functions.functions(of: app.id, after: query.one("after") ?? "", limit: limit + 1)
        return .response(
            .json { json in
                json.beginObject()
                json.key("items")
                json.beginArray()
                for status in found.prefix(limit) { json.write(status) }
                json.endArray()
                if found.count > limit { json.field("next", found[limit - 1].function.name) }
                json.endObject()
            })
    }

    func show(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        return .response(Self.response(try await store.functions.status(of: try call.function(of: app, in: store))))
    }

    /// Creates or replaces a function. Its secret and its runs stay.
    func put(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        let name = try FunctionName(call.parameter("name"), field: "name")
        call.audit?.note(name.text)
        let definition = try FunctionDefinition(try call.json(), by: call.caller.role == .operator ? .operator : .admin)
        try definition.requireTarget(configuration.now.functionSender.destinations)
        try requireChange(of: store.functions.catalog.function(name.text, app: app.id), by: call.caller)
        for (index, trigger) in definition.triggers.enumerated() {
            if case .event(let event, let filters) = trigger { _ = try TailFilter(event: event, filters, field: "triggers[\(index)].filter") }
        }
        try disk.requireFree()
        try quotas.requireRoom(for: app.id)
        // Read before the commit, so that the function sees every change after it.
        var ends: [SourceCursor] = []
        for kind in Set(definition.triggers.map(\.kind)) where kind != .schedule {
            ends.append(SourceCursor(kind, try await sources.end(of: kind, app.id)))
        }
        let (function, isNew) = try await store.functions.put(name.text, definition, app: app.id, from: ends)
        return .response(Self.response(try await store.functions.status(of: function), status: isNew ? 201 : 200))
    }

    /// Throws if an administrator would replace a program that the operator named.
    private func requireChange(of function: StoredFunction?, by caller: Caller) throws(Refusal) {
        guard caller.role != .operator, function?.hasWorker == true else { return }
        throw Refusal(
            .forbidden, "Only the operator changes a function whose code is a program.",
            hint: "Run ingestd function set on the server, or use another name.",
            fields: [.init("worker", "operator_only", "is set by the operator")])
    }

    func delete(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        let name = call.parameter("name")
        call.audit?.note(name)
        guard try await store.functions.delete(name, app: app.id) else { throw Refusal.noFunction }
        return .noContent
    }

    private static func response(_ status: FunctionStatus, status code: Int = 200) -> HTTPResponse { .json(status: code) { $0.write(status) } }
}

extension Refusal {
    static let noFunction = Refusal(.notFound, "There is no such function.", hint: "`ingestd function ls` and GET /v1/functions list the functions.")
}

extension Call {
    /// The function that the path names.
    func function(of app: App, in store: Stores) throws(Refusal) -> StoredFunction {
        guard let function = store.functions.catalog.function(parameter("name"), app: app.id) else { throw Refusal.noFunction }
        return function
    }
}

extension FunctionDefinition {
    /// Throws unless the function has an address that requests may be sent to, a topic, or a program.
    fileprivate func requireTarget(_ destinations: DestinationPolicy) throws(Refusal) {
        switch target {
        case .address(let url, _): try requireAddress(url, destinations)
        case .topic(let name): _ = try TopicName(name)
        case .worker: break
        }
    }

    private func requireAddress(_ url: String, _ destinations: DestinationPolicy) throws(Refusal) {
        let parsed: WebhookURL
        do { parsed = try WebhookURL(url) } catch {
            throw .field("url", "bad_url", "must be an http or https URL without user and fragment", hint: "Use https://api.example/receipt.")
        }
        guard destinations.mayReach(parsed) else {
            throw .field(
                "url", "address_not_allowed", "must not have a port or an address that is private, reserved or of this machine",
                hint: "The operator can allow ranges: functions.addresses.")
        }
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ status: FunctionStatus) {
        let function = status.function
        beginObject()
        field("name", function.name)
        key("definition")
        function.definition.write(to: &self)
        field("secret", function.key.secretText)
        field("created_at", function.created.rfc3339)
        field("updated_at", function.updated.rfc3339)
        key("runs")
        beginObject()
        for state in RunState.allCases { if let count = status.runs[state] { field(state.name, count) } }
        endObject()
        endObject()
    }
}
