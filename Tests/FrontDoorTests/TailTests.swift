// SPDX-License-Identifier: Apache-2.0

import EventStore
import HTTPServer
import Platform
import AcrossStores
import TestSupport
import Testing

@testable import ingestd

@Suite struct TailTests {
    private static let start = Day(year: 2026, month: 11, day: 19).start + .hours(9)

    private static func send(_ live: LiveDaemon, _ keys: AppKeys, _ names: String...) async throws {
        let events = names.map { #"{"name": "\#($0)"}"# }.joined(separator: ",")
        #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, "[\(events)]")) == Taken(accepted: names.count))
    }

    @Test func `a tail sends events in order in the export's format`() async throws {
        try await withDaemon(clock: ManualClock(Self.start).clock) { live in
            let keys = try await live.api.makeApp()
            let other = try await live.api.makeApp("other")
            let tail = try await EventStream(live.api, "/v1/tail", key: keys.read)
            #expect(tail.head.status == 200)
            #expect(tail.head.headers["content-type"] == "text/event-stream")
            try await Self.send(live, other, "theirs")
            let body = #"""
                {"installation_id": "i", "context": {"platform": "ios", "app_version": "1.2"}, "events": [
                  {"id": "0190B0C8-0000-7000-8000-000000000001", "name": "level_up", "timestamp": "2026-11-19T10:59:00.5+02:00", "user_id": "ü",
                   "session_id": "s", "params": {"a": 1.50,
                   "b": "ä\t", "c": true}, "context": {"platform": "android"}},
                  {"id": "own", "name": "plain", "params": {"\#(String(repeating: "k", count: 41))": 1}},
                  {"id": "own", "name": "plain"}, {"name": "9bad"}, {"name": "last", "user_id": "ü"}]}
                """#
            let taken = Taken(accepted: 3, duplicates: 1, quarantined: 1)
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, body)) == taken)
            let messages = try await tail.next(4)
            let lines = try await live.api.get("/v1/export", key: keys.read).text.split(separator: "\n").map(String.init)
            #expect(messages[..<3].map(\.data) == lines)
            #expect(messages.map(\.event) == ["event", "event", "event", "quarantine"])
            #expect(messages.map(\.id) == ["2", "3", "4", "5"])
            let refused = try messages[3].json
            #expect(refused.names == ["field", "message", "reason", "received_at", "seq"])
            #expect(refused["seq"].number == 5 && refused["field"].text == "name" && refused["received_at"].text == Self.start.rfc3339)
            #expect(try refused["reason"].text == JSON(await live.api.get("/v1/quarantine", key: keys.read))["items"][0]["code"].text)
        }
    }

    @Test(arguments: [
        ("event=a", ["a"]), ("event=a&event=c", ["a", "c"]), ("kind=events", ["a", "b", "c"]), ("kind=quarantine", [""]), ("user=u", ["b"]),
        ("installation=i", ["c"]), ("filter=params.n>=2&filter=context.platform=ios|web", ["b"]), ("filter=name!=b", ["a", "c"]),
        ("filter=params.n=2.0|1e1|3", ["a", "b"]), ("filter=params.n%3C10.5", ["a", "b"]),
        ("event=c&user=u", []), ("", ["a", "b", "c", ""]),
    ])
    func `a tail's filters apply to live and stored events`(query: String, names: [String]) async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let tail = try await EventStream(live.api, "/v1/tail?\(query)", key: keys.read)
            let events =
                #"[{"name": "a", "params": {"n": 2}}, {"name": "b", "user_id": "u", "params": {"n": 10}, "context": {"platform": "ios"}}, {"name": "c", "installation_id": "i"}, {"name": "9"}]"#
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, events)) == Taken(accepted: 3, quarantined: 1))
            let again = try await EventStream(live.api, "/v1/tail?after=0&\(query)", key: keys.read)
            // Events that every filter shows end the wait.
            let end =
                #"[{"name": "a", "user_id": "u", "installation_id": "i"}, {"name": "c", "user_id": "u", "installation_id": "i"}, {"name": "b", "params": {"n": 3}, "context": {"platform": "web"}}, {"name": "9"}]"#
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, end)) == Taken(accepted: 3, quarantined: 1))
            for stream in [tail, again] {
                let messages = try await stream.next(names.count + 1)
                #expect(try messages.dropLast().map { try $0.json["name"].text } == names)
                #expect(try #require(messages.last?.id.flatMap { Int($0) }) > 4)
            }
        }
    }

    @Test func `crashes are streamed with their issue and without a resumable ID`() async throws {
        try await withDaemon(clock: ManualClock(Self.start).clock) { live in
            let keys = try await live.api.makeApp()
            let other = try await live.api.makeApp("other")
            let all = try await EventStream(live.api, "/v1/tail", key: keys.read)
            let bobs = try await EventStream(live.api, "/v1/tail?kind=crashes&user=bob", key: keys.read)
            let events = try await EventStream(live.api, "/v1/tail?kind=events", key: keys.read)
            let crashes = try await EventStream(live.api, "/v1/tail?kind=crashes", key: keys.read)
            func crash(_ id: String, _ user: String, of keys: AppKeys) async throws -> JSON {
                let frame = #"{"function": "Cart.checkout", "in_app": true}"#
                let body =
                    #"{"crashes": [{"id": "\#(id)", "timestamp": "\#(Self.start.rfc3339)", "type": "Boom", "handled": false, "#
                    + #""release": "shop@2.1+7", "user_id": "\#(user)", "installation_id": "i", "frames": [\#(frame)]}]}"#
                return try JSON(await live.api.post("/v1/crashes", key: keys.ingest, body))["results"][0]
            }
            _ = try await crash("theirs", "bob", of: other)
            let issue = try await crash("1", "ann", of: keys)["issue"].text
            let told = try #require(try await all.next())
            #expect(told.event == "crash" && told.id == nil)
            #expect(try told.json.names == ["culprit", "id", "installation_id", "issue", "kind", "release", "timestamp", "title", "user_id"])
            #expect(try told.json["issue"].text == issue && told.json["release"].text == "2.1" && told.json["kind"].text == "fatal")
            _ = try await crash("1", "ann", of: keys)
            _ = try await crash("2", "bob", of: keys)
            try await Self.send(live, keys, "a")
            #expect(try await all.next(2).map(\.event) == ["crash", "event"])
            #expect(try await bobs.next()?.json["id"].text == "2")
            #expect(try await crashes.next(2).map { try $0.json["id"].text } == ["1", "2"])
            #expect(try await events.next()?.id == "1")
        }
    }

    @Test func `a tail resumes across days without gaps or repetitions`() async throws {
        let clock = ManualClock(Self.start)
        try await withDaemon(clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            let other = try await live.api.makeApp("other")
            var seen: [String] = []
            for round in 0..<4 {
                let resumed = seen.last.map { ["Last-Event-ID": $0] } ?? [:]
                let tail = try await EventStream(live.api, "/v1/tail\(round == 0 ? "" : "?after=0")", key: keys.read, headers: resumed)
                try await Self.send(live, keys, "a", "b", "c")
                try await Self.send(live, other, "theirs")
                // Two day files and events from the pause lie between the first and the last.
                seen += try await tail.next(round == 0 ? 3 : 8).compactMap(\.id)
                clock.advance(by: .hours(20))
                try await Self.send(live, keys, "d", "e")
                if round == 3 { seen += try await tail.next(2).compactMap(\.id) }
                await tail.close()
                try await Self.send(live, keys, "f", "g", "h")
            }
            let stored = try await live.api.get("/v1/export", key: keys.read).text.split(separator: "\n")
            let numbers = try stored.map { try String(JSON(Array($0.utf8))["seq"].number) }
            #expect(try live.dayFiles.count == 4)
            #expect(seen == Array(numbers.dropLast(3)))
        }
    }

    @Test func `a tail catches up while more arrives than a page holds`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let events = Array(repeating: #"{"name": "a"}"#, count: 999).joined(separator: ",")
            let body = "[\(events), {\"name\": \"9\"}]"
            let taken = Taken(accepted: 999, quarantined: 1)
            for _ in 0..<3 { #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, body)) == taken) }
            async let ids = EventStream(live.api, "/v1/tail?after=500", key: keys.read).next(5_500).compactMap(\.id)
            for _ in 0..<3 { #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, body)) == taken) }
            #expect(try await ids == (501...6_000).map(String.init))
        }
    }

    @Test func `a slow reader gets the number of missed events and does not delay ingest`() async throws {
        // A machine may need longer than the usual write timeout to take the events.
        try await withDaemon(configure: { ($0.store.events.tail.bytes, $0.http.deadlines.write) = (1 << 20, .seconds(3_600)) }) { live in
            let keys = try await live.api.makeApp()
            let other = try await live.api.makeApp("other")
            let tail = try await EventStream(live.api, "/v1/tail", key: keys.read)
            let text = String(repeating: "x", count: 100)
            let params = (0..<20).map { #""p\#($0)": "\#(text)""# }.joined(separator: ",")
            let events = Array(repeating: #"{"name": "big", "params": {\#(params)}}"#, count: 1_900).joined(separator: ",")
            // More than all buffers between the daemon and an idle reader.
            for _ in 0..<8 {
                #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, "[\(events)]")) == Taken(accepted: 1_900))
                try await Self.send(live, other, "theirs", "theirs")
            }
            var (shown, missed, last) = (0, 0, 0)
            while shown + missed < 8 * 1_900 {
                let message = try #require(try await tail.next())
                if message.event == "gap" {
                    missed += try message.json["missed"].number
                    #expect(try message.json["after"].number > last)
                    last = try message.json["after"].number
                } else {
                    shown += 1
                    let seq = try #require(message.id.flatMap { Int($0) })
                    #expect(seq > last)
                    last = seq
                }
            }
            #expect(missed > 0 && shown > 0)
            #expect(shown + missed == 8 * 1_900)
            try await Self.send(live, keys, "after")
            #expect(try await tail.next()?.json["name"].text == "after")
        }
    }

    @Test func `an idle tail sends keep-alives and ends when its key is revoked`() async throws {
        try await withDaemon(configure: { $0.tail.keepAlive = .milliseconds(20) }) { live in
            let keys = try await live.api.makeApp()
            let made = try JSON(try await live.api.asOperator("POST", "/v1/apps/\(keys.app)/keys", #"{"role": "read", "label": "lent"}"#))
            let tail = try await EventStream(live.api, "/v1/tail", key: made["key"].text)
            #expect(try await tail.nextOfAny()?.isComment == true)
            #expect(try await live.api.asOperator("DELETE", "/v1/apps/\(keys.app)/keys/\(made["id"].number)").status == 204)
            #expect(try await tail.next() == nil)
        }
    }

    @Test func `events after the key was revoked are not streamed`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let made = try JSON(try await live.api.asOperator("POST", "/v1/apps/\(keys.app)/keys", #"{"role": "read", "label": "lent"}"#))
            let tail = try await EventStream(live.api, "/v1/tail", key: made["key"].text)
            try await Self.send(live, keys, "before")
            #expect(try await tail.next()?.json["name"].text == "before")
            #expect(try await live.api.asOperator("DELETE", "/v1/apps/\(keys.app)/keys/\(made["id"].number)").status == 204)
            try await Self.send(live, keys, "after")
            #expect(try await tail.next() == nil)
        }
    }

    @Test func `a draining daemon sends the remaining events and ends the tail`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let tail = try await EventStream(live.api, "/v1/tail", key: keys.read)
            try await Self.send(live, keys, "a", "b")
            live.daemon.beginDrain()
            // The stream ends after the two events.
            #expect(try await tail.next(3).count == 2)
        }
    }

    @Test func `the number of tails is limited, and a closed one frees its place`() async throws {
        try await withDaemon(configure: { ($0.store.events.tail.listeners, $0.store.events.tail.listenersPerKey) = (3, 2) }) { live in
            let keys = try await live.api.makeApp()
            let first = try await EventStream(live.api, "/v1/tail", key: keys.read)
            // A HEAD request takes no place.
            #expect(try await live.api.request("HEAD", "/v1/tail", key: keys.read).status == 200)
            let second = try await EventStream(live.api, "/v1/tail", key: keys.read)
            let refused = try await live.api.get("/v1/tail", key: keys.read)
            #expect(refused.status == 429)
            #expect(refused.headers["retry-after"] != nil)
            let third = try await EventStream(live.api, "/v1/tail", key: keys.admin)
            #expect(try await live.api.get("/v1/tail", key: keys.admin).status == 429)
            for stream in [first, second, third] { await stream.close() }
            try await live.untilNobodyListens()
            #expect(try await EventStream(live.api, "/v1/tail", key: keys.read).head.status == 200)
        }
    }

    private static let invalidQueries: [String] = [
        "?after=x", "?after=-1", "?kind=others", "?kind=quarantine&event=a", "?nonsense=1", "?user=a&user=b", "?filter=user.tier=gold", "?filter=n",
        "?kind=quarantine&filter=name=a", "?kind=crashes&event=a", "?kind=crashes&filter=name=a",
    ]

    @Test func `an invalid tail query is rejected`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            for query in Self.invalidQueries {
                #expect(try await live.api.get("/v1/tail\(query)", key: keys.read).status == 422, "\(query)")
            }
            #expect(try await live.api.request("GET", "/v1/tail", key: keys.read, headers: ["Last-Event-ID": "x"]).status == 422)
        }
    }
}

extension LiveDaemon {
    /// Waits until the daemon has noticed the closed connections.
    fileprivate func untilNobodyListens() async throws {
        let end = ContinuousClock.now + .seconds(60)
        while daemon.store.events.tail.listeners > 0 {
            try #require(ContinuousClock.now < end)
            _ = try await api.get("/healthz")
        }
    }
}
