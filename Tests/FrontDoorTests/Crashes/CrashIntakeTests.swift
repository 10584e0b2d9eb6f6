// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Crashes from intake to display.
@Suite struct CrashIntakeTests {
    @Test func `acknowledged crashes are stored and grouped`() async throws {
        try await CrashingWorld.use { world in
            let sent = [
                SentCrash("1").with("release", "shop@2.1.0+57").from("ann"), SentCrash("2", in: "Search.run()"),
                SentCrash("3").with("release", "2.2.0").from("bob").with("reason", "declined"),
            ]
            let reply = try await world.send(sent)
            #expect(try Taken(reply) == Taken(accepted: 3))
            let results = try JSON(reply)["results"].items
            #expect(results.map(\.["result"].text) == ["accepted", "accepted", "accepted"] && results.map(\.["id"].text) == ["1", "2", "3"])
            let pay = results[0]["issue"].text
            #expect(results[2]["issue"].text == pay && results[1]["issue"].text != pay)
            let issue = try await world.issue(pay)
            #expect([issue["count"], issue["users"]].map(\.number) == [2, 2])
            #expect(["title", "culprit", "kind", "state"].map { issue[$0].text } == ["PayError", "Cart.pay", "fatal", "open"])
            #expect(issue["first_release"].text == "2.1.0" && issue["last_release"].text == "2.2.0" && !issue["grouped_by"].text.isEmpty)
            #expect(Set(try await world.issues().map(\.["id"].text)) == [pay, results[1]["issue"].text])
            let crash = try await world.crash("1", of: pay)
            #expect(crash["release"].text == "2.1.0" && crash["report"]["build"].text == "57" && crash["report"]["user_id"].text == "ann")
            #expect(crash["report"]["frames"].items.map(\.["function"].text) == ["main", "Cart.pay()"])
            #expect(try await world.crash("latest", of: pay)["id"].text == "3")
        }
    }

    @Test func `a crash ID counts once per app in any spelling and after a restart`() async throws {
        let uuid = "0190a5d4-7e4a-7c3e-9d2b-5f0c7a1b2c3d"
        try await CrashingWorld.restart { world in
            let both = try await world.send(SentCrash(uuid), SentCrash(uuid.uppercased()), SentCrash("plain"))
            #expect(try Taken(both) == Taken(accepted: 2, duplicates: 1))
            let results = try JSON(both)["results"].items
            #expect(results[1]["issue"].text == results[0]["issue"].text && results[1]["code"].text == "crash_duplicate")
            #expect(try Taken(await world.send(SentCrash(uuid), as: world.theirs.ingest)) == Taken(accepted: 1))
        } then: { world in
            // An ID counts once whatever report has it.
            let again = try await world.send(SentCrash(uuid.uppercased()), SentCrash("plain", in: "Other.f()"))
            #expect(try Taken(again) == Taken(duplicates: 2))
            let issues = try await world.issues()
            #expect(issues.count == 1 && issues[0]["count"].number == 2)
            #expect(try JSON(again)["results"].items.map(\.["issue"].text) == [issues[0]["id"].text, issues[0]["id"].text])
        }
    }

