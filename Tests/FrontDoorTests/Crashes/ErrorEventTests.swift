// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// `app_error` events, which also become issues.
@Suite struct ErrorEventTests {
    private static let error =
        #"{"id": "e1", "name": "app_error", "user_id": "ann", "params": {"error_description": "CardError: declined", "error_context": "at the till", "cart": 7}}"#

    @Test func `an error event becomes a nonfatal issue once`() async throws {
        try await CrashingWorld.restart { world in
            #expect(try Taken(await world.events(Self.error, #"{"name": "other"}"#)) == Taken(accepted: 2))
            #expect(try Taken(await world.events(Self.error)) == Taken(duplicates: 1))
            let issues = try await world.issues()
            #expect(issues.count == 1 && issues[0]["title"].text == "CardError: declined" && issues[0]["kind"].text == "nonfatal")
            let report = try await world.crash("e1", of: issues[0]["id"].text)["report"]
            #expect(report["logs"].text == "at the till" && report["custom_keys"]["cart"].text == "7" && report["user_id"].text == "ann")
            // The event is stored too.
            #expect(try await world.get("/v1/query/series?event=app_error&from=-1h")["series"][0]["total"].number == 1)
        } then: { world async throws in
            #expect(try Taken(await world.events(Self.error)) == Taken(duplicates: 1))
            #expect(try await world.issues().map(\.["count"].number) == [1])
        }
    }

    @Test func `a replayed error event becomes an issue`() async throws {
        try await CrashingWorld.use { world async throws in
            #expect(try await world.patch("/v1/app", #"{"name_length": 5}"#).status == 200)
            #expect(try Taken(await world.events(Self.error, #"{"name": "app_error"}"#)) == Taken(quarantined: 2))
            #expect(try await world.issues().isEmpty)
            #expect(try await world.patch("/v1/app", #"{"name_length": 40}"#).status == 200)
            #expect(try Taken(await world.post("/v1/quarantine/replay", "")) == Taken(accepted: 2))
            #expect(try Taken(await world.post("/v1/quarantine/replay", "")) == Taken())
            #expect(try Taken(await world.events(Self.error)) == Taken(duplicates: 1))
            #expect(try await world.issues().map(\.["count"].number) == [1, 1])
        }
    }

    @Test func `an error event with the ID of another event becomes no issue`() async throws {
        let other = #"{"id": "e1", "name": "other"}"#
        @Sendable func under(_ id: String, _ event: String) -> String { event.replacing("e1", with: id) }
        try await CrashingWorld.restart { world async throws in
            #expect(try Taken(await world.events(other)) == Taken(accepted: 1))
            #expect(try Taken(await world.events(Self.error)) == Taken(duplicates: 1))
            let track = #"{"type": "track", "messageId": "e1", "event": "app_error", "userId": "ann"}"#
            #expect(try await world.post("/v1/track", as: world.ours.ingest, track).status == 200)
            // The other event comes first in the same request.
            #expect(try Taken(await world.events(under("e2", other), under("e2", Self.error))) == Taken(accepted: 1, duplicates: 1))
            #expect(try await world.issues().isEmpty)
            // The first of two events with an ID is stored.
            #expect(try Taken(await world.events(under("e3", Self.error), under("e3", other))) == Taken(accepted: 1, duplicates: 1))
            #expect(try await world.issues().map(\.["count"].number) == [1])
        } then: { world async throws in
            #expect(try Taken(await world.events(Self.error)) == Taken(duplicates: 1))
            #expect(try await world.issues().map(\.["count"].number) == [1])
        }
    }

    @Test func `an error event beyond the name limit becomes an issue once when replayed`() async throws {
        try await CrashingWorld.use { world async throws in
            #expect(try await world.patch("/v1/app", #"{"event_names": 1}"#).status == 200)
            let unnamed = #"{"name": "app_error", "params": {"error_description": "E: f"}}"#
            #expect(try Taken(await world.events(#"{"name": "first"}"#, unnamed)) == Taken(accepted: 1, quarantined: 1))
            #expect(try await world.issues().isEmpty)
            #expect(try await world.patch("/v1/app", #"{"event_names": 2}"#).status == 200)
            #expect(try Taken(await world.post("/v1/quarantine/replay", "")) == Taken(accepted: 1))
            #expect(try await world.issues().map(\.["count"].number) == [1])
        }
    }

    @Test func `an error event sent to the debug route becomes no issue`() async throws {
        try await CrashingWorld.use { world async throws in
            #expect(try Taken(await world.post("/v1/debug/events", "[\(Self.error)]")) == Taken(accepted: 1))
            #expect(try await world.issues().isEmpty)
        }
    }
}
