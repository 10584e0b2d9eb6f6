// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Closing, muting and reopening issues.
@Suite struct IssueStateTests {
    private static func crash(_ release: String) -> SentCrash { SentCrash().with("release", release) }

    private static func history(_ issue: JSON) -> [String] { issue["history"].items.map(\.["what"].text) }

    @Test func `an issue closed in a release stays closed while older releases crash`() async throws {
        try await CrashingWorld.use { world in
            let id = try await world.take(Self.crash("2.0.0"))
            let closed = try await world.change(id, #"{"state": "closed", "release": "2.1.0"}"#)
            #expect(closed["state"].text == "closed" && closed["closed_in"].text == "2.1.0")
            for older in ["2.0.0", "2.0.9", "2.1.0-beta.1", "1.99"] { try await world.take(Self.crash(older)) }
            let still = try await world.issue(id)
            #expect(still["state"].text == "closed" && still["count"].number == 5 && !still["signals"].items.map(\.text).contains("regressed"))
            try await world.take(Self.crash("shop@2.10.0+3"))
            let back = try await world.issue(id)
            #expect(back["state"].text == "open" && back["signals"].items.map(\.text).contains("regressed") && !back["closed_in"].exists)
            #expect(Self.history(back) == ["regressed", "closed", "appeared"])
            #expect(back["history"].items.map(\.["detail"].text) == ["2.10.0", "2.1.0", "2.0.0"])
            try await world.change(id, #"{"state": "closed", "release": "3.0"}"#)
            #expect(try await !world.issue(id)["signals"].items.map(\.text).contains("regressed"))
        }
    }

    @Test func `a crash in the fixed release reopens an issue`() async throws {
        try await CrashingWorld.use { world in
            let id = try await world.take(Self.crash("2.0.0"))
            try await world.change(id, #"{"state": "closed", "release": "2.1.0"}"#)
            try await world.take(Self.crash("2.1.0"))
            #expect(try await world.issue(id)["state"].text == "open")
        }
    }

    @Test(arguments: [("shop@2.1.0+57", "shop@2.2.0+60"), ("shop@2.2.0+9", "shop@2.2.0+60"), ("2.1.0", "shop@2.2.0"), ("deadbeef1", "cafebabe2")])
    func `a fixed release may have any spelling and need not be known`(old: String, mended: String) async throws {
        let clock = ManualClock(CrashingWorld.start)
        try await CrashingWorld.use(clock: clock.clock) { world in
            let id = try await world.take(Self.crash(old))
            try await world.change(id, #"{"state": "closed", "release": "\#(mended)"}"#)
            clock.advance(by: .minutes(1))
            try await world.take(Self.crash(old))
            #expect(try await world.issue(id)["state"].text == "closed")
            try await world.take(Self.crash(mended))
            #expect(try await Self.history(world.issue(id)) == ["regressed", "closed", "appeared"])
        }
    }

    @Test func `an issue closed without a release stays closed up to the newest known one`() async throws {
        let clock = ManualClock(CrashingWorld.start)
        try await CrashingWorld.use(clock: clock.clock) { world in
            for release in ["1.10", "1.9"] { try await world.take(Self.crash(release)) }
            let id = try await world.issues()[0]["id"].text
            #expect(try await world.change(id, #"{"state": "closed"}"#)["closed_after"].text == "1.10")
            clock.advance(by: .minutes(1))
            try await world.take(Self.crash("1.10"))
            #expect(try await world.issue(id)["state"].text == "closed")
            try await world.take(Self.crash("1.11"))
            #expect(try await world.issue(id)["state"].text == "open")
        }
    }

    @Test(arguments: ["shop@2.1.0+", "nightly+"]) func `an issue closed without a release reopens for a newer build only`(release: String)
        async throws
    {
        let clock = ManualClock(CrashingWorld.start)
        try await CrashingWorld.use(clock: clock.clock) { world in
            for build in [57, 100, 56] { try await world.take(Self.crash("\(release)\(build)")) }
            let id = try await world.issues()[0]["id"].text
            let closed = try await world.change(id, #"{"state": "closed"}"#)
            #expect(closed["closed_after"].text == (release == "nightly+" ? "nightly" : "2.1.0") && closed["closed_build"].text == "100")
            for build in ["100", "99", "57"] {
                clock.advance(by: .minutes(1))
                try await world.take(Self.crash("\(release)\(build)"))
                #expect(try await world.issue(id)["state"].text == "closed", "\(build)")
            }
            try await world.take(Self.crash("\(release)101"))
            let open = try await world.issue(id)
            #expect(open["state"].text == "open" && !open["closed_build"].exists && Self.history(open).first == "regressed")
            #expect(try await world.change(id, #"{"state": "closed"}"#)["closed_build"].text == "101")
        }
    }

    @Test func `builds count for a merged and for a split issue`() async throws {
        try await CrashingWorld.use { world in
            let first = try await world.take(Self.crash("2.1.0+57"))
            let second = try await world.take(SentCrash(in: "Other.f()").with("release", "2.1.0+60"))
            #expect(try await world.post("/v1/issues/\(first)/merge", #"{"issues": ["\#(second)"]}"#).status == 200)
            #expect(try await world.change(first, #"{"state": "closed"}"#)["closed_build"].text == "60")
            let variants = try await world.issue(first)["variants"].items
            let other = try #require(variants.first { $0["culprit"].text == "Other.f" })["id"].text
            #expect(try await world.post("/v1/issues/\(first)/split", #"{"variant": "\#(other)"}"#).status == 200)
            #expect(try await world.change(first, #"{"state": "closed"}"#)["closed_build"].text == "57")
        }
    }

    @Test func `a muted issue is counted until its date`() async throws {
        let clock = ManualClock(CrashingWorld.start)
        try await CrashingWorld.use(clock: clock.clock) { world in
            let id = try await world.take(Self.crash("1.0"))
            let muted = try await world.change(id, #"{"state": "muted", "until": "+2h"}"#)
            #expect(muted["state"].text == "muted" && muted["muted_until"].text == (CrashingWorld.start + .hours(2)).rfc3339)
            clock.advance(by: .hours(1))
            try await world.take(Self.crash("1.0"))
            #expect(try await world.issues("?state=muted").map(\.["count"].number) == [2])
            clock.advance(by: .hours(1))
            #expect(try await world.issue(id)["state"].text == "open")
            #expect(try await world.issues("?state=muted").isEmpty)
            try await world.take(Self.crash("1.0"))
            #expect(try await Self.history(world.issue(id)) == ["unmuted", "muted", "appeared"])
        }
    }

    @Test func `an issue muted by volume is unmuted by that number of crashes within the window`() async throws {
        let clock = ManualClock(CrashingWorld.start)
        try await CrashingWorld.use(clock: clock.clock) { world in
            let id = try await world.take(Self.crash("1.0"))
            let muted = try await world.change(id, #"{"state": "muted", "until_count": 3, "within": 3600}"#)
            #expect([muted["muted_count"], muted["muted_within"]].map(\.number) == [3, 3_600])
            for _ in 0..<2 { try await world.take(Self.crash("1.0")) }
            // These two are outside the window.
            clock.advance(by: .hours(2))
            for _ in 0..<2 { try await world.take(Self.crash("1.0")) }
            #expect(try await world.issue(id)["state"].text == "muted")
            try await world.take(Self.crash("1.0"))
            let open = try await world.issue(id)
            #expect(open["state"].text == "open" && open["count"].number == 6 && !open["muted_count"].exists)
        }
    }

    @Test func `an issue muted forever is only opened by a user`() async throws {
        try await CrashingWorld.use { world in
            let id = try await world.take(Self.crash("1.0"))
            #expect(try await world.change(id, #"{"state": "muted"}"#)["state"].text == "muted")
            for release in ["1.0", "9.0"] { try await world.take(Self.crash(release)) }
            #expect(try await world.issue(id)["state"].text == "muted")
            #expect(try await world.change(id, #"{"state": "open"}"#)["state"].text == "open")
            #expect(try await Self.history(world.issue(id)) == ["opened", "muted", "appeared"])
        }
    }
}
