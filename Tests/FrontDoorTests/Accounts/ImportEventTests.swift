// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import AccountStore
@testable import AcrossStores
@testable import ingestd

/// The events of imports, which the index by user ID has only once their accounts are gone.
@Suite struct ImportEventTests {
    private static func add(_ world: AccountWorld, _ lines: String, query: String = "") async throws {
        let reply = try await world.live.api.post(
            "/v1/auth/accounts/import\(query)", key: world.keys.admin, headers: ["Content-Type": "application/x-ndjson"], lines)
        #expect(try JSON(reply)["failed"].number == 0, "\(reply.text)")
    }

    /// The events of a user, newest first, read in pages.
    private static func events(_ world: AccountWorld, _ user: String, page: Int = 1, more: String = "") async throws -> [String] {
        var (found, after): ([String], String) = ([], "")
        while true {
            let reply = try JSON(try await world.live.api.get("/v1/auth/audit?user=\(user)&limit=\(page)\(more)\(after)", key: world.keys.admin))
            found += reply["items"].items.map { "\($0["event"].text) \($0["method"].text)" }
            guard reply["next"].exists else { return found }
            after = "&after=\(reply["next"].text)"
        }
    }

    private static func change(_ world: AccountWorld, _ user: String) async throws {
        let reply = try await world.live.api.request(
            "PATCH", "/v1/auth/accounts/\(user)", key: world.keys.admin, body: Array(#"{"name": "Ana B"}"#.utf8))
        #expect(reply.status == 200, "\(reply.text)")
    }

    @Test func `an import is an event of its account, in the order of all`() async throws {
        try await AccountWorld.use { world in
            try await Self.add(world, #"{"id": "ana"}"# + "\n" + #"{"id": "bo"}"#)
            try await Self.change(world, "ana")
            for page in [1, 2, 100] { #expect(try await Self.events(world, "ana", page: page) == ["changed admin", "created import"]) }
            #expect(try await Self.events(world, "bo") == ["created import"])
            #expect(try await Self.events(world, "ana", more: "&event=created") == ["created import"])
            #expect(try await Self.events(world, "ana", more: "&from=2099-01-01") == [])
            #expect(try await Self.events(world, "cy") == [])
            let all = try JSON(try await world.live.api.get("/v1/auth/audit", key: world.keys.admin))["items"].items
            #expect(all.map { $0["event"].text } == ["changed", "created", "created"])
            let figures = try JSON(try await world.live.api.get("/v1/auth/figures", key: world.keys.admin))
            #expect(figures["days"][0]["sign_ups"].number == 2, "\(figures.source)")
        }
    }

    @Test func `a replaced account keeps the events of both imports`() async throws {
        try await AccountWorld.use { world in
            try await Self.add(world, #"{"id": "ana"}"#)
            try await Self.add(world, #"{"id": "ana", "name": "Ana"}"#, query: "?replace=true")
            #expect(try await Self.events(world, "ana") == ["created import", "created import"])
        }
    }

    private static func erasedEvents(_ world: AccountWorld) async throws -> Int {
        try JSON(try await world.live.api.get("/v1/auth/audit", key: world.keys.admin))["items"].items.count { $0["user"].text.hasPrefix("erased-") }
    }

    @Test(arguments: ["keep", "erase"])
    func `the event stays under the user ID of a deleted account, or goes with the person`(rule: String) async throws {
        try await AccountWorld.use { world in
            try await Self.add(world, #"{"id": "ana"}"# + "\n" + #"{"id": "bo"}"#)
            try await world.set(#"{"on_account_deleted": "\#(rule)"}"#)
            #expect(try await world.live.api.request("DELETE", "/v1/auth/accounts/ana", key: world.keys.admin).status == 204)
            #expect(try await Self.events(world, "ana") == (rule == "keep" ? ["deleted admin", "created import"] : []))
            #expect(try await Self.erasedEvents(world) == (rule == "keep" ? 0 : 2))
            #expect(try await Self.events(world, "bo") == ["created import"])
        }
    }

    @Test func `an erased user is in no event of an import`() async throws {
        try await AccountWorld.use { world in
            try await Self.add(world, #"{"id": "ana"}"# + "\n" + #"{"id": "bo"}"#)
            let reply = try await world.live.api.request("DELETE", "/v1/users/ana", key: world.keys.admin)
            #expect(reply.status == 200, "\(reply.text)")
            #expect(try await Self.events(world, "ana") == [])
            #expect(try await Self.erasedEvents(world) == 2)
            #expect(try await Self.events(world, "bo") == ["created import"])
        }
    }

    @Test func `the event stays when an anonymous account goes unused`() async throws {
        try await AccountWorld.use { world in
            try await Self.add(world, #"{"localId": "ana", "createdAt": "1600000000000", "lastLoginAt": "1700000000000"}"#)
            _ = try await world.live.daemon.store.accounts.retain([])
            #expect(try await world.live.api.get("/v1/auth/accounts/ana", key: world.keys.admin).status == 404)
            #expect(try await Self.events(world, "ana") == ["created import"])
        }
    }
}
