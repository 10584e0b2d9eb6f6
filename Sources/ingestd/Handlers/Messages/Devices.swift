// SPDX-License-Identifier: Apache-2.0

import API
import AccountStore
import Accounts
import AcrossStores
import Delivery
import Events
import HTTPServer
import Ingest
import MessageStore
import Messaging
import Platform

/// Registrations (API: devices): tokens that messages are addressed to, each with its endpoint.
///
/// An ingest key is public. With it, possession of a token proves that the caller is the device.
struct Devices: Sendable {
    let store: Stores
    let decoder: NativeMessages
    let limits: DeviceLimits
    let configuration: LiveConfiguration

    static let routes = [
        Route(.post, "/v1/devices", .roles([.ingest, .send]), .task(\.messaging.devices, Devices.register)),
        Route(.get, "/v1/devices", .roles([.read, .send]), .task(\.messaging.devices, Devices.list)),
        Route(.get, "/v1/devices/{token}", .roles([.ingest, .read, .send]), .task(\.messaging.devices, Devices.show)),
        Route(.put, "/v1/devices/{token}", .roles([.ingest, .send]), .task(\.messaging.devices, Devices.change)),
        Route(.delete, "/v1/devices/{token}", .roles([.ingest, .send]), .task(\.messaging.devices, Devices.remove)),
        Route(.post, "/v1/devices/{token}/rotate-secret", .roles([.ingest, .send]), .task(\.messaging.devices, Devices.rotateSecret)),
        Route(.post, "/v1/app/webhook-secret", .role(.send), .task(\.messaging.devices, Devices.rotateAppSecret), audit: .webhookSecretRotate),
    ]

    func register(_ call: Call) async throws -> HandlerResponse {
        let app = try limits.admit(call, in: store)
        let request = try decoder.registration(call.json())
        let draft = try draft(request, for: app, by: call.caller)
        let made = try await limits.rates.quotas.counting(app.id) {
            try await store.messages.register(app: app.id, draft, isTrusted: call.caller.isTrusted, if: whileSignedIn(call.caller))
        }
        // A client that sent a secret knows it.
        let secret = draft.secret == nil ? made.secret : nil
        return try .json(
            RegistrationResponse(token: made.registration.token, secret: secret?.verificationText, state: made.registration.state),
            status: made.isNew ? 201 : 200)
    }

    func list(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "user", "installation", "limit", "after")
        let app = try call.app(in: store)
        let limit = try query.number("limit", 1...1_000, default: 100)
        let found = try await store.messages.registrations(
            app: app.id, user: try query.one("user"), installation: try query.one("installation"), after: try query.cursor("after") ?? 0,
            limit: limit + 1)
        let view = call.caller.view
        return try .page(found, limit: limit, cursor: { String($0.id) }) { DeviceResponse($0, view) }
    }

    func show(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        let registration = try await store.messages.registration(app: app.id, token: call.parameter("token"))
        let topics = try await store.messages.topics(ofRegistration: registration.id)
        var response = DeviceResponse(registration, call.caller.view)
        response.topics = topics
        return try .json(response)
    }

    func change(_ call: Call) async throws -> HandlerResponse {
        let app = try limits.admit(call, in: store)
        let token = call.parameter("token")
        let request = try decoder.change(ofDevice: token, call.json())
        let draft = try draft(request, for: app, by: call.caller)
        let changed = try await store.messages.update(
            app: app.id, token: token, draft, isTrusted: call.caller.isTrusted, if: whileSignedIn(call.caller))
        let secret = draft.secret == nil ? changed.secret : nil
        var response = DeviceResponse(changed.registration, .whole)
        response.secret = secret?.verificationText
        return try .json(response)
    }

    func remove(_ call: Call) async throws -> HandlerResponse {
        try call.query().allow("app")
        try limits.charge(1, call)
        try await store.messages.remove(app: try call.app(in: store).id, token: call.parameter("token"))
        return .noContent
    }

    // MARK: Secrets

    func rotateSecret(_ call: Call) async throws -> HandlerResponse {
        let app = try limits.admit(call, in: store)
        try Devices.requireWebhooks(for: app, by: call.caller)
        return try .json(SecretResponse(secret: try await store.messages.rotateSecret(app: app.id, token: call.parameter("token")).verificationText))
    }

    /// The secret that signs for webhooks without one of their own.
    func rotateAppSecret(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        let scheme = try decoder.scheme(call.json()) ?? .symmetric
        return try .json(SecretResponse(secret: try await store.messages.rotateAppSecret(app.id, scheme).verificationText))
    }

    // MARK: Permissions

    private func draft(_ request: DeviceRequest, for app: App, by caller: Caller) throws(Refusal) -> RegistrationDraft {
        var draft = request.draft
        if case .webhook(let url) = draft.endpoint {
            try Devices.requireWebhooks(for: app, by: caller)
            try configuration.now.sender.destinations.require(url)
        }
        try caller.prove(&draft, in: app)
        if let secret = request.secret { draft.secret = try SigningKey(secret: secret) }
        return draft
    }

    /// A check that the session of the caller's ID token has not ended.
    private func whileSignedIn(_ caller: Caller) -> @Sendable () throws -> Void {
        guard case .user(let user) = caller else { return {} }
        let accounts = store.accounts
        return { if accounts.live.end(of: user.session) != nil { throw Refusal.sessionEnded } }
    }

    private static func requireWebhooks(for app: App, by caller: Caller) throws(Refusal) {
        guard !caller.isTrusted, !app.settings.clientWebhooks else { return }
        throw Refusal(
            .forbidden, "This app does not allow ingest keys to register webhooks.",
            hint: "Register a stream, use a key with the role send, or set client_webhooks to true.")
    }
}

extension Caller {
    /// Makes a registration one of the proved user, and rejects one that names a user without the right to.
    fileprivate func prove(_ draft: inout RegistrationDraft, in app: App) throws(Refusal) {
        if case .user(let user) = self { draft.proof = .session(user.session.bytes) }
        if isTrusted { draft.proof = .server }
        switch proof(in: app) {
        case .open: return
        case .missing:
            guard draft.user != nil else { return }
            throw .field("user_id", "user_unproved", "needs an ID token of the user in this app")
        case .user(let uid):
            guard draft.user.map({ $0.hasSameBytes(as: uid) }) ?? true else {
                throw .field("user_id", "user_mismatch", "is not the user of the ID token")
            }
            if !draft.clearsUser { draft.user = uid }
        }
    }

    /// Whether its endpoints need no challenge and it may subscribe to reserved topics.
    var isTrusted: Bool { role != .ingest }

    /// A `read` key sees masked tokens, because a whole token allows changes in the name of its device.
    var view: DeviceView { role == .read ? .masked : .whole }
}

/// The limits of changes to registrations and topics: free disk, and an ingest key's rate, which counts a change like an event.
struct DeviceLimits: Sendable {
    let rates: KeyRates
    let disk: DiskGuard
    let clock: WallClock

    /// Charges one change and returns the app whose registrations the call changes.
    func admit(_ call: Call, in store: Stores) throws(Refusal) -> App {
        try call.query().allow("app")
        try disk.requireFree()
        try charge(1, call)
        return try call.app(in: store)
    }

    func charge(_ changes: Int, _ call: Call) throws(Refusal) {
        if !call.caller.isTrusted { try rates.takeChanges(changes, call.caller, at: clock.now()) }
    }
}
