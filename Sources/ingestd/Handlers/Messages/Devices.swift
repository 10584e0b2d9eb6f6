// SPDX-License-Identifier: Apache-2.0

import Delivery
import HTTPServer
import Ingest
import JSON
import MessageStore
import Messaging
import Platform
import AcrossStores

/// Devices: the tokens that messages go to, and where each has them delivered.
///
/// An ingest key is in everybody's hands; with it, whoever has a token may do what its device may.
enum Devices {
    @Sendable static func register(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.appOfDevices(daemon)
        let request = try daemon.messages.registration(call.json())
        let draft = try draft(request, for: app, by: call.caller)
        let made = try await daemon.store.messages.register(app: app.id, draft, isTrusted: call.caller.isTrusted)
        // Who brought a secret knows it.
        let secret = draft.secret == nil ? made.secret : nil
        return .response(
            .json(status: made.isNew ? 201 : 200) { json in
                json.beginObject()
                json.field("token", made.registration.token)
                if let secret { json.field("secret", secret.verificationText) }
                json.field("state", made.registration.state.name)
                json.endObject()
            })
    }

    @Sendable static func list(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let query = try call.query()
        try query.allow("app", "user", "installation", "limit", "after")
        let app = try call.app(in: daemon.store)
        let limit = try query.number("limit", 1...1_000, default: 100)
        let found = try await daemon.store.messages.registrations(
            app: app.id, user: try query.one("user"), installation: try query.one("installation"), after: try query.cursor("after") ?? 0,
            limit: limit + 1)
        let view = call.caller.view
        return .page(found, limit: limit, cursor: { String($0.id) }) { json, registration in
            json.beginObject()
            json.write(registration, view)
            json.endObject()
        }
    }

    @Sendable static func show(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.onlyApp(in: daemon.store)
        let registration = try await daemon.store.messages.registration(app: app.id, token: call.parameter("token"))
        let topics = try await daemon.store.messages.topics(ofRegistration: registration.id)
        let view = call.caller.view
        return .response(
            .json { json in
                json.beginObject()
                json.write(registration, view)
                json.key("topics")
                json.beginArray()
                for topic in topics { json.string(topic) }
                json.endArray()
                json.endObject()
            })
    }

    @Sendable static func change(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.appOfDevices(daemon)
        let token = call.parameter("token")
        let request = try daemon.messages.change(ofDevice: token, call.json())
        let draft = try draft(request, for: app, by: call.caller)
        let changed = try await daemon.store.messages.update(app: app.id, token: token, draft, isTrusted: call.caller.isTrusted)
        let secret = draft.secret == nil ? changed.secret : nil
        return .response(
            .json { json in
                json.beginObject()
                json.write(changed.registration, .whole)
                if let secret { json.field("secret", secret.verificationText) }
                json.endObject()
            })
    }

    @Sendable static func remove(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        try call.query().allow("app")
        try call.charge(1, daemon)
        try await daemon.store.messages.remove(app: try call.app(in: daemon.store).id, token: call.parameter("token"))
        return .response(HTTPResponse(status: 204))
    }

    // MARK: Secrets

    @Sendable static func rotateSecret(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.appOfDevices(daemon)
        try requireWebhooks(for: app, by: call.caller)
        return answer(try await daemon.store.messages.rotateSecret(app: app.id, token: call.parameter("token")))
    }

    /// The secret that signs for an app's webhooks that have none of their own.
    @Sendable static func rotateAppSecret(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.onlyApp(in: daemon.store)
        let scheme = try daemon.messages.scheme(call.json()) ?? .symmetric
        return answer(try await daemon.store.messages.rotateAppSecret(app.id, scheme))
    }

    private static func answer(_ key: SigningKey) -> HTTPAnswer {
        .response(
            .json { json in
                json.beginObject()
                json.field("secret", key.verificationText)
                json.endObject()
            })
    }

    // MARK: What a key may ask for

    private static func draft(_ request: DeviceRequest, for app: App, by caller: Caller) throws(Refusal) -> RegistrationDraft {
        var draft = request.draft
        if case .webhook = draft.endpoint { try requireWebhooks(for: app, by: caller) }
        if let secret = request.secret { draft.secret = try SigningKey(secret: secret) }
        return draft
    }

    private static func requireWebhooks(for app: App, by caller: Caller) throws(Refusal) {
        guard !caller.isTrusted, !app.settings.clientWebhooks else { return }
        throw Refusal(
            .forbidden, "This app does not let ingest keys register webhooks.",
            hint: "Register a stream, use a key with the role send, or set client_webhooks to true.")
    }
}

extension Caller {
    /// Whether what it registers need not prove itself, and what it subscribes to may be one of the daemon's own topics.
    var isTrusted: Bool { role != .ingest }

    /// Who may only read could do with a token what its device may, so it is not told whole.
    var view: DeviceView { role == .read ? .masked : .whole }
}

extension Call {
    /// The app whose devices are changed; the changes of an ingest key count against its rate like events.
    func appOfDevices(_ daemon: Daemon) throws(Refusal) -> App {
        try query().allow("app")
        try daemon.requireDisk()
        try charge(1, daemon)
        return try app(in: daemon.store)
    }

    /// What an ingest key has done counts against its rate like events.
    func charge(_ changes: Int, _ daemon: Daemon) throws(Refusal) {
        if !caller.isTrusted { try daemon.rates.take(changes, caller, at: daemon.clock.now()) }
    }
}
