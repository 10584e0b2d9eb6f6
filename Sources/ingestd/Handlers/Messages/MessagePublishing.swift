// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import Crypto
import Events
import HTTPServer
import Ingest
import MessageStore
import Messaging
import Platform

/// Messages: publishing, status, cancelling and redrive.
struct MessagePublishing: Sendable {
    let store: Stores
    let decoder: NativeMessages
    let disk: DiskGuard
    let clock: WallClock

    static let routes = [
        Route(.post, "/v1/messages", .role(.send), .task(\.messaging.publishing, MessagePublishing.publish)),
        Route(.get, "/v1/messages", .roles([.read, .send]), .task(\.messaging.publishing, MessagePublishing.list)),
        Route(.get, "/v1/messages/{id}", .roles([.read, .send]), .task(\.messaging.publishing, MessagePublishing.show)),
        Route(.delete, "/v1/messages/{id}", .role(.send), .task(\.messaging.publishing, MessagePublishing.cancel)),
        Route(.post, "/v1/messages/{id}/redrive", .role(.send), .task(\.messaging.publishing, MessagePublishing.redrive)),
    ]

    func publish(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        let key = try call.idempotencyKey()
        let publication = try decoder.publication(call.json(), now: clock.now())
        if publication.draft.validateOnly {
            return try MessagePublishing.response(try await store.messages.validate(app: app.id, publication))
        }
        try disk.requireFree()
        return try MessagePublishing.response(try await store.messages.publish(app: app.id, publication, key))
    }

    func list(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "limit", "after")
        let app = try call.app(in: store)
        let limit = try query.number("limit", 1...1_000, default: 100)
        let found = try await store.messages.list(app: app.id, before: try query.cursor("after") ?? .max, limit: limit + 1)
        return try .page(found, limit: limit, cursor: { String($0.row) }, MessageResponse.init)
    }

    /// Shows a message with the people who received and opened it, as their events report.
    func show(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        let status = try await store.messages.status(of: call.parameter("id"), app: app.id)
        async let receivers = people(with: .notificationReceive, of: status, in: app)
        async let openers = people(with: .notificationOpen, of: status, in: app)
        var response = MessageResponse(status)
        (response.received, response.opened) = (try await receivers, try await openers)
        return try .json(response)
    }

    func cancel(_ call: Call) async throws -> HandlerResponse {
        try await store.messages.cancel(call.parameter("id"), app: try call.onlyApp(in: store).id)
        return .noContent
    }

    func redrive(_ call: Call) async throws -> HandlerResponse {
        let redriven = try await store.messages.redrive(call.parameter("id"), app: try call.onlyApp(in: store).id)
        return try .json(RedriveResponse(redriven: redriven))
    }

    private static func response(_ published: Published) throws -> HandlerResponse {
        let missing = published.unregistered
        return try .json(PublishedResponse(id: published.id, audience: published.audience, unregistered: missing.isEmpty ? nil : missing))
    }
}

extension Call {
    private static let longestKey = 255

    /// Returns nil without the header. The hash is of the decompressed body.
    fileprivate func idempotencyKey() throws(Refusal) -> IdempotencyKey? {
        let name = "Idempotency-Key"
        let found = head.headers(name)
        guard let key = found.first else { return nil }
        guard found.count == 1, (1...Call.longestKey).contains(key.utf8.count), key.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
            throw .field(
                name, "bad_key", "must be 1 to \(Call.longestKey) printable ASCII characters, once", hint: "Use a random UUID for each message.")
        }
        return IdempotencyKey(key: key, hash: SHA256.hash(request.body))
    }
}

extension MessagePublishing {
    /// Counts the people who sent an event of a kind that names the message; nil if the query was rejected, for example under load.
    private func people(with kind: EventKind, of status: MessageStatus, in app: App) async throws -> Int64? {
        // Device clocks are wrong by hours, not by days.
        let (from, to) = (status.created - .days(1), clock.now() + .days(1))
        let parameters = QueryParameters(
            [
                ("metric", QueryMetric.users.text), ("event", kind.name), ("filter", "params.message_id=\(status.content.id)"),
                ("from", from.rfc3339), ("to", to.rfc3339),
            ], settings: app.settings, now: clock.now())
        do {
            guard case .series(let result) = try await store.result(of: try Query(.series, parameters), app: app.id),
                case .count(let people) = result.body.series.first?.total
            else { return nil }
            return people
        } catch is Refusal {
            return nil
        }
    }
}