    /// The kinds by the contract's fields, and of messages by their level.
    private static let kinds: [(String, SentCrash)] = [
        ("fatal", SentCrash()), ("nonfatal", SentCrash().with("handled", json: "true")), ("nonfatal", SentCrash().with("handled", json: nil)),
        ("fatal", SentCrash().with("handled", json: nil).with("level", "fatal")), ("nonfatal", SentCrash().with("kind", "nonfatal")),
        ("fatal", exception(#"{"type": "signalhandler", "handled": false}"#)), ("anr", exception(#"{"type": "AppHang", "handled": false}"#)),
        ("anr", exception(#"{"type": "ANR"}"#)), ("nonfatal", exception(#"{"type": "generic", "handled": true}"#)), ("nonfatal", message("warning")),
        ("fatal", message("fatal")),
    ]

    private static func exception(_ mechanism: String) -> SentCrash {
        SentCrash().with("handled", json: nil).with("exceptions", json: #"[{"type": "E", "mechanism": \#(mechanism)}]"#)
    }

    private static func message(_ level: String) -> SentCrash {
        ["type", "handled", "frames"].reduce(SentCrash()) { $0.with($1, json: nil) }.with("level", level).with("reason", "The cart is empty")
    }

    @Test func `a crash has the kind that the contract defines, and kinds share no issue`() async throws {
        try await CrashingWorld.use { world in
            var kindOf: [String: Set<String>] = [:]
            for (kind, crash) in Self.kinds {
                let issue = try await world.take(crash)
                #expect(try await world.issue(issue)["kind"].text == kind, "\(crash.json)")
                kindOf[issue, default: []].insert(kind)
            }
            #expect(kindOf.values.allSatisfy { $0.count == 1 })
            let message = try await world.issues("?text=cart%20is%20empty&kind=nonfatal")
            #expect(message.count == 1 && message[0]["count"].number == 1)
            for kind in ["fatal", "nonfatal", "anr"] {
                let listed = try await world.issues("?kind=\(kind)").map(\.["id"].text)
                #expect(Set(listed) == Set(kindOf.filter { $0.value == [kind] }.keys))
            }
        }
    }

    @Test func `a late crash keeps its time`() async throws {
        let clock = ManualClock(CrashingWorld.start)
        try await CrashingWorld.use(clock: clock.clock) { world in
            let then = CrashingWorld.start - .days(10)
            let issue = try await world.take(SentCrash("old").with("timestamp", then.rfc3339))
            try await world.take(SentCrash("new").with("timestamp", (CrashingWorld.start - .hours(1)).rfc3339))
            let crashes = try await world.get("/v1/issues/\(issue)/events")["items"].items
            #expect(crashes.map(\.["id"].text) == ["new", "old"] && crashes.map(\.["late"].bool) == [false, true])
            #expect(crashes[1]["timestamp"].text == then.rfc3339 && crashes[1]["received_at"].text == CrashingWorld.start.rfc3339)
            let shown = try await world.issue(issue)
            #expect(shown["first_seen"].text == then.rfc3339 && shown["last_seen"].text == crashes[0]["timestamp"].text)
            let days = shown["series"].items.filter { $0["value"].number > 0 }
            #expect(days.map(\.["t"].text) == ["2026-11-11T00:00:00.000Z", "2026-11-21T00:00:00.000Z"])
        }
    }

    @Test func `the series of an issue has every day, today in the app's time zone last`() async throws {
        let clock = ManualClock(CrashingWorld.start + .hours(8))
        try await CrashingWorld.use(clock: clock.clock) { world in
            let issue = try await world.take(SentCrash("now"))
            for hours in [10, 24 * 29, 24 * 30] as [Int64] {
                try await world.take(SentCrash("\(hours)").with("timestamp", (clock.now - .hours(hours)).rfc3339))
            }
            let days = try await world.issue(issue)["series"].items
            #expect(days.count == 30 && days.map(\.["value"].number) == [1] + Array(repeating: 0, count: 28) + [2])
            #expect([days[0], days[29]].map(\.["t"].text) == ["2026-10-23T00:00:00.000Z", "2026-11-21T00:00:00.000Z"])
            // In Tokyo it is the 22nd, 5 o'clock.
            #expect(try await world.patch("/v1/app", #"{"tz": "Asia/Tokyo"}"#).status == 200)
            let local = try await world.issue(issue)["series"].items
            #expect(local.count == 30 && local.map(\.["value"].number) == [1] + Array(repeating: 0, count: 27) + [1, 1])
            #expect(
                [local[0], local[28], local[29]].map(\.["t"].text) == [
                    "2026-10-23T15:00:00.000Z", "2026-11-20T15:00:00.000Z", "2026-11-21T15:00:00.000Z",
                ])
            clock.advance(by: .days(1))
            #expect(try await world.issue(issue)["series"].items.last?["value"].number == 0)
        }
    }

    @Test func `a request beyond the limits is rejected as a whole`() async throws {
        try await CrashingWorld.use { world async throws in
            let many = (0...100).map { SentCrash("\($0)") }
            #expect(try await world.send(many).status == 413)
            let large = [UInt8](repeating: 0x20, count: (5 << 20) + 1)
            for target in ["/v1/crashes", "/v1/crashes/report"] {
                #expect(try await world.api.request("POST", target, key: world.ours.ingest, body: large).status == 413, "\(target)")
            }
            #expect(try await world.issues().isEmpty)
            #expect(try Taken(await world.send(Array(many.prefix(100)))) == Taken(accepted: 100))
        }
    }

    @Test func `a key's rate limit applies to crashes`() async throws {
        try await CrashingWorld.use { world in
            #expect(try await world.patch("/v1/app", #"{"events_per_minute": 5}"#).status == 200)
            #expect(try Taken(await world.send((0..<5).map { SentCrash("\($0)") })) == Taken(accepted: 5))
            let refused = try await world.send(SentCrash("one too many"))
            #expect(refused.status == 429 && refused.headers["retry-after"] != nil)
            #expect(try await world.issues()[0]["count"].number == 5)
        }
    }

    @Test func `crashes and errors of a blocked user are rejected`() async throws {
        try await CrashingWorld.use { world in
            let both = [SentCrash("1").from("ann"), SentCrash("2").from("bob")]
            #expect(try Taken(await world.send([both[0]])) == Taken(accepted: 1))
            #expect(try await world.events(#"{"name": "a", "user_id": "ann"}"#).status == 200)
            #expect(try await world.api.request("DELETE", "/v1/users/ann?block=true", key: world.ours.admin).status == 200)
            #expect(try await world.issues().isEmpty)
            let reply = try await world.send([both[0].with("id", "3"), both[1]])
            #expect(try Taken(reply) == Taken(accepted: 1, quarantined: 1))
            #expect(try JSON(reply)["results"].items.map(\.["code"].text) == ["blocked", ""])
            let error = #"{"name": "app_error", "user_id": "ann", "params": {"error_description": "E: f"}}"#
            #expect(try Taken(await world.events(error)) == Taken(quarantined: 1))
            let issues = try await world.issues()
            #expect(issues.count == 1 && issues[0]["count"].number == 1)
            #expect(try await !world.api.get("/v1/quarantine", key: world.ours.read).text.contains("ann"))
            #expect(try await world.api.request("DELETE", "/v1/users/ann/block", key: world.ours.admin).status == 204)
            #expect(try Taken(await world.send(both[0].with("id", "3"))) == Taken(accepted: 1))
        }
    }

    @Test func `an app cannot read or change another app's crashes`() async throws {
        try await CrashingWorld.use { world in
            let issue = try await world.take(SentCrash("1").with("type", "SecretError"))
            #expect(try await world.issues(as: world.theirs.read).isEmpty)
            #expect(try await world.issues("?app=\(world.ours.app)", as: world.theirs.read).isEmpty)
            for path in ["", "/events", "/events/1", "/events/latest"] {
                let answer = try await world.api.get("/v1/issues/\(issue)\(path)", key: world.theirs.admin)
                #expect(answer.status == 404 && !answer.text.contains("Secret"), "\(path)")
            }
            let other = try await world.take(SentCrash("1"), as: world.theirs.ingest)
            #expect(try await world.api.get("/v1/issues/\(other)/events/1", key: world.ours.read).status == 404)
            let changes = [("/merge", #"{"issues": ["\#(issue)"]}"#), ("/split", #"{"variant": "1"}"#), ("/notes", #"{"text": "x"}"#)]
            for (path, body) in changes {
                #expect(try await world.post("/v1/issues/\(issue)\(path)", as: world.theirs.admin, body).status == 404, "\(path)")
            }
            #expect(try await world.post("/v1/issues/\(other)/merge", as: world.theirs.admin, changes[0].1).status == 404)
            #expect(try await world.patch("/v1/issues/\(other)", #"{"state": "closed"}"#).status == 404)
            #expect(try await world.issue(issue)["history"].items.count == 1)
        }
    }
}
