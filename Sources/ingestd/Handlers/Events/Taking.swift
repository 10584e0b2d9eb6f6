// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import HTTPServer
import Ingest
import Platform
import AcrossStores

/// Taking data in: decode, hold the key's rate, hand over to the writer, answer when it is durable.
enum Taking {
    /// Refuses what could not be kept now. Asked when a request's head is there, so that a flood costs little, and again when its body
    /// is, before it is decoded.
    @Sendable static func room(_ daemon: Daemon, for app: AppID?) throws(Refusal) {
        try daemon.requireDisk()
        try daemon.store.events.checkRoom(for: app)
    }

    @Sendable static func events(_ daemon: Daemon, _ call: Call, _ reply: @escaping Route.Answering) {
        do {
            try room(daemon, for: call.caller.app)
            let submission = try decode(daemon, call)
            try daemon.rates.take(submission.records.count + submission.quarantined.count, call.caller, at: submission.received)
            guard submission.records.contains(where: { $0.kind == .appError }) else { return keep(submission, daemon, reply) }
            Task(executorPreference: call.request.lane) {
                do {
                    try await Crashing.keepErrors(of: submission, daemon)
                    keep(submission, daemon, reply)
                } catch {
                    reply(HTTPResponse(hiding: error))
                }
            }
        } catch {
            reply(HTTPResponse(hiding: error))
        }
    }

    private static func keep(_ submission: EventSubmission, _ daemon: Daemon, _ reply: @escaping Route.Answering) {
        daemon.store.events.submit(submission) { _, result in
            switch result {
            case .success(let outcome): reply(.json(answer(outcome)))
            case .failure(let refusal): reply(HTTPResponse(refusal))
            }
        }
    }

    @Sendable static func debugEvents(_ daemon: Daemon, _ call: Call, _ reply: @escaping Route.Answering) {
        do {
            reply(.json(answer(try decode(daemon, call).outcomeWithoutStoring())))
        } catch {
            reply(HTTPResponse(hiding: error))
        }
    }

    @Sendable static func users(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.app(in: daemon.store)
        let received = daemon.clock.now()
        try room(daemon, for: app.id)
        let submission = try daemon.users.decode(call.json(), app: app, received: received, hash: daemon.store.events.hash)
        try call.charge(submission.bytesHeld)
        try daemon.rates.take(submission.updates.count, call.caller, at: received)
        return .response(.json(answer(try await daemon.store.events.submit(submission))))
    }

    private static func decode(_ daemon: Daemon, _ call: Call) throws(Refusal) -> EventSubmission {
        let app = try call.app(in: daemon.store)
        let format = try format(of: call.head)
        let defaults = try call.query().all(except: "app")
        let submission = try daemon.events.decode(
            call.request.body, format: format, query: defaults, app: app, received: daemon.clock.now(), hash: daemon.store.events.hash)
        try call.charge(submission.bytesHeld - submission.body.count)
        return submission
    }

    private static func format(of head: HTTPRequestHead) throws(Refusal) -> NativeEvents.Format {
        switch head.mediaType {
        case nil, "application/json", "text/plain", "application/x-www-form-urlencoded": .json
        case "application/x-ndjson", "application/ndjson", "application/jsonl": .ndjson
        default:
            throw Refusal(
                .unsupportedMediaType, "This Content-Type is not taken here.", hint: "Send application/json or application/x-ndjson.")
        }
    }
}
