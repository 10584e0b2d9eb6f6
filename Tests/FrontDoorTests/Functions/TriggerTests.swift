// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AcrossStores
import Alerts
import DocumentStore
import EventStore
import FileStore
import Foundation
import FunctionStore
import Functions
import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct TriggerTests {
    private static func data(_ hook: Hook) throws -> JSON { try JSON(hook.body)["data"] }

    private static func sent(_ world: FunctionWorld, _ count: Int, to path: String) async throws -> [Hook] {
        let arrived = try await eventually { world.sink.hooks(to: path).count >= count }
        #expect(arrived)
        return world.sink.hooks(to: path)
    }

    // MARK: Events

    @Test func `events that pass a trigger's filters make one run each`() async throws {
        try await FunctionWorld.use { world async throws in
            let before = #"[{"id": "e-0", "name": "purchase", "params": {"total": 500}}]"#
            #expect(try await world.api.post("/v1/events", key: world.keys.ingest, before).status == 200)
            let trigger = #"{"on": "event", "name": "order", "filter": ["params.total>=100", "params.kind!=test"]}"#
            try await world.put("f", #""triggers": [\#(trigger), {"on": "event", "name": "order"}], "order": "{params.account}""#)
            try await world.put("g", #""triggers": [\#(trigger)]"#)
            let events = #"""
                [{"id": "e-1", "name": "order", "user_id": "ann", "params": {"total": 120, "kind": "real", "account": "a-7"}},
                 {"id": "e-2", "name": "order", "params": {"total": 20, "kind": "real"}}, {"id": "e-3", "name": "other", "params": {"total": 200}},
                 {"id": "e-4", "name": "order", "params": {"total": 200, "kind": "test"}}]
                """#
            #expect(try await world.api.post("/v1/events", key: world.keys.ingest, events).status == 200)
            #expect(try await world.settled("f", 3))
            #expect(try await world.settled("g", 1))
            let seen = try Set(world.sink.hooks(to: "/f").map { try Self.data($0)["id"].text })
            #expect(seen == ["e-1", "e-2", "e-4"])
            let hook = try #require(world.sink.hooks(to: "/g").first)
            #expect(try Self.data(hook)["id"].text == "e-1" && Self.data(hook)["params"]["total"].number == 120)
            #expect(try JSON(hook.body)["type"].text == "event" && JSON(hook.body)["context"]["auth"]["uid"].text == "ann")
            #expect(try await world.runs("f").compactMap { $0["key"].exists ? $0["key"].text : nil } == ["a-7"])
        }
    }

    @Test func `a filter about persons or of a bad form is refused`() async throws {
        try await FunctionWorld.use { world async throws in
            for filter in ["user.tier=gold", "params.total"] {
                let triggers = #"{"on": "event", "name": "a"}, {"on": "event", "name": "a", "filter": ["\#(filter)"]}"#
                let body = #"{"url": "https://api.example/", "triggers": [\#(triggers)]}"#
                let reply = try await world.api.request("PUT", "/v1/functions/f", key: world.keys.admin, body: Array(body.utf8))
                #expect(try reply.status == 422 && JSON(reply)["errors"].items.map(\.["field"].text) == ["triggers[1].filter"], "\(reply.text)")
            }
        }
    }

    @Test func `events of the time without a daemon are found at the next start, each once`() async throws {
        let folder = TemporaryFolder()
        let sink = try WebhookSink()
        func run(_ body: @Sendable (LiveDaemon) async throws -> Void) async throws {
            try await withDaemon(in: folder, configure: { $0.functions.addresses = ["127.0.0.0/8"].compactMap(AddressRange.init) }) {
                live async throws in
                try await body(live)
            }
        }
        let keys = try await withDaemon(in: folder, sends: false) { live async throws in
            let keys = try await live.api.makeApp()
            let store = live.daemon.store.functions
            let definition = try FunctionDefinition(
                Array(#"{"url": "\#(sink.url("/f"))", "triggers": [{"on": "event", "name": "a"}]}"#.utf8), by: .operator)
            let end = SourceCursor(.event, String(live.daemon.store.events.lastSeq))
            _ = try await store.put("f", definition, app: AppID(rawValue: keys.app), from: [end])
            return keys
        }
        for start in 0..<3 {
            try await run { live async throws in
                let events = (0..<20).map { #"{"id": "e-\#(start)-\#($0)", "name": "a"}"# }.joined(separator: ",")
                #expect(try await live.api.post("/v1/events", key: keys.ingest, "[\(events)]").status == 200)
            }
        }
        try await run { live async throws in
            let done = try await eventually { live.daemon.store.functions.gauges.count(.waiting) == 0 && sink.hooks.count >= 60 }
            #expect(done)
        }
        let ids = try sink.hooks.map { try Self.data($0)["id"].text }
        #expect(Set(ids).count == 60 && Set(sink.hooks.map(\.id)).count == 60)
    }

    private static let manyEvents = ProcessInfo.processInfo.environment["SIGNALBOX_FAULT_ROUNDS"] == nil ? 1_000 : 10_000

    @Test func `without failures each of many runs is one request`() async throws {
        try await FunctionWorld.use { world async throws in
            try await world.put("f", #""triggers": [{"on": "event", "name": "a"}]"#)
            for first in stride(from: 0, to: Self.manyEvents, by: 500) {
                let events = (first..<first + 500).map { #"{"id": "e-\#($0)", "name": "a"}"# }.joined(separator: ",")
                #expect(try await world.api.post("/v1/events", key: world.keys.ingest, "[\(events)]").status == 200)
            }
            let isDone = try await eventually {
                try JSON(await world.api.get("/v1/functions/f", key: world.keys.admin))["runs"]["done"].number == Self.manyEvents
            }
            #expect(isDone)
            let hooks = world.sink.hooks
            #expect(hooks.count == Self.manyEvents && Set(hooks.map(\.id)).count == Self.manyEvents)
            #expect(try Set(hooks.map { try Self.data($0)["id"].text }).count == Self.manyEvents)
        }
    }

    @Test func `a full queue of runs makes triggers wait, and no event is lost`() async throws {
        try await FunctionWorld.use(configure: { $0.store.functions.waitingRuns = 5 }) { world in
            try await world.put("f", #""triggers": [{"on": "event", "name": "a"}]"#)
            for n in 0..<5 {
                let events = (0..<4).map { #"{"id": "e-\#(n)-\#($0)", "name": "a"}"# }.joined(separator: ",")
                #expect(try await world.api.post("/v1/events", key: world.keys.ingest, "[\(events)]").status == 200)
            }
            #expect(try await world.settled("f", 20))
            #expect(Set(world.sink.hooks.map(\.id)).count == 20)
        }
    }

    @Test func `changes that wait for a place for their runs have an age`() async throws {
        try await FunctionWorld.use(configure: { $0.store.functions.waitingRuns = 1 }) { world in
            try await world.put("f", #""triggers": [{"on": "event", "name": "a"}, {"on": "file", "path": "{name}", "what": "finalized"}]"#)
            // It takes the only place until it is cancelled.
            try await world.task("f", #"{"id": "t-1", "at": "\#(FunctionWorld.later(hours: 20))"}"#)
            #expect(try await world.api.post("/v1/events", key: world.keys.ingest, #"[{"name": "a"}]"#).status == 200)
            #expect(try await world.api.request("PUT", "/v1/files/shop/a", key: world.keys.admin, body: [1]).status == 201)
            @Sendable func lags() async throws -> [Int] {
                let sources = try JSON(await world.api.get("/v1/functions:statistics", key: world.keys.read))["sources"].items
                return try ["event", "file"].map { source in
                    let found = try #require(sources.first { $0["source"].text == source })
                    return found["lag_seconds"].number
                }
            }
            #expect(try await eventually { try await lags().allSatisfy { $0 >= 1 } })
            #expect(try await world.api.request("DELETE", "/v1/functions/f/tasks/t-1", key: world.keys.send).status == 204)
            #expect(try await world.settled("f", 2))
            #expect(try await eventually { try await lags() == [0, 0] })
        }
    }

    @Test func `events that no trigger wants are not read, and each wanted one runs`() async throws {
        try await FunctionWorld.use { world async throws in
            @Sendable func send(_ name: String) async throws {
                #expect(try await world.api.post("/v1/events", key: world.keys.ingest, #"[{"name": "\#(name)"}]"#).status == 200)
            }
            @Sendable func reads() async throws -> Int {
                let metrics = try await world.api.get("/metrics").text.split(separator: "\n")
                let name = #"signalbox_function_source_reads_total{source="event"} "#
                let line = try #require(metrics.first { $0.hasPrefix(name) })
                return try #require(Int(line.dropFirst(name.count)))
            }
            let more = (0..<9).map { #"{"on": "event", "name": "never_\#($0)"}"# }.joined(separator: ", ")
            for n in 0..<5 { try await world.put("f\(n)", #""triggers": [{"on": "event", "name": "other_\#(n)"}, \#(more)]"#) }
            // The pump knows all names once it has made a run for the last one.
            try await send("other_4")
            #expect(try await world.settled("f4", 1))
            let before = try await reads()
            for _ in 0..<100 { try await send("a") }
            try await send("other_3")
            #expect(try await world.settled("f3", 1))
            #expect(try await reads() == before + 1)
            // A name that becomes wanted counts from then on.
            try await world.put("g", #""triggers": [{"on": "event", "name": "a"}]"#)
            for name in ["a", "other_2", "a"] { try await send(name) }
            #expect(try await world.settled("g", 2))
            #expect(try await world.settled("f2", 1))
        }
    }

    @Test func `an event in the form of CloudEvents has the time of its change, however late its run is`() async throws {
        let clock = ManualClock(WallClock.system.now())
        try await FunctionWorld.use(clock: clock.clock, configure: { $0.store.functions.waitingRuns = 1 }) { world async throws in
            try await world.put("f", #""format": "firebase", "triggers": [{"on": "event", "name": "a"}]"#)
            // It takes the only place until it is cancelled.
            try await world.task("f", #"{"id": "t-1", "at": "\#((clock.now + .hours(20)).rfc3339)"}"#)
            let time = clock.now.rfc3339
            #expect(try await world.api.post("/v1/events", key: world.keys.ingest, #"[{"name": "a"}]"#).status == 200)
            clock.advance(by: .minutes(10))
            #expect(try await world.api.request("DELETE", "/v1/functions/f/tasks/t-1", key: world.keys.send).status == 204)
            let hooks = try await Self.sent(world, 1, to: "/f")
            #expect(hooks.map { $0.headers["ce-time"] } == [time])
        }
    }

    // MARK: Other sources

    @Test func `files below a pattern trigger their function, in both forms`() async throws {
        try await FunctionWorld.use { world async throws in
            let triggers = #"{"on": "file", "path": "users/{uid}/{rest=**}", "what": "finalized"}"#
            try await world.put("f", #""triggers": [\#(triggers), {"on": "file", "path": "users/{uid}/{rest=**}", "what": "deleted"}]"#)
            try await world.put("g", #""format": "firebase", "triggers": [\#(triggers)]"#)
            try await world.put("h", #""format": "firebase", "triggers": [{"on": "file", "path": "users/{name=**}", "what": "deleted"}]"#)
            for path in ["users/ann/a/b.txt", "public/x"] {
                let put = try await world.api.request(
                    "PUT", "/v1/files/shop/\(path)", key: world.keys.admin, headers: ["Content-Type": "text/plain"], body: [1, 2, 3])
                #expect(put.status == 201, "\(put.text)")
            }
            let made = try await Self.sent(world, 1, to: "/f")[0]
            #expect(try JSON(made.body)["type"].text == "file.finalized")
            let data = try Self.data(made)
            #expect(data["path"].text == "users/ann/a/b.txt" && data["file"]["size"].number == 3)
            #expect(data["params"]["uid"].text == "ann" && data["params"]["rest"].text == "a/b.txt")
            let event = try await Self.sent(world, 1, to: "/g")[0]
            #expect(event.headers["ce-type"] == "google.cloud.storage.object.v1.finalized" && event.headers["ce-specversion"] == "1.0")
            #expect(event.headers["ce-source"] == "//storage.googleapis.com/projects/_/buckets/shop")
            #expect(event.headers["ce-subject"] == "objects/users/ann/a/b.txt")
            #expect(try JSON(event.body)["size"].text == "3" && JSON(event.body)["bucket"].text == "shop")
            let generation = String(Int64(data["generation"].number))
            #expect(try String(Int64(data["file"]["generation"].number)) == generation && JSON(event.body)["generation"].text == generation)
            #expect(try await world.api.request("DELETE", "/v1/files/shop/users/ann/a/b.txt", key: world.keys.admin).status == 204)
            let both = try await Self.sent(world, 2, to: "/f")
            #expect(try JSON(both[1].body)["type"].text == "file.deleted" && Self.data(both[1])["path"].text == "users/ann/a/b.txt")
            // Both forms name the version that was deleted.
            #expect(try String(Int64(Self.data(both[1])["generation"].number)) == generation)
            let deleted = try await Self.sent(world, 1, to: "/h")[0]
            #expect(deleted.headers["ce-type"] == "google.cloud.storage.object.v1.deleted")
            #expect(try JSON(deleted.body)["generation"].text == generation)
            #expect(try JSON(deleted.body)["id"].text == "shop/users/ann/a/b.txt/\(generation)")
        }
    }

    @Test func `changes of documents trigger by path and kind`() async throws {
        try await FunctionWorld.use { world async throws in
            try await world.put("f", #""triggers": [{"on": "document", "path": "orders/{id}", "what": "updated"}]"#)
            try await world.put("g", #""triggers": [{"on": "document", "path": "orders/{id}", "what": "written"}]"#)
            for total in 1...2 {
                let body = Array(#"{"fields": {"total": \#(total)}}"#.utf8)
                #expect(try await world.api.request("PUT", "/v1/documents/orders/o-7", key: world.keys.admin, body: body).status == 200)
            }
            let body = Array(#"{"fields": {}}"#.utf8)
            #expect(try await world.api.request("PUT", "/v1/documents/others/x", key: world.keys.admin, body: body).status == 200)
            #expect(try await Self.sent(world, 2, to: "/g").count == 2)
            let hooks = try await Self.sent(world, 1, to: "/f")
            let data = try Self.data(hooks[0])
            #expect(hooks.count == 1 && data["params"]["id"].text == "o-7" && data["kind"].text == "updated")
            #expect(data["before"]["fields"]["total"].number == 1 && data["after"]["fields"]["total"].number == 2)
            // Only keys that may read the document see it in the run.
            for (key, mayRead) in [(world.keys.read, false), (world.keys.send, false), (world.keys.admin, true)] {
                let run = try JSON(await world.api.get("/v1/runs/\(hooks[0].id)", key: key))
                #expect(run["subject"].text == "orders/o-7" && run["attempts"].exists && run["data"].exists == mayRead)
            }
        }
    }

    @Test func `accounts trigger when they are created and deleted`() async throws {
        try await FunctionWorld.use { world async throws in
            try await world.put("f", #""triggers": [{"on": "user", "what": "created"}, {"on": "user", "what": "deleted"}]"#)
            #expect(try await world.api.post("/v1/auth/accounts", key: world.keys.admin, #"{"id": "ann"}"#).status == 201)
            let made = try await Self.sent(world, 1, to: "/f")
            #expect(try Self.data(made[0])["uid"].text == "ann")
            #expect(try await world.api.request("DELETE", "/v1/auth/accounts/ann", key: world.keys.admin).status == 204)
            let hooks = try await Self.sent(world, 2, to: "/f")
            let types = try hooks.map { try JSON($0.body)["type"].text }
            #expect(types == ["user.created", "user.deleted"])
            #expect(try Self.data(hooks[1])["uid"].text == "ann")
        }
    }

    @Test func `who was deleted is told by each way of a deletion, and then forgotten`() async throws {
        try await FunctionWorld.use { world async throws in
            try await world.put("f", #""triggers": [{"on": "user", "what": "deleted"}]"#)
            for uid in ["ann", "bob", "eve"] {
                #expect(try await world.api.post("/v1/auth/accounts", key: world.keys.admin, #"{"id": "\#(uid)"}"#).status == 201)
            }
            #expect(try await world.api.request("DELETE", "/v1/auth/accounts/ann", key: world.keys.admin).status == 204)
            // The erasure of the first one may be under way.
            let isErased = try await eventually { try await world.api.request("DELETE", "/v1/users/bob", key: world.keys.admin).status == 200 }
            #expect(isErased)
            #expect(try await Set(Self.sent(world, 2, to: "/f").map { try Self.data($0)["uid"].text }) == ["ann", "bob"])
            let store = world.live.daemon.store
            try await store.forgetDeletedIDs()
            #expect(try await store.accounts.appsWithDeletedIDs().isEmpty)
            // Without a trigger no ID is kept.
            #expect(try await world.api.request("DELETE", "/v1/functions/f", key: world.keys.admin).status == 204)
            #expect(try await world.api.request("DELETE", "/v1/auth/accounts/eve", key: world.keys.admin).status == 204)
            #expect(try await store.accounts.appsWithDeletedIDs().isEmpty)
        }
    }

    @Test func `a new issue triggers once, however many reports it has`() async throws {
        try await FunctionWorld.use { world async throws in
            try await world.put("f", #""triggers": [{"on": "issue", "what": "new"}]"#)
            for _ in 0..<3 { #expect(try await world.api.post("/v1/crashes", key: world.keys.ingest, "[\(SentCrash().json)]").status == 200) }
            let hooks = try await Self.sent(world, 1, to: "/f")
            #expect(try JSON(hooks[0].body)["type"].text == "issue.new" && !Self.data(hooks[0])["id"].text.isEmpty)
            try await world.task("f")
            #expect(try await world.settled("f", 2))
            #expect(world.sink.hooks.count == 2)
        }
    }

    @Test func `an issue that comes back after it was closed triggers`() async throws {
        try await FunctionWorld.use { world async throws in
            try await world.put("f", #""triggers": [{"on": "issue", "what": "regressed"}]"#)
            func crash(_ release: String) async throws {
                let body = "[\(SentCrash().with("release", release).json)]"
                #expect(try await world.api.post("/v1/crashes", key: world.keys.ingest, body).status == 200)
            }
            try await crash("2.0.0")
            let id = try JSON(await world.api.get("/v1/issues", key: world.keys.read))["items"][0]["id"].text
            let close = Array(#"{"state": "closed", "release": "2.1.0"}"#.utf8)
            let closed = try await world.api.request(
                "PATCH", "/v1/issues/\(id)", key: world.keys.admin, headers: ["Content-Type": "application/json"], body: close)
            #expect(closed.status == 200, "\(closed.text)")
            for release in ["2.0.1", "2.2.0", "2.3.0"] { try await crash(release) }
            let hooks = try await Self.sent(world, 1, to: "/f")
            #expect(try JSON(hooks[0].body)["type"].text == "issue.regressed" && Self.data(hooks[0])["id"].text == id)
            #expect(try await world.settled("f", 1))
        }
    }

    @Test func `an issue that spreads triggers when its alert is published`() async throws {
        try await FunctionWorld.use { world async throws in
            try await world.put("f", #""triggers": [{"on": "issue", "what": "spreading"}]"#)
            let people = 0..<25
            let events = people.map {
                #"{"name": "e", "user_id": "u\#($0)", "session_id": "s\#($0)", "context": {"app_version": "2.0"}}"#
            }
            #expect(try await world.api.post("/v1/events", key: world.keys.ingest, "[\(events.joined(separator: ","))]").status == 200)
            let now = WallClock.system.now().rfc3339
            let crashes = people.map { SentCrash().from("u\($0)", session: "s\($0)").with("release", "2.0").with("timestamp", now).json }
            #expect(try await world.api.post("/v1/crashes", key: world.keys.ingest, "[\(crashes.joined(separator: ","))]").status == 200)
            for _ in 0..<2 { try await world.live.daemon.makeCrashAlerts().publishChanges() }
            let hooks = try await Self.sent(world, 1, to: "/f")
            #expect(try JSON(hooks[0].body)["type"].text == "issue.spreading")
            let issue = try await world.api.get("/v1/issues/\(Self.data(hooks[0])["id"].text)", key: world.keys.read)
            let history = try JSON(issue)["history"].items
            #expect(history.filter { $0["what"].text == "spreading" }.map(\.["detail"].text) == ["2.0"])
            #expect(try await world.settled("f", 1))
        }
    }

    @Test(arguments: ["document", "file", "user"])
    func `changes that were removed before a trigger read them are a warning, and counted once`(source: String) async throws {
        let clock = ManualClock(WallClock.system.now())
        try await FunctionWorld.use(
            clock: clock.clock,
            configure: {
                $0.store.functions.waitingRuns = 1
                $0.store.accounts.auditKept = .hours(24)
            }
        ) { world async throws in
            let triggers = [
                "document": #"{"on": "document", "path": "a/{id}", "what": "written"}"#,
                "file": #"{"on": "file", "path": "a/{id}", "what": "finalized"}"#, "user": #"{"on": "user", "what": "created"}"#,
            ]
            try await world.put("f", "\"triggers\": [\(try #require(triggers[source]))]")
            // It takes the only place, so the trigger waits.
            try await world.task("f", #"{"at": "\#((clock.now + .hours(400)).rfc3339)"}"#)
            clock.advance(by: .seconds(5))
            let (admin, store) = (world.keys.admin, world.live.daemon.store)
            let made =
                switch source {
                case "document": try await world.api.request("PUT", "/v1/documents/a/1", key: admin, body: Array(#"{"fields": {}}"#.utf8))
                case "file": try await world.api.request("PUT", "/v1/files/shop/a/1", key: admin, body: [1])
                default: try await world.api.post("/v1/auth/accounts", key: admin, #"{"id": "ann"}"#)
                }
            #expect([200, 201].contains(made.status), "\(made.text)")
            clock.advance(by: .hours(25))
            _ = try await (store.documents.retain([]), store.files.retain([]), store.accounts.retain([]))
            @Sendable func warnings() async throws -> Int {
                try await world.api.get("/v1/functions/f/logs", key: world.keys.read).text.ranges(of: "no runs for changes up to ").count
            }
            #expect(try await eventually { try await warnings() == 1 })
            let count = #"signalbox_function_source_gaps_total{source="\#(source)"} 1"#
            #expect(try await eventually { try await world.api.get("/metrics").text.contains(count + "\n") })
            #expect(try await world.runs("f").map(\.["type"].text) == ["task"])
            #expect(try await warnings() == 1)
        }
    }

    // MARK: Persons

    @Test func `an erasure of one person leaves the runs of others`() async throws {
        try await FunctionWorld.use { world async throws in
            func send(_ method: String, _ target: String, _ body: String? = nil) async throws {
                let reply = try await world.api.request(method, target, key: world.keys.admin, body: body.map { Array($0.utf8) })
                #expect(reply.status == 200, "\(reply.text)")
            }
            try await send("PUT", "/v1/documents:persons", #"{"patterns": [{"path": "users/{uid}/**"}]}"#)
            try await world.put("f", #""triggers": [{"on": "document", "path": "orders/{id}", "what": "written"}]"#)
            for n in 0..<6 {
                try await send("PUT", "/v1/documents/users/ann\(n)", #"{"fields": {}}"#)
                // The erasure follows before the trigger has read on.
                try await send("PUT", "/v1/documents/orders/o\(n)", #"{"fields": {}}"#)
                try await send("DELETE", "/v1/users/ann\(n)")
            }
            #expect(try await world.settled("f", 6))
        }
    }

    @Test func `erasure removes the runs of a person with their log, and export has them`() async throws {
        try await FunctionWorld.use { world async throws in
            try await world.put("f", #""triggers": [{"on": "event", "name": "a"}]"#)
            let events = #"[{"id": "e-1", "name": "a", "user_id": "ann", "installation_id": "phone"}, {"id": "e-2", "name": "a", "user_id": "bob"}]"#
            #expect(try await world.api.post("/v1/events", key: world.keys.ingest, events).status == 200)
            #expect(try await world.settled("f", 2))
            let export = try JSON(await world.api.get("/v1/users/ann/export", key: world.keys.admin))
            #expect(export["runs"].items.count == 1 && export["runs"][0]["data"].text.contains("e-1"))
            #expect(export["runs"][0]["attempts"].items.map(\.["status"].number) == [200])
            #expect(export["function_logs"].items.count == 1)
            // The run names the user and the user's installation, and is one run.
            let counted = try JSON(await world.api.request("DELETE", "/v1/users/ann?dry_run=true", key: world.keys.admin))
            #expect(counted["runs"].number == 1 && counted["installations"].number == 1)
            let erased = try JSON(await world.api.request("DELETE", "/v1/users/ann", key: world.keys.admin))
            #expect(erased["runs"].number == 1)
            #expect(try await world.runs("f").map(\.["user"].text) == ["bob"])
            #expect(try JSON(await world.api.get("/v1/functions/f/logs", key: world.keys.read))["items"].items.count == 1)
        }
    }
}
