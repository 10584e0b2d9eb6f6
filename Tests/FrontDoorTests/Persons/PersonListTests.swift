// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// `GET /v1/users`: the order of sightings, search, conditions and pages.
@Suite struct PersonListTests {
    private static let start = Day(year: 2026, month: 11, day: 18).start + .hours(9)

    private static func run(_ body: @Sendable (LiveDaemon, AppKeys, ManualClock) async throws -> Void) async throws {
        let clock = ManualClock(start)
        try await withDaemon(clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            try await body(live, keys, clock)
        }
    }

    /// Sends an event of each user, a quarter of an hour apart, ending now.
    private static func send(_ users: [String], _ live: LiveDaemon, _ keys: AppKeys, _ clock: ManualClock) async throws {
        let events = users.enumerated().map { place, user in
            let time = clock.now - .minutes(Int64(15 * (users.count - 1 - place)))
            return #"{"name": "open", "user_id": "\#(user)", "installation_id": "phone of \#(user)", "timestamp": "\#(time.rfc3339)"}"#
        }
        let answer = try await live.api.post("/v1/events", key: keys.ingest, "[\(events.joined(separator: ","))]")
        #expect(try Taken(answer) == Taken(accepted: users.count))
    }

    private static func ids(_ query: String, _ live: LiveDaemon, _ keys: AppKeys) async throws -> [String] {
        let answer = try await live.api.get("/v1/users" + query, key: keys.read)
        #expect(answer.status == 200)
        return try JSON(answer)["items"].items.map { $0["user_id"].text.isEmpty ? $0["installation_id"].text : $0["user_id"].text }
    }

    private static func pages(_ query: String, limit: Int, _ live: LiveDaemon, _ keys: AppKeys) async throws -> [String] {
        var (found, after): ([String], String?) = ([], "")
        while let place = after {
            let cursor = place.isEmpty ? "" : "&after=\(place.addingEscapes)"
            let answer = try JSON(await live.api.get("/v1/users?limit=\(limit)\(cursor)\(query)", key: keys.read))
            found += answer["items"].items.map { $0["user_id"].text }
            #expect(answer["items"].items.count <= limit)
            after = answer["next"].text.isEmpty ? nil : answer["next"].text
        }
        return found
    }

