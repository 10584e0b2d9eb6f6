// SPDX-License-Identifier: Apache-2.0

import Alerts
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Crash alerts, each published once.
@Suite struct CrashAlertTests {
    private static func look(_ world: CrashingWorld) async throws {
        for _ in 1...2 { try await world.live.daemon.makeCrashAlerts().publishChanges() }
    }

    /// The causes of all alerts, oldest first.
    private static func told(_ world: CrashingWorld) async throws -> [String] {
        try await alerts(world).map(\.["data"]["cause"].text)
    }

    private static func alerts(_ world: CrashingWorld) async throws -> [JSON] {
        let messages = try await world.get("/v1/messages?limit=1000")["items"].items.reversed()
        return messages.filter { $0["target"]["topic"].text == "$alerts.crashes" }
    }

    @Test func `new issues are reported once by kind, also across a restart`() async throws {
        try await CrashingWorld.restart { world in
            let listener = try await AlertListener(world.api, world.ours, to: "$alerts.crashes")
            let issue = try await world.take(SentCrash("1").with("release", "2.0"))
            try await world.take(SentCrash("2").with("handled", json: "true"))
            try await world.take(SentCrash("3").with("kind", "anr"))
            try await Self.look(world)
            let heard = try await listener.heard(3)
            #expect(heard.map(\.["data"]["data"]["cause"].text) == ["new_fatal", "new_nonfatal", "new_anr"])
            let data = heard[0]["data"]["data"]
            #expect(["issue", "title", "kind", "release"].map { data[$0].text } == [issue, "PayError", "fatal", "2.0"])
            #expect(heard[0]["text"].text.contains("PayError at Cart.pay"))
            // Further crashes of an issue are not new, and another app's are not reported here.
            try await world.take(SentCrash("4"))
            try await world.take(SentCrash("1"), as: world.theirs.ingest)
            try await Self.look(world)
            #expect(try await Self.told(world) == ["new_fatal", "new_nonfatal", "new_anr"])
            // This crash is reported after the restart.
            try await world.take(SentCrash("5", in: "Last.f()"))
        } then: { world in
            try await Self.look(world)
            #expect(try await Self.told(world) == ["new_fatal", "new_nonfatal", "new_anr", "new_fatal"])
        }
    }

