// SPDX-License-Identifier: Apache-2.0

import API
import AccountStore
import AcrossStores
import AppDirectory
import CrashStore
import Crypto
import DocumentStore
import EventStore
import FileStore
import FunctionStore
import Files
import Events
import HTTPServer
import JSON
import MessageStore
import Messaging
import Platform
import Synchronization

/// Streams everything that is stored of a person as one document, page by page, in constant memory for any number of events.
struct PersonExports: Sendable {
    let store: Stores
    let persons: Persons
    let slots: ExportSlots

    static let routes = [Route(.get, "/v1/users/{id}/export", .role(.admin), .task(\.personExports, PersonExports.document), audit: .personExport)]

    private static let page = 1_000
    /// A report may take some megabytes.
    private static let pageOfReports = 8
    /// Each with its attempts.
    private static let pageOfDeliveries = 100
    /// Each with its data and attempts.
    private static let pageOfRuns = 20

    func document(_ call: Call) async throws -> HandlerResponse {
        try call.query().allow("app", "by")
        let app = try call.app(in: store)
        let id = try call.person()
        let quarantined = try await store.inQuarantine(id, of: app.id)
        let (profile, records) = try await anyone(id, quarantined, app)
        let devices = try await store.messages.devices(of: id, profile, app: app.id)
        let documents = id.kind == .user ? try await store.documents.documents(of: id.text, app: app.id) : nil
        let pathRuns = try await pathRuns(of: id, app)
        return try slots.stream(call, of: app, in: store, [("Content-Type", "application/json")]) { write in
            try await write(try PersonExports.head(profile, id, app))
            for (place, list) in lists(of: id, profile, records, quarantined, devices, documents, pathRuns, app).enumerated() {
                if place > 0 { try await write([UInt8(ascii: ",")]) }
                try await PersonExports.write(list, to: write)
            }
            try await write([UInt8(ascii: "}"), 0x0a])
        }
    }

    /// Finds persons with quarantined records, documents, files or runs only, too: everything that erasure would remove can be exported before.
    private func anyone(
        _ id: PersonID, _ quarantined: PersonInQuarantine, _ app: App
    ) async throws -> (profile: PersonProfile, records: PersonRecords) {
        let isQuarantined = try await !store.events.quarantine(of: quarantined, before: .max, limit: 1).isEmpty
        let (hasDocuments, hasFiles) = (try await hasDocuments(id, app), try await hasFiles(id, app))
        if !isQuarantined, !hasDocuments, !hasFiles, try await !hasRuns(id, app) { return try await persons.known(id, app) }
        return try await store.person(id, of: app.id) ?? store.emptyPerson(id, of: app.id)
    }

    private func hasDocuments(_ id: PersonID, _ app: App) async throws -> Bool {
        guard id.kind == .user else { return false }
        var walk = try await store.documents.documents(of: id.text, app: app.id)
        return try await !store.documents.next(&walk, app: app.id).isEmpty
    }

    private func hasFiles(_ id: PersonID, _ app: App) async throws -> Bool {
        guard id.kind == .user else { return false }
        if try await !store.files.files(of: id.text, app: app.id, limit: 1).isEmpty { return true }
        return try await !store.files.pendingFiles(of: id.text, app: app.id, limit: 1).isEmpty
    }

    private func hasRuns(_ id: PersonID, _ app: App) async throws -> Bool {
        if try await !store.functions.runs(of: id, app: app.id, before: .max, limit: 1).isEmpty { return true }
        var walk = try await pathRuns(of: id, app)
        return try await !store.functions.next(&walk, limit: 1).isEmpty
    }

    private func pathRuns(of id: PersonID, _ app: App) async throws -> PathRunWalk {
        try await store.pathRuns(of: id.kind == .user ? [id.text] : [], app: app.id)
    }

    // MARK: Lists

    /// Items of one kind, a page at a time from where the last one ended.
    private struct List {
        var name: String
        var page: (Int64?) async throws -> (items: [[UInt8]], last: Int64?)
    }

