import Events
import HTTPServer
import JSON
import Messaging
import Platform
import Store

/// Everything that is kept of a person as one document, page by page, so that any number of events streams through constant memory.
enum PersonExports {
    private static let page = 1_000
    /// A report may take some megabytes.
    private static let pageOfReports = 8

    @Sendable static func document(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        try call.query().allow("app", "by")
        let app = try call.app(in: daemon.store)
        let id = try call.person()
        let (profile, records) = try await Persons.known(id, daemon, app)
        return .stream(status: 200, headers: [("Content-Type", "application/json")]) { writer in
            try await writer.write(head(profile, id, app))
            try await list("events") { before in
                let page = try await daemon.store.timeline(records, before: before, limit: page)
                return (page.events.map(\.json), page.events.last?.seq)
            } write: {
                try await writer.write($0)
            }
            try await writer.write([UInt8(ascii: ",")])
            try await list("quarantined") { before in
                let rows = try await daemon.store.quarantine(records, before: before ?? .max, limit: page / 10)
                return (rows.map(json), rows.last?.seq)
            } write: {
                try await writer.write($0)
            }
            try await writer.write([UInt8(ascii: ",")])
            try await list("registrations") { after in
                let rows = try await daemon.store.messages.registrations(of: id, profile, app: app.id, after: after ?? 0, limit: page)
                return (rows.map(json), rows.last?.id)
            } write: {
                try await writer.write($0)
            }
            try await writer.write([UInt8(ascii: ",")])
            try await list("crashes") { before in
                let crashes = try await daemon.store.crashes.crashes(of: records, before: before ?? .max, limit: pageOfReports)
                let reports = try await daemon.store.crashes.payloads(of: crashes.map(\.row))
                return (crashes.map { json($0, reports[$0.row]) }, crashes.last?.row)
            } write: {
                try await writer.write($0)
            }
            try await writer.write([UInt8(ascii: "}"), 0x0a])
        }
    }

    /// The document up to its first list.
    private static func head(_ profile: PersonProfile, _ id: PersonID, _ app: App) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("app", app.id.rawValue)
        json.write(profile, of: id)
        return json.bytes + [UInt8(ascii: ",")]
    }

    private static func json(_ row: StoredQuarantine) -> [UInt8] {
        var json = JSONWriter(reserving: 256 + row.raw.count)
        json.write(row)
        return json.bytes
    }

    private static func json(_ registration: Registration) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.write(registration, .whole)
        json.endObject()
        return json.bytes
    }

    private static func json(_ crash: StoredCrash, _ report: [UInt8]?) -> [UInt8] {
        var json = JSONWriter(reserving: 512 + (report?.count ?? 0))
        json.beginObject()
        json.write(crash)
        if let report {
            json.key("report")
            json.raw(report[...])
        }
        json.endObject()
        return json.bytes
    }

    private static func list(
        _ name: String, page read: (Int64?) async throws -> (items: [[UInt8]], last: Int64?), write: ([UInt8]) async throws -> Void
    ) async throws {
        try await write(Array("\"\(name)\":[".utf8))
        var (items, last) = try await read(nil)
        var isFirst = true
        while let place = last {
            try await write((isFirst ? [] : [UInt8(ascii: ",")]) + items.joined(separator: [UInt8(ascii: ",")]))
            isFirst = false
            (items, last) = try await read(place)
        }
        try await write([UInt8(ascii: "]")])
    }
}
