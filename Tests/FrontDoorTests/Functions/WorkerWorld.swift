// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Glibc
import Platform
import TestSupport
import Testing
import Workers

@testable import ingestd

/// A daemon whose functions are programs: small scripts of Python that the operator named.
struct WorkerWorld: Sendable {
    let accounts: AccountWorld
    /// The folder of the scripts.
    let scripts = TemporaryFolder()

    var live: LiveDaemon { accounts.live }
    var api: TestClient { accounts.live.api }
    var keys: AppKeys { accounts.keys }

    /// Whether this kernel confines workers. Sanitizers do not run confined.
    static var canRun: Bool { ProcessConfinement.supported == .all }

    static func use(
        in folder: TemporaryFolder = TemporaryFolder(), configure: @escaping (inout Configuration) -> Void = { _ in },
        _ body: @Sendable (WorkerWorld) async throws -> Void
    ) async throws {
        try await AccountWorld.use(
            in: folder, sends: true,
            configure: { configuration in
                configuration.workers.areEnabled = true
                configuration.delivery.retries.waits = [.init(milliseconds: 5), .init(milliseconds: 5)]
                configure(&configuration)
            }
        ) { try await body(WorkerWorld(accounts: $0)) }
    }

    /// Sets a function to a script. `handle(call)` returns the result, or raises `Fault(status, message)`, or `Said` if it has answered itself.
    func define(
        _ name: String = "f", fields: String = #""auth": "none""#, beginning: String = "", handler: String
    ) async throws {
        let script = """
            import json, os, signal, subprocess, sys, time
            class Fault(Exception): pass
            class Said(Exception): pass
            def say(call, **line): sys.stdout.write(json.dumps({"id": call["id"], **line}) + "\\n")
            \(beginning)
            def handle(call):
                data = call["data"]
            \(handler.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }.joined(separator: "\n"))
            for text in sys.stdin:
                call = json.loads(text)
                try: say(call, result=handle(call))
                except Said: pass
                except Fault as fault: say(call, error={"status": fault.args[0], "message": fault.args[1]})
            """
        let file = "\(scripts.path)/\(name).py"
        try Data(script.utf8).write(to: URL(fileURLWithPath: file))
        try await define(name, fields, program: ["/usr/bin/python3", file])
    }

    func define(_ name: String, _ fields: String, transport: String = "lines", program: [String]) async throws {
        let command = "[" + program.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
        let body = #"{"worker": {"protocol": "\#(transport)", "command": \#(command), "folder": "\#(scripts.path)"}, \#(fields)}"#
        let reply = try await api.asOperator("PUT", "/v1/functions/\(name)?app=\(keys.app)", body)
        try #require([200, 201].contains(reply.status), "\(reply.text)")
    }

    func call(_ name: String = "f", _ data: String = "null", as bearer: String? = nil, headers: [String: String] = [:]) async throws -> Reply {
        try await api.post("/v1/call/\(keys.app)/\(name)", key: bearer, headers: headers, #"{"data": \#(data)}"#)
    }

    /// The result of a call that succeeds.
    func result(_ name: String = "f", _ data: String = "null") async throws -> JSON {
        let reply = try await call(name, data)
        #expect(reply.status == 200, "\(reply.text)")
        return try JSON(reply)["result"]
    }

    func lines(_ name: String = "f") async throws -> [JSON] {
        try JSON(await api.get("/v1/functions/\(name)/logs?limit=1000", key: keys.read))["items"].items
    }

    /// Whether the log has a line that contains a text, soon.
    func logs(_ text: String, of name: String = "f") async throws -> Bool {
        try await eventually { try await lines(name).contains { $0["line"].text.contains(text) } }
    }

    /// Whether a process is running, or has not been reaped.
    static func isRunning(_ process: Int) -> Bool { Folder.exists("/proc/\(process)") }

    /// Kills a process, and returns after its end, which the daemon may not have noticed yet.
    static func kill(_ process: Int) async throws {
        Glibc.kill(pid_t(process), SIGKILL)
        let hasEnded = try await eventually { (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8))?.contains(") Z ") ?? true }
        #expect(hasEnded)
    }

    static func ends(_ process: Int) async throws -> Bool { try await eventually { !isRunning(process) } }
}