    private func lists(
        of id: PersonID, _ profile: PersonProfile, _ records: PersonRecords, _ quarantined: PersonInQuarantine, _ devices: [Int64],
        _ documents: PersonWalk?, _ pathRuns: PathRunWalk, _ app: App
    ) -> [List] {
        let (messages, snapshot) = (store.messages, store.events.snapshot)
        return [
            List(name: "events") { before in
                let page = try await store.events.timeline(records, before: before, limit: PersonExports.page, in: snapshot)
                return (page.events.map(\.json), page.events.last?.seq)
            },
            List(name: "quarantined") { before in
                let rows = try await store.events.quarantine(of: quarantined, before: before ?? .max, limit: PersonExports.page / 10)
                return (try rows.map { try PersonExports.json(QuarantinedResponse($0)) }, rows.last?.seq)
            },
            List(name: "registrations") { after in
                let rows = try await messages.registrations(of: id, profile, app: app.id, after: after ?? 0, limit: PersonExports.page)
                return (try rows.map { try PersonExports.json(DeviceResponse($0, .whole)) }, rows.last?.id)
            },
            List(name: "deliveries") { before in
                let found = try await messages.deliveries(to: devices, before: before ?? .max, limit: PersonExports.pageOfDeliveries, .list).items
                return (try found.map { try PersonExports.json(PersonDeliveryResponse(exporting: $0)) }, found.last?.delivery.id)
            },
            List(name: "crashes") { before in
                let crashes = try await store.crashes.crashes(of: records, before: before ?? .max, limit: PersonExports.pageOfReports)
                let reports = try await store.crashes.payloads(of: crashes.map(\.row))
                let attachments = try await store.crashes.attachments(of: crashes.map(\.row))
                let items = try crashes.map { try PersonExports.json(CrashResponse($0, attachments[$0.row], report: reports[$0.row])) }
                return (items, crashes.last?.row)
            },
        ] + files(of: records) + account(of: id, app) + self.documents(documents, app) + files(of: id, app) + runs(of: id, pathRuns, app)
    }

    /// The account of a user, its sessions and what happened to it, without secrets.
    private func account(of id: PersonID, _ app: App) -> [List] {
        guard id.kind == .user else { return [] }
        let accounts = store.accounts
        return [
            List(name: "accounts") { after in
                guard after == nil, let account = try await accounts.account(app.id, uid: id.text) else { return ([], nil) }
                return ([try PersonExports.json(try await AccountResponse(whole: account, in: accounts))], 0)
            },
            List(name: "account_mails") { after in
                guard after == nil, let account = try await accounts.account(app.id, uid: id.text) else { return ([], nil) }
                let mails = try await accounts.mails(of: account)
                return (try mails.map { try PersonExports.json(AccountMailResponse($0)) }, mails.isEmpty ? nil : 0)
            },
            List(name: "account_events") { before in
                var query = AccountEventQuery(app: app.id)
                (query.uid, query.before, query.limit) = (id.text, before ?? .max, PersonExports.page)
                let found = try await accounts.events(query)
                return (try found.map { try PersonExports.json(AccountEventResponse($0)) }, found.last?.seq)
            },
        ]
    }

    /// The documents of a user, in the order of their patterns.
    private func documents(_ walk: PersonWalk?, _ app: App) -> [List] {
        guard let walk else { return [] }
        let place = Mutex(walk)
        let documents = store.documents
        return [
            List(name: "documents") { _ in
                var walk = place.withLock { $0 }
                let found = try await documents.next(&walk, app: app.id)
                place.withLock { [walk] in $0 = walk }
                return (found.map(PersonExports.json), found.isEmpty ? nil : 0)
            }
        ]
    }

    /// The files of a user, without their bytes. Those that wait for functions come first, as they may be among the others then.
    private func files(of id: PersonID, _ app: App) -> [List] {
        guard id.kind == .user else { return [] }
        let place = Mutex<(last: FilePath?, isBehindPending: Bool)>((nil, false))
        return [
            List(name: "files") { [files = store.files] _ in
                var (last, isBehindPending) = place.withLock { $0 }
                var found: [StoredFile] = []
                if !isBehindPending {
                    found = try await files.pendingFiles(of: id.text, app: app.id, after: last, limit: PersonExports.page).map(\.file)
                    if found.isEmpty { (last, isBehindPending) = (nil, true) }
                }
                if isBehindPending { found = try await files.files(of: id.text, app: app.id, after: last, limit: PersonExports.page) }
                place.withLock { [found, isBehindPending] in $0 = (found.last?.path, isBehindPending) }
                return (try found.map { try PersonExports.json(FileResponse($0)) }, found.isEmpty ? nil : 0)
            }
        ]
    }

