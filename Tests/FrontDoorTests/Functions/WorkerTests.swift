// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Alerts
import Foundation
import HTTPServer
import MessageStore
import Platform
import TestSupport
import Testing
import Workers

@testable import ingestd

/// Functions that are programs with the protocol `lines`.
@Suite(.enabled(if: WorkerWorld.canRun, "this kernel cannot confine workers"))
struct WorkerTests {
    @Test func `a call reaches the program, with its caller, and the result passes untouched`() async throws {
        try await WorkerWorld.use { world in
            try await world.define(fields: #""auth": "user", "timeout": 30, "may": ["data"]"#, handler: "return call")
            let user = try await world.accounts.user()
            let reply = try await world.call("f", "{\"a\": 1.50,\n \"b\": \"é\"}", as: user.token)
            let call = try JSON(reply)["result"]
            #expect(call["type"].text == "call" && call["id"].text.hasPrefix("call_") && call["data"]["b"].text == "é")
            let context = call["context"]
            #expect(context["app"].text == "shop" && context["function"].text == "f" && context["attempt"].number == 1)
            #expect(context["depth"].number == 1 && context["auth"]["uid"].text == user.id && context["auth"]["claims"]["sub"].text == user.id)
            // Less what has passed since the call came.
            let deadlines = (10...30).map { (AccountWorld.now + .seconds($0)).rfc3339.prefix(19) }
            #expect(deadlines.contains { call["deadline"].text.hasPrefix($0) })
            #expect(call["token"].text.hasPrefix("sb_run_"))
            #expect(try await world.call().status == 401)
        }
    }

    @Test func `errors keep word, message and details, and unknown words are INTERNAL`() async throws {
        try await WorkerWorld.use { world in
            let handler = """
                say(call, error=data)
                raise Said
                """
            try await world.define(handler: handler)
            let error = #"{"status": "NOT_FOUND", "message": "no order", "details": {"id": [1]}}"#
            let reply = try await world.call("f", error)
            #expect(reply.status == 404)
            #expect(try JSON(reply)["error"]["details"]["id"][0].number == 1 && JSON(reply)["error"]["message"].text == "no order")
            for (error, fault) in [#"{"status": "ODD"}"#: CallFault(500, "INTERNAL"), #"{"status": "OK"}"#: CallFault(500, "INTERNAL")] {
                #expect(try await CallFault(world.call("f", error)) == fault)
            }
        }
    }

    @Test func `messages are streamed at once to those who want them`() async throws {
        try await WorkerWorld.use { world in
            try await world.define(handler: "for n in range(3): say(call, message={'n': n})\nreturn 7")
            #expect(try await world.call().text == #"{"result":7}"#)
            let stream = try await world.call(headers: ["Accept": "text/event-stream"])
            let messages = (0..<3).map { "data: {\"message\":{\"n\": \($0)}}\n\n" }.joined()
            #expect(stream.text == messages + "data: {\"result\":7}\n\n")
            try await world.define("bad", handler: "say(call, message=1)\nraise Fault('ABORTED', 'late')")
            let failed = try await world.call("bad", headers: ["Accept": "text/event-stream"])
            #expect(failed.text.hasPrefix("data: {\"message\":1}\n\n") && failed.text.contains(#""status":"ABORTED""#))
        }
    }

    @Test func `what a worker writes about a run that an erasure removed is dropped`() async throws {
        try await WorkerWorld.use { world in
            let gate = world.scripts.path + "/go"
            let handler = """
                name = data["user_id"]
                say(call, log="begin " + name)
                while name == "ann" and not os.path.exists("\(gate)"): time.sleep(0.01)
                say(call, log="end " + name)
                print("stray " + name, flush=True)
                return name
                """
            try await world.define(fields: #""concurrency": 1, "triggers": [{"on": "event", "name": "a"}]"#, handler: handler)
            func send(_ user: String) async throws -> Int {
                try await world.api.post("/v1/events", key: world.keys.ingest, #"[{"name": "a", "user_id": "\#(user)"}]"#).status
            }
            #expect(try await send("ann") == 200)
            #expect(try await world.logs("begin ann"))
            let erased = try JSON(await world.api.request("DELETE", "/v1/users/ann", key: world.keys.admin))
            #expect(erased["runs"].number == 1)
            try File(gate, .create).write([1])
            // The next run of the same instance follows.
            #expect(try await send("bob") == 200)
            #expect(try await world.logs("end bob"))
            let lines = try await world.lines().map(\.["line"].text)
            #expect(!lines.contains { $0.contains("ann") }, "\(lines)")
        }
    }

    @Test func `lines for the log, stray output and complaints are in the function's log`() async throws {
        try await WorkerWorld.use { world in
            let handler = """
                say(call, log="structured", level="warning")
                print("stray", flush=True)
                sys.stderr.write("complaint\\n")
                return 1
                """
            try await world.define(handler: handler)
            let user = try await world.accounts.user()
            #expect(try await world.call(as: user.token).status == 200)
            for text in ["structured", "stray", "complaint"] { #expect(try await world.logs(text)) }
            let levels = try await world.lines().map { "\($0["level"].text) \($0["line"].text)" }
            #expect(levels.contains("warning structured") && levels.contains("info stray"))
        }
    }

    @Test func `complaints right before an answer are in the log of their run`() async throws {
        try await WorkerWorld.use { world in
            try await world.define(fields: #""concurrency": 1"#, handler: "sys.stderr.write(f'complaint {data}\\n')\nreturn None")
            var runs: [String] = []
            for number in 0..<30 {
                let task = try await world.api.post("/v1/functions/f/tasks", key: world.keys.send, #"{"data": \#(number)}"#)
                runs.append(try JSON(task)["id"].text)
            }
            for (number, run) in runs.enumerated() {
                let hasLine = try await eventually {
                    let page = try await world.api.get("/v1/functions/f/logs?run=\(run)", key: world.keys.read)
                    return try JSON(page)["items"].items.contains { $0["line"].text == "complaint \(number)" }
                }
                #expect(hasLine, "\(number)")
            }
        }
    }

    @Test func `a run is carried out once, retried after a crash, and dead after a final error`() async throws {
        try await WorkerWorld.use { world in
            let handler = """
                if data == "crash" and call["context"]["attempt"] < 3: os._exit(3)
                if data == "bad": raise Fault("INVALID_ARGUMENT", "no")
                say(call, log=f"{call['id']} {call['context']['attempt']}")
                return None
                """
            try await world.define(handler: handler)
            let states = [#""fine""#: "done", #""crash""#: "done", #""bad""#: "dead"]
            for (data, state) in states {
                let id = try JSON(await world.api.post("/v1/functions/f/tasks", key: world.keys.send, #"{"data": \#(data)}"#))["id"].text
                let run = { @Sendable in try await JSON(world.api.get("/v1/runs/\(id)", key: world.keys.read)) }
                #expect(
                    try await eventually {
                        // Retries are due by the clock of this test.
                        world.accounts.clock.advance(by: .seconds(1))
                        return try await run()["state"].text == state
                    })
                #expect(try await run()["tries"].number == (data.contains("crash") ? 3 : 1))
                if state == "done" { #expect(try await world.logs("\(id) \(data.contains("crash") ? 3 : 1)")) }
            }
            #expect(try await world.logs("exit code 3"))
            let line = try await world.lines().first { $0["line"].text.contains("exit code 3") }
            #expect(line?["run"].text.hasPrefix("run_") == true)
        }
    }

    @Test func `an instance takes calls one after the other, and others start up to the concurrency`() async throws {
        try await WorkerWorld.use { world in
            let gate = world.scripts.path + "/go"
            let handler = """
                if data is not None:
                    say(call, log="begin")
                    while not os.path.exists("\(gate)"): time.sleep(0.01)
                return os.getpid()
                """
            try await world.define(fields: #""auth": "none", "concurrency": 2, "waiting": 10"#, handler: handler)
            var processes: Set<Int> = []
            for _ in 0..<5 { processes.insert(try await Int(world.result().number)) }
            #expect(processes.count == 1)
            let many = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<6 { group.addTask { try await Int(world.result("f", "1").number) } }
                // One instance waits while another starts.
                let areBothBusy = try await eventually { try await world.lines().count { $0["line"].text == "begin" } == 2 }
                #expect(areBothBusy)
                try File(gate, .create).write([1])
                return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
            }
            #expect(many.count == 2 && many.isSuperset(of: processes))
            #expect(String(decoding: world.live.daemon.metrics.exposition(), as: UTF8.self).contains("signalbox_function_worker_starts_total 2"))
        }
    }

    // Loops of clients read the answers, and leave large lines and much output to the thread of the workers.
    @Test func `calls over many connections at once have their own results, beside lines for the log and large results`() async throws {
        try await WorkerWorld.use { world in
            let handler = """
                for number in range(data % 7 * 5): say(call, log=f"line {number}")
                if data % 5 == 0: print("x" * 100_000, flush=True)
                return f"{data} " + "y" * (data % 4 * 40_000)
                """
            try await world.define(fields: #""auth": "none", "concurrency": 3, "waiting": 100"#, handler: handler)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in 0..<8 {
                    group.addTask {
                        for number in client * 100..<client * 100 + 40 {
                            let text = try await world.result("f", "\(number)").text
                            #expect(text == "\(number) " + String(repeating: "y", count: number % 4 * 40_000))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `a program that writes without end beside its answers ends no call`() async throws {
        try await WorkerWorld.use { world in
            let beginning = """
                import threading
                def chatter():
                    while True: os.write(1, b"noise\\n" * 50); time.sleep(0.001)
                """
            let handler = """
                if data == 0: threading.Thread(target=chatter, daemon=True).start()
                time.sleep(0.05)
                return data
                """
            try await world.define(fields: #""auth": "none", "concurrency": 1"#, beginning: beginning, handler: handler)
            for number in 0..<20 { #expect(try await Int(world.result("f", "\(number)").number) == number) }
        }
    }

    @Test func `a call that exceeds its deadline ends with its whole group`() async throws {
        try await WorkerWorld.use { world in
            let handler = """
                if data is None: return os.getpid()
                child = subprocess.Popen(["/bin/sleep", "1000"])
                say(call, log=f"child {child.pid}")
                child.wait()
                """
            // The start of the program is within the time, too.
            try await world.define(fields: #""auth": "none", "timeout": 10"#, handler: handler)
            let process = try await Int(world.result().number)
            #expect(try await CallFault(world.call("f", "1")) == CallFault(504, "DEADLINE_EXCEEDED"))
            #expect(try await world.logs("exceeded the deadline"))
            let line = try #require(try await world.lines().first { $0["line"].text.hasPrefix("child ") })
            let child = try #require(Int(line["line"].text.dropFirst(6)))
            for ended in [process, child] { #expect(try await WorkerWorld.ends(ended)) }
            // The next call has a new instance.
            #expect(try await Int(world.result().number) != process)
        }
    }

    @Test func `five crashes within a minute break the worker until its definition changes`() async throws {
        try await WorkerWorld.use { world in
            try await world.define(handler: "os._exit(9)")
            let listener = try await AlertListener(world.api, world.keys, to: "$alerts.system")
            for _ in 0..<5 { #expect(try await CallFault(world.call()) == CallFault(500, "INTERNAL")) }
            #expect(try await CallFault(world.call()) == CallFault(503, "UNAVAILABLE"))
            #expect(try await world.logs("crashed too often"))
            var alerts = world.live.daemon.makeAlerting()
            try await alerts.publishChanges()
            try await alerts.publishChanges()
            let heard = try await listener.heard(1)
            #expect(heard.count == 1 && heard[0]["data"]["data"]["cause"].text == "worker" && heard[0]["data"]["data"]["function"].text == "f")
            try await world.define(handler: "return 1  # mended")
            try await world.define("g", handler: "return 1")
            #expect(try await world.result("g").number == 1)
            let script = "\(world.scripts.path)/mended.py"
            try FileManager.default.copyItem(atPath: "\(world.scripts.path)/f.py", toPath: script)
            try await world.define("f", #""auth": "none""#, program: ["/usr/bin/python3", script])
            #expect(try await world.result().number == 1)
            try await alerts.publishChanges()
            #expect(try await world.live.daemon.store.messages.standingAlerts().isEmpty)
        }
    }

    @Test func `workers are off unless the operator allows them, and a change of the setting ends them`() async throws {
        let folder = TemporaryFolder()
        try await WorkerWorld.use(in: folder, configure: { $0.workers.areEnabled = false }) { world in
            try await world.define(handler: "return os.getpid()")
            let refused = try await world.call()
            #expect(try CallFault(refused) == CallFault(503, "UNAVAILABLE") && refused.text.contains("functions.workers"))
            var configuration = world.live.daemon.configuration.now
            configuration.workers.areEnabled = true
            world.live.daemon.configuration.replace(configuration)
            let process = try await Int(world.result().number)
            configuration.workers.areEnabled = false
            world.live.daemon.configuration.replace(configuration)
            #expect(try await WorkerWorld.ends(process))
            #expect(try await CallFault(world.call()) == CallFault(503, "UNAVAILABLE"))
        }
    }

    @Test func `a replaced program and a deleted function end their instances`() async throws {
        try await WorkerWorld.use { world in
            try await world.define(handler: "return os.getpid()")
            let first = try await Int(world.result().number)
            let other = "\(world.scripts.path)/other.py"
            try FileManager.default.copyItem(atPath: "\(world.scripts.path)/f.py", toPath: other)
            try await world.define("f", #""auth": "none""#, program: ["/usr/bin/python3", other])
            let second = try await Int(world.result().number)
            #expect(first != second)
            #expect(try await WorkerWorld.ends(first))
            #expect(try await world.api.request("DELETE", "/v1/functions/f", key: world.keys.admin).status == 204)
            #expect(try await WorkerWorld.ends(second))
        }
    }

    @Test func `no key names or replaces a program`() async throws {
        try await WorkerWorld.use { world in
            try await world.define(handler: "return 1")
            let bodies = [#"{"worker": {"protocol": "lines", "command": ["/bin/sh"]}}"#, #"{"url": "https://api.example/x"}"#]
            for body in bodies {
                let reply = try await world.api.request("PUT", "/v1/functions/f", key: world.keys.admin, body: Array(body.utf8))
                #expect(reply.status == 403 && reply.text.contains("Only the operator"))
            }
            #expect(try await world.result().number == 1)
            let bad = #"{"worker": {"protocol": "lines", "command": ["python3"]}}"#
            #expect(try await world.api.asOperator("PUT", "/v1/functions/g?app=\(world.keys.app)", bad).status == 422)
        }
    }

    @Test func `instances beyond the limit of the machine wait for an idle one to end`() async throws {
        try await WorkerWorld.use(configure: { $0.workers.processes = 1 }) { world in
            for name in ["f", "g"] { try await world.define(name, handler: "time.sleep(data or 0)\nreturn os.getpid()") }
            let first = try await Int(world.result("f").number)
            let second = try await Int(world.result("g").number)
            #expect(first != second)
            #expect(try await WorkerWorld.ends(first))
            // A busy function does not keep the place.
            let (one, other) = (Task { try await world.call("g", "0.1").status }, Task { try await world.call("g", "0.1").status })
            let status = try await world.call("f").status
            #expect(try await (status, one.value, other.value) == (200, 200, 200))
        }
    }

    // A pipe holds 64 KiB.
    @Test(arguments: [1, 200_000])
    func `a call that a program did not read before it ended goes to another instance`(size: Int) async throws {
        let data = "\"\(String(repeating: "x", count: size))\""
        try await WorkerWorld.use { world in
            try await world.define(
                fields: #""auth": "none", "concurrency": 1, "timeout": 300"#, handler: "say(call, result=os.getpid())\nos._exit(0)")
            let replies = try await withThrowingTaskGroup { group in
                for _ in 0..<8 { group.addTask { try await world.call("f", data) } }
                return try await group.reduce(into: [Reply]()) { $0.append($1) }
            }
            #expect(replies.allSatisfy { $0.status == 200 }, "\(replies.map(\.text))")
            #expect(Set(replies.map(\.text)).count == 8)
        }
    }

    @Test func `a call after the end of an idle instance has another one`() async throws {
        try await WorkerWorld.use { world in
            try await world.define(fields: #""auth": "none", "concurrency": 1"#, handler: "return os.getpid()")
            var processes: Set<Int> = []
            // Five crashes within a minute would break the worker.
            for _ in 0..<4 {
                let process = try await Int(world.result().number)
                #expect(processes.insert(process).inserted)
                try await WorkerWorld.kill(process)
            }
        }
    }

    @Test func `of more lines at once than the log takes, the others are counted`() async throws {
        try await WorkerWorld.use { world in
            try await world.define(handler: "os.write(2, b'line\\n' * 8000)\nreturn 1")
            #expect(try await world.result().number == 1)
            @Sendable func lines() async throws -> [String] {
                var (lines, after): ([String], String?) = ([], "0")
                while let place = after {
                    let page = try JSON(await world.api.get("/v1/functions/f/logs?limit=1000&after=\(place)", key: world.keys.read))
                    lines += page["items"].items.map { $0["line"].text }
                    after = page["next"].exists ? page["next"].text : nil
                }
                return lines
            }
            let isWhole = try await eventually {
                let lines = try await lines()
                let dropped = lines.filter { $0.hasSuffix("lines were dropped, because too many came at once.") }
                let numbers = dropped.compactMap { Int($0.prefix { $0.isNumber }) }
                return !dropped.isEmpty && numbers.reduce(0, +) + lines.count { $0 == "line" } == 8_000
            }
            #expect(isWhole)
        }
    }
}
