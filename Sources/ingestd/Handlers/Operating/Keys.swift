// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import AppDirectory
import Crypto
import EventStore
import Events
import HTTPServer
import Platform

/// An app's keys, for the operator.
struct Keys: Sendable {
    let store: Stores
    let rates: KeyRates
    let server: ServerHandle
    let clock: WallClock

    static let routes = [
        Route(.get, "/v1/apps/{app}/keys", .operatorOnly, .task(\.keys, Keys.list)),
        Route(.post, "/v1/apps/{app}/keys", .operatorOnly, .task(\.keys, Keys.create), audit: .keyCreate),
        Route(.post, "/v1/keys/{key}/rotate", .operatorOnly, .task(\.keys, Keys.rotate), audit: .keyRotate),
        Route(.delete, "/v1/apps/{app}/keys/{key}", .operatorOnly, .task(\.keys, Keys.revoke), audit: .keyRevoke),
    ]

    func list(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("limit", "after")
        let app = try store.events.app(named: call.parameter("app"))
        let limit = try query.number("limit", 1...1_000, default: 100)
        let after = try query.cursor("after") ?? 0
        let keys = store.events.directory.now.keys.values.filter { $0.app == app.id && $0.id > after }.sorted { $0.id < $1.id }
        return try .page(keys, limit: limit, cursor: { String($0.id) }) { shown($0) }
    }

    func create(_ call: Call) async throws -> HandlerResponse {
        let app = try store.events.app(named: call.parameter("app"))
        let body = try Body(call.json())
        try body.allow("role", "label", "bundle_ids", "origins", "events_per_minute", "expires_at", "service_account")
        guard let role = Role(rawValue: try body.text("role")), role != .operator else {
            throw Refusal.field("role", "unknown", "must be one of \(Role.ofKeys.map(\.rawValue).joined(separator: ", "))")
        }
        var restrictions = KeyRestrictions()
        restrictions.bundleIDs = try body.texts("bundle_ids")
        restrictions.origins = try Keys.origins(body)
        restrictions.eventsPerMinute = try body.number("events_per_minute", 0...100_000_000) ?? 0
        let account = try body.names.contains("service_account") ? serviceAccount(body.object("service_account"), role) : nil
        let (key, secret) = try await store.events.createKey(
            app: app.id, role: role, label: try body.optionalText("label") ?? "", restrictions: restrictions,
            expires: try body.expiry("expires_at", now: clock.now()), account: account)
        call.audit?.note("key \(key.id), \(role.rawValue)")
        var response = shown(key)
        if let account = store.events.directory.now.accounts[key.id] {
            response.serviceAccount = ServiceAccountResponse(account, project: app.project)
        } else {
            response.key = secret
        }
        return try .json(response, status: 201)
    }

    private static let defaultOverlap = Timestamp.Span.hours(24)
    private static let longestOverlap = Timestamp.Span.days(90)

    /// Creates the successor of a key, whose secret is shown only in this response.
    func rotate(_ call: Call) async throws -> HandlerResponse {
        let body = try call.request.body.isEmpty ? nil : Body(call.json())
        try body?.allow("overlap", "expires_at")
        let overlap = try body?.span("overlap", atMost: Keys.longestOverlap) ?? Keys.defaultOverlap
        let expires = try body?.expiry("expires_at", now: clock.now())
        let old = try call.keyID()
        let (key, secret) = try await store.events.rotateKey(old, overlap: overlap, expires: expires)
        call.audit?.note("key \(old) by key \(key.id)", app: key.app)
        var response = shown(key)
        response.key = secret
        return try .json(response, status: 201)
    }

    private func shown(_ key: APIKey) -> KeyResponse {
        KeyResponse(key, authority: server.authority, lastUsed: store.events.keyUses.last(key.id))
    }

    /// Rejects an origin that no browser sends; a key with it would work from no page.
    private static func origins(_ body: Body) throws(Refusal) -> [String] {
        let origins = try body.texts("origins")
        guard origins.allSatisfy({ OriginRule($0).map { $0 != .any } == true }) else {
            throw .field(
                "origins", "bad_origin",
                "must be written as browsers do, such as https://shop.example, https://*.shop.example or http://localhost:3000")
        }
        return origins
    }

    /// The public key of a pair whose private key stays with the client.
    private func serviceAccount(_ body: Body, _ role: Role) throws(Refusal) -> ServiceAccountDraft {
        try body.allow("public_key", "token_uri")
        guard [.send, .accounts, .data].contains(role) else {
            throw .field("service_account", "wrong_role", "is for keys with the role send, accounts or data")
        }
        guard let publicKey = Base64.decode(try body.text("public_key")), RSA.isPublicKey(publicKey) else {
            throw .field("service_account.public_key", "bad_key", "must be an RSA key of 2,048 to 4,096 bits, as Base64 of DER")
        }
        let audience = try body.optionalText("token_uri") ?? "http://\(server.authority)/token"
        guard (1...2_048).contains(audience.utf8.count), audience.hasPrefix("http"), audience.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw .field("service_account.token_uri", "bad_url", "must be the whole URL of the token endpoint")
        }
        return ServiceAccountDraft(publicKey: publicKey, audience: audience)
    }

    func revoke(_ call: Call) async throws -> HandlerResponse {
        let app = try store.events.app(named: call.parameter("app"))
        try await store.events.revokeKey(app: app.id, try call.keyID())
        rates.keep(only: store.events.directory.now)
        return .noContent
    }
}

extension Call {
    fileprivate func keyID() throws(Refusal) -> Int64 {
        guard let id = Int64(parameter("key")) else { throw Refusal(.notFound, "There is no such key.") }
        return id
    }
}

extension Body {
    /// A time in the future, or a span from now such as `90d`.
    fileprivate func expiry(_ name: String, now: Timestamp) throws(Refusal) -> Timestamp? {
        guard let text = try optionalText(name) else { return nil }
        let time = Timestamp.Span(parameter: text).map { now + $0 } ?? Timestamp(parameter: text, now: now)
        guard let time, time > now, time <= now + .days(36_500) else {
            throw .field(name, "bad_time", "must be a time in the future such as 2027-01-31T00:00:00Z, or a span such as 90d")
        }
        return time
    }

    fileprivate func span(_ name: String, atMost limit: Timestamp.Span) throws(Refusal) -> Timestamp.Span? {
        guard let text = try optionalText(name) else { return nil }
        guard let span = Timestamp.Span(parameter: text), span <= limit else {
            throw .field(name, "out_of_range", "must be a span of at most \(limit.milliseconds / 86_400_000) days, such as 24h")
        }
        return span
    }
}

extension KeyResponse {
    fileprivate init(_ key: APIKey, authority: String, lastUsed: Timestamp?) {
        self.init(
            id: key.id, app: key.app.rawValue, role: key.role, label: key.label, hint: key.hint, key: key.secret,
            dsn: key.secret.map { "http://\($0)@\(authority)/\(key.app.rawValue)" }, createdAt: Moment(key.created),
            bundleIds: key.restrictions.bundleIDs, origins: key.restrictions.origins, eventsPerMinute: key.restrictions.eventsPerMinute,
            lastUsedAt: lastUsed.map { Moment($0) }, expiresAt: key.expires.map { Moment($0) }, replaces: key.replaces)
    }
}

extension ServiceAccountResponse {
    fileprivate init(_ account: ServiceAccount, project: String) {
        self.init(
            projectId: project, privateKeyId: account.privateKeyID, clientEmail: account.email,
            clientId: String(account.key.id), tokenUri: account.audience)
    }
}
