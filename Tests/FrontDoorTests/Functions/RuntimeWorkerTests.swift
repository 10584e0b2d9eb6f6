// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Functions that are programs with AWS Lambda's Runtime API. The requests are those of swift-aws-lambda-runtime 1.0, byte for byte.
@Suite(.enabled(if: WorkerWorld.canRun, "this kernel cannot confine workers"))
struct RuntimeWorkerTests {
    /// A runtime with one kept connection. `handle(event, head)` returns the result, or raises an error.
    private static func runtime(_ handler: String, beginning: String = "") -> String {
        """
        import json, os, socket, sys, time
        api = os.environ["AWS_LAMBDA_RUNTIME_API"]
        host, port = api.split(":")
        \(beginning)
        kept = socket.create_connection((host, int(port)))
        def response():
            text = b""
            while b"\\r\\n\\r\\n" not in text: text += kept.recv(65536) or sys.exit(1)
            head, body = text.split(b"\\r\\n\\r\\n", 1)
            lines = head.decode().split("\\r\\n")
            fields = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines[1:])}
            while len(body) < int(fields["content-length"]): body += kept.recv(65536)
            return int(lines[0].split()[1]), fields, body
        def ask():
            kept.sendall(f"GET /2018-06-01/runtime/invocation/next HTTP/1.1\\r\\nhost: {api}\\r\\nuser-agent: Swift-Lambda/Unknown\\r\\n\\r\\n".encode())
            return response()
        def post(path, body, fields=""):
            start = f"POST /2018-06-01/runtime/{path} HTTP/1.1\\r\\n"
            rest = f"host: {api}\\r\\nuser-agent: Swift-Lambda/Unknown\\r\\n"
            length = f"content-length: {len(body)}\\r\\n"
            kept.sendall((start + (length + rest + fields if fields else rest + length) + "\\r\\n").encode() + body)
            return response()[0]
        def failed(path, kind, message):
            body = json.dumps({"errorType": kind, "errorMessage": message}).encode()
            return post(path, body, "lambda-runtime-function-error-type: Unhandled\\r\\n")
        def handle(event, head):
        \(handler.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }.joined(separator: "\n"))
        while True:
            status, head, body = ask()
            id = head["lambda-runtime-aws-request-id"]
            try:
                result = handle(json.loads(body), head)
                result = result if isinstance(result, bytes) else json.dumps(result).encode()
                assert post(f"invocation/{id}/response", result) == 202
            except Exception as error: assert failed(f"invocation/{id}/error", type(error).__name__, str(error)) == 202
        """
    }

    private static func define(_ world: WorkerWorld, fields: String = #""auth": "none""#, beginning: String = "", _ handler: String) async throws {
        let file = world.scripts.path + "/runtime.py"
        try Data(runtime(handler, beginning: beginning).utf8).write(to: URL(fileURLWithPath: file))
        try await world.define("f", fields, transport: "lambda", program: ["/usr/bin/python3", file])
    }

