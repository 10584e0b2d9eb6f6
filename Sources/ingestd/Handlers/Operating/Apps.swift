// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import EventStore
import HTTPServer
import JSON
import Platform
import AcrossStores

extension Daemon {
    /// In production apps in everybody's hands do not say where the daemon posts to, unless somebody allows them.
    var settingsOfNewApps: [(name: String, value: String)] {
        settings.mode == .development ? [("client_webhooks", "true")] : []
    }
}

/// Apps and their settings: each key sees its own, the operator all.
enum Apps {
    @Sendable static func own(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.onlyApp(in: daemon.store)
        let role = call.caller.role
        return answer(app) { json in
            if let role { json.field("role", role.rawValue) }
        }
    }

    @Sendable static func setOwn(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        try await set(try call.app(in: daemon.store), daemon, call)
    }

    @Sendable static func list(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let query = try call.query()
        try query.allow("limit", "after")
        let limit = try query.number("limit", 1...1_000, default: 100)
        let after = try query.cursor("after") ?? 0
        let apps = daemon.store.events.directory.now.apps.values.filter { $0.id.rawValue > after }.sorted { $0.id < $1.id }
        return .page(apps, limit: limit, cursor: { String($0.id.rawValue) }) { json, app in
            json.beginObject()
            json.write(app)
            json.endObject()
        }
    }

    @Sendable static func show(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        answer(try daemon.store.events.app(named: call.parameter("app")))
    }

    /// Makes an app with a key for each role; the keys are shown here and, but for the ingest key, never again.
    @Sendable static func create(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let body = try Body(call.json())
        try body.allow("name")
        let (app, keys) = try await daemon.store.events.createAppWithKeys(named: try body.text("name"), settings: daemon.settingsOfNewApps)
        return answer(app, status: 201) { json in
            json.key("keys")
            json.beginObject()
            for (role, secret) in keys { json.field(role.rawValue, secret) }
            json.endObject()
        }
    }

    /// Renames an app, or changes its settings.
    @Sendable static func change(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try daemon.store.events.app(named: call.parameter("app"))
        let body = try Body(call.json())
        guard body.names == ["name"] else { return try await set(app, daemon, call) }
        return answer(try await daemon.store.events.renameApp(app.id, to: try body.text("name")))
    }

    @Sendable static func delete(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try daemon.store.events.app(named: call.parameter("app")).id
        try await daemon.store.deleteApp(app)
        await daemon.symbols.removeAll(of: app)
        daemon.symbolPieces.forget(app)
        daemon.rates.keep(only: daemon.store.events.directory.now)
        return .response(HTTPResponse(status: 204))
    }

    private static func set(_ app: App, _ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        answer(try await daemon.store.events.setApp(app.id, try Body(call.json()).settings()))
    }

    private static func answer(_ app: App, status: Int = 200, _ more: (inout JSONWriter) -> Void = { _ in }) -> HTTPAnswer {
        .response(
            .json(status: status) { json in
                json.beginObject()
                json.write(app)
                more(&json)
                json.endObject()
            })
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ app: App) {
        field("app", app.id.rawValue)
        field("name", app.name)
        field("created_at", app.created.rfc3339)
        key("settings")
        beginObject()
        for setting in AppSettings.fields {
            key(setting.name)
            write(setting.text(in: app.settings), as: setting.kind)
        }
        endObject()
    }

    private mutating func write(_ text: String, as kind: AppSettings.Field.Kind) {
        switch kind {
        case .number: integer(Int(text) ?? 0)
        case .flag: bool(text == "true")
        case .zone: string(text)
        case .list:
            beginArray()
            for item in text.commaSeparated { string(item) }
            endArray()
        }
    }
}
