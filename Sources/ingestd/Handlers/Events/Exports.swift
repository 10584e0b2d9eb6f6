import Events
import HTTPServer
import Platform
import Store

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
                let page = try await daemon.store.events(app: app.id, after: seq, from: from, to: to, limit: page)
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
            ] + event.context + [String(decoding: event.params, as: UTF8.self)]
        return Array(fields.map { quoted(Array(($0 ?? "").utf8)) }.joined(separator: [0x2c])) + [0x0d, 0x0a]
    }

    /// Quoted where it must be. A leading `=`, `+`, `-` or `@` would be a formula to a spreadsheet, so such a text gets an apostrophe.
    /// Byte by byte, for to Swift a quotation mark with an accent on it is no quotation mark.
    private static func quoted(_ text: [UInt8]) -> [UInt8] {
        let safe = text.first.map("=+-@\t\r".utf8.contains) == true ? [0x27] + text : text
        guard safe.contains(where: { $0 == 0x22 || $0 == 0x2c || $0 == 0x0a || $0 == 0x0d }) else { return safe }
        return [0x22] + safe.flatMap { $0 == 0x22 ? [0x22, 0x22] : [$0] } + [0x22]
    }
}
