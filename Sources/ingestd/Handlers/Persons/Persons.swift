// SPDX-License-Identifier: Apache-2.0

import API
import AccountStore
import AcrossStores
import AppDirectory
import CrashStore
import DocumentStore
import EventStore
import FileStore
import FunctionStore
import Events
import HTTPServer
import MessageStore
import Platform

/// One user or installation: profile, timeline, erasure and anonymisation.
struct Persons: Sendable {
    let store: Stores

    static let routes = [
        Route(.get, "/v1/users/{id}", .role(.read), .task(\.persons, Persons.show)),
        Route(.delete, "/v1/users/{id}", .role(.admin), .task(\.persons, Persons.erase), audit: .personErase),
        Route(.post, "/v1/users/{id}/anonymise", .role(.admin), .task(\.persons, Persons.anonymise), audit: .personAnonymise),
        Route(.delete, "/v1/users/{id}/block", .role(.admin), .task(\.persons, Persons.unblock), audit: .personUnblock),
    ]

    /// Names the parameter of the routes and the option of the commands that call them.
    private static let byInstallation = "The ID is a user ID unless you add by=installation (commands: --installation ID)."

    func show(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "by", "limit", "after")
        let app = try call.app(in: store)
        let id = try call.person()
        let limit = try query.number("limit", 1...1_000, default: 100)
        let after = try query.timelinePlace("after")
        let (profile, records) = try await known(id, app)
        let devices = try await store.messages.devices(of: id, profile, app: app.id)
        let page = try await PersonTimeline.page(records, devices, in: store, after: after, limit: limit)
        let view = call.caller.view
        let items = page.items.map { TimelineItem($0, view) }
        return try .json(
            PersonResponse(profile: ProfileResponse(profile, of: id), timeline: Page(items: items, next: page.next?.text)))
    }

    func erase(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "by", "dry_run", "block")
        let app = try call.app(in: store)
        let (dryRun, block) = (try query.flag("dry_run"), try query.flag("block"))
        call.audit?.note([dryRun ? "dry run" : nil, block ? "block" : nil].compactMap(\.self).joined(separator: ", "))
        let report = try await store.erase(try call.person(), of: app.id, dryRun: dryRun, block: block)
        return try .json(ErasureResponse(report, dryRun: dryRun, blocked: block && !dryRun))
    }

    func anonymise(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "by", "dry_run")
        let app = try call.app(in: store)
        let dryRun = try query.flag("dry_run")
        if dryRun { call.audit?.note("dry run") }
        let report = try await store.anonymise(try call.person(), of: app.id, dryRun: dryRun)
        return try .json(ErasureResponse(report, dryRun: dryRun))
    }

    func unblock(_ call: Call) async throws -> HandlerResponse {
        try call.query().allow("app", "by")
        let app = try call.app(in: store)
        guard try await store.events.unblock(try call.person(), of: app.id) else {
            throw Refusal(.notFound, "This user is not blocked.", hint: Persons.byInstallation)
        }
        return .noContent
    }

    func known(_ id: PersonID, _ app: App) async throws -> (profile: PersonProfile, records: PersonRecords) {
        guard let known = try await store.person(id, of: app.id) else {
            throw Refusal(.notFound, "There is no data of this user.", hint: Persons.byInstallation)
        }
        return known
    }
}

extension ErasureResponse {
    fileprivate init(_ report: RemovalReport, dryRun: Bool, blocked: Bool? = nil) {
        self.init(
            events: report[.events], purchases: report[.purchases], quarantined: report[.quarantined], properties: report[.properties],
            pairs: report[.pairs], days: report[.days], installations: report[.installations], registrations: report[.registrations],
            deliveries: report[.deliveries], crashes: report[.crashes], accounts: report[.accounts], documents: report[.documents],
            files: report[.files], runs: report[.runs], dryRun: dryRun, blocked: blocked)
    }
}

extension Call {
    /// The person a path is about.
    func person() throws(Refusal) -> PersonID {
        guard !parameter("id").isEmpty else { throw Refusal(.notFound, "The path names no user.", hint: "Put the ID after the last slash.") }
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
