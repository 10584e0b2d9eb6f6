// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// The events before a crash.
@Suite struct CrashBeforeTests {
    private static func event(_ name: String, _ minutes: Int64, user: String = "ann", session: String? = "s1") -> String {
        let session = session.map { #", "session_id": "\#($0)""# } ?? ""
        let time = (CrashingWorld.start + .minutes(minutes)).rfc3339
        return #"{"name": "\#(name)", "user_id": "\#(user)", "timestamp": "\#(time)"\#(session)}"#
    }

    private static func before(_ crash: SentCrash, _ world: CrashingWorld) async throws -> [String] {
        let issue = try await world.take(crash)
        return try await world.get("/v1/issues/\(issue)/events/latest")["before"].items.map(\.["name"].text)
    }

    @Test func `the events of a crash's session precede it`() async throws {
        let clock = ManualClock(CrashingWorld.start + .hours(2))
        try await CrashingWorld.use(clock: clock.clock) { world in
            let ours = [
                Self.event("second", 5), Self.event("first", 0), Self.event("screen_view", 7), Self.event("after", 21),
                Self.event("of_another_session", 6, session: "s2"), Self.event("of_none", 6, session: nil),
                Self.event("of_somebody_else", 6, user: "bob"), Self.event("of_somebody_elses_session", 6, user: "bob", session: "s3"),
            ]
            #expect(try Taken(await world.events(ours.joined(separator: ","))) == Taken(accepted: ours.count))
            let theirs = try await world.events(Self.event("of_another_app", 6), as: world.theirs.ingest)
            #expect(try Taken(theirs) == Taken(accepted: 1))
            let time = (CrashingWorld.start + .minutes(20)).rfc3339
            let crash = SentCrash("1").with("timestamp", time).from("ann", session: "s1")
            #expect(try await Self.before(crash, world) == ["first", "second", "screen_view"])
            #expect(try await Self.before(crash.with("id", "2").from("carl", session: "s1"), world) == [])
        }
    }

    @Test func `without a session the person's last half hour precedes the crash`() async throws {
        let clock = ManualClock(CrashingWorld.start + .hours(2))
        try await CrashingWorld.use(clock: clock.clock) { world async throws in
            let events = [
                Self.event("long_ago", 0), Self.event("lately", 40), Self.event("just_now", 59, session: nil), Self.event("bobs", 59, user: "bob"),
            ]
            #expect(try Taken(await world.events(events.joined(separator: ","))) == Taken(accepted: 4))
            let crash = SentCrash("1").with("timestamp", (CrashingWorld.start + .hours(1)).rfc3339)
            #expect(try await Self.before(crash.from("ann"), world) == ["lately", "just_now"])
            // A crash without a person has no events.
            #expect(try await Self.before(crash.with("id", "2"), world) == [])
        }
    }

    @Test func `the newest hundred events are listed`() async throws {
        let clock = ManualClock(CrashingWorld.start + .days(1))
        try await CrashingWorld.use(clock: clock.clock) { world async throws in
            let events = (0..<150).map { Self.event("e\($0)", Int64($0)) }
            #expect(try Taken(await world.events(events.joined(separator: ","))) == Taken(accepted: 150))
            let crash = SentCrash("1").with("timestamp", (CrashingWorld.start + .hours(4)).rfc3339).from("ann", session: "s1")
            #expect(try await Self.before(crash, world) == (50..<150).map { "e\($0)" })
        }
    }
}
