// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import HTTPServer
import Platform
import AcrossStores

/// Raw events, page by page, so that any number of them streams through constant memory.
enum Exports {
    enum Format: String, CaseIterable {
        case ndjson, csv
    }

    private static let page = 2_000

    @Sendable static func events(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let query = try call.query()
        try query.allow("app", "format", "from", "to", "after")
        let app = try call.app(in: daemon.store)
        let format = try query.choice("format", default: Format.ndjson)
        let now = daemon.clock.now()
        let from = try query.moment("from", now: now)
        let to = try query.moment("to", now: now)
        let start = try query.cursor("after") ?? 0
        let type = format == .csv ? "text/csv; charset=utf-8" : "application/x-ndjson"
        return try daemon.exports.stream(call, of: app, in: daemon.store, [("Content-Type", type)]) { write in
            if format == .csv { try await write(Array((csvHeader + "\r\n").utf8)) }
            var after: Int64? = start
            while let seq = after {
                let page = try await daemon.store.events.events(app: app.id, after: seq, from: from, to: to, limit: page)
                try await write(page.events.flatMap { format == .csv ? csv($0) : ndjson($0) })
                after = page.next
            }
        }
    }

    private static func ndjson(_ event: StoredEvent) -> [UInt8] {
        event.json + [0x0a]
    }

    private static let csvHeader =
        (["seq", "id", "name", "timestamp", "received_at", "user_id", "installation_id", "session_id"] + EventContext.fields + ["params"])
        .joined(separator: ",")

    private static func csv(_ event: StoredEvent) -> [UInt8] {
        let fields: [String?] =
            [
                String(event.seq), event.id, event.name, event.time.rfc3339, event.received.rfc3339, event.user, event.installation, event.session,
            ] + event.context
        return CSVCell.record(fields.map { CSVCell($0 ?? "") } + [CSVCell(utf8: event.params)])
    }
}
