// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Crypto
import EventStore
import HTTPServer
import JSON
import Platform
import AcrossStores

/// An app's keys, for the operator.
enum Keys {
    @Sendable static func list(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let query = try call.query()
        try query.allow("limit", "after")
        let app = try daemon.store.events.app(named: call.parameter("app"))
        let limit = try query.number("limit", 1...1_000, default: 100)
        let after = try query.cursor("after") ?? 0
        let keys = daemon.store.events.directory.now.keys.values.filter { $0.app == app.id && $0.id > after }.sorted { $0.id < $1.id }
        return .page(keys, limit: limit, cursor: { String($0.id) }) { json, key in
            json.beginObject()
            json.write(key, daemon)
            json.endObject()
        }
    }

    @Sendable static func create(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try daemon.store.events.app(named: call.parameter("app"))
        let body = try Body(call.json())
        try body.allow("role", "label", "bundle_ids", "origins", "events_per_minute", "service_account")
        guard let role = Role(rawValue: try body.text("role")), role != .operator else {
            throw Refusal.field("role", "unknown", "must be one of ingest, read, send, admin")
        }
        var restrictions = KeyRestrictions()
        restrictions.bundleIDs = try body.texts("bundle_ids")
        restrictions.origins = try origins(body)
        restrictions.eventsPerMinute = try body.number("events_per_minute", 0...100_000_000) ?? 0
        let account = try body.names.contains("service_account") ? serviceAccount(body.object("service_account"), role, daemon) : nil
        let (key, secret) = try await daemon.store.events.createKey(
            app: app.id, role: role, label: try body.optionalText("label") ?? "", restrictions: restrictions, account: account)
        return .response(
            .json(status: 201) { json in
                json.beginObject()
                json.write(key, daemon)
                if let account = daemon.store.events.directory.now.accounts[key.id] {
                    json.write(account)
                } else if key.secret == nil {
                    json.field("key", secret)
                }
                json.endObject()
            })
    }

    /// One that no browser says would lock every page out.
    private static func origins(_ body: Body) throws(Refusal) -> [String] {
        let origins = try body.texts("origins")
        guard origins.allSatisfy(WebOrigin.isOne) else {
            throw .field("origins", "bad_origin", "must be written as browsers do, such as https://shop.example or http://localhost:3000")
        }
        return origins
    }

    /// The public half of a pair whose private half stays with who asks.
    private static func serviceAccount(_ body: Body, _ role: Role, _ daemon: Daemon) throws(Refusal) -> ServiceAccountDraft {
        try body.allow("public_key", "token_uri")
        guard role == .send else { throw .field("service_account", "wrong_role", "is for keys with the role send") }
        guard let publicKey = Base64.decode(try body.text("public_key")), RSA.isPublicKey(publicKey) else {
            throw .field("service_account.public_key", "bad_key", "must be an RSA key of 2,048 to 4,096 bits, as base 64 of DER")
        }
        let audience = try body.optionalText("token_uri") ?? "http://\(daemon.authority)/token"
        guard (1...2_048).contains(audience.utf8.count), audience.hasPrefix("http"), audience.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw .field("service_account.token_uri", "bad_url", "must be the whole URL of the token endpoint")
        }
        return ServiceAccountDraft(publicKey: publicKey, audience: audience)
    }

    @Sendable static func revoke(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try daemon.store.events.app(named: call.parameter("app"))
        try await daemon.store.events.revokeKey(app: app.id, try call.keyID())
        daemon.rates.keep(only: daemon.store.events.directory.now)
        return .response(HTTPResponse(status: 204))
    }
}

extension Call {
    fileprivate func keyID() throws(Refusal) -> Int64 {
        guard let id = Int64(parameter("key")) else { throw Refusal(.notFound, "There is no such key.") }
        return id
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ apiKey: APIKey, _ daemon: Daemon) {
        field("id", apiKey.id)
        field("app", apiKey.app.rawValue)
        field("role", apiKey.role.rawValue)
        field("label", apiKey.label)
        field("hint", apiKey.hint)
        if let secret = apiKey.secret {
            field("key", secret)
            // What a Sentry SDK is given. Only the daemon knows where it listens.
            field("dsn", "http://\(secret)@\(daemon.authority)/\(apiKey.app.rawValue)")
        }
        field("created_at", apiKey.created.rfc3339)
        field("bundle_ids", apiKey.restrictions.bundleIDs)
        field("origins", apiKey.restrictions.origins)
        field("events_per_minute", apiKey.restrictions.eventsPerMinute)
    }

    /// What a service account's file holds beside its private key.
    fileprivate mutating func write(_ account: ServiceAccount) {
        key("service_account")
        beginObject()
        field("project_id", String(account.key.app.rawValue))
        field("private_key_id", account.privateKeyID)
        field("client_email", account.email)
        field("client_id", String(account.key.id))
        field("token_uri", account.audience)
        endObject()
    }
}
