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
        for command in ["runs", "logs", "redrive", "rm"] {
            let ended = try await function(command, "none")
            #expect(ended.code == 1 && ended.complaint.contains("There is no such function. `ingestd function ls`"), "\(ended)")
        }
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
        try write("[1]", to: "list.json")
        let list = try await function("set", "f", "list.json")
        #expect(list.code == 1 && list.complaint.contains("list.json is not a JSON object") && !list.complaint.contains("body"), "\(list)")
    }

    @Test func `a program that cannot start is set with a warning`() async throws {
        #expect(try await Program.run(["app", "create", "shop", "--data", data], in: folder).code == 0)
        try write("", to: "plain")
        let plain = folder.path + "/plain"
        let cases: [(options: [String], program: String, warning: String)] = [
            ([], "/nonexist/x", "/nonexist/x does not exist"), ([], plain, "\(plain) cannot be executed"), ([], "/bin", "/bin cannot be executed"),
            (["--folder", "/nodir"], "/bin/cat", "/nodir does not exist"), (["--folder", plain], "/bin/cat", "\(plain) is not a folder"),
            (["--folder", data], "/bin/cat", "and the data folder lie within each other"),
        ]
        for (options, program, warning) in cases {
            let common = ["--protocol", "lines", "--app", "shop", "--data", data]
            let set = try await Program.run(["function", "worker", "w"] + options + common + ["--", program], in: folder)
            #expect(set.code == 0 && set.output == "Set w.\n", "\(set)")
            #expect(set.complaint.contains("warning: the program will not start: ") && set.complaint.contains(warning), "\(set)")
        }
        let common = ["--protocol", "lines", "--app", "shop", "--data", data]
        let quiet = try await Program.run(["function", "worker", "w", "--folder", "/usr"] + common + ["--", "/bin/cat"], in: folder)
        #expect(quiet.code == 0 && !quiet.complaint.contains("will not start"), "\(quiet)")
    }

    @Test func `functions are exported without secrets, and imported into another app`() async throws {
        for name in ["shop", "copy"] { #expect(try await Program.run(["app", "create", name, "--data", data], in: folder).code == 0) }
        let trigger = #"{"on": "file", "path": "a/{x}", "what": "finalized"}"#
        let definitions = [
            "sum": #"{"url": "https://api.example/sum", "timeout": 30, "order": "{params.x}", "triggers": [\#(trigger)]}"#,
            "nightly": #"{"topic": "orders", "triggers": [{"on": "schedule", "cron": "0 9 * * 1-5", "tz": "Europe/Berlin"}]}"#,
        ]
        for (name, definition) in definitions {
            try write(definition, to: "f.json")
            #expect(try await function("set", name, "f.json").code == 0)
        }
        let worker = ["function", "worker", "program", "--protocol", "lines", "--app", "shop", "--data", data, "--", "/bin/cat"]
        #expect(try await Program.run(worker, in: folder).code == 0)
        let export = try await function("export").output
        #expect(export.split(separator: "\n").count == 3 && !export.contains("secret") && !export.contains("whsec_"), "\(export)")
        try write(export + "x\n", to: "functions.ndjson")
        func copy(_ arguments: String...) async throws -> Program.Ended {
            try await Program.run(["function"] + arguments + ["--app", "copy", "--data", data], in: folder)
        }
        let plain = try await copy("import", "functions.ndjson")
        #expect(plain.code == 1 && plain.output.contains("Set 2 functions; 2 lines were refused."), "\(plain)")
        try write(export, to: "functions.ndjson")
        let whole = try await copy("import", "functions.ndjson", "--privileged", "--json")
        #expect(try whole.code == 0 && whole.json()["functions"] as? Int == 3, "\(whole)")
        #expect(try await copy("export").output == export)
        func secrets(_ ended: Program.Ended) throws -> [String: String] {
            Dictionary(uniqueKeysWithValues: try ended.items().map { ($0["name"] as? String ?? "", $0["secret"] as? String ?? "") })
        }
        let (ours, theirs) = (try await secrets(function("ls", "--json")), try await secrets(copy("ls", "--json")))
        #expect(ours.count == 3 && ours.keys == theirs.keys && Set(ours.values).isDisjoint(with: theirs.values))
        #expect(try await copy("import", "functions.ndjson", "--privileged").code == 0)
        #expect(try await secrets(copy("ls", "--json")) == theirs, "a replaced function keeps its secret")
        let nowhere = try await Program.run(
            ["function", "import", folder.path + "/functions.ndjson", "--app", "none", "--data", data], in: folder)
        #expect(nowhere.code == 1 && nowhere.output.isEmpty && nowhere.complaintIsOneLine, "\(nowhere)")
    }
}