    @Test func `users are listed by their last sighting, folded or not`() async throws {
        try await Self.run { live, keys, clock in
            try await Self.send(["ann", "bob", "cyd"], live, keys, clock)
            #expect(try await Self.ids("", live, keys) == ["cyd", "bob", "ann"])
            // The turn of the day folds what was seen before.
            clock.advance(by: .days(1))
            try await Self.send(["dee", "ann"], live, keys, clock)
            #expect(try await Self.ids("", live, keys) == ["ann", "dee", "cyd", "bob"])
            for limit in 1...5 { #expect(try await Self.pages("", limit: limit, live, keys) == ["ann", "dee", "cyd", "bob"]) }
            clock.advance(by: .days(1))
            try await Self.send(["eve"], live, keys, clock)
            #expect(try await Self.pages("", limit: 2, live, keys) == ["eve", "ann", "dee", "cyd", "bob"])
            let ann = try JSON(await live.api.get("/v1/users?search=ann", key: keys.read))["items"][0]
            #expect(ann["last_seen"].text == (Self.start + .days(1)).rfc3339)
            #expect(ann["first_seen"].text == (Self.start - .minutes(30)).rfc3339)
        }
    }

    @Test func `a search returns the IDs that begin with a text, byte by byte`() async throws {
        try await Self.run { live, keys, clock in
            let users = ["anna", "ann", "Ann", "bob", "cafe\u{301}", "caf\u{e9}", "a%b", "an_"]
            try await Self.send(Array(users.prefix(4)), live, keys, clock)
            clock.advance(by: .days(1))
            try await Self.send(Array(users.dropFirst(4)), live, keys, clock)
            #expect(try await Self.pages("&search=an", limit: 1, live, keys) == ["an_", "ann", "anna"])
            #expect(try await Self.ids("?search=caf", live, keys).map { Array($0.utf8) } == [users[4], users[5]].map { Array($0.utf8) })
            #expect(try await Self.ids("?search=cafe", live, keys).map { Array($0.utf8) } == [Array(users[4].utf8)])
            #expect(try await Self.ids("?search=a%25", live, keys) == ["a%b"])
            #expect(try await Self.ids("?search=zed", live, keys) == [])
            #expect(try await Self.ids("?installation=phone%20of%20ann", live, keys) == ["ann"])
            #expect(try await Self.ids("?installation=phone", live, keys) == [])
        }
    }

    @Test func `conditions on user properties select users`() async throws {
        try await Self.run { live, keys, clock in
            try await Self.send((0..<30).map { "u\($0)" }, live, keys, clock)
            let entries = (0..<30).map { #"{"user_id": "u\#($0)", "properties": {"tier": "\#($0 % 3 == 0 ? "free" : "pro")", "age": \#($0)}}"# }
            #expect(try await live.api.post("/v1/users", key: keys.ingest, #"{"users": [\#(entries.joined(separator: ","))]}"#).status == 200)
            let expected = (0..<30).filter { $0 % 3 == 0 && $0 >= 9 }.map { "u\($0)" }
            for limit in [1, 4, 100] {
                let found = try await Self.pages("&filter=user.tier=free&filter=user.age%3E=9", limit: limit, live, keys)
                #expect(Set(found) == Set(expected) && found.count == expected.count)
            }
            #expect(try await Self.ids("?search=u2&filter=user.tier=free", live, keys) == ["u21", "u24", "u27"])
            let shown = try JSON(await live.api.get("/v1/users?search=u21", key: keys.read))["items"][0]
            #expect(shown["properties"]["tier"]["value"].text == "free" && shown["properties"]["age"]["value"].number == 21)
        }
    }

    @Test func `a page compares at most 5,000 users with a condition and goes on behind them`() async throws {
        try await Self.run { live, keys, clock in
            let day = (clock.now - .days(1)).rfc3339
            let gold = #"{"users": [{"user_id": "ann", "timestamp": "\#(day)", "properties": {"tier": "gold"}}]}"#
            #expect(try await live.api.post("/v1/users", key: keys.ingest, gold).status == 200)
            for part in 0..<6 {
                let entries = (0..<900).map { #"{"user_id": "u\#(part * 900 + $0)", "properties": {"tier": "free"}}"# }
                #expect(try await live.api.post("/v1/users", key: keys.ingest, #"{"users": [\#(entries.joined(separator: ","))]}"#).status == 200)
            }
            let first = try JSON(await live.api.get("/v1/users?filter=user.tier=gold", key: keys.read))
            #expect(first["items"].items.isEmpty && !first["next"].text.isEmpty)
            #expect(try await Self.pages("&filter=user.tier=gold", limit: 10, live, keys) == ["ann"])
        }
    }

    @Test func `installations without a user are listed apart, and apps never mix`() async throws {
        try await Self.run { live, keys, clock in
            let other = try await live.api.makeApp("other")
            try await Self.send(["ann"], live, keys, clock)
            let event = #"[{"name": "open", "installation_id": "kiosk"}]"#
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, event)) == Taken(accepted: 1))
            #expect(try await Self.ids("?by=installation", live, keys) == ["kiosk"])
            #expect(try await Self.ids("?installation=kiosk", live, keys) == ["kiosk"])
            #expect(try await Self.ids("", live, other) == [])
            #expect(try await Self.ids("?installation=kiosk", live, other) == [])
            for role in [keys.ingest, keys.send] { #expect(try await live.api.get("/v1/users", key: role).status == 403) }
        }
    }

    @Test func `erased and anonymised users are not listed`() async throws {
        try await Self.run { live, keys, clock in
            try await Self.send(["ann", "bob", "cyd"], live, keys, clock)
            clock.advance(by: .days(1))
            try await Self.send(["ann", "dee", "eve", "fay"], live, keys, clock)
            for user in ["ann", "dee"] { #expect(try await live.api.request("DELETE", "/v1/users/\(user)", key: keys.admin).status == 200) }
            for user in ["bob", "eve"] {
                #expect(try await live.api.request("POST", "/v1/users/\(user)/anonymise", key: keys.admin, body: []).status == 200)
            }
            #expect(try await Self.ids("", live, keys) == ["fay", "cyd"])
            for search in ["ann", "bob", "dee", "eve"] { #expect(try await Self.ids("?search=\(search)", live, keys) == []) }
            clock.advance(by: .days(1))
            try await Self.send(["gus"], live, keys, clock)
            #expect(try await Self.ids("", live, keys) == ["gus", "fay", "cyd"])
        }
    }

    private static let invalidParameters: [(String, String)] = [
        ("?filter=params.n=1", "filter"), ("?filter=name=a", "filter"), ("?filter=user.tier", "filter"), ("?search=", "search"),
        ("?limit=0", "limit"), ("?limit=1001", "limit"), ("?after=x", "after"), ("?after=1.2.3", "after"), ("?after=id:a", "after"),
        ("?installation=", "installation"), ("?search=a&after=1.2", "after"), ("?by=device", "by"), ("?sort=name", "sort"),
        ("?installation=a&search=b", "search"),
        ("?after=99999999999999999999.1", "after"), ("?search=" + String(repeating: "a", count: 1_001), "search"),
    ]

    @Test func `invalid parameters are rejected by name`() async throws {
        try await Self.run { live, keys, _ in
            for (query, field) in Self.invalidParameters {
                let answer = try await live.api.get("/v1/users" + query, key: keys.read)
                #expect(answer.status == 422, "\(query)")
                #expect(try JSON(answer)["errors"][0]["field"].text == field, "\(query)")
            }
        }
    }
}

extension String {
    fileprivate var addingEscapes: String { utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
