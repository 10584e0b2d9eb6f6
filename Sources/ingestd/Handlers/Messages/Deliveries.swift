// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import Events
import HTTPServer
import MessageStore
import Messaging
import Platform

/// Deliveries of messages to registrations, with their attempts.
struct Deliveries: Sendable {
    let store: Stores

    static let routes = [
        Route(.get, "/v1/deliveries", .roles([.read, .send]), .task(\.messaging.deliveries, Deliveries.list)),
        Route(.get, "/v1/deliveries/{id}", .roles([.read, .send]), .task(\.messaging.deliveries, Deliveries.show)),
        Route(.post, "/v1/deliveries/{id}/retry", .role(.send), .task(\.messaging.deliveries, Deliveries.retry)),
    ]

    func list(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "message", "device", "state", "limit", "after")
        let app = try call.app(in: store)
        let limit = try query.number("limit", 1...1_000, default: 100)
        let filter = DeliveryFilter(
            app: app.id, message: try query.one("message"), device: try query.one("device"),
            state: try query.word("state", DeliveryState.self), before: try query.cursor("after") ?? .max,
            limit: limit + 1)
        let view = call.caller.view
        return try .page(try await store.messages.deliveries(filter), limit: limit, cursor: { String($0.id) }) { DeliveryResponse($0, view) }
    }

    func show(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        let id = try await store.messages.delivery(of: call.parameter("id"), app: app.id)
        let delivery = try await store.messages.delivery(id, app: app.id)
        return try .json(DeliveryResponse(delivery, call.caller.view))
    }

    func retry(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        let id = try await store.messages.delivery(of: call.parameter("id"), app: app.id)
        try await store.messages.retry(id, app: app.id)
        // The retry of a dead delivery has a new number.
        return try await show(call)
    }
}

extension DeliveryResponse {
    init(_ delivery: DeliveryStatus, _ view: DeviceView) {
        self.init(
            id: delivery.webhookID, message: delivery.message, token: delivery.token.map(view.token),
            url: delivery.url.flatMap { try? WebhookURL($0) }.map(view.url), state: delivery.state, tries: delivery.attempts,
            dueAt: delivery.due.map(Moment.init), changedAt: Moment(delivery.changed), attempts: delivery.log.map(AttemptResponse.init))
    }
}

extension AttemptResponse {
    init(_ attempt: AttemptRecord) {
        self.init(
            at: Moment(attempt.at), milliseconds: attempt.milliseconds, status: attempt.status == 0 ? nil : attempt.status,
            error: attempt.error.isEmpty ? nil : attempt.error,
            // A receiver's response may not be UTF-8; ours must be.
            response: attempt.response.isEmpty ? nil : String(decoding: attempt.response, as: UTF8.self))
    }
}
