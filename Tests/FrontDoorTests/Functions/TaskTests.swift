// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Crypto
import Delivery
import FunctionStore
import Messaging
import Platform
import Synchronization
import TestSupport
import Testing

@testable import ingestd

@Suite struct TaskTests {
    @Test func `a task reaches its function once, signed, with its context`() async throws {
        try await FunctionWorld.use { world in
            let function = try await world.put("receipt")
            let id = try await world.task("receipt", #"{"data": {"order": [1, {"a": null}]}}"#)
            #expect(try await world.settled("receipt", 1))
            #expect(world.sink.hooks.count == 1)
            let hook = try #require(world.sink.hooks.first)
            let body = try JSON(hook.body)
            #expect(body["type"].text == "task" && body["id"].text == id && hook.id == id)
            #expect(String(decoding: hook.body, as: UTF8.self).contains(#""data":{"order": [1, {"a": null}]}"#))
            #expect(body["context"].names == ["app", "attempt", "depth", "function"])
            #expect(body["context"]["attempt"].number == 1 && body["context"]["app"].text == "shop")
            #expect(hook.headers["signalbox-depth"] == "1")
            let key = try SigningKey(secret: function["secret"].text)
            let seconds = try #require(hook.headers["webhook-timestamp"].flatMap { Int64($0) })
            let signed = StandardWebhooks.fields(id: id, at: Timestamp(milliseconds: seconds * 1_000), body: hook.body, keys: [key])
            #expect(signed.last?.value == hook.headers["webhook-signature"])
            let run = try await world.run(id)
            #expect(run["state"].text == "done" && run["tries"].number == 1 && run["attempts"].items.map(\.["status"].number) == [200])
        }
    }

    @Test func `an ID is taken once, a later task waits, and a deleted one is not carried out`() async throws {
        try await FunctionWorld.use { world in
            try await world.put("f")
            #expect(try await world.task("f", #"{"id": "t-1", "at": "\#(FunctionWorld.later(hours: 1))"}"#) == "t-1")
            #expect(try await world.task("f", #"{"id": "t-1"}"#) == "t-1")
            let waiting = try await world.runs("f")
            #expect(waiting.count == 1 && waiting[0]["state"].text == "waiting" && waiting[0]["task"].text == "t-1" && waiting[0]["due_at"].exists)
            #expect(try await world.api.request("DELETE", "/v1/functions/f/tasks/t-1", key: world.keys.send).status == 204)
            #expect(try await world.api.request("DELETE", "/v1/functions/f/tasks/t-1", key: world.keys.send).status == 404)
            // The ID stays taken.
            try await world.task("f", #"{"id": "t-1"}"#)
            #expect(try await world.runs("f").map(\.["state"].text) == ["cancelled"])
            try await world.task("f", #"{"id": "t-2"}"#)
            #expect(try await world.settled("f", 1))
            #expect(world.sink.hooks.count == 1)
        }
    }

    @Test(arguments: [
        (#"{"id": "a b"}"#, "id"), (#"{"at": "2999-01-01T00:00:00Z"}"#, "at"), (#"{"key": ""}"#, "key"), (#"{"dat": 1}"#, "dat"),
        (#"{"at": 7}"#, "at"),
    ])
    func `a bad task is refused by field`(body: String, field: String) async throws {
        try await FunctionWorld.use { world in
            try await world.put("f")
            let reply = try await world.api.post("/v1/functions/f/tasks", key: world.keys.send, body)
            #expect(reply.status == 422)
            #expect(try JSON(reply)["errors"][0]["field"].text == field)
            let large = #"{"data": "\#(String(repeating: "x", count: 256 << 10))"}"#
            #expect(try await world.api.post("/v1/functions/f/tasks", key: world.keys.send, large).status == 413)
        }
    }

    @Test func `refusals of Cloud Tasks have Google's form, without error codes of FCM`() async throws {
        try await FunctionWorld.use { world in
            try await world.put("f")
            let path = "/v2/projects/\(world.keys.app)/locations/us-central1/queues/f/tasks"
            let wrong = try await world.api.post(path, key: world.keys.send, #"{"task": {"httpRequest": {"body": "-"}}}"#)
            let missing = try await world.api.request("DELETE", path + "/t-1", key: world.keys.send)
            for (reply, status, word) in [(wrong, 400, "INVALID_ARGUMENT"), (missing, 404, "NOT_FOUND")] {
                let error = try JSON(reply)["error"]
                #expect(reply.status == status && error["code"].number == status && error["status"].text == word, "\(reply.text)")
                #expect(!error["details"].exists, "\(reply.text)")
            }
        }
    }

    // MARK: Retries

    @Test func `a final status ends a run, others are retried with the same ID until the run is dead`() async throws {
        try await FunctionWorld.use(answer: { hook in
            switch hook.path {
            case "/word": .status(500, body: #"{"error": {"status": "INVALID_ARGUMENT", "message": "no"}}"#)
            case "/gone": .status(404)
            case "/later": hook.number < 3 ? .status(503) : .status(200)
            default: .status(500)
            }
        }) { world in
            for name in ["word", "gone", "later", "never"] { try await world.put(name, name == "never" ? #""retries": 3"# : "") }
            var ids: [String: String] = [:]
            for name in ["word", "gone", "later", "never"] { ids[name] = try await world.task(name) }
            for name in ["word", "gone"] {
                #expect(try await world.settled(name, 1, in: "dead"))
                #expect(world.sink.hooks(to: "/\(name)").count == 1)
            }
            #expect(try await world.settled("later", 1))
            #expect(world.sink.hooks(to: "/later").map(\.id) == Array(repeating: ids["later"], count: 3))
            let attempts = try world.sink.hooks(to: "/later").map { try JSON($0.body)["context"]["attempt"].number }
            #expect(attempts == [1, 2, 3])
            #expect(try await world.settled("never", 1, in: "dead"))
            #expect(world.sink.hooks(to: "/never").count == 4)
            let run = try await world.run(try #require(ids["word"]))
            #expect(run["attempts"][0]["response"].text.contains("INVALID_ARGUMENT"))
        }
    }

    @Test(arguments: [("NOT_FOUND", 1), ("ABORTED", 2), ("WEIRD", 2), ("OK", 2)])
    func `an error with status 200 counts by its word, as for a call`(word: String, attempts: Int) async throws {
        try await FunctionWorld.use(answer: { _ in .status(200, body: #"{"error": {"status": "\#(word)", "message": "no"}}"#) }) { world in
            try await world.put("f", #""retries": 1, "auth": "none""#)
            let id = try await world.task("f")
            #expect(try await world.settled("f", 1, in: "dead"))
            #expect(try await world.run(id)["attempts"].items.map(\.["status"].number) == Array(repeating: 200, count: attempts))
            let known = ["NOT_FOUND", "ABORTED"].contains(word) ? word : "INTERNAL"
            let lines = try JSON(await world.api.get("/v1/functions/f/logs?run=\(id)", key: world.keys.read))["items"].items.map(\.["line"].text)
            #expect(lines.count == attempts && lines.last?.hasPrefix("dead, attempt \(attempts): status 200, \(known) after") == true)
            let call = try await world.api.post("/v1/call/shop/f", #"{"data": 1}"#)
            #expect(try JSON(call)["error"]["status"].text == known)
        }
    }

    @Test(arguments: [(200 << 10, "dead"), (300 << 10, "done")])
    func `an error with status 200 counts by its word in a response of 256 KiB, and by its status in a longer one`(
        bytes: Int, state: String
    ) async throws {
        // 80 levels are within the limit of calls.
        let nested = String(repeating: "[", count: 80) + String(repeating: "]", count: 80)
        let details = #"{"nested": \#(nested), "text": "\#(String(repeating: "x", count: bytes))"}"#
        let error = #"{"error": {"details": \#(details), "status": "NOT_FOUND", "message": "no"}}"#
        try await FunctionWorld.use(answer: { _ in .status(200, body: error) }) { world in
            try await world.put("f", #""auth": "none""#)
            let id = try await world.task("f")
            #expect(try await world.settled("f", 1, in: state))
            let attempts = try await world.run(id)["attempts"].items
            #expect(attempts.count == 1 && (1_000...4 << 10).contains(attempts[0]["response"].text.utf8.count))
            let lines = try JSON(await world.api.get("/v1/functions/f/logs?run=\(id)", key: world.keys.read))["items"].items.map(\.["line"].text)
            #expect(lines.count == 1 && lines[0].contains("NOT_FOUND") == (state == "dead"))
            let call = try await world.api.post("/v1/call/shop/f", #"{"data": 1}"#)
            #expect(try JSON(call)["error"]["status"].text == "NOT_FOUND")
        }
    }

    @Test func `a result with status 200 that has a text or null as error is done`() async throws {
        let bodies = ["/f": #"{"error": null, "data": 1}"#, "/g": #"{"error": "none"}"#]
        try await FunctionWorld.use(answer: { .status(200, body: bodies[$0.path] ?? "") }) { world in
            for name in ["f", "g"] {
                try await world.put(name)
                try await world.task(name)
                #expect(try await world.settled(name, 1))
            }
        }
    }

    @Test func `a dead run is retried, and all of a function are redriven`() async throws {
        let isUp = Atomic(false)
        try await FunctionWorld.use(retries: [], answer: { _ in isUp.load(ordering: .relaxed) ? .status(200) : .status(500) }) { world in
            try await world.put("f")
            for n in 0..<5 { try await world.task("f", #"{"data": \#(n)}"#) }
            #expect(try await world.settled("f", 5, in: "dead"))
            isUp.store(true, ordering: .relaxed)
            let dead = try await world.runs("f")[0]["id"].text
            let retried = try await world.api.post("/v1/runs/\(dead)/retry", key: world.keys.send, "")
            #expect(retried.status == 200)
            #expect(try await world.settled("f", 1))
            #expect(try await world.api.post("/v1/runs/\(dead)/retry", key: world.keys.send, "").status == 409)
            #expect(try await world.run(dead)["attempts"].items.map(\.["status"].number) == [500, 200])
            let redriven = try JSON(await world.api.post("/v1/functions/f/redrive", key: world.keys.send, ""))
            #expect(redriven["redriven"].number == 4)
            #expect(try await world.settled("f", 5))
        }
    }

    @Test func `an attempt ends after the function's timeout`() async throws {
        try await FunctionWorld.use(retries: [], answer: { _ in .silent }) { world in
            try await world.put("f", #""timeout": 1"#)
            let id = try await world.task("f")
            #expect(try await world.settled("f", 1, in: "dead"))
            let attempt = try await world.run(id)["attempts"][0]
            #expect(attempt["error"].text == "timed_out" && !attempt["status"].exists)
        }
    }

    @Test func `of a response of any size the run keeps four KiB`() async throws {
        let bomb = String(repeating: "x", count: 20 << 20)
        try await FunctionWorld.use(answer: { _ in .status(200, body: bomb) }) { world in
            try await world.put("f")
            let id = try await world.task("f")
            #expect(try await world.settled("f", 1))
            #expect(try await (1_000...4 << 10).contains(world.run(id)["attempts"][0]["response"].text.utf8.count))
        }
    }

    @Test func `runs to slow and broken targets leave those of other functions alone`() async throws {
        try await FunctionWorld.use(answer: { hook in
            switch hook.path {
            case "/slow": .drips("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            case "/silent": .silent
            case "/resets": .resets
            default: .status(200)
            }
        }) { world in
            for name in ["slow", "silent", "resets"] {
                try await world.put(name, #""concurrency": 50, "retries": 20"#)
                for _ in 0..<100 { try await world.task(name) }
            }
            try await world.put("quick")
            for _ in 0..<20 { try await world.task("quick") }
            #expect(try await world.settled("quick", 20))
        }
    }

    @Test(arguments: [(503, "UNAVAILABLE"), (500, "UNAVAILABLE"), (410, "UNAVAILABLE"), (429, "RESOURCE_EXHAUSTED")])
    func `an error that a target states delays its run alone, by its Retry-After`(status: Int, word: String) async throws {
        try await FunctionWorld.use(answer: { hook in
            guard String(decoding: hook.body, as: UTF8.self).contains("busy") else { return .status(200) }
            let error = #"{"error": {"status": "\#(word)", "message": "later"}}"#
            return .status(status, "Retry-After: 3600", "Content-Type: application/json", body: error)
        }) { world async throws in
            try await world.put("f", #""concurrency": 1"#)
            let start = WallClock.system.now()
            // As many failures in a minute would open the breaker.
            for _ in 0..<12 { try await world.task("f", #"{"data": "busy"}"#) }
            #expect(try await world.settled("f", 12, in: "retrying"))
            let dueTimes = try await world.runs("f", "state=retrying").map(\.["due_at"].text)
            #expect(dueTimes.count == 12 && dueTimes.allSatisfy { $0 >= (start + .seconds(3_600)).rfc3339 })
            for _ in 0..<3 { try await world.task("f", #"{"data": "quick"}"#) }
            #expect(try await world.settled("f", 3))
        }
    }

    @Test func `Retry-After without a stated error pauses its function, and others go on`() async throws {
        try await FunctionWorld.use(answer: { $0.path == "/f" ? .status(503, "Retry-After: 3600") : .status(200) }) { world async throws in
            for name in ["f", "g"] { try await world.put(name, #""concurrency": 1"#) }
            try await world.task("f")
            #expect(try await world.settled("f", 1, in: "retrying"))
            for name in ["f", "g"] { try await world.task(name) }
            #expect(try await world.settled("g", 1))
            #expect(world.sink.hooks(to: "/f").count == 1)
        }
    }

    @Test func `an address that leads to this machine is not connected to`() async throws {
        try await FunctionWorld.use { world in
            try await world.put("f", #""retries": 0"#)
            var changed = world.live.daemon.configuration.now
            changed.functions.addresses = []
            world.live.daemon.configuration.replace(changed)
            let id = try await world.task("f")
            #expect(try await world.settled("f", 1, in: "dead"))
            #expect(try await world.run(id)["attempts"][0]["error"].text == "blocked_address")
            #expect(world.sink.hooks.isEmpty)
        }
    }

    // MARK: Order and limits

    @Test func `tasks of a key are carried out one after the other, also when one is retried`() async throws {
        let order = Mutex<[String]>([])
        try await FunctionWorld.use(answer: { hook in
            guard let data = try? JSON(hook.body)["data"].text else { return .status(500) }
            let fails = order.withLock { order in
                order.append(data)
                return data == "a0" && order.count { $0 == "a0" } < 3
            }
            return fails ? .status(503) : .status(200)
        }) { world in
            try await world.put("f")
            for n in 0..<5 {
                for key in ["a", "b"] { try await world.task("f", #"{"data": "\#(key)\#(n)", "key": "\#(key)"}"#) }
            }
            #expect(try await world.settled("f", 10))
            let seen = order.withLock { $0 }
            #expect(seen.filter { $0.hasPrefix("a") } == ["a0", "a0", "a0", "a1", "a2", "a3", "a4"])
            #expect(seen.filter { $0.hasPrefix("b") } == ["b0", "b1", "b2", "b3", "b4"])
        }
    }

    @Test func `with few places every run gets its turn, once`() async throws {
        try await FunctionWorld.use(answer: { _ in .status(200) }) { world in
            try await world.put("f", #""concurrency": 2"#)
            for _ in 0..<30 { try await world.task("f") }
            #expect(try await world.settled("f", 30))
            #expect(Set(world.sink.hooks.map(\.id)).count == 30 && world.sink.hooks.count == 30)
        }
    }

    @Test func `concurrency bounds the claims`() async throws {
        try await FunctionWorld.use(answer: { _ in .silent }) { world in
            try await world.put("f", #""concurrency": 2, "timeout": 60"#)
            for _ in 0..<6 { try await world.task("f") }
            #expect(try await eventually { world.sink.hooks.count == 2 })
            #expect(try await world.runs("f", "state=running").count == 2)
            #expect(try await world.runs("f", "state=waiting").count == 4)
        }
    }

    @Test func `a loop of functions ends after eight runs`() async throws {
        try await FunctionWorld.use { world in
            try await world.put("f")
            for depth in 0..<8 { try await world.task("f", headers: ["Signalbox-Depth": "\(depth)"]) }
            let refused = try await world.api.post("/v1/functions/f/tasks", key: world.keys.send, headers: ["Signalbox-Depth": "8"], "{}")
            #expect(refused.status == 429)
            #expect(try JSON(refused)["code"].text == "limit_reached")
            #expect(try await world.settled("f", 8))
            #expect(world.sink.hooks.compactMap { $0.headers["signalbox-depth"] }.sorted() == (1...8).map(String.init))
        }
    }

    @Test func `firebase's form has the data alone and the headers of Cloud Tasks`() async throws {
        try await FunctionWorld.use { world in
            try await world.put("f", #""format": "firebase""#)
            try await world.task("f", #"{"data": {"a": 1}, "id": "t-7", "at": "2026-01-01T00:00:00Z"}"#)
            #expect(try await world.settled("f", 1))
            let hook = try #require(world.sink.hooks.first)
            #expect(String(decoding: hook.body, as: UTF8.self) == #"{"data":{"a": 1}}"#)
            #expect(hook.headers["x-cloudtasks-queuename"] == "f" && hook.headers["x-cloudtasks-taskname"] == "t-7")
            #expect(hook.headers["x-cloudtasks-taskretrycount"] == "0" && hook.headers["webhook-signature"] != nil)
            #expect(hook.headers["x-cloudtasks-tasketa"] == "1767225600")
        }
    }

    @Test func `lists of runs are pages across states, newest first, and read no data`() async throws {
        let answer: @Sendable (Hook) -> WebhookSink.Manner = { .status(String(decoding: $0.body, as: UTF8.self).contains("bad") ? 400 : 200) }
        try await FunctionWorld.use(answer: answer) { world in
            try await world.put("f")
            var ids: [String] = []
            for data in ["good", "bad", "good", "bad", "bad"] { ids.append(try await world.task("f", #"{"data": "\#(data)"}"#)) }
            #expect(try await world.settled("f", 2))
            #expect(try await world.settled("f", 3, in: "dead"))
            let first = try JSON(await world.api.get("/v1/functions/f/runs?limit=3", key: world.keys.read))
            let second = try JSON(await world.api.get("/v1/functions/f/runs?limit=3&after=\(first["next"].text)", key: world.keys.read))
            #expect((first["items"].items + second["items"].items).map(\.["id"].text) == ids.reversed() && !second["next"].exists)
            let store = world.live.daemon.store.functions
            let function = try #require(store.catalog.function("f", app: AppID(rawValue: world.keys.app)))
            let listed = try await store.runs(RunQuery(function: function.id, limit: 10))
            #expect(listed.count == 5 && listed.allSatisfy(\.body.isEmpty))
        }
    }

    // MARK: Logs

    @Test func `the log lists attempts, in pages and as a stream`() async throws {
        try await FunctionWorld.use { world in
            try await world.put("f")
            let id = try await world.task("f")
            #expect(try await world.settled("f", 1))
            let page = try JSON(await world.api.get("/v1/functions/f/logs", key: world.keys.read))
            #expect(page["items"].items.count == 1 && page["items"][0]["run"].text == id && page["items"][0]["level"].text == "info")
            #expect(page["items"][0]["line"].text.hasPrefix("done, attempt 1: status 200"))
            let stream = try await EventStream(
                world.api, "/v1/functions/f/logs?after=\(page["next"].text)", key: world.keys.read, headers: ["Accept": "text/event-stream"])
            let second = try await world.task("f")
            let message = try #require(try await stream.next())
            #expect(message.event == "line")
            #expect(try message.json["run"].text == second)
        }
    }
}
