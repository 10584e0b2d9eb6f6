// SPDX-License-Identifier: Apache-2.0

import JSON
import Panes

/// Stream events as CSV rows.
enum TailCSV {
    private static let fields = ["seq", "timestamp", "received_at", "name", "user_id", "installation_id", "session_id"]
    private static let context = ["platform", "app_version", "country"]
    private static let headings = ["kind"] + fields + context + ["message", "params"]

    static func sheet(of event: StreamEvent) -> Sheet {
        guard let data = try? JSONValue(Array(event.data.utf8)) else { return Sheet(headings, []) }
        let known = fields.map { data.text($0) }
        let around = context.map { data["context"]?.text($0) ?? "" }
        let params = data["params"].map { String(decoding: $0.json, as: UTF8.self) } ?? ""
        return Sheet(headings, [[event.name] + known + around + [message(event.name, data), params]])
    }

    /// The reason, the crash title, or the number of missed events.
    private static func message(_ kind: String, _ data: JSONValue) -> String {
        switch kind {
        case "quarantine": [data.text("reason"), data.text("field"), data.text("message")].filter { !$0.isEmpty }.joined(separator: ": ")
        case "crash": data.text("title")
        case "gap": data["missed"]?.text ?? data.text("missed_crashes")
        default: ""
        }
    }
}
