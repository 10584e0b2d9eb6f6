// SPDX-License-Identifier: Apache-2.0

import Functions
import JSON
import Platform

/// `ingestd function export` and `ingestd function import`.
enum FunctionTransferCommands {
    static let all = [export, importFunctions]

    private static let export = Command(
        "function export", "Writes the functions of an app to standard output, as lines that `function import` reads.",
        options: [.app.required, .data, .config],
        details: """
            A line has the name and the definition with address or program, triggers, schedules and limits. Secrets that sign requests are not \
            exported, nor are runs and logs.
            """
    ) { arguments in
        let functions = try await DataFolder(arguments).perform { try await FunctionCommands.pages("/v1/functions", arguments, $0) }
        for function in functions {
            var json = JSONWriter()
            json.beginObject()
            json.field("function", function.text("name"))
            json.field("definition", function["definition"])
            json.endObject()
            try Console.put(json.bytes + [0x0a])
        }
    }

    private static let privileged = Option(
        "--privileged", .none, "Also functions that only the operator may set: those of programs, and those that `may` reach accounts.")

    private static let importFunctions = Command(
        "function import", "Creates or replaces the functions of an export.", operands: ["FILE"],
        options: [privileged, .app.required, .data, .config, .json],
        details: """
            Functions that are there keep their secret and their runs; new ones get a new secret, which `function ls --json` shows. Triggers begin \
            with what happens after the import. What is refused is listed. Look at the programs in the file before you use --privileged.
            """
    ) { arguments in
        let result = try await DataFolder(arguments).perform { try await add(linesOf: arguments.operand(0), arguments, $0) }
        try result.refused.print("Set", result.functions, "function", arguments)
        try result.refused.check()
    }

    /// Sets the functions of a file. It may be repeated.
    private static func add(linesOf path: String, _ arguments: Arguments, _ socket: ControlSocket) async throws -> Result {
        // A wrong app or folder is no fault of the lines.
        _ = try await socket.get("/v1/functions?app=\(arguments.required(.app).percentEncoded)&limit=1")
        var parts = try LineParts(path, partBytes: FunctionDefinition.maximumBytes, from: 1)
        var result = Result()
        while let part = try parts.next() {
            for (index, line) in part.body.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated() where !line.isEmpty {
                if let refusal = try await add(Array(line), arguments, socket) {
                    result.refused.add(part.first + index, refusal)
                } else {
                    result.functions += 1
                }
            }
        }
        return result
    }

    /// Sets the function of a line. Returns why it is refused; nil if it was set.
    private static func add(_ line: [UInt8], _ arguments: Arguments, _ socket: ControlSocket) async throws -> String? {
        guard let json = try? JSONValue(line), let name = json["function"]?.string, let definition = json["definition"].map({ Array($0.json) }) else {
            return "The line has no function and definition."
        }
        do {
            _ = try FunctionDefinition(definition, by: arguments.has(privileged) ? .operator : .admin)
            let target = "/v1/functions/\(name.percentEncoded)?app=\(arguments.required(.app).percentEncoded)"
            _ = try await socket.send("PUT", target, definition, type: "application/json", timeout: .seconds(60))
            return nil
        } catch let refusal as Refusal {
            return refusal.fields.first.map { "\($0.field) \($0.message)" } ?? refusal.detail
        } catch let failure as Failure {
            return failure.what
        }
    }

    /// The result of an import.
    private struct Result: Sendable {
        var functions = 0
        var refused = RefusedLines(maxListed: .max)
    }
}
