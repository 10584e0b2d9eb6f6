// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import EventStore
import Events
import HTTPServer
import Ingest
import Platform

/// Accepts events and user properties: decodes, takes from the key's rate, submits to the writer and answers when they are durable.
///
/// A class, so that a request copies one reference.
final class EventIntake: Sendable {
    let decoder: NativeEvents
    let users: NativeUsers
    let store: Stores
    let crashes: CrashIntake
    let rates: KeyRates
    let disk: DiskGuard
    let clock: WallClock

    init(decoder: NativeEvents, users: NativeUsers, store: Stores, crashes: CrashIntake, rates: KeyRates, disk: DiskGuard, clock: WallClock) {
        self.decoder = decoder
        self.users = users
        self.store = store
        self.crashes = crashes
        self.rates = rates
        self.disk = disk
        self.clock = clock
    }

    static let routes = [
        Route(.post, "/v1/events", .roles([.ingest, .send]), .direct(\.intake.events, EventIntake.events), admission: admission),
        Route(.post, "/v1/debug/events", .role(.ingest), .direct(\.intake.events, EventIntake.debugEvents)),
        Route(.post, "/v1/users", .role(.ingest), .task(\.intake.events, EventIntake.setProperties), admission: admission),
    ]
    private static let admission = Route.admission(\.intake.events, EventIntake.checkCapacity)

    /// Rejects data that could not be stored now: when a request's head has arrived, so that a flood costs little, and again before
    /// its body is decoded.
    func checkCapacity(for app: AppID?) throws(Refusal) {
        try disk.requireFree()
        try rates.quotas.requireRoom(for: app)
        try store.events.checkCapacity(for: app)
    }

    func events(_ call: Call, _ reply: @escaping Route.Reply) {
        do {
            try checkCapacity(for: call.caller.app)
            let submission = try decode(call)
            try rates.take(
                submission.records.count + submission.quarantined.count, bytes: call.request.body.count, call.caller, at: submission.received)
            guard submission.records.contains(where: { $0.kind == .appError }) else { return submit(submission, reply) }
            Task(executorPreference: call.request.lane) { [self] in
                do {
                    try await crashes.keepErrors(of: submission)
                    submit(submission, reply)
                } catch {
                    reply(HTTPResponse(hiding: error))
                }
            }
        } catch {
            reply(HTTPResponse(hiding: error))
        }
    }

    private func submit(_ submission: EventSubmission, _ reply: @escaping Route.Reply) {
        store.events.submit(submission) { _, result in
            switch result {
            case .success(let outcome): reply(.json(responseBody(outcome)))
            case .failure(let refusal): reply(HTTPResponse(refusal))
            }
        }
    }

    /// Validates events like `events` and stores nothing.
    func debugEvents(_ call: Call, _ reply: @escaping Route.Reply) {
        do {
            reply(.json(responseBody(try decode(call).outcomeWithoutStoring())))
        } catch {
            reply(HTTPResponse(hiding: error))
        }
    }

    func setProperties(_ call: Call) async throws -> HandlerResponse {
        let app = try call.app(in: store)
        let received = clock.now()
        try checkCapacity(for: app.id)
        let submission = try users.decode(
            call.json(), app: app, proof: call.caller.proof(in: app), received: received, hash: store.events.hash)
        try call.charge(submission.bytesHeld)
        try rates.take(submission.updates.count, bytes: call.request.body.count, call.caller, at: received)
        return .response(.json(responseBody(try await store.events.submit(submission))))
    }

    private func decode(_ call: Call) throws(Refusal) -> EventSubmission {
        let app = try call.app(in: store)
        let format = try EventIntake.format(of: call.head)
        let defaults = try call.query().all(except: "app")
        var submission = try decoder.decode(
            call.request.body, format: format, query: defaults, app: app, source: call.caller.source, proof: call.caller.proof(in: app),
            received: clock.now(),
            hash: store.events.hash)
        if call.caller.depth > 0 { submission.mark(depth: call.caller.depth) }
        try call.charge(submission.bytesHeld - submission.body.count)
        return submission
    }

    private static func format(of head: HTTPRequestHead) throws(Refusal) -> NativeEvents.Format {
        switch head.mediaType {
        case nil, "application/json", "text/plain", "application/x-www-form-urlencoded": .json
        case "application/x-ndjson", "application/ndjson", "application/jsonl": .ndjson
        default:
            throw Refusal(
                .unsupportedMediaType, "This route does not accept this Content-Type.", hint: "Send application/json or application/x-ndjson.")
        }
    }
}

extension Caller {
    /// The kind of its events. Purchases sent with a secret key are trusted.
    fileprivate var source: EventSubmission.Source {
        switch role {
        case .send?: .orders
        case .admin?, .operator?: .trusted
        case .ingest?, .read?, .accounts?, .data?, nil: .events
        }
    }
}
