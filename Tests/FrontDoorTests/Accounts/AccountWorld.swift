// SPDX-License-Identifier: Apache-2.0

import Crypto
import Platform
import TestSupport
import Testing

@testable import ingestd

/// A daemon with an app whose users may sign in, and calls of its clients.
struct AccountWorld: Sendable {
    static let now = Timestamp(milliseconds: 1_796_000_000_000)
    static let password = "correct horse battery staple"

    let live: LiveDaemon
    let keys: AppKeys
    let clock: ManualClock

    static func use(
        in folder: TemporaryFolder = TemporaryFolder(), methods: String = "password,anonymous,custom_token", sends: Bool = false,
        configure: @escaping (inout Configuration) -> Void = { _ in }, _ body: @Sendable (AccountWorld) async throws -> Void
    ) async throws {
        let clock = ManualClock(now)
        try await withDaemon(
            in: folder, clock: clock.clock, sends: sends,
            configure: { configuration in
                configuration.server.keyFailures = 0
                configure(&configuration)
            }
        ) { live in
            let keys = try await live.api.makeApp()
            let world = AccountWorld(live: live, keys: keys, clock: clock)
            try await world.set(#"{"auth_methods": "\#(methods)"}"#)
            try await body(world)
        }
    }

    func set(_ settings: String) async throws {
        let reply = try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(settings.utf8))
        #expect(reply.status == 200, "\(reply.text)")
    }

    func signUp(_ email: String = "ana@example.org", password: String = Self.password) async throws -> Reply {
        try await live.api.post("/v1/auth/sign-up", key: keys.ingest, #"{"email": "\#(email)", "password": "\#(password)"}"#)
    }

    func signIn(_ email: String = "ana@example.org", password: String = Self.password, more: String = "") async throws -> Reply {
        let body = #"{"method": "password", "email": "\#(email)", "password": "\#(password)"\#(more)}"#
        return try await live.api.post("/v1/auth/sign-in", key: keys.ingest, body)
    }

    func refresh(_ token: String, key: String? = nil) async throws -> Reply {
        try await live.api.post("/v1/auth/token", key: key ?? keys.ingest, #"{"refresh_token": "\#(token)"}"#)
    }

    /// Signs a new user up and returns the session.
    func user(_ email: String = "ana@example.org") async throws -> Session {
        let reply = try await signUp(email)
        #expect(reply.status == 201, "\(reply.text)")
        return try Session(reply)
    }

    func events(_ body: String, as bearer: String) async throws -> Reply { try await live.api.post("/v1/events", key: bearer, body) }

    struct Session: Sendable {
        var id: String
        var token: String
        var refresh: String

        init(_ reply: Reply) throws {
            let json = try TestSupport.JSON(reply)
            (id, token, refresh) = (json["user"]["id"].text, json["id_token"].text, json["refresh_token"].text)
        }

        /// The claims of the ID token.
        var claims: TestSupport.JSON {
            get throws {
                let parts = token.split(separator: ".")
                return try TestSupport.JSON(Base64URL.decode(parts.count == 3 ? parts[1] : "") ?? [])
            }
        }
    }
}