    @Test func `an event is the data of the call, and its context is in the header`() async throws {
        try await WorkerWorld.use { world in
            try await Self.define(
                world, fields: #""auth": "user", "timeout": 30, "may": ["data"]"#, "return {'event': event, 'head': head, 'pid': os.getpid()}")
            let user = try await world.accounts.user()
            let reply = try await world.call("f", #"{"text": "ü😀", "n": 7}"#, as: user.token)
            let result = try JSON(reply)["result"]
            #expect(result["event"]["text"].text == "ü😀" && result["event"]["n"].number == 7)
            let head = result["head"]
            #expect(head["lambda-runtime-aws-request-id"].text.hasPrefix("call_"))
            let deadline = try #require(Int64(head["lambda-runtime-deadline-ms"].text))
            #expect(((AccountWorld.now + .seconds(25)).milliseconds...(AccountWorld.now + .seconds(30)).milliseconds).contains(deadline))
            #expect(head["lambda-runtime-invoked-function-arn"].text.hasSuffix(":function:f"))
            let context = try JSON(Array(head["lambda-runtime-client-context"].text.utf8))["custom"]["signalbox"]
            #expect(context["type"].text == "call" && context["context"]["auth"]["uid"].text == user.id)
            #expect(context["token"].text.hasPrefix("sb_run_"))
            let again = try await JSON(world.call("f", "1", as: user.token))["result"]
            #expect(again["pid"].number == result["pid"].number)
        }
    }

    @Test func `the type of an error is its word if it is one, and other errors are in the log`() async throws {
        try await WorkerWorld.use { world in
            let handler = """
                class NOT_FOUND(Exception): pass
                if event == "missing": raise NOT_FOUND("no order")
                if event == "bug": return {}["order"]
                return None
                """
            try await Self.define(world, handler)
            let missing = try await world.call("f", #""missing""#)
            #expect(try CallFault(missing) == CallFault(404, "NOT_FOUND") && JSON(missing)["error"]["message"].text == "no order")
            let bug = try await world.call("f", #""bug""#)
            #expect(try CallFault(bug) == CallFault(500, "INTERNAL") && JSON(bug)["error"]["message"].text == "INTERNAL")
            #expect(try await world.logs("KeyError"))
            #expect(try await world.call().text == #"{"result":null}"#)
        }
    }

    @Test func `a large event and a large result pass`() async throws {
        try await WorkerWorld.use { world in
            try await Self.define(world, "return event * 2")
            let text = String(repeating: "abcdefgh", count: 64 << 10)
            #expect(try await world.result("f", "\"\(text)\"").text == text + text)
        }
    }

    @Test func `a call after the end of an idle program has another one`() async throws {
        try await WorkerWorld.use { world in
            try await Self.define(world, fields: #""auth": "none", "concurrency": 1"#, "return os.getpid()")
            var processes: Set<Int> = []
            // Five crashes within a minute would break the worker.
            for _ in 0..<4 {
                let process = try await Int(world.result().number)
                #expect(processes.insert(process).inserted)
                try await WorkerWorld.kill(process)
            }
        }
    }

    @Test(arguments: [1, 200_000]) func `a program that ends after each answer fails no call`(size: Int) async throws {
        try await WorkerWorld.use { world in
            let handler = """
                post("invocation/" + head["lambda-runtime-aws-request-id"] + "/response", str(os.getpid()).encode())
                os._exit(0)
                """
            try await Self.define(world, fields: #""auth": "none", "concurrency": 1"#, handler)
            let data = "\"\(String(repeating: "x", count: size))\""
            let replies = try await withThrowingTaskGroup { group in
                for _ in 0..<8 { group.addTask { try await world.call("f", data) } }
                return try await group.reduce(into: [Reply]()) { $0.append($1) }
            }
            #expect(replies.allSatisfy { $0.status == 200 }, "\(replies.map(\.text))")
            #expect(Set(replies.map(\.text)).count == 8)
        }
    }

    @Test func `a program that fails to start says why`() async throws {
        try await WorkerWorld.use { world in
            try await Self.define(world, beginning: "", "return 1")
            let script = Self.runtime("return 1").replacingOccurrences(
                of: "while True:", with: "assert failed('init/error', 'InitializationError', 'no database') == 202\nsys.exit(1)\nwhile True:")
            try Data(script.utf8).write(to: URL(fileURLWithPath: world.scripts.path + "/runtime.py"))
            #expect(try await CallFault(world.call()) == CallFault(500, "INTERNAL"))
            #expect(try await world.logs("no database"))
        }
    }

    @Test func `wrong IDs, other paths and a second request for a call are refused`() async throws {
        try await WorkerWorld.use { world in
            let handler = """
                statuses = [post("invocation/call_other/response", b"1"), failed("invocation/call_other/error", "NOT_FOUND", "x"), post("other", b"1")]
                if event == "next": ask()
                return statuses
                """
            try await Self.define(world, handler)
            #expect(try await world.call().text == #"{"result":[400, 400, 404]}"#)
            #expect(try await CallFault(world.call("f", #""next""#)) == CallFault(500, "INTERNAL"))
            #expect(try await world.logs("asked for another call before it answered"))
        }
    }

    @Test func `a result that is no JSON is INTERNAL, and an empty one is null`() async throws {
        try await WorkerWorld.use { world in
            try await Self.define(world, "return event.encode()")
            #expect(try await CallFault(world.call("f", #""{nonsense""#)) == CallFault(500, "INTERNAL"))
            #expect(try await world.call("f", #""""#).text == #"{"result":null}"#)
        }
    }

    @Test func `a stranger on the port of a worker gets nothing`() async throws {
        try await WorkerWorld.use { world in
            // The program connects only after the stranger.
            let beginning = """
                print(f"at {port}.", flush=True)
                while not os.path.exists("go"): time.sleep(0.01)
                """
            try await Self.define(world, beginning: beginning, "return event")
            let call = Task { try await world.result("f", #""mine""#).text }
            #expect(try await world.logs("at "))
            let line = try #require(try await world.lines().first { $0["line"].text.hasPrefix("at ") })
            let port = try #require(UInt16(line["line"].text.dropFirst(3).dropLast()))
            for _ in 0..<6 {
                let stranger = try TestClient(port: port, controlSocket: "").connect()
                try? await stranger.send(Array("GET /2018-06-01/runtime/invocation/next HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".utf8))
                let answer = (try? await stranger.raw(atLeast: 1)) ?? []
                #expect(answer.isEmpty)
            }
            try Data().write(to: URL(fileURLWithPath: world.scripts.path + "/go"))
            #expect(try await call.value == "mine")
            #expect(try await world.api.get("/metrics").text.contains("signalbox_function_worker_strangers_total 6\n"))
        }
    }

    @Test func `strangers that connect without end take no connection from the program`() async throws {
        try await WorkerWorld.use { world in
            let beginning = """
                print(f"at {port}.", flush=True)
                while not os.path.exists("go"): time.sleep(0.01)
                """
            // Each call is answered on a new connection.
            try await Self.define(
                world, beginning: beginning, "global kept\nkept = socket.create_connection((host, int(port)))\nreturn event")
            let call = Task { try await world.result("f", #""mine""#).text }
            #expect(try await world.logs("at "))
            let line = try #require(try await world.lines().first { $0["line"].text.hasPrefix("at ") })
            let strangers = TestClient(port: try #require(UInt16(line["line"].text.dropFirst(3).dropLast())), controlSocket: "")
            try await withThrowingTaskGroup { group in
                for _ in 0..<16 {
                    group.addTask { while !Task.isCancelled { try? await strangers.connect().drained() } }
                }
                #expect(try await eventually { try await Self.strangers(world) > 100 })
                try Data().write(to: URL(fileURLWithPath: world.scripts.path + "/go"))
                #expect(try await call.value == "mine")
                for _ in 0..<5 { #expect(try await world.result("f", #""again""#).text == "again") }
                group.cancelAll()
            }
        }
    }

    private static func strangers(_ world: WorkerWorld) async throws -> Int {
        let name = "signalbox_function_worker_strangers_total "
        let line = try #require(try await world.api.get("/metrics").lines.first { $0.hasPrefix(name) })
        return try #require(Int(line.dropFirst(name.count)))
    }

    @Test func `a stranger with the port of a program's connection at another local address gets nothing`() async throws {
        try await WorkerWorld.use { world in
            try await Self.define(world, "return [kept.getsockname()[1], int(port)]")
            let ports = try await world.result()
            let script = """
                import socket
                stranger = socket.socket()
                stranger.settimeout(30)
                stranger.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    stranger.bind(("127.0.0.2", \(ports[0].number)))
                    stranger.connect(("127.0.0.1", \(ports[1].number)))
                    stranger.sendall(b"POST /2018-06-01/runtime/other HTTP/1.1\\r\\nhost: a\\r\\ncontent-length: 0\\r\\n\\r\\n")
                    print(len(stranger.recv(100)))
                except ConnectionError: print(0)
                except OSError as error: print(error)
                """
            let found = try await ChildProcess.run("/usr/bin/python3", ["-c", script])
            #expect(found.code == 0 && found.output.split(separator: "\n") == ["0"], "\(found.output)")
            #expect(try await Self.strangers(world) == 1)
            #expect(try await world.result()[0].number == ports[0].number)
        }
    }

    @Test func `a process that the program started may connect`() async throws {
        try await WorkerWorld.use { world in
            try await Self.define(world, beginning: "if os.fork(): os.wait(); sys.exit(0)", "return os.getpid() != os.getpgid(0)")
            #expect(try await world.call().text == #"{"result":true}"#)
        }
    }
}
