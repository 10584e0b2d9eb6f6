// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Events
import HTTPServer
import JSON
import MessageStore
import Platform
import AcrossStores

/// One person: what is known, and what may be taken out again.
enum Persons {
    /// In the words of routes and of the commands that ask them.
    private static let byInstallation = "A user is looked for unless you say by=installation, in commands --installation ID."

    @Sendable static func show(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let query = try call.query()
        try query.allow("app", "by", "limit", "after")
        let app = try call.app(in: daemon.store)
        let id = try call.person()
        let limit = try query.number("limit", 1...1_000, default: 100)
        let after = try query.timelinePlace("after")
        let (profile, records) = try await known(id, daemon, app)
        let devices = try await daemon.store.messages.devices(of: id, profile, app: app.id)
        let page = try await PersonTimeline.page(records, devices, in: daemon.store, after: after, limit: limit)
        let view = call.caller.view
        return .response(
            .json { json in
                json.beginObject()
                json.write(profile, of: id)
                json.key("items")
                json.beginArray()
                for item in page.items { json.write(item, view) }
                json.endArray()
                if let next = page.next { json.field("next", next.text) }
                json.endObject()
            })
    }

    @Sendable static func erase(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let query = try call.query()
        try query.allow("app", "by", "dry_run", "block")
        let app = try call.app(in: daemon.store)
        let (dryRun, block) = (try query.flag("dry_run"), try query.flag("block"))
        let report = try await daemon.store.erase(try call.person(), of: app.id, dryRun: dryRun, block: block)
        return answer(report) { json in
            json.field("dry_run", dryRun)
            json.field("blocked", block && !dryRun)
        }
    }

    @Sendable static func anonymise(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let query = try call.query()
        try query.allow("app", "by", "dry_run")
        let app = try call.app(in: daemon.store)
        let dryRun = try query.flag("dry_run")
        let report = try await daemon.store.anonymise(try call.person(), of: app.id, dryRun: dryRun)
        return answer(report) { $0.field("dry_run", dryRun) }
    }

    @Sendable static func unblock(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        try call.query().allow("app", "by")
        let app = try call.app(in: daemon.store)
        guard try await daemon.store.unblock(try call.person(), of: app.id) else {
            throw Refusal(.notFound, "This person is not blocked.", hint: byInstallation)
        }
        return .response(HTTPResponse(status: 204))
    }

    static func known(_ id: PersonID, _ daemon: Daemon, _ app: App) async throws -> (profile: PersonProfile, records: PersonRecords) {
        guard let known = try await daemon.store.person(id, of: app.id) else {
            throw Refusal(.notFound, "Nothing is known of this person.", hint: byInstallation)
        }
        return known
    }

    private static func answer(_ report: DepartureReport, _ more: (inout JSONWriter) -> Void) -> HTTPAnswer {
        .response(
            .json { json in
                json.beginObject()
                json.field("events", report.events)
                json.field("purchases", report.purchases)
                json.field("quarantined", report.quarantined)
                json.field("properties", report.properties)
                json.field("pairs", report.pairs)
                json.field("days", report.days)
                json.field("installations", report.installations)
                json.field("registrations", report.registrations)
                json.field("deliveries", report.deliveries)
                json.field("crashes", report.crashes)
                more(&json)
                json.endObject()
            })
    }
}

extension Call {
    /// The person a path is about.
    func person() throws(Refusal) -> PersonID {
        guard !parameter("id").isEmpty else { throw Refusal(.notFound, "The path names nobody.", hint: "An id stands behind the last slash.") }
        return PersonID(try query().choice("by", default: PersonID.Kind.user), parameter("id"))
    }
}

extension QueryString {
    func flag(_ name: String) throws(Refusal) -> Bool {
        switch try one(name) {
        case nil, "false": false
        case "true": true
        default: throw .field(name, "unknown", "must be true or false")
        }
    }
}
