// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Crash-free sessions and users.
@Suite struct CrashFreeTests {
    private static func session(_ user: String, _ session: String, _ release: String) -> String {
        (0..<Int64(2)).map { place in
            let time = (CrashingWorld.start + .minutes(place)).rfc3339
            return
                #"{"name": "e", "user_id": "\#(user)", "session_id": "\#(session)", "timestamp": "\#(time)", "context": {"app_version": "\#(release)"}}"#
        }.joined(separator: ",")
    }

    private static func figures(_ json: JSON) -> [Int] {
        ["sessions", "crashed_sessions", "users", "crashed_users"].map { json[$0].number }
    }

    @Test func `sessions and users known only by a crash are counted`() async throws {
        let clock = ManualClock(CrashingWorld.start + .hours(3))
        try await CrashingWorld.use(clock: clock.clock) { world in
            let events = [("ann", "a1", "1.0"), ("ann", "a2", "1.0"), ("bob", "b1", "1.0"), ("carl", "c1", "2.0")].map(Self.session)
            #expect(try Taken(await world.events(events.joined(separator: ","))) == Taken(accepted: 8))
            let crash = SentCrash().with("timestamp", (CrashingWorld.start + .minutes(2)).rfc3339)
            let crashes = [
                // Two crashes of one session count as one crashed session.
                crash.from("ann", session: "a1").with("release", "1.0"), crash.from("ann", session: "a1").with("release", "1.0"),
                // These are not fatal.
                crash.from("bob", session: "b1").with("handled", json: "true"), crash.from("bob", session: "b1").with("kind", "anr"),
                // No event has this session.
                crash.from("dora", session: "d1").with("release", "shop@2.0+7"),
            ]
            #expect(try Taken(await world.send(crashes)) == Taken(accepted: 5))
            let answer = try await world.get("/v1/query/crash-free?from=-1d")
            #expect(Self.figures(answer["total"]) == [5, 2, 4, 2])
            let releases = answer["releases"].items
            #expect(releases.map(\.["release"].text) == ["1.0", "2.0"])
            #expect(releases.map { Self.figures($0["total"]) } == [[3, 1, 2, 1], [2, 1, 2, 1]])
            let text = try await world.api.get("/v1/query/crash-free?from=-1d", key: world.ours.read).text
            #expect(text.contains(#""crash_free_sessions":0.6,"users":4,"crashed_users":2,"crash_free_users":0.5"#))
            #expect(text.contains(#""crash_free_sessions":0.666666"#) && text.contains(#""adoption":0.6,"user_adoption":0.5"#))
            #expect(try await Self.figures(world.get("/v1/query/crash-free?from=-1d", as: world.theirs.read)["total"]) == [0, 0, 0, 0])
        }
    }

    @Test func `new issues of any kind count for the release in which they appeared`() async throws {
        let clock = ManualClock(CrashingWorld.start + .days(3))
        try await CrashingWorld.use(clock: clock.clock) { world in
            let now = clock.clock.now()
            for release in ["1.0", "2.0"] {
                let event = #"{"name": "e", "user_id": "ann", "session_id": "\#(release)", "context": {"app_version": "\#(release)"}}"#
                #expect(try await world.events(event).status == 200)
            }
            let crash = { (name: String, release: String, age: Int64) in
                SentCrash(in: "\(name).f()").with("type", name).with("release", release).with("timestamp", (now - .hours(age)).rfc3339)
            }
            // The issue A is older than the range. B appeared in 1.0, and occurs in 2.0 as well.
            for sent in [
                crash("AError", "1.0", 48), crash("AError", "2.0", 1), crash("BError", "1.0", 3), crash("BError", "2.0", 2),
                crash("CError", "2.0", 2).with("handled", json: "true"), crash("DError", "2.0", 1).with("kind", "anr"),
            ] { try await world.take(sent) }
            let releases = try await world.get("/v1/query/crash-free?from=-1d")["releases"].items.sorted { $0["release"].text < $1["release"].text }
            #expect(releases.map(\.["release"].text) == ["1.0", "2.0"] && releases.map(\.["new_issues"].number) == [1, 2])
            let filtered = try await world.get("/v1/query/crash-free?from=-1d&filter=context.app_version=1.0")["releases"].items
            #expect(filtered.count == 1 && !filtered[0]["new_issues"].exists)
        }
    }

    @Test func `a crash without a session counts for the session at its time`() async throws {
        let clock = ManualClock(CrashingWorld.start + .hours(3))
        try await CrashingWorld.use(clock: clock.clock) { world in
            let event = #"{"name": "e", "user_id": "ann", "timestamp": "\#(CrashingWorld.start.rfc3339)"}"#
            #expect(try await world.events(event).status == 200)
            try await world.take(SentCrash().with("timestamp", (CrashingWorld.start + .minutes(29)).rfc3339).from("ann"))
            #expect(try await Self.figures(world.get("/v1/query/crash-free?from=-1d")["total"]) == [1, 1, 1, 1])
            try await world.take(SentCrash().with("timestamp", (CrashingWorld.start + .minutes(90)).rfc3339).from("ann"))
            #expect(try await Self.figures(world.get("/v1/query/crash-free?from=-1d")["total"]) == [2, 2, 1, 1])
        }
    }
}
