// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import FunctionStore
import Functions
import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct FunctionRouteTests {
    @Test func `a function is created, replaced, listed and deleted, and keeps its secret`() async throws {
        try await FunctionWorld.use { world in
            let made = try await world.put("receipt", #""timeout": 30"#)
            #expect(made["name"].text == "receipt" && made["definition"]["timeout"].number == 30)
            #expect(made["secret"].text.hasPrefix("whsec_"))
            let replaced = try await world.put("receipt", #""timeout": 40"#)
            #expect(replaced["secret"].text == made["secret"].text && replaced["definition"]["timeout"].number == 40)
            try await world.put("alpha")
            try await world.put("beta")
            let first = try JSON(await world.api.get("/v1/functions?limit=2", key: world.keys.admin))
            #expect(first["items"].items.map(\.["name"].text) == ["alpha", "beta"] && first["next"].text == "beta")
            let second = try JSON(await world.api.get("/v1/functions?limit=2&after=beta", key: world.keys.admin))
            #expect(second["items"].items.map(\.["name"].text) == ["receipt"] && !second["next"].exists)
            #expect(try await world.api.request("DELETE", "/v1/functions/receipt", key: world.keys.admin).status == 204)
            for method in ["GET", "DELETE"] {
                #expect(try await world.api.request(method, "/v1/functions/receipt", key: world.keys.admin).status == 404)
            }
            #expect(try await world.api.post("/v1/functions/receipt/tasks", key: world.keys.send, "{}").status == 404)
            let entries = try JSON(await world.api.get("/v1/audit", key: world.keys.admin))["items"].items
            #expect(entries.prefix(2).map(\.["action"].text) == ["function.delete", "function.delete"])
            #expect(entries[1]["detail"].text == "receipt")
        }
    }

    @Test(arguments: [
        (#"{"url": "http://10.0.0.7/x"}"#, "url"), (#"{"url": "http://169.254.169.254/"}"#, "url"), (#"{"url": "file:///etc/passwd"}"#, "url"),
        (#"{"url": "https://api.example/", "timeout": 0}"#, "timeout"), (#"{"url": "https://api.example/", "retry": 1}"#, "retry"),
    ])
    func `a bad definition is refused by field`(body: String, field: String) async throws {
        try await FunctionWorld.use { world in
            let reply = try await world.api.request("PUT", "/v1/functions/f", key: world.keys.admin, body: Array(body.utf8))
            #expect(reply.status == 422)
            #expect(try JSON(reply)["errors"][0]["field"].text == field)
        }
    }

    @Test func `no admin names a program, and no other app's function is seen`() async throws {
        try await FunctionWorld.use { world in
            let worker = #"{"worker": {"protocol": "lines", "command": ["/bin/sh"]}}"#
            let refused = try await world.api.request("PUT", "/v1/functions/f", key: world.keys.admin, body: Array(worker.utf8))
            #expect(refused.status == 403, "\(refused.text)")
            try await world.put("receipt")
            let id = try await world.task("receipt", #"{"at": "\#(FunctionWorld.later(hours: 1))"}"#)
            let other = try await world.api.makeApp("other")
            for path in ["/v1/functions/receipt", "/v1/functions/receipt/runs", "/v1/functions/receipt/logs", "/v1/runs/\(id)"] {
                #expect(try await world.api.get(path, key: other.admin).status == 404)
            }
            #expect(try await world.api.request("DELETE", "/v1/functions/receipt/tasks/\(id)", key: other.send).status == 404)
        }
    }

    @Test func `functions and runs outlive a restart, and a deleted app leaves none`() async throws {
        let folder = TemporaryFolder()
        let keys = try await withDaemon(in: folder) { live async throws in
            let keys = try await live.api.makeApp()
            let body = Array(#"{"url": "https://api.example/x"}"#.utf8)
            #expect(try await live.api.request("PUT", "/v1/functions/receipt", key: keys.admin, body: body).status == 201)
            #expect(
                try await live.api.post("/v1/functions/receipt/tasks", key: keys.send, #"{"id": "t", "at": "\#(FunctionWorld.later(hours: 24))"}"#)
                    .status == 201)
            return keys
        }
        try await withDaemon(in: folder) { live async throws in
            #expect(try JSON(await live.api.get("/v1/functions/receipt", key: keys.admin))["runs"]["waiting"].number == 1)
            #expect(try await live.api.post("/v1/functions/receipt/tasks", key: keys.send, #"{"id": "t"}"#).status == 200)
            #expect(try await live.api.asOperator("DELETE", "/v1/apps/shop").status == 204)
            let app = AppID(rawValue: keys.app)
            #expect(live.daemon.store.functions.catalog.functions(of: app).isEmpty)
            #expect(live.daemon.store.functions.gauges.count(.waiting) == 0)
        }
    }

    @Test func `the number of functions and of unfinished runs is limited`() async throws {
        try await FunctionWorld.use(configure: { configuration in
            configuration.store.functions.functions = 1
            configuration.store.functions.waitingRuns = 2
        }) { world in
            try await world.put("one")
            let body = Array(#"{"url": "https://api.example/x"}"#.utf8)
            let refused = try await world.api.request("PUT", "/v1/functions/two", key: world.keys.admin, body: body)
            #expect(try JSON(refused)["code"].text == "limit_reached" && refused.status == 429)
            for _ in 0..<2 { try await world.task("one", #"{"at": "\#(FunctionWorld.later(hours: 1))"}"#) }
            let full = try await world.api.post("/v1/functions/one/tasks", key: world.keys.send, "{}")
            #expect(full.status == 429)
            #expect(try JSON(full)["code"].text == "overloaded")
        }
    }

    @Test func `figures count calls and attempts, failures and durations, and a log shows the lines of one run`() async throws {
        try await FunctionWorld.use(answer: { .status($0.path == "/bad" ? 500 : 200) }) { world in
            try await world.put("good", #""auth": "none", "triggers": [{"on": "event", "name": "purchase"}]"#)
            try await world.put("bad")
            for _ in 0..<3 { #expect(try await world.api.post("/v1/call/\(world.keys.app)/good", #"{"data": null}"#).status == 200) }
            let first = try await world.task("bad")
            let second = try await world.task("bad")
            #expect(try await eventually { try await world.runs("bad", "state=dead").count == 2 })
            let found = try JSON(await world.api.get("/v1/functions:statistics", key: world.keys.read))
            let (bad, good) = (found["items"][0], found["items"][1])
            #expect(good["name"].text == "good" && good["triggers"][0].text == "event purchase")
            #expect(good["target"].text == world.sink.url(""))
            #expect(good["per_minute"].items.map(\.number).reduce(0, +) == 3 && good["failures"].number == 0)
            #expect(good["median_milliseconds"].exists && good["slow_milliseconds"].exists)
            #expect(bad["per_minute"].items.map(\.number).reduce(0, +) == 6 && bad["failures"].number == 6)
            #expect(bad["runs"]["dead"].number == 2)
            #expect(found["sources"].items.map(\.["source"].text) == ["event"])
            let lines = try JSON(await world.api.get("/v1/functions/bad/logs?run=\(first)", key: world.keys.read))["items"].items
            #expect(lines.count == 3 && lines.allSatisfy { $0["run"].text == first } && first != second)
            #expect(try JSON(await world.api.get("/v1/functions/bad/logs?run=run_none", key: world.keys.read))["items"].items.isEmpty)
            let other = try await world.api.makeApp("other")
            #expect(try JSON(await world.api.get("/v1/functions:statistics", key: other.read))["items"].items.isEmpty)
        }
    }
}
