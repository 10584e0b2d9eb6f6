// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import Synchronization
import TestSupport
import Testing

@testable import ingestd

/// Ways around security rules.
@Suite struct RuleThreatTests {
    private static let rules = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            match /notes/{id} { allow write: if get(/databases/$(database)/documents/members/$(request.auth.uid)).data.on == true; }
            match /posts/{id} { allow read: if resource.data.open == true; }
            match /{path=**}/open/{id} { allow read, write; }
          }
        }
        """

    @Test func `no write lands after the commit that takes its right`() async throws {
        try await RuleWorld.use { world, client async throws in
            #expect(try await RuleWorld.set(Self.rules, client).status == 200)
            let ana = try await world.user()
            let (flipping, first) = (try client.live.api.connect(), try client.live.api.connect())
            @Sendable func flip(_ on: Bool) async throws -> (stamp: Int, on: Bool) {
                let body = #"{"writes": [{"set": "members/\#(ana.id)", "fields": {"on": \#(on)}}]}"#
                let stamp = try await Self.commit(body, client.key, flipping)
                return (try #require(stamp), on)
            }
            var flips = [try await flip(true)]
            #expect(try await Self.commit(Self.note(0), ana.token, first) != nil)
            flips.append(try await flip(false))
            #expect(try await Self.commit(Self.note(0), ana.token, first) == nil)
            let isOver = Mutex(false)
            async let written: [Int] = {
                defer { isOver.withLock { $0 = true } }
                return try await Self.write(as: ana, world)
            }()
            while !isOver.withLock({ $0 }) { flips.append(try await flip(flips.count.isMultiple(of: 2))) }
            var (last, late) = (0, [Int]())
            for stamp in try await written.sorted() {
                while last + 1 < flips.count, flips[last + 1].stamp < stamp { last += 1 }
                if !flips[last].on { late.append(stamp) }
            }
            #expect(late.isEmpty)
        }
    }

    /// The number of writes beside a right that is given and taken; `SIGNALBOX_DOCUMENT_WRITES` makes the run longer.
    private static let writes = ProcessInfo.processInfo.environment["SIGNALBOX_DOCUMENT_WRITES"].flatMap(Int.init) ?? 300

    private static func note(_ number: Int) -> String { #"{"writes": [{"set": "notes/n\#(number % 5)", "fields": {"n": \#(number)}}]}"# }

    /// Returns the stamp of a commit, nil if it was denied.
    private static func commit(_ body: String, _ key: String, _ connection: HTTPConnection) async throws -> Int? {
        let headers = ["Content-Type": "application/json"]
        let reply = try await connection.exchange(
            TestClient.bytes("POST", "/v1/documents:commit", key: key, headers: headers, body: Array(body.utf8)))
        #expect(reply.status == 200 || reply.status == 403, "\(reply.text)")
        return reply.status == 200 ? try JSON(reply)["stamp"].number : nil
    }

    private final class Writers: Sendable {
        /// The number of writes that were begun.
        let begun = Mutex(0)
        let session: Mutex<AccountWorld.Session>

        init(_ user: AccountWorld.Session) { session = Mutex(user) }
    }

    /// Writes on four connections. Returns the stamps of the writes that were allowed.
    private static func write(as user: AccountWorld.Session, _ world: AccountWorld) async throws -> [Int] {
        let shared = Writers(user)
        @Sendable func next() -> Int? {
            shared.begun.withLock { number in
                number += 1
                return number <= writes ? number : nil
            }
        }
        @Sendable func writeOn(_ connection: HTTPConnection) async throws -> [Int] {
            var stamps: [Int] = []
            while let number = next() {
                // A user writes 1,000 times at once, and then 100 times a second.
                if number.isMultiple(of: 900) { world.clock.advance(by: .seconds(10)) }
                if number.isMultiple(of: 90_000) {
                    let renewed = try AccountWorld.Session(try await world.refresh(shared.session.withLock { $0.refresh }))
                    shared.session.withLock { $0 = renewed }
                }
                if let stamp = try await commit(note(number), shared.session.withLock { $0.token }, connection) { stamps.append(stamp) }
            }
            return stamps
        }
        return try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 1...4 {
                let connection = try world.live.api.connect()
                group.addTask { try await writeOn(connection) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    @Test func `no read is allowed after the commit that takes its right`() async throws {
        try await RuleWorld.use { world, client async throws in
            let rules = Self.rules.replacing("allow write: if get", with: "allow read: if get")
            #expect(try await RuleWorld.set(rules, client).status == 200)
            let ana = try await world.user()
            _ = try await client.json("commit", #"{"writes": [{"set": "notes/n", "fields": {}}]}"#)
            for turn in 0..<60 {
                // The rest of the time the member is deleted, or another document changes.
                let change = [
                    #"{"set": "members/\#(ana.id)", "fields": {"on": true}}"#, #"{"set": "other/x", "fields": {"n": \#(turn)}}"#,
                    #"{"set": "members/\#(ana.id)", "fields": {"on": false}}"#, #"{"set": "members/\#(ana.id)", "fields": {"on": true}}"#,
                    #"{"delete": "members/\#(ana.id)"}"#,
                ][turn % 5]
                _ = try await client.json("commit", #"{"writes": [\#(change)]}"#)
                let status = turn % 5 == 2 || turn % 5 == 4 ? 403 : 200
                for _ in 0..<2 { #expect(try await client.send("get", #"{"paths": ["notes/n"]}"#, key: ana.token).status == status, "\(turn)") }
            }
        }
    }

    @Test func `nothing about documents leaks by counts, orders, cursors or explanations`() async throws {
        try await RuleWorld.use { world, client async throws in
            #expect(try await RuleWorld.set(Self.rules, client).status == 200)
            let writes = (0..<6).map { #"{"set": "posts/p\#($0)", "fields": {"open": \#($0 % 2 == 0), "n": \#($0)}}"# }.joined(separator: ",")
            _ = try await client.json("commit", #"{"writes": [\#(writes)]}"#)
            let user = try await world.user()
            for query in [
                #""order": ["n"], "limit": 1"#, #""startAt": [3], "order": ["n"]"#, #""startAfter": [{"path": "posts/p1"}]"#, #""limit": 0"#,
                #""where": ["n", "==", 1]"#, #""where": {"or": [["open", "==", true], ["n", "==", 1]]}"#, #""where": ["open", "in", [true, false]]"#,
                #""where": ["open", "!=", false]"#, #""group": true"#, #""select": ["n"]"#, #""offset": 1"#,
            ] {
                let found = try await client.send("query", #"{"from": "posts", \#(query)}"#, key: user.token)
                #expect(found.status == 403 || found.status == 422, "\(query): \(found.text)")
                let counted = #"{"from": "posts", \#(query), "aggregates": {"n": {"count": true}, "max": {"max": "n"}}}"#
                let reply = try await client.send("aggregate", counted, key: user.token)
                // Aggregates imply an order, so their cursors have values for orders of the query only.
                let isRefused = query.contains("startAfter") && reply.status == 400
                #expect(reply.status == 403 || reply.status == 422 || isRefused, "\(query): \(reply.text)")
            }
            // Allowed, but the number of examined documents counts others.
            let open = #""where": ["open", "==", true]"#
            #expect(try await client.send("query", #"{"from": "posts", \#(open)}"#, key: user.token).status == 200)
            #expect(try await client.send("query", #"{"from": "posts", \#(open), "explain": true}"#, key: user.token).status == 403)
            let counted = #"{"from": "posts", \#(open), "aggregates": {"n": {"count": true}}, "explain": true}"#
            #expect(try await client.send("aggregate", counted, key: user.token).status == 403)
        }
    }

    @Test func `no credential of one app reaches documents of another`() async throws {
        try await RuleWorld.use { world, client async throws in
            let open = "service cloud.firestore { match /databases/{d}/documents { match /{p=**} { allow read, write; } } }"
            #expect(try await RuleWorld.set(open, client).status == 200)
            let other = try await DocumentClient.make(client.live, "other")
            #expect(try await RuleWorld.set(open, other).status == 200)
            _ = try await other.json("commit", #"{"writes": [{"set": "rooms/r1", "fields": {"secret": 1}}]}"#)
            let ana = try await world.user()
            var forged = Array(ana.token)
            forged[forged.count - 5] = forged[forged.count - 5] == "A" ? "B" : "A"
            let ended = try await world.user("bob@example.org")
            _ = try await world.live.api.request("POST", "/v1/auth/accounts/\(ended.id)/sign-out", key: world.keys.admin)
            let wrong = [String(forged), ended.token, "nonsense", client.keys.read, client.keys.send]
            let own = [ana.token, client.keys.ingest, client.key, client.keys.admin]
            for (key, mayUse) in wrong.map({ ($0, false) }) + own.map({ ($0, true) }) {
                for app in ["", "?app=\(other.keys.app)", "?app=other"] {
                    for (method, path, body) in Self.requests {
                        let reply = try await client.live.api.request(
                            method, "/v1/documents\(path)\(app)", key: key, body: body.map { Array($0.utf8) })
                        #expect(!reply.text.contains("secret"), "\(method) \(path)\(app) \(key)")
                        if !mayUse { #expect([401, 403].contains(reply.status), "\(method) \(path)\(app) \(key): \(reply.text)") }
                    }
                }
            }
            #expect(try await other.fields("rooms/r1") == #"{"secret":1}"#)
            #expect(try await other.paths(#"{"from": "rooms"}"#) == ["rooms/r1"])
        }
    }

    private static let requests: [(String, String, String?)] = [
        ("GET", "/rooms/r1", nil), ("GET", "/rooms", nil), ("PUT", "/rooms/r1", #"{"fields": {"mine": 1}}"#),
        ("PATCH", "/rooms/r1", #"{"fields": {"mine": 2}}"#), ("POST", "/rooms", #"{"fields": {"mine": 3}}"#), ("DELETE", "/rooms/r1", nil),
        ("POST", ":get", #"{"paths": ["rooms/r1"]}"#), ("POST", ":query", #"{"from": "rooms"}"#),
        ("POST", ":aggregate", #"{"from": "rooms", "aggregates": {"n": {"sum": "secret"}}}"#),
        ("POST", ":commit", #"{"writes": [{"set": "rooms/r1", "fields": {"mine": 4}}]}"#),
        ("POST", ":listen/str_000000000000000000000", "{}"),
    ]

    /// Sends commits that depend on a hundred queries each, until the thousand writes that a client has at once are used.
    private static func useWrites(_ client: DocumentClient, _ send: (_ body: String) async throws -> Reply) async throws {
        let rules = "service cloud.firestore { match /databases/{d}/documents { match /posts/{id} { allow read, write; } } }"
        #expect(try await RuleWorld.set(rules, client).status == 200)
        let stamp = try await client.json("commit", #"{"writes": [{"set": "posts/p", "fields": {}}]}"#)["stamp"].number
        let query = #"{"query": {"from": "posts", "where": ["n", "==", 1]}, "stamp": \#(stamp)}"#
        let body = #"{"writes": [], "queries": [\#(Array(repeating: query, count: 100).joined(separator: ","))]}"#
        for _ in 0..<10 { #expect(try await send(body).status == 200) }
        #expect(try await send(body).status == 429)
        #expect(try await client.send("commit", body).status == 200)
    }

    private static let clock = ManualClock(Timestamp(milliseconds: 1_795_260_500_000)).clock

    @Test func `queries that a commit depends on count as writes of a client`() async throws {
        try await DocumentClient.use(clock: Self.clock) { client in
            try await Self.useWrites(client) { try await client.send("commit", $0, key: client.keys.ingest) }
        }
    }

    @Test func `the addresses of an IPv6 network are one client`() async throws {
        try await DocumentClient.use(clock: Self.clock) { client in
            @Sendable func commit(_ body: String, from address: String) async throws -> Reply {
                try await client.live.api.request(
                    "POST", "/v1/documents:commit", key: client.keys.ingest, headers: ["X-Forwarded-For": address], body: Array(body.utf8))
            }
            let number = Mutex(0)
            try await Self.useWrites(client) { body in
                let next = number.withLock { number in
                    number += 1
                    return number
                }
                return try await commit(body, from: "2001:db8::\(next)")
            }
            let write = #"{"writes": [{"set": "posts/q", "fields": {}}]}"#
            #expect(try await commit(write, from: "2001:db8::ffff").status == 429)
            #expect(try await commit(write, from: "2001:db8:0:1::1").status == 200)
        }
    }
}
