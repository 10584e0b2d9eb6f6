// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// The topic `$accounts`, and the events `sign_up` and `login`.
@Suite struct AccountTopicTests {
    private static func events(_ lines: [JSON]) -> [String] { lines.map { $0["data"]["data"]["event"].text } }

    /// The events of a user, as messages have them.
    private static func heard(_ server: AlertListener, of uid: String) async throws -> [String] {
        try await server.heard(1).filter { $0["data"]["data"]["user_id"].text == uid }.map { $0["data"]["data"]["event"].text }
    }

    @Test func `other servers learn what happens to accounts`() async throws {
        try await AccountWorld.use { world in
            let server = try await AlertListener(world.live.api, world.keys, to: "$accounts")
            let imported = try await world.live.api.post(
                "/v1/auth/accounts/import", key: world.keys.admin, headers: ["Content-Type": "application/x-ndjson"], #"{"id": "old"}"#)
            #expect(try JSON(imported)["added"].number == 1, "\(imported.text)")
            let ana = try await world.user()
            let account = "/v1/auth/accounts/\(ana.id)"
            for change in [#"{"name": "Ana"}"#, #"{"disabled": true}"#, #"{"disabled": false}"#, #"{"password": "another horse battery"}"#] {
                #expect(try await world.live.api.request("PATCH", account, key: world.keys.admin, body: Array(change.utf8)).status == 200)
            }
            #expect(try await world.signIn().status == 401)
            let heard = try await server.heard(6)
            #expect(Self.events(heard) == ["created", "signed_in", "changed", "disabled", "enabled", "password_changed"])
            #expect(heard[0]["data"]["topic"].text == "$accounts" && heard[0]["data"]["data"]["method"].text == "password")
            #expect(heard[5]["text"].text.contains("password changed"), "\(heard[5].source)")
            #expect(heard.allSatisfy { $0["data"]["data"]["user_id"].text == ana.id })
            // The news of a deletion replaces earlier ones.
            #expect(try await world.live.api.request("DELETE", account, key: world.keys.admin, body: []).status == 204)
            #expect(try await eventually { try await Self.heard(server, of: ana.id) == ["deleted"] })
        }
    }

    @Test func `erasing a user removes the messages about it, but for the one that says so`() async throws {
        try await AccountWorld.use { world in
            let server = try await AlertListener(world.live.api, world.keys, to: "$accounts")
            for number in 1...5 { _ = try await world.user("u\(number)@example.org") }
            #expect(Self.events(try await server.heard(10)) == Array(repeating: ["created", "signed_in"], count: 5).flatMap(\.self))
            // Erased before, while or after its first messages are published.
            let last = try await world.user("last@example.org")
            #expect(try await world.live.api.request("DELETE", "/v1/users/\(last.id)", key: world.keys.admin, body: []).status == 200)
            #expect(try await eventually { try await Self.heard(server, of: last.id) == ["deleted"] })
            #expect(try await server.heard(11).count == 11)
        }
    }

    @Test func `only servers subscribe, and nobody publishes`() async throws {
        try await AccountWorld.use { world in
            let device = try await MessagingWorld.stream(world.live.api, world.keys)
            let path = "/v1/topics/%24accounts/subscribers/\(device)"
            let user = try await world.user()
            for key in [world.keys.ingest, user.token] { #expect(try await world.live.api.request("PUT", path, key: key).status == 403) }
            #expect(try await world.live.api.request("PUT", path, key: world.keys.send).status == 204)
            let body = #"{"topic": "$accounts", "data": {"event": "deleted"}}"#
            #expect(try await world.live.api.post("/v1/messages", key: world.keys.admin, body).status == 403)
        }
    }

    @Test func `sign-ins are events if the app wants them`() async throws {
        try await AccountWorld.use { world in
            _ = try await world.user("silent@example.org")
            try await world.set(#"{"auth_events": true}"#)
            let ana = try await world.user()
            #expect(try await world.signIn(more: #", "installation_id": "i-7""#).status == 200)
            let lines = try await world.live.api.get("/v1/export", key: world.keys.admin).text.split(separator: "\n")
            let events = try lines.map { try JSON(Array($0.utf8)) }
            #expect(events.map { $0["name"].text } == ["sign_up", "login"], "\(lines)")
            #expect(events.allSatisfy { $0["user_id"].text == ana.id && $0["params"]["method"].text == "password" })
            #expect(events.last?["installation_id"].text == "i-7")
        }
    }
}
