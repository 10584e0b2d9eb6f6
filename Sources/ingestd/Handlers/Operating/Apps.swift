// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import AppDirectory
import EventStore
import Events
import HTTPServer
import Platform

extension Configuration {
    /// The settings of new apps. In production an ingest key, which is public, makes neither webhooks nor accounts until somebody allows it.
    var settingsOfNewApps: [(name: String, value: String)] {
        mode == .development
            ? [("client_webhooks", "true"), ("auth_methods", SignInMethod.allCases.map(\.rawValue).joined(separator: ","))] : []
    }
}

/// Apps and their settings: a key sees its own app, the operator all.
struct Apps: Sendable {
    let store: Stores
    let configuration: LiveConfiguration
    let rates: KeyRates
    let symbols: SymbolStorage
    let symbolPieces: SymbolChunks

    static let routes = [
        Route(.get, "/v1/app", .anyKey, .task(\.apps, Apps.own)),
        Route(.patch, "/v1/app", .role(.admin), .task(\.apps, Apps.setOwn), audit: .appChange),
        Route(.get, "/v1/apps", .operatorOnly, .task(\.apps, Apps.list)),
        Route(.post, "/v1/apps", .operatorOnly, .task(\.apps, Apps.create), audit: .appCreate),
        Route(.get, "/v1/apps/{app}", .operatorOnly, .task(\.apps, Apps.show)),
        Route(.patch, "/v1/apps/{app}", .operatorOnly, .task(\.apps, Apps.change), audit: .appChange),
        Route(.delete, "/v1/apps/{app}", .operatorOnly, .task(\.apps, Apps.delete), audit: .appDelete),
    ]

    func own(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        return try Apps.response(app, role: call.caller.role)
    }

    func setOwn(_ call: Call) async throws -> HandlerResponse {
        try await set(try call.onlyApp(in: store), call)
    }

    func list(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("limit", "after")
        let limit = try query.number("limit", 1...1_000, default: 100)
        let after = try query.cursor("after") ?? 0
        let apps = store.events.directory.now.apps.values.filter { $0.id.rawValue > after }.sorted { $0.id < $1.id }
        return try .page(apps, limit: limit, cursor: { String($0.id.rawValue) }) { AppResponse($0) }
    }

    func show(_ call: Call) async throws -> HandlerResponse {
        try Apps.response(try store.events.app(named: call.parameter("app")))
    }

    /// Creates an app with a key for each role. All keys but the ingest key are shown only in this response.
    func create(_ call: Call) async throws -> HandlerResponse {
        let body = try Body(call.json())
        try body.allow("name")
        let (app, keys) = try await store.events.createAppWithKeys(named: try body.text("name"), settings: configuration.now.settingsOfNewApps)
        call.audit?.note(app.name, app: app.id)
        return try .json(AppResponse(app, keys: Members(keys.map { ($0.role.rawValue, $0.secret) })), status: 201)
    }

    /// Renames an app, or changes its settings.
    func change(_ call: Call) async throws -> HandlerResponse {
        let app = try store.events.app(named: call.parameter("app"))
        let body = try Body(call.json())
        guard body.names == ["name"] else { return try await set(app, call) }
        call.audit?.note("name")
        return try Apps.response(try await store.events.renameApp(app.id, to: try body.text("name")))
    }

    func delete(_ call: Call) async throws -> HandlerResponse {
        let found = try store.events.app(named: call.parameter("app"))
        let app = found.id
        call.audit?.note(found.name)
        try await store.deleteApp(app)
        await symbols.removeAll(of: app)
        symbolPieces.forget(app)
        rates.keep(only: store.events.directory.now)
        return .noContent
    }

    private func set(_ app: App, _ call: Call) async throws -> HandlerResponse {
        let changes = try Body(call.json()).settings()
        for (name, _) in changes where call.caller.role != .operator && AppSettings.field(named: name)?.isForOperator == true {
            throw Refusal(.forbidden, "Only the operator may change \(name).", hint: "Use `ingestd app set` on the daemon's machine.")
        }
        call.audit?.note(changes.map(\.name).joined(separator: ", "))
        let changed = try await store.events.setApp(app.id, changes)
        // A new limit holds at once, not from the next measurement.
        if changes.contains(where: { $0.name == AppQuota.Limit.storage.rawValue }) { try? await store.measureStorage() }
        return try Apps.response(changed)
    }

    private static func response(_ app: App, role: Role? = nil) throws -> HandlerResponse {
        try .json(AppResponse(app, role: role))
    }
}

extension AppResponse {
    fileprivate init(_ app: App, role: Role? = nil, keys: Members<String>? = nil) {
        self.init(
            app: app.id.rawValue, name: app.name, createdAt: Moment(app.created),
            settings: Members(
                (role == .ingest || role == .accounts ? AppSettings.fieldsOfClients : AppSettings.fields).map {
                    ($0.name, SettingValue($0.text(in: app.settings), $0.kind))
                }), role: role, keys: keys)
    }
}

extension SettingValue {
    fileprivate init(_ text: String, _ kind: AppSettings.Field.Kind) {
        switch kind {
        case .number: self = .number(Int(text) ?? 0)
        case .flag: self = .flag(text == "true")
        case .zone, .project, .choice: self = .text(text)
        case .list, .words, .origins: self = .list(text.commaSeparated.map { String($0) })
        }
    }
}
