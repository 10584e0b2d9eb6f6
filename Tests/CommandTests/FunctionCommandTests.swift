// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `ingestd function …` beside a running daemon.
struct FunctionCommandTests {
    private let folder = TemporaryFolder()
    private var data: String { folder.path + "/data" }

    private func function(_ arguments: String...) async throws -> Program.Ended {
        try await Program.run(["function"] + arguments + ["--app", "shop", "--data", data], in: folder)
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/" + name))
    }

    @Test func `a function is set and called, and its errors and failed calls are shown`() async throws {
        let target = try WebhookSink { hook in
            let body = String(decoding: hook.body, as: UTF8.self)
            return body.contains(#""data":{"n":7}"#)
                ? .status(200, "Content-Type: application/json", body: #"{"result": {"n":8}}"#)
                : .status(400, "Content-Type: application/json", body: #"{"error": {"status": "NOT_FOUND", "message": "no order", "details": [1]}}"#)
        }
        let daemon = try await RunningDaemon.start(on: data, environment: ["INGESTD_FUNCTIONS_ADDRESSES": "127.0.0.0/8"])
        #expect(try await Program.run(["app", "create", "shop", "--data", data], in: folder).code == 0)
        try write(#"{"url": "\#(target.url("/f"))"}"#, to: "f.json")
        #expect(try await function("set", "f", "f.json").code == 0)
        #expect(try await function("call", "f", "--input", #"{"n":7}"#).output == "{\"n\":8}\n")
        try write(#"{"n":7}"#, to: "input.json")
        #expect(try await function("call", "f", "--file", "input.json", "--json").output == "{\"result\":{\"n\":8}}\n")
        let failed = try await function("call", "f")
        #expect(failed.code == 1 && failed.output.isEmpty && failed.complaint.contains("NOT_FOUND: no order") && failed.complaint.contains("[1]"))
        #expect(try await function("call", "none").complaint.contains("NOT_FOUND: There is no such function."))
        #expect(try await function("call", "f", "--input", "1}, {").complaint.contains("INVALID_ARGUMENT"))
        #expect(try await function("call", "f", "--input", "1", "--file", "input.json").code == 2)
        let isLogged = try await eventually { try await function("logs", "f").output.contains("failed: NOT_FOUND, no order (") }
        #expect(isLogged)
        // It is an option, so the command asks for the function.
        #expect(try await function("logs", "none", "-f").code == 1)
        #expect(try await function("logs", "none", "-g").code == 2)
        #expect(await daemon.stop() == 0)
    }

    @Test func `a definition that is not JSON is refused by the name of its file`() async throws {
        #expect(try await Program.run(["app", "create", "shop", "--data", data], in: folder).code == 0)
        try write("url: https://api.example/", to: "f.yaml")
        let refused = try await function("set", "f", "f.yaml")
        #expect(refused.code == 1 && refused.complaint.contains("f.yaml is not JSON") && !refused.complaint.contains("body"), "\(refused)")
    }
}