    @Test func `each regression is reported, a muted issue is not`() async throws {
        let clock = ManualClock(CrashingWorld.start)
        try await CrashingWorld.use(clock: clock.clock) { world in
            let issue = try await world.take(SentCrash().with("release", "1.0"))
            try await Self.look(world)
            for release in ["2.0", "3.0"] {
                try await world.change(issue, #"{"state": "closed", "release": "\#(release)"}"#)
                try await world.take(SentCrash().with("release", "1.0"))
                try await Self.look(world)
                clock.advance(by: .hours(1))
                try await world.take(SentCrash().with("release", release))
                try await Self.look(world)
            }
            #expect(try await Self.told(world) == ["new_fatal", "regressed", "regressed"])
            #expect(try await Self.alerts(world).map(\.["data"]["release"].text) == ["1.0", "2.0", "3.0"])
            let other = try await world.take(SentCrash(in: "Other.f()"))
            // The issue is muted before its alert was published.
            try await world.change(other, #"{"state": "muted", "until_count": 2}"#)
            try await world.take(SentCrash(in: "Other.f()"))
            try await Self.look(world)
            #expect(try await Self.told(world).count == 3)
            try await world.take(SentCrash(in: "Other.f()"))
            try await Self.look(world)
            #expect(try await Self.told(world).dropFirst(3) == ["unmuted"])
        }
    }

    /// Sends a session per user that ends with a crash.
    private static func meet(_ people: Range<Int>, _ world: CrashingWorld, release: String = "2.0", _ at: Timestamp) async throws {
        let events = people.map {
            #"{"name": "e", "user_id": "u\#($0)", "session_id": "s\#($0)", "timestamp": "\#(at.rfc3339)", "context": {"app_version": "\#(release)"}}"#
        }
        #expect(try await world.events(events.joined(separator: ",")).status == 200)
        let crashes = people.map { SentCrash().from("u\($0)", session: "s\($0)").with("release", release).with("timestamp", at.rfc3339) }
        #expect(try Taken(await world.send(crashes)) == Taken(accepted: people.count))
    }

    @Test func `a spreading issue is reported once per release, and not while muted`() async throws {
        let clock = ManualClock(CrashingWorld.start)
        try await CrashingWorld.restart(clock: clock.clock) { world in
            try await Self.meet(0..<24, world, clock.now - .minutes(5))
            try await Self.look(world)
            #expect(try await Self.told(world) == ["new_fatal"])
            let issue = try await world.issues()[0]["id"].text
            try await world.change(issue, #"{"state": "muted"}"#)
            try await Self.meet(24..<30, world, clock.now - .minutes(4))
            try await Self.look(world)
            #expect(try await Self.told(world) == ["new_fatal"])
            try await world.change(issue, #"{"state": "open"}"#)
            try await Self.look(world)
            let alerts = try await Self.alerts(world)
            #expect(alerts.map(\.["data"]["cause"].text) == ["new_fatal", "velocity"])
            let data = alerts[1]["data"]
            #expect(["issue", "release", "users", "crashes", "share"].map { data[$0].text } == [issue, "2.0", "30", "30", "100.0"])
        } then: { world in
            try await Self.meet(30..<40, world, clock.now - .minutes(3))
            try await Self.look(world)
            #expect(try await Self.told(world) == ["new_fatal", "velocity"])
            try await Self.meet(50..<80, world, release: "2.1", clock.now - .minutes(2))
            try await Self.look(world)
            #expect(try await Self.told(world) == ["new_fatal", "velocity", "velocity"])
        }
    }

    @Test func `a spreading alert ends at half the threshold and can recur`() async throws {
        let clock = ManualClock(CrashingWorld.start)
        try await CrashingWorld.use(clock: clock.clock) { world in
            try await Self.meet(0..<30, world, clock.now - .minutes(25))
            try await Self.meet(30..<45, world, clock.now - .minutes(1))
            try await Self.look(world)
            clock.advance(by: .minutes(10))
            try await Self.look(world)
            try await Self.meet(45..<60, world, clock.now)
            try await Self.look(world)
            #expect(try await Self.told(world) == ["new_fatal", "velocity"])
            clock.advance(by: .hours(1))
            try await Self.look(world)
            try await Self.meet(60..<90, world, clock.now)
            try await Self.look(world)
            #expect(try await Self.told(world) == ["new_fatal", "velocity", "velocity"])
        }
    }

    @Test func `spreading is detected without session IDs`() async throws {
        let clock = ManualClock(CrashingWorld.start)
        try await CrashingWorld.use(clock: clock.clock) { world in
            let at = (clock.now - .minutes(5)).rfc3339
            let crashes = (0..<30).map { SentCrash().from("u\($0)").with("release", "2.0").with("timestamp", at) }
            #expect(try Taken(await world.send(crashes)) == Taken(accepted: 30))
            try await Self.look(world)
            #expect(try await Self.told(world) == ["new_fatal", "velocity"])
        }
    }

    @Test func `an issue with a small share of users, or an old one, is not spreading`() async throws {
        let clock = ManualClock(CrashingWorld.start + .minutes(10))
        try await CrashingWorld.use(clock: clock.clock, configure: { $0.crashes.velocityPermille = 500 }) { world in
            let healthy = (100..<160).map {
                #"{"name": "e", "user_id": "u\#($0)", "session_id": "s\#($0)", "context": {"app_version": "2.0"}}"#
            }
            #expect(try await world.events(healthy.joined(separator: ",")).status == 200)
            try await Self.meet(0..<30, world, clock.now - .minutes(5))
            try await Self.look(world)
            #expect(try await Self.told(world) == ["new_fatal"])
            clock.advance(by: .hours(3))
            try await Self.meet(30..<50, world, release: "3.0", clock.now - .minutes(5))
            try await Self.look(world)
            #expect(try await Self.told(world) == ["new_fatal"])
        }
    }

    @Test func `sessions that began before the first crash do not lower the share`() async throws {
        let clock = ManualClock(CrashingWorld.start + .minutes(55))
        try await CrashingWorld.use(clock: clock.clock, configure: { $0.crashes.velocityPermille = 500 }) { world in
            let before = (clock.now - .minutes(31)).rfc3339
            let healthy = (100..<160).map {
                #"{"name": "e", "user_id": "u\#($0)", "session_id": "s\#($0)", "timestamp": "\#(before)", "context": {"app_version": "2.0"}}"#
            }
            #expect(try await world.events(healthy.joined(separator: ",")).status == 200)
            try await Self.meet(0..<30, world, clock.now - .minutes(29))
            try await Self.look(world)
            #expect(try await Self.told(world) == ["new_fatal", "velocity"])
            #expect(try await Self.alerts(world).last?["data"]["share"].text == "100.0")
        }
    }

    @Test func `missing symbols beyond the alert's limit are not reported twice`() async throws {
        try await CrashingWorld.use { world in
            let alerts = world.live.daemon.makeCrashAlerts(missingPerRound: 1)
            for (build, crashes) in [(SymbolFixture.elf, 1), (SymbolFixture.arm, 2), (SymbolFixture.elf, 2)] {
                for _ in 0..<crashes { try await world.take(build.crash()) }
                try await alerts.publishChanges()
            }
            #expect(try await Self.told(world).filter { $0 == "missing_symbols" }.count == 2)
        }
    }

    @Test func `missing symbols are reported once until they were uploaded`() async throws {
        let build = SymbolFixture.elf
        try await CrashingWorld.restart { world in
            for _ in 1...2 {
                try await world.take(build.crash())
                try await Self.look(world)
            }
            #expect(try await Self.told(world).sorted() == ["missing_symbols", "new_fatal"])
            let told = try await Self.alerts(world).first { $0["data"]["cause"].text == "missing_symbols" }
            let data = try #require(told)["data"]
            #expect(data["debug_id"].text == build.debugID && data["name"].text == "Shop" && data["crashes"].text == "1")
        } then: { world in
            try await Self.look(world)
            #expect(try await Self.told(world).filter { $0 == "missing_symbols" }.count == 1)
            #expect(try await world.put(build).status == 201)
            #expect(try await eventually { try await world.missing().isEmpty })
            try await Self.look(world)
            #expect(try await world.api.request("DELETE", "/v1/symbols/\(build.debugID)", key: world.ours.admin).status == 204)
            try await world.take(build.crash())
            try await Self.look(world)
            #expect(try await Self.told(world).filter { $0 == "missing_symbols" }.count == 2)
        }
    }
}
