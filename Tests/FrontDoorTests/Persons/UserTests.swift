// SPDX-License-Identifier: Apache-2.0

import Platform
import SQLite
import TestSupport
import Testing

@testable import ingestd

@Suite struct UserTests {
    /// The properties by name; `nil` for a deleted one.
    private static func properties(_ live: LiveDaemon) throws -> [String: String?] {
        let main = try Connection(live.mainFile, .read)
        let rows = try main.statement("SELECT name, value FROM properties").all { ($0.text(0), $0.optionalText(1)) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    private static func send(_ live: LiveDaemon, _ keys: AppKeys, _ properties: String, at time: Int) async throws {
        let body = #"{"users": [{"user_id": "u", "properties": {\#(properties)}, "timestamp": \#(1_790_000_000 + time)}]}"#
        #expect(try Taken(await live.api.post("/v1/users", key: keys.ingest, body)) == Taken(accepted: 1))
    }

    @Test func `the property value with the latest timestamp wins`() async throws {
        try await withDaemon(clock: ManualClock(Timestamp(milliseconds: 1_790_000_100_000)).clock) { live in
            let keys = try await live.api.makeApp()
            try await Self.send(live, keys, #""tier": "silver", "plan": "a""#, at: 10)
            try await Self.send(live, keys, #""tier": "gold""#, at: 20)
            try await Self.send(live, keys, #""tier": "bronze", "plan": "old""#, at: 5)
            #expect(try Self.properties(live) == ["tier": #""gold""#, "plan": #""a""#])
            try await Self.send(live, keys, #""tier": null"#, at: 30)
            #expect(try Self.properties(live)["tier"] == .some(nil))
            try await Self.send(live, keys, #""tier": "risen""#, at: 25)
            #expect(try Self.properties(live)["tier"] == .some(nil))
            try await Self.send(live, keys, #""tier": 7"#, at: 31)
            #expect(try Self.properties(live)["tier"] == "7")
        }
    }

    @Test(arguments: [[#""x""#, "null"], ["null", #""x""#], [#""x""#, #""y""#], [#""y""#, #""x""#]])
    func `of two values with the same timestamp the same one wins in any order`(values: [String]) async throws {
        try await withDaemon(clock: ManualClock(Timestamp(milliseconds: 1_790_000_100_000)).clock) { live in
            let keys = try await live.api.makeApp()
            for value in values { try await Self.send(live, keys, #""tier": \#(value)"#, at: 10) }
            #expect(try Self.properties(live)["tier"] == .some(values.contains("null") ? nil : #""y""#))
        }
    }

    @Test func `an alias links an installation and a user, other updates do not`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let body = #"""
                {"users": [{"installation_id": "i", "user_id": "u", "alias": true}, {"installation_id": "j", "user_id": "u"}, {"user_id": "u", "alias": true},
                           {"properties": {"a": 1}}]}
                """#
            let answer = try await live.api.post("/v1/users", key: keys.ingest, body)
            #expect(try Taken(answer) == Taken(accepted: 2, quarantined: 2))
            let main = try Connection(live.mainFile, .read)
            let pairs = try main.statement(
                "SELECT i.id, u.id FROM aliases a JOIN people i ON i.key = a.installation JOIN people u ON u.key = a.user"
            ).all { [$0.text(0), $0.text(1)] }
            #expect(pairs == [["i", "u"]])
            #expect(try JSON(await live.api.get("/v1/quarantine", key: keys.read))["items"].items.count == 2)
        }
    }

    @Test func `an alias makes an installation and a user one person from its time on`() async throws {
        let clock = ManualClock(Timestamp(milliseconds: 1_790_000_100_000))
        try await withDaemon(clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            func users() async throws -> [Int] {
                let found = try JSON(await live.api.get("/v1/query/active-users?from=-1d", key: keys.read))
                return found["points"].items.map { $0["dau"].number } + [found["total"].number]
            }
            let phone = #""name": "a", "installation_id": "phone""#
            _ = try await live.api.post("/v1/events", key: keys.ingest, "[{\"id\": \"1\", \(phone)}]")
            clock.advance(by: .days(1))
            let laptop = #""name": "a", "installation_id": "laptop", "user_id": "ann""#
            _ = try await live.api.post("/v1/events", key: keys.ingest, "[{\"id\": \"2\", \(phone)}, {\"id\": \"3\", \(laptop)}]")
            #expect(try await users() == [1, 2, 2])
            let alias = #"{"users": [{"installation_id": "phone", "user_id": "ann", "alias": true}]}"#
            #expect(try Taken(await live.api.post("/v1/users", key: keys.ingest, alias)) == Taken(accepted: 1))
            #expect(try await users() == [1, 1, 1])
        }
    }

    @Test func `invalid properties are dropped with Firebase's number`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let long = String(repeating: "x", count: 37)
            let body = #"{"users": [{"user_id": "u", "properties": {"9bad": 1, "long": "\#(long)", "firebase_x": 1, "ok": true}}]}"#
            let answer = try await live.api.post("/v1/users", key: keys.ingest, body)
            #expect(try JSON(answer)["results"].items.map(\.["number"].number) == [6, 7, 15])
            #expect(try Self.properties(live) == ["ok": "true"])
        }
    }
}
