// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import AppDirectory
import AuditStore
import EventStore
import Events
import HTTPServer
import Platform

/// The audit log: an admin key sees its app, the operator all.
struct Audits: Sendable {
    let store: Stores
    let clock: WallClock

    static let routes = [Route(.get, "/v1/audit", .role(.admin), .task(\.audits, Audits.list))]

    func list(_ call: Call) async throws -> HandlerResponse {
        let parameters = try call.query()
        try parameters.allow("app", "action", "key_id", "user", "installation", "from", "to", "limit", "after")
        let app = try app(of: call, parameters)
        var query = AuditQuery(app: app)
        query.action = try parameters.choice("action", of: AuditAction.self)
        query.key = try parameters.cursor("key_id")
        query.person = try person(parameters, app)
        let now = clock.now()
        query.from = try parameters.moment("from", now: now)
        query.to = try parameters.moment("to", now: now)
        let limit = try parameters.number("limit", 1...1_000, default: 100)
        query.limit = limit + 1
        query.before = try parameters.cursor("after") ?? .max
        let found = try await store.audit.entries(query)
        return try .page(found, limit: limit, cursor: { String($0.id) }, AuditEntryResponse.init)
    }

    /// The app of the key; for the operator the named one, or nil for all and the daemon.
    private func app(of call: Call, _ parameters: QueryString) throws(Refusal) -> AppID? {
        if let app = call.caller.app { return app }
        guard let name = try parameters.one("app") else { return nil }
        if let app = store.events.directory.now.app(named: name) { return app.id }
        // The entries of a deleted app stay.
        guard let number = Int64(name), number > 0 else { return try store.events.app(named: name).id }
        return AppID(rawValue: number)
    }

    /// The hash of the person that the query names.
    private func person(_ parameters: QueryString, _ app: AppID?) throws(Refusal) -> UInt64? {
        let (user, installation) = (try parameters.one("user"), try parameters.one("installation"))
        if user != nil, installation != nil { throw .field("installation", "both", "cannot be combined with user") }
        guard let id = user.map({ PersonID(.user, $0) }) ?? installation.map({ PersonID(.installation, $0) }) else { return nil }
        guard let app else { throw .field("app", "missing", "must name the app of the person") }
        return id.key(in: app, store.events.hash)
    }
}

extension AuditEntryResponse {
    fileprivate init(_ entry: AuditEntry) {
        self.init(
            id: entry.id, at: Moment(entry.time), action: entry.action, app: entry.app?.rawValue, key: entry.caller.key == 0 ? nil : entry.caller.key,
            role: entry.caller.role, address: entry.caller.address,
            person: entry.person == 0 ? nil : entry.person.hexDigits, detail: entry.detail.isEmpty ? nil : entry.detail,
            outcome: entry.outcome, status: entry.status == 0 ? nil : entry.status, count: entry.count)
    }
}

extension UInt64 {
    fileprivate var hexDigits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
