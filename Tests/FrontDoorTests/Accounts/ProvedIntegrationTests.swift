// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// ID tokens as bearers on the routes of integrations, in place of the ingest key.
@Suite struct ProvedIntegrationTests {
    private static func quarantined(_ world: AccountWorld, _ reason: String) async throws -> Int {
        try JSON(try await world.live.api.get("/v1/quarantine?reason=\(reason)", key: world.keys.admin))["items"].items.count
    }

    private static func users(_ world: AccountWorld) async throws -> [String] {
        let lines = try await world.live.api.get("/v1/export", key: world.keys.admin).text.split(separator: "\n")
        return try lines.map { try JSON(Array($0.utf8))["user_id"].text }
    }

    private static func segment(_ user: String?, _ id: String, key: String? = nil) -> String {
        let user = user.map { #""userId": "\#($0)""# } ?? #""anonymousId": "i-1""#
        let key = key.map { #""writeKey": "\#($0)", "# } ?? ""
        return #"{\#(key)"batch": [{"type": "track", "event": "A", \#(user), "messageId": "\#(id)"}]}"#
    }

    @Test func `Segment's calls with an ID token are the user's`() async throws {
        try await AccountWorld.use { world in
            let user = try await world.user()
            for (number, sender) in [user.id, nil, "bob"].enumerated() {
                let reply = try await world.live.api.post("/v1/batch", key: user.token, Self.segment(sender, "m-\(number)"))
                #expect(reply.status == 200, "\(reply.text)")
            }
            #expect(try await Self.quarantined(world, "user_mismatch") == 1)
            #expect(try await Self.users(world) == [user.id, user.id])
            let source = try await world.live.api.get("/sourceConfig", key: user.token)
            #expect(try JSON(source)["source"]["name"].text == "shop", "\(source.text)")
        }
    }

    @Test func `PostHog's events with an ID token are the user's`() async throws {
        try await AccountWorld.use { world in
            let user = try await world.user()
            let events = [user.id, "bob"].map { #"{"event": "a", "distinct_id": "\#($0)", "properties": {}}"# }
            let reply = try await world.live.api.post("/batch/", key: user.token, #"{"batch": [\#(events.joined(separator: ", "))]}"#)
            #expect(reply.status == 200, "\(reply.text)")
            #expect(try await Self.quarantined(world, "user_mismatch") == 1)
            #expect(try await Self.users(world) == [user.id])
        }
    }

    @Test func `events of the Measurement Protocol with an ID token are the user's, and its validation says so`() async throws {
        try await AccountWorld.use { world in
            let user = try await world.user()
            func send(_ path: String, _ id: String) async throws -> Reply {
                let body = #"{"app_instance_id": "0123456789abcdef0123456789abcdef", "user_id": "\#(id)", "events": [{"name": "level_up"}]}"#
                return try await world.live.api.post("\(path)?firebase_app_id=1:1:ios:a", key: user.token, body)
            }
            #expect(try Taken(try await send("/mp/collect", user.id)) == Taken(accepted: 1))
            #expect(try Taken(try await send("/mp/collect", "bob")) == Taken(quarantined: 1))
            #expect(try await Self.quarantined(world, "user_mismatch") == 1)
            #expect(try JSON(try await send("/debug/mp/collect", user.id))["validationMessages"].items.isEmpty)
            #expect(try JSON(try await send("/debug/mp/collect", "bob"))["validationMessages"].items.count == 1)
        }
    }

    @Test func `Sentry's reports with an ID token are the user's`() async throws {
        try await AccountWorld.use { world in
            let user = try await world.user()
            for (number, sender) in [user.id, "bob"].enumerated() {
                let id = String(repeating: String(number + 1), count: 32)
                let envelope = #"{"event_id":"\#(id)"}"# + "\n" + #"{"type":"event"}"# + "\n" + #"{"message":"m","user":{"id":"\#(sender)"}}"# + "\n"
                let reply = try await world.live.api.post("/api/\(world.keys.app)/envelope/", key: user.token, envelope)
                #expect(reply.status == 200, "\(reply.text)")
            }
            #expect(try await Self.quarantined(world, "user_mismatch") == 1)
            let issues = try JSON(try await world.live.api.get("/v1/issues", key: world.keys.read))["items"].items
            #expect(issues.map(\.["count"].number) == [1])
            let other = try await world.live.api.makeApp("other")
            #expect(try await world.live.api.post("/api/\(other.app)/envelope/", key: user.token, "{}\n").status == 403)
        }
    }

    @Test func `an app that asks for proof takes an integration's events with a token only`() async throws {
        try await AccountWorld.use { world in
            let user = try await world.user()
            try await world.set(#"{"users": "proved"}"#)
            let alone = try await world.live.api.post("/v1/batch", Self.segment(user.id, "m-1", key: world.keys.ingest))
            let proved = try await world.live.api.post("/v1/batch", key: user.token, Self.segment(user.id, "m-2", key: world.keys.ingest))
            #expect(alone.status == 200 && proved.status == 200)
            #expect(try await Self.quarantined(world, "user_unproved") == 1)
            #expect(try await Self.users(world) == [user.id])
        }
    }

    @Test func `a bearer of someone else is ignored, and an ended session or expired token of ours is rejected`() async throws {
        try await AccountWorld.use { world in
            let user = try await world.user()
            let body = Self.segment("bob", "m-1", key: world.keys.ingest)
            let foreign = "eyJhbGciOiJSUzI1NiIsImtpZCI6IngifQ.eyJzdWIiOiJib2IifQ.AAAA"
            #expect(try await world.live.api.post("/v1/batch", key: foreign, body).status == 200)
            #expect(try await Self.users(world) == ["bob"])
            let unkeyed = try await world.live.api.post("/v1/batch", key: foreign, Self.segment("bob", "m-2"))
            #expect(unkeyed.status == 401, "\(unkeyed.text)")
            world.clock.advance(by: .hours(2))
            let expired = try await world.live.api.post("/v1/batch", key: user.token, body)
            #expect(try expired.status == 401 && JSON(expired)["code"].text == "token_expired", "\(expired.text)")
            let renewed = try AccountWorld.Session(try await world.refresh(user.refresh))
            #expect(try await world.live.api.post("/v1/batch", key: renewed.token, Self.segment(user.id, "m-3")).status == 200)
            let end = #"{"refresh_token": "\#(renewed.refresh)"}"#
            #expect(try await world.live.api.post("/v1/auth/sign-out", key: world.keys.ingest, end).status == 204)
            let ended = try await world.live.api.post("/v1/batch", key: renewed.token, body)
            #expect(try ended.status == 401 && JSON(ended)["code"].text == "session_ended", "\(ended.text)")
        }
    }

    @Test func `an integration for servers takes no ID token`() async throws {
        try await AccountWorld.use { world in
            let user = try await world.user()
            let path = "/v1/projects/\(world.keys.app)/messages:send"
            #expect(try await world.live.api.post(path, key: user.token, #"{"message": {"topic": "news"}}"#).status == 401)
        }
    }
}
