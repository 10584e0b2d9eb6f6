// SPDX-License-Identifier: Apache-2.0

import API
import AccountStore
import Accounts
import AcrossStores
import AppDirectory
import EventStore
import Events
import HTTPServer
import JOSE
import Platform

/// The open documents with which any OpenID Connect library checks an app's ID tokens, and the operator's view of the keys.
struct AccountDiscovery: Sendable {
    let store: Stores
    let tokens: IDTokens
    let clock: WallClock

    static let routes = [
        Route(
            .get, "/v1/auth/{project}/.well-known/openid-configuration", .open, .task(\.accounts.discovery, AccountDiscovery.configuration)),
        Route(.get, "/v1/auth/{project}/jwks.json", .open, .task(\.accounts.discovery, AccountDiscovery.keySet)),
        Route(.get, "/v1/auth/{project}/certs", .open, .task(\.accounts.discovery, AccountDiscovery.certificates)),
        Route(.get, "/v1/auth/keys", .operatorOnly, .task(\.accounts.discovery, AccountDiscovery.list)),
        Route(.post, "/v1/auth/keys/rotate", .operatorOnly, .task(\.accounts.discovery, AccountDiscovery.rotate), audit: .accountKeysRotate),
    ]

    func configuration(_ call: Call) async throws -> HandlerResponse {
        let issuer = tokens.issuer(of: try app(call))
        return AccountDiscovery.document(DiscoveryDocuments.configuration(issuer: issuer, keysURL: issuer + "/jwks.json"))
    }

    func keySet(_ call: Call) async throws -> HandlerResponse {
        _ = try app(call)
        return AccountDiscovery.document(DiscoveryDocuments.keys(published))
    }

    func certificates(_ call: Call) async throws -> HandlerResponse {
        _ = try app(call)
        return AccountDiscovery.document(DiscoveryDocuments.certificates(published))
    }

    func list(_ call: Call) async throws -> HandlerResponse {
        try call.query().allow()
        return try keys()
    }

    /// Makes the next key, which signs in a day; with `now` at once, which makes all ID tokens void.
    func rotate(_ call: Call) async throws -> HandlerResponse {
        let body = try call.request.body.isEmpty ? nil : Body(call.json())
        try body?.allow("now")
        let isUrgent = try body?.flag("now") ?? false
        call.audit?.note(isUrgent ? "now" : "")
        try await store.accounts.rotateKeys(now: isUrgent)
        return try keys()
    }

    private func keys() throws -> HandlerResponse {
        let signing = store.accounts.secrets.signing(at: clock.now())?.id
        let items = store.accounts.secrets.keys.map { key in
            SigningKeyResponse(
                id: key.key.id, signsFrom: Moment(key.signsFrom), signsUntil: Moment(key.signsUntil), knownUntil: Moment(key.knownUntil),
                signing: key.key.id == signing)
        }
        return try .page(items, limit: items.count, cursor: \.id) { $0 }
    }

    /// The documents without a project: the keys are the same for every app.
    var certificatesOfAll: HandlerResponse { AccountDiscovery.document(DiscoveryDocuments.certificates(published)) }
    var keysOfAll: HandlerResponse { AccountDiscovery.document(DiscoveryDocuments.keys(published)) }

    private var published: [PublishedKey] { store.accounts.secrets.published(at: clock.now()).keys }

    /// The app whose project the path names. Number and name of an app with another project are not accepted, as no token has them.
    private func app(_ call: Call) throws(Refusal) -> App {
        guard let app = store.events.directory.now.app(project: call.parameter("project")) else {
            throw Refusal(.notFound, "There is no such project.")
        }
        return app
    }

    private static func document(_ bytes: [UInt8]) -> HandlerResponse {
        let headers = [
            ("Content-Type", "application/json"), ("Cache-Control", "public, max-age=3600"), ("Access-Control-Allow-Origin", "*"),
        ]
        return .response(HTTPResponse(status: 200, headers: headers, body: bytes))
    }
}
