// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import EventStore
import Events
import HTTPServer
import Platform

/// Streams raw events page by page, in constant memory for any number of events.
struct Exports: Sendable {
    enum Format: String, CaseIterable {
        case ndjson, csv
    }

    private static let page = 2_000

    let store: Stores
    let slots: ExportSlots
    let clock: WallClock

    static let routes = [Route(.get, "/v1/export", .role(.read), .task(\.exports, Exports.events), audit: .eventsExport)]

    func events(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "format", "from", "to", "after")
        let app = try call.app(in: store)
        let format = try query.choice("format", default: Format.ndjson)
        let now = clock.now()
        let from = try query.moment("from", now: now)
        let to = try query.moment("to", now: now)
        let start = try query.cursor("after") ?? 0
        let type = format == .csv ? "text/csv; charset=utf-8" : "application/x-ndjson"
        return try slots.stream(call, of: app, in: store, [("Content-Type", type)]) { write in
            let snapshot = store.events.snapshot
            if format == .csv { try await write(Array((Exports.csvHeader + "\r\n").utf8)) }
            var after: Int64? = start
            while let seq = after {
                let page = try await store.events.events(app: app.id, after: seq, from: from, to: to, limit: Exports.page, in: snapshot)
                try await write(page.events.flatMap { format == .csv ? Exports.csv($0) : Exports.ndjson($0) })
                after = page.next
            }
        }
    }

    private static func ndjson(_ event: StoredEvent) -> [UInt8] {
        event.json + [0x0a]
    }

    private static let csvHeader =
        (["seq", "id", "name", "timestamp", "received_at", "user_id", "installation_id", "session_id"] + EventContext.fields + ["params", "flags"])
        .joined(separator: ",")

    private static func csv(_ event: StoredEvent) -> [UInt8] {
        let fields: [String?] =
            [
                String(event.seq), event.id, event.name, event.time.rfc3339, event.received.rfc3339, event.user, event.installation, event.session,
            ] + event.context
        return CSVCell.record(fields.map { CSVCell($0 ?? "") } + [CSVCell(utf8: event.params), CSVCell(event.flags.names.joined(separator: " "))])
    }
}
