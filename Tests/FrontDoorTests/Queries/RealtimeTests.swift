// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct RealtimeTests {
    private static let start = Day(year: 2026, month: 11, day: 21).start + .hours(12) + .minutes(7)

    /// The number of users, and whether it covers the thirty minutes.
    private static func users(_ live: LiveDaemon, _ keys: AppKeys) async throws -> String {
        let result = try JSON(await live.api.get("/v1/query/realtime", key: keys.read))
        return "\(result["users"].number)" + (result["users_since"].text == result["from"].text ? "" : " by quarters")
    }

    private static func send(_ live: LiveDaemon, _ keys: AppKeys, _ events: String) async throws {
        #expect(try await live.api.post("/v1/events", key: keys.ingest, "[\(events)]").status == 200)
    }

    @Test func `users of the last thirty minutes leave by the minute`() async throws {
        let clock = ManualClock(Self.start)
        try await withDaemon(clock: clock.clock) { live in
            let (keys, others) = (try await live.api.makeApp(), try await live.api.makeApp("others"))
            try await Self.send(live, keys, #"{"name": "a", "user_id": "ann"}, {"name": "a", "installation_id": "phone"}"#)
            try await Self.send(live, others, #"{"name": "a", "user_id": "bob"}, {"name": "a"}"#)
            clock.advance(by: .minutes(5))
            // A late event, one of a clock that is ahead, and the phone's user.
            try await Self.send(
                live, keys,
                #"""
                {"name": "a", "user_id": "cleo", "timestamp": "2026-11-21T11:50:00Z"}, {"name": "a", "user_id": "dan", "timestamp": "2026-11-21T12:20:30Z"},
                {"name": "a", "user_id": "eve", "installation_id": "phone"}
                """#)
            // Minutes of a day, and who is there in the half hour that ends with each.
            for (minute, count) in [(12, 3), (19, 3), (20, 3), (36, 3), (37, 2), (41, 2), (42, 1), (49, 1), (50, 0)] {
                clock.advance(by: Day(year: 2026, month: 11, day: 21).start + .hours(12) + .minutes(Int64(minute)) - clock.now)
                let users = try await Self.users(live, keys)
                #expect(users == "\(count)", "12:\(minute)")
            }
            #expect(try await Self.users(live, others) == "0")
        }
    }

    @Test func `after a restart users count by quarter-hours until the memory covers thirty minutes, and an erasure leaves the others`() async throws
    {
        let folder = TemporaryFolder()
        let clock = ManualClock(Self.start)
        let keys = try await withDaemon(in: folder, clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            try await Self.send(live, keys, #"{"name": "a", "user_id": "ann"}"#)
            return keys
        }
        clock.advance(by: .minutes(33))
        try await withDaemon(in: folder, clock: clock.clock) { live in
            // 12:40: the quarter-hour from 12:00 counts.
            #expect(try await Self.users(live, keys) == "1 by quarters")
            try await Self.send(live, keys, #"{"name": "a", "user_id": "bob"}, {"name": "a", "user_id": "cleo"}"#)
            clock.advance(by: .minutes(30))
            #expect(try await Self.users(live, keys) == "0")
            try await Self.send(live, keys, #"{"name": "a", "user_id": "bob"}, {"name": "a", "user_id": "cleo"}"#)
            #expect(try await Self.users(live, keys) == "2")
            #expect(try await live.api.request("DELETE", "/v1/users/bob", key: keys.admin).status == 200)
            #expect(try await Self.users(live, keys) == "1")
        }
    }

    @Test func `an anonymised person stays one of the users, and an alias counts as a sighting`() async throws {
        let clock = ManualClock(Self.start)
        try await withDaemon(clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            try await Self.send(
                live, keys,
                #"""
                {"name": "a", "user_id": "ann", "installation_id": "phone"}, {"name": "a", "installation_id": "phone"},
                {"name": "a", "installation_id": "tablet"}
                """#)
            #expect(try await Self.users(live, keys) == "2")
            let alias = #"{"users": [{"user_id": "ann", "installation_id": "tablet", "alias": true}]}"#
            #expect(try await live.api.post("/v1/users", key: keys.ingest, alias).status == 200)
            #expect(try await Self.users(live, keys) == "1")
            let removed = try await live.api.post("/v1/users/ann/anonymise", key: keys.admin, "{}")
            #expect(removed.status == 200, "\(removed.text)")
            #expect(try await Self.users(live, keys) == "1")
            clock.advance(by: .minutes(29))
            #expect(try await Self.users(live, keys) == "1")
            clock.advance(by: .minutes(1))
            #expect(try await Self.users(live, keys) == "0")
        }
    }
}