    /// The runs that are about a person, with their data and attempts, and the lines of logs. Runs of others at paths of the person come last.
    private func runs(of id: PersonID, _ pathRuns: PathRunWalk, _ app: App) -> [List] {
        let functions = store.functions
        let place = Mutex<(walk: PathRunWalk, isBehindOwn: Bool)>((pathRuns, false))
        return [
            List(name: "runs") { before in
                var (walk, isBehindOwn) = place.withLock { $0 }
                var found: [(number: Int64, id: String)] = []
                if !isBehindOwn {
                    let own = try await functions.runs(of: id, app: app.id, before: before ?? .max, limit: PersonExports.pageOfRuns)
                    found = own.map { ($0.number, $0.id) }
                    isBehindOwn = own.isEmpty
                }
                if isBehindOwn { found = try await functions.next(&walk, limit: PersonExports.pageOfRuns).map { ($0.number, $0.id) } }
                place.withLock { [walk, isBehindOwn] in $0 = (walk, isBehindOwn) }
                var items: [[UInt8]] = []
                for listed in found {
                    guard let (run, attempts) = try await functions.run(listed.id, app: app.id) else { continue }
                    items.append(try PersonExports.json(RunResponse(run, attempts)))
                }
                return (items, found.last?.number)
            },
            List(name: "function_logs") { before in
                let found = try await functions.lines(of: id, app: app.id, before: before ?? .max, limit: PersonExports.page)
                return (try found.map { try PersonExports.json(LogLineResponse($0)) }, found.last?.number)
            },
        ]
    }

    private static func json(_ document: StoredDocument) -> [UInt8] {
        var json = JSONWriter(reserving: 512)
        json.document(document, document.path)
        return json.bytes
    }

    private func files(of records: PersonRecords) -> [List] {
        [
            List(name: "attachments") { before in
                // One at a time, because a file may have many megabytes.
                guard let found = try await store.crashes.attachment(of: records, before: before ?? .max) else { return ([], nil) }
                let item = ExportedAttachment(.init(found.attachment), crash: found.report.id, content: Base64.encode(found.bytes))
                return ([try PersonExports.json(item)], found.attachment.row)
            },
            List(name: "minidumps") { before in
                guard let found = try await store.crashes.minidump(of: records, before: before ?? .max) else { return ([], nil) }
                let item = ExportedMinidump(crash: found.report.id, content: Base64.encode(found.bytes))
                return ([try PersonExports.json(item)], found.report.row)
            },
        ]
    }

    private static func write(_ list: List, to write: ([UInt8]) async throws -> Void) async throws {
        try await write(Array("\"\(list.name)\":[".utf8))
        var (items, last) = try await list.page(nil)
        var isFirst = true
        while let place = last {
            // All items of a page may have been removed between their listing and their reading.
            if !items.isEmpty {
                try await write((isFirst ? [] : [UInt8(ascii: ",")]) + items.joined(separator: [UInt8(ascii: ",")]))
                isFirst = false
            }
            (items, last) = try await list.page(place)
        }
        try await write([UInt8(ascii: "]")])
    }

    // MARK: Items

    /// The document up to its first list.
    private static func head(_ profile: PersonProfile, _ id: PersonID, _ app: App) throws -> [UInt8] {
        let members = try json(ProfileResponse(profile, of: id)).dropFirst().dropLast()
        return Array("{\"app\":\(app.id.rawValue),".utf8) + members + [UInt8(ascii: ",")]
    }

    private static func json(_ value: some Encodable) throws -> [UInt8] {
        var json = JSONWriter(reserving: 512)
        try json.encode(value)
        return json.bytes
    }
}
