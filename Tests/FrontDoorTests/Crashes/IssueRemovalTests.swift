// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Deleting issues.
@Suite struct IssueRemovalTests {
    private static func delete(_ issue: String, _ world: CrashingWorld, as key: String? = nil) async throws -> Int {
        try await world.api.request("DELETE", "/v1/issues/\(issue)", key: key ?? world.ours.admin).status
    }

    @Test func `a deleted issue is gone with its reports, whose IDs stay known`() async throws {
        try await CrashingWorld.restart { world in
            let issue = try await world.take(SentCrash("1").from("ann"))
            for id in ["2", "3"] { try await world.take(SentCrash(id).from("ben")) }
            let other = try await world.take(SentCrash("4", in: "Other.f()").from("ann"))
            #expect(try await world.post("/v1/issues/\(issue)/notes", #"{"text": "n"}"#).status == 200)
            #expect(try await Self.delete(issue, world, as: world.ours.read) == 403)
            #expect(try await Self.delete(issue, world, as: world.theirs.admin) == 404)
            #expect(try await Self.delete(issue, world) == 204)
            #expect(try await Self.delete(issue, world) == 404)
            #expect(try await world.issues().map(\.["id"].text) == [other])
            #expect(try await world.issues("?user=ann").map(\.["id"].text) == [other])
            #expect(try await world.api.get("/v1/issues/\(issue)", key: world.ours.read).status == 404)
            #expect(try await world.issue(other)["count"].number == 1)
        } then: { world in
            #expect(try Taken(await world.send(SentCrash("1"), SentCrash("2"))) == Taken(duplicates: 2))
            #expect(try await world.issues().count == 1)
            let next = try await world.issue(world.take(SentCrash("5")))
            #expect([next["count"], next["notes_count"]].map(\.number) == [1, 0] && next["history"].items.map(\.["what"].text) == ["appeared"])
        }
    }

    @Test func `a deleted issue waits for no symbols and takes merged issues along`() async throws {
        try await CrashingWorld.use { world in
            let issue = try await world.take(SymbolFixture.elf.crash())
            let other = try await world.take(SentCrash(in: "Other.f()"))
            #expect(try await world.post("/v1/issues/\(issue)/merge", #"{"issues": ["\#(other)"]}"#).status == 200)
            #expect(try await !world.missing().isEmpty)
            #expect(try await Self.delete(other, world) == 409)
            #expect(try await Self.delete(issue, world) == 204)
            #expect(try await world.missing().isEmpty)
            #expect(try await world.issues().isEmpty)
            #expect(try await Self.delete(issue, world) == 404)
            #expect(try await Self.delete(other, world) == 404)
        }
    }
}
