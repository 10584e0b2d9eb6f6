// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

/// `ingestd status`: prints the state of the daemon and the figures of its machine.
enum StatusCommand {
    static let command = Command(
        "status", "Shows the state of the daemon: load, commits, disk and sizes.",
        options: [Option("--app", .text("ID"), "An app whose events and use of limits are shown, by ID or name."), .data, .config, .json],
        details: "The same figures are in /metrics. An app's key sees only its app, in `GET /v1/system`."
    ) { arguments in
        let target = "/v1/system" + (arguments.one("--app").map { "?app=\($0.percentEncoded)" } ?? "")
        let status = try await DataFolder(arguments).perform { try await $0.get(target) }
        if arguments.has(.json) { return try Console.print(status) }
        try Console.print(lines(status).joined(separator: "\n"))
    }

    /// Returns a line for each figure: `machine.free_disk_bytes  65498251264`.
    private static func lines(_ status: ControlReply) -> [String] {
        let figures = figures(status, "")
        let width = figures.map(\.name.utf8.count).max() ?? 0
        return figures.map { $0.name + String(repeating: " ", count: width + 2 - $0.name.utf8.count) + $0.value }
    }

    private static func figures(_ status: ControlReply, _ prefix: String) -> [(name: String, value: String)] {
        status.fields.flatMap { name, value -> [(name: String, value: String)] in
            let rows = value.elements.filter { !$0.fields.isEmpty }
            if !rows.isEmpty { return rows.map { (prefix + name, $0.fields.map(\.value.text).joined(separator: "  ")) } }
            return value.fields.isEmpty ? [(prefix + name, value.text)] : figures(value, prefix + name + ".")
        }
    }
}
