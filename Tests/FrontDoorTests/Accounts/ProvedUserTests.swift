// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct ProvedUserTests {
    @Test(arguments: ["application/json", "application/x-ndjson"])
    func `events with an ID token are the user's, and others' are quarantined`(type: String) async throws {
        try await AccountWorld.use { world in
            let user = try await world.user()
            let events = [
                #"{"id": "e-1", "name": "a"}"#, #"{"id": "e-2", "name": "a", "user_id": "\#(user.id)"}"#,
                #"{"id": "e-3", "name": "a", "user_id": "bob"}"#, #"{"id": "e-4", "name": "a", "user_id": ""}"#,
            ]
            let body = type == "application/json" ? "[\(events.joined(separator: ","))]" : events.joined(separator: "\n")
            let reply = try await world.live.api.post("/v1/events", key: user.token, headers: ["Content-Type": type], body)
            #expect(try Taken(reply) == Taken(accepted: 3, quarantined: 1), "\(reply.text)")
            #expect(try JSON(reply)["results"][0]["code"].text == "user_mismatch" && JSON(reply)["results"][0]["index"].number == 2)
            let export = try await world.live.api.get("/v1/export", key: world.keys.admin).text.split(separator: "\n").map(String.init)
            #expect(export.count == 3 && export.allSatisfy { $0.contains(#""user_id":"\#(user.id)""#) }, "\(export)")
        }
    }

    @Test func `an envelope that names another user quarantines its events`() async throws {
        try await AccountWorld.use { world in
            let user = try await world.user()
            let body = #"{"user_id": "bob", "events": [{"name": "a"}, {"name": "b", "user_id": "\#(user.id)"}]}"#
            #expect(try Taken(try await world.events(body, as: user.token)) == Taken(accepted: 1, quarantined: 1))
            let query = try await world.live.api.post("/v1/events?user_id=bob", key: user.token, #"[{"name": "a"}]"#)
            #expect(try Taken(query) == Taken(quarantined: 1))
        }
    }

    @Test func `crash reports, properties and devices are the user's, too`() async throws {
        try await AccountWorld.use { world in
            let user = try await world.user()
            func send(_ path: String, _ body: String) async throws -> Reply { try await world.live.api.post(path, key: user.token, body) }
            let crash = #"{"type": "Error", "reason": "x", "frames": [{"function": "main"}]"#
            let crashes = try await send("/v1/crashes", #"{"crashes": [\#(crash)}, \#(crash), "user_id": "bob"}]}"#)
            #expect(try Taken(crashes) == Taken(accepted: 1, quarantined: 1), "\(crashes.text)")
            let users = try await send("/v1/users", #"{"users": [{"properties": {"plan": "pro"}}, {"user_id": "bob", "properties": {"plan": "x"}}]}"#)
            #expect(try Taken(users) == Taken(accepted: 1, quarantined: 1), "\(users.text)")
            let profile = try await world.live.api.get("/v1/users/\(user.id)", key: world.keys.read)
            #expect(profile.text.contains("plan") && profile.text.contains("pro"), "\(profile.text)")
            let device = #"{"platform": "ios", "endpoint": {"type": "stream"}"#
            let own = try await send("/v1/devices", device + "}")
            #expect(own.status == 201, "\(own.text)")
            let shown = try await world.live.api.get("/v1/devices/\(JSON(own)["token"].text)", key: user.token)
            #expect(try JSON(shown)["user_id"].text == user.id, "\(shown.text)")
            let others = try await send("/v1/devices", device + #", "user_id": "bob"}"#)
            #expect(others.status == 422 && others.text.contains("user_mismatch"))
        }
    }

    @Test func `an app that asks for proof takes user IDs with ID tokens and keys of servers only`() async throws {
        try await AccountWorld.use { world in
            let user = try await world.user()
            try await world.set(#"{"users": "proved"}"#)
            let named = #"[{"id": "e-9", "name": "a", "user_id": "\#(user.id)"}]"#
            let unproved = try await world.events(named, as: world.keys.ingest)
            #expect(try Taken(unproved) == Taken(quarantined: 1))
            #expect(try JSON(unproved)["results"][0]["code"].text == "user_unproved")
            #expect(try Taken(try await world.events(#"[{"name": "a", "installation_id": "i"}]"#, as: world.keys.ingest)) == Taken(accepted: 1))
            #expect(try Taken(try await world.events(named, as: user.token)) == Taken(accepted: 1))
            #expect(try Taken(try await world.events(#"[{"name": "a", "user_id": "bob"}]"#, as: world.keys.admin)) == Taken(accepted: 1))
            let device = #"{"platform": "ios", "endpoint": {"type": "stream"}, "user_id": "bob"}"#
            #expect(try await world.live.api.post("/v1/devices", key: world.keys.ingest, device).status == 422)
            #expect(try await world.live.api.post("/v1/devices", key: world.keys.send, device).status == 201)
            // Integrations have an ingest key alone.
            let segment = #"{"writeKey": "\#(world.keys.ingest)", "batch": [{"type": "track", "event": "A", "userId": "bob", "messageId": "m-1"}]}"#
            #expect(try await world.live.api.post("/v1/batch", segment).status == 200)
            let quarantine = try JSON(try await world.live.api.get("/v1/quarantine?reason=user_unproved", key: world.keys.admin))
            #expect(quarantine["items"].items.count == 2, "\(quarantine.source)")
            // A replay has no token; it passes once the app no longer asks.
            let kept = try JSON(try await world.live.api.post("/v1/quarantine/replay?reason=user_unproved", key: world.keys.admin, ""))
            #expect(kept["quarantined"].number == 2)
            try await world.set(#"{"users": "open"}"#)
            let passed = try JSON(try await world.live.api.post("/v1/quarantine/replay?reason=user_unproved", key: world.keys.admin, ""))
            #expect(passed["quarantined"].number == 0, "\(passed.source)")
        }
    }

    @Test func `a replay never stores another user's events`() async throws {
        try await AccountWorld.use { world in
            let user = try await world.user()
            #expect(try Taken(try await world.events(#"[{"name": "a", "user_id": "bob"}]"#, as: user.token)) == Taken(quarantined: 1))
            let replay = try JSON(try await world.live.api.post("/v1/quarantine/replay", key: world.keys.admin, ""))
            #expect(replay["quarantined"].number == 1 && replay["accepted"].number == 0)
        }
    }

    @Test func `one user cannot take the rate of the key from all others`() async throws {
        try await AccountWorld.use { world in
            let (ana, bob) = (try await world.user(), try await world.user("bob@example.org"))
            try await world.set(#"{"events_per_minute": 8}"#)
            var statuses: [Int] = []
            for _ in 0..<3 { statuses.append(try await world.events(#"[{"name": "a"}]"#, as: ana.token).status) }
            #expect(statuses == [200, 200, 429])
            #expect(try await world.events(#"[{"name": "a"}]"#, as: bob.token).status == 200)
            #expect(try await world.events(#"[{"name": "a"}]"#, as: world.keys.ingest).status == 200)
        }
    }

    @Test func `an ID token opens nothing else`() async throws {
        try await AccountWorld.use { world in
            let user = try await world.user()
            let others = [
                ("GET", "/v1/users"), ("GET", "/v1/query/top"), ("POST", "/v1/messages"), ("GET", "/v1/auth/accounts"), ("GET", "/v1/tail"),
            ]
            for (method, path) in others {
                #expect(try await world.live.api.request(method, path, key: user.token, body: []).status == 403, "\(path)")
            }
            #expect(try JSON(try await world.live.api.get("/v1/app", key: user.token))["role"].text == "ingest")
            // The app follows from the token.
            let other = try await world.live.api.makeApp("other")
            #expect(try await world.live.api.get("/v1/app?app=\(other.app)", key: user.token).text.contains(#""name":"shop""#))
        }
    }
}
