// SPDX-License-Identifier: Apache-2.0

import API
import Events
import JSON
import Panes
import Platform

/// Stream events as CSV rows.
enum TailCSV {
    private static let context = ["platform", "app_version", "country"]
    private static let headings =
        ["kind", "seq", "timestamp", "received_at", "name", "user_id", "installation_id", "session_id"] + context + ["message", "params"]

    static func sheet(of event: StreamEvent) -> Sheet {
        guard let entry = TailEntry(event) else { return Sheet(headings, []) }
        let cells = cells(entry).compactMapValues(\.self)
        return Sheet(headings, [[entry.kind] + headings.dropFirst().map { cells[$0] ?? "" }])
    }

    /// The cells by heading. The message is a reason, the title of a crash, the number of missed events, or JSON that only a newer terminal
    /// can read.
    private static func cells(_ entry: TailEntry) -> [String: String?] {
        switch entry.content {
        case .event(let event): cells(event, entry.json)
        case .quarantine(let record):
            [
                "seq": String(record.seq), "received_at": record.receivedAt.time.rfc3339,
                "message": [record.reason, record.field, record.message].filter { !$0.isEmpty }.joined(separator: ": "),
            ]
        case .crash(let crash):
            [
                "timestamp": crash.timestamp.time.rfc3339, "user_id": crash.userId, "installation_id": crash.installationId,
                "message": crash.title,
            ]
        case .gap(let gap): ["message": (gap.missed ?? gap.missedCrashes).map(String.init)]
        case .unknown: ["message": text(entry.json)]
        }
    }

    private static func cells(_ event: EventResponse, _ json: JSONValue) -> [String: String?] {
        let cells: [String: String?] = [
            "seq": String(event.seq), "timestamp": event.timestamp.time.rfc3339, "received_at": event.receivedAt.time.rfc3339,
            "name": event.name, "user_id": event.userId, "installation_id": event.installationId, "session_id": event.sessionId,
            // As the app sent them.
            "params": json["params"].map(text),
        ]
        return context.reduce(into: cells) { $0[$1] = event.context?[$1] }
    }

    private static func text(_ json: JSONValue) -> String { String(decoding: json.json, as: UTF8.self) }
}
