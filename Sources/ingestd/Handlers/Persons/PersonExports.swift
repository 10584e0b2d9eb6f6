// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import CrashStore
import EventStore
import Events
import HTTPServer
import JSON
import MessageStore
import Messaging
import Platform
import AcrossStores

/// Everything that is kept of a person as one document, page by page, so that any number of events streams through constant memory.
enum PersonExports {
    private static let page = 1_000
    /// A report may take some megabytes.
    private static let pageOfReports = 8
    /// With what was tried for each.
    private static let pageOfDeliveries = 100

    @Sendable static func document(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        try call.query().allow("app", "by")
        let app = try call.app(in: daemon.store)
        let id = try call.person()
        let refused = try await daemon.store.inQuarantine(id, of: app.id)
        let (profile, records) = try await anyone(id, refused, daemon, app)
        let devices = try await daemon.store.messages.devices(of: id, profile, app: app.id)
        return try daemon.exports.stream(call, of: app, in: daemon.store, [("Content-Type", "application/json")]) { write in
            try await write(head(profile, id, app))
            for (place, list) in lists(of: id, profile, records, refused, devices, daemon, app).enumerated() {
                if place > 0 { try await write([UInt8(ascii: ",")]) }
                try await self.write(list, to: write)
            }
            try await write([UInt8(ascii: "}"), 0x0a])
        }
    }

    /// Also who was only ever refused: what erasure would remove can be had before.
    private static func anyone(
        _ id: PersonID, _ refused: PersonInQuarantine, _ daemon: Daemon, _ app: App
    ) async throws -> (profile: PersonProfile, records: PersonRecords) {
        if try await daemon.store.events.quarantine(refused, before: .max, limit: 1).isEmpty { return try await Persons.known(id, daemon, app) }
        return try await daemon.store.person(id, of: app.id) ?? daemon.store.stranger(id, of: app.id)
    }

    // MARK: Lists

    /// Items of one kind, a page at a time from where the last one ended.
    private struct List {
        var name: String
        var page: (Int64?) async throws -> (items: [[UInt8]], last: Int64?)
    }

    private static func lists(
        of id: PersonID, _ profile: PersonProfile, _ records: PersonRecords, _ refused: PersonInQuarantine, _ devices: [Int64], _ daemon: Daemon,
        _ app: App
    ) -> [List] {
        let (store, messages) = (daemon.store, daemon.store.messages)
        return [
            List(name: "events") { before in
                let page = try await store.events.timeline(records, before: before, limit: page)
                return (page.events.map(\.json), page.events.last?.seq)
            },
            List(name: "quarantined") { before in
                let rows = try await store.events.quarantine(refused, before: before ?? .max, limit: page / 10)
                return (rows.map(json), rows.last?.seq)
            },
            List(name: "registrations") { after in
                let rows = try await messages.registrations(of: id, profile, app: app.id, after: after ?? 0, limit: page)
                return (rows.map(json), rows.last?.id)
            },
            List(name: "deliveries") { before in
                let found = try await messages.deliveries(to: devices, before: before ?? .max, limit: pageOfDeliveries, .list).items
                return (found.map(json), found.last?.delivery.id)
            },
            List(name: "crashes") { before in
                let crashes = try await store.crashes.crashes(of: records, before: before ?? .max, limit: pageOfReports)
                let reports = try await store.crashes.payloads(of: crashes.map(\.row))
                return (crashes.map { json($0, reports[$0.row]) }, crashes.last?.row)
            },
        ]
    }

    private static func write(_ list: List, to write: ([UInt8]) async throws -> Void) async throws {
        try await write(Array("\"\(list.name)\":[".utf8))
        var (items, last) = try await list.page(nil)
        var isFirst = true
        while let place = last {
            try await write((isFirst ? [] : [UInt8(ascii: ",")]) + items.joined(separator: [UInt8(ascii: ",")]))
            isFirst = false
            (items, last) = try await list.page(place)
        }
        try await write([UInt8(ascii: "]")])
    }

    // MARK: Items

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

    private static func json(_ told: PersonDelivery) -> [UInt8] {
        var json = JSONWriter()
        json.writeWhole(told)
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
}
