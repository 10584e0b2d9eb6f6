// SPDX-License-Identifier: Apache-2.0

import Crypto
import Platform
import TestSupport
import Testing

@testable import ingestd

/// An app whose clients and servers keep Firebase's SDKs.
struct FirebaseWorld: Sendable {
    static let v1 = "/identitytoolkit.googleapis.com/v1"
    static let v2 = "/identitytoolkit.googleapis.com/v2"
    static let v3 = "/www.googleapis.com/identitytoolkit/v3/relyingparty"
    static let password = AccountWorld.password

    let world: AccountWorld
    /// A key with the role `accounts`.
    let server: String

    var api: TestClient { world.live.api }

    static func use(
        methods: String = "password,anonymous,custom_token", sends: Bool = false, configure: @escaping (inout Configuration) -> Void = { _ in },
        _ body: @Sendable (FirebaseWorld) async throws -> Void
    ) async throws {
        try await AccountWorld.use(methods: methods, sends: sends, configure: configure) { world in
            #expect(try await world.live.api.asOperator("PATCH", "/v1/apps/1", #"{"project": "old-shop-1a2b"}"#).status == 200)
            let made = try JSON(try await world.live.api.asOperator("POST", "/v1/apps/1/keys", #"{"role": "accounts"}"#))
            try await body(FirebaseWorld(world: world, server: made["key"].text))
        }
    }

    /// Sends a call of an app, with its key in the query as SDKs put it.
    func client(_ word: String, _ body: String, key: String? = nil, headers: [String: String] = [:]) async throws -> Reply {
        try await api.post("\(Self.v1)/accounts:\(word)?key=\(key ?? world.keys.ingest)", headers: headers, body)
    }

    /// Sends a call of a server.
    func server(_ path: String, _ body: String, key: String? = nil) async throws -> Reply {
        try await api.post("\(Self.v1)/projects/old-shop-1a2b\(path)", key: key ?? server, body)
    }

    func token(_ refresh: String) async throws -> Reply {
        let form = "grant_type=refresh_token&refresh_token=\(refresh)"
        return try await api.post(
            "/securetoken.googleapis.com/v1/token?key=\(world.keys.ingest)", headers: ["Content-Type": "application/x-www-form-urlencoded"], form)
    }

    /// Signs a user up and returns the answer.
    func user(_ email: String = "ana@example.org") async throws -> Session {
        let reply = try await client("signUp", #"{"email": "\#(email)", "password": "\#(Self.password)", "returnSecureToken": true}"#)
        #expect(reply.status == 200, "\(reply.text)")
        return try Session(reply)
    }

    func lookup(_ token: String) async throws -> Reply { try await client("lookup", #"{"idToken": "\#(token)"}"#) }

    struct Session {
        var id: String
        var token: String
        var refresh: String
        var json: JSON

        init(_ reply: Reply) throws {
            json = try JSON(reply)
            (id, token, refresh) = (json["localId"].text, json["idToken"].text, json["refreshToken"].text)
        }

        var claims: JSON { get throws { try FirebaseWorld.claims(token) } }
    }

    static func claims(_ token: String) throws -> JSON {
        let parts = token.split(separator: ".")
        return try JSON(Base64URL.decode(parts.count == 3 ? parts[1] : "") ?? [])
    }

    /// The word of an error, as SDKs compare it: the text before the first colon.
    static func word(_ reply: Reply) throws -> String {
        String(try JSON(reply)["error"]["message"].text.split(separator: ":", maxSplits: 1).first ?? "").replacing(" ", with: "")
    }

    static func expect(
        _ reply: Reply, _ status: Int, _ word: String, _ location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(reply.status == status, "\(reply.text)", sourceLocation: location)
        #expect(try Self.word(reply) == word, "\(reply.text)", sourceLocation: location)
    }
}
