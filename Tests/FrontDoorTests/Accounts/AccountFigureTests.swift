// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Figures of accounts, and the search among them.
@Suite struct AccountFigureTests {
    private static func figures(_ world: AccountWorld, _ query: String = "") async throws -> Reply {
        let reply = try await world.live.api.get("/v1/auth/figures\(query)", key: world.keys.admin)
        #expect(reply.status == 200, "\(reply.text)")
        return reply
    }

    @Test func `sign-ups, sign-ins and failures are counted by day and method`() async throws {
        try await AccountWorld.use { world in
            let empty = try await Self.figures(world).text
            #expect(empty == #"{"accounts":0,"verified":0,"anonymous":0,"disabled":0,"second_factor":0,"days":[]}"#)
            let ana = try await world.user()
            #expect(try await world.live.api.post("/v1/auth/sign-in", key: world.keys.ingest, #"{"method": "anonymous"}"#).status == 201)
            for _ in 0..<2 { #expect(try await world.signIn(password: "wrong horse battery").status == 401) }
            // Failures wait in memory and are of the day on which they are written; figures write them.
            _ = try await Self.figures(world)
            world.clock.advance(by: .days(1))
            #expect(try await world.signIn().status == 200)
            let change = Array(#"{"email_verified": true, "disabled": true}"#.utf8)
            #expect(try await world.live.api.request("PATCH", "/v1/auth/accounts/\(ana.id)", key: world.keys.admin, body: change).status == 200)
            let found = try await Self.figures(world).text
            let (today, yesterday) = ((AccountWorld.now + .days(1)).rfc3339.prefix(10), AccountWorld.now.rfc3339.prefix(10))
            let days = [
                #"{"day":"\#(today)","method":"password","sign_ups":0,"sign_ins":1,"failures":0}"#,
                #"{"day":"\#(yesterday)","method":"anonymous","sign_ups":1,"sign_ins":1,"failures":0}"#,
                #"{"day":"\#(yesterday)","method":"password","sign_ups":1,"sign_ins":1,"failures":2}"#,
            ]
            #expect(found == #"{"accounts":2,"verified":1,"anonymous":1,"disabled":1,"second_factor":0,"days":[\#(days.joined(separator: ","))]}"#)
            let running = try JSON(try await Self.figures(world, "?from=-0d"))
            #expect(running["days"].items.count == 1, "\(running.source)")
            let before = try JSON(try await Self.figures(world, "?from=-5d&to=\(today)T00:00:00Z"))
            #expect(before["days"].items.count == 2, "\(before.source)")
        }
    }

    @Test func `an account with a confirmed second factor counts once`() async throws {
        try await AccountWorld.use { world async throws in
            let user = try await FactorWorld(world)
            let bob = try await world.user("bob@example.org")
            for token in [bob.token, user.user.token] {
                let added = try await world.live.api.post("/v1/auth/user/factors", key: token, #"{"kind": "totp", "name": "Tablet"}"#)
                #expect(added.status == 201, "\(added.text)")
            }
            #expect(try JSON(try await Self.figures(world))["second_factor"].number == 1)
        }
    }

    @Test func `a range is checked`() async throws {
        try await AccountWorld.use { world in
            for query in [
                "from=-1d&to=-2d", "from=2020-01-01T00:00:00Z&to=0001-01-01T00:00:00Z", "from=-10000000w", "from=0001-01-01T00:00:00Z", "x=1",
            ] {
                let reply = try await world.live.api.get("/v1/auth/figures?\(query)", key: world.keys.admin)
                #expect(reply.status == 422, "\(query)")
            }
            for key in [world.keys.read, world.keys.ingest, world.keys.send] {
                let reply = try await world.live.api.get("/v1/auth/figures", key: key)
                #expect(reply.status == 403)
            }
        }
    }

    @Test func `accounts are found by ID and by the beginning of their address`() async throws {
        try await AccountWorld.use { world in
            var ids: [String: String] = [:]
            for name in ["ana", "anabel", "bob", "a%b"] { ids[name] = try await world.user("\(name)@example.org").id }
            func search(_ text: String) async throws -> [String] {
                let reply = try await world.live.api.get("/v1/auth/accounts?search=\(text.percentEncoded)", key: world.keys.admin)
                #expect(reply.status == 200, "\(reply.text)")
                return try JSON(reply)["items"].items.map { $0["email"].text }
            }
            #expect(try await search("ANA") == ["ana@example.org", "anabel@example.org"])
            #expect(try await search("a%") == ["a%b@example.org"])
            #expect(try await search(ids["bob"] ?? "") == ["bob@example.org"])
            for text in ["nobody", "_", "'; DROP TABLE accounts; --", "\u{10FFFF}"] { #expect(try await search(text).isEmpty) }
            #expect(try await search("").count == 4)
            let long = String(repeating: "a", count: 400)
            #expect(try await world.live.api.get("/v1/auth/accounts?search=\(long)", key: world.keys.admin).status == 422)
        }
    }
}
