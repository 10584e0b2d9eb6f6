// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import JSON
import MessageStore
import Messaging
import Platform
import AcrossStores

/// Deliveries: each message on its way to each device, with what was tried.
enum Deliveries {
    @Sendable static func list(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let query = try call.query()
        try query.allow("app", "message", "state", "limit", "after")
        let app = try call.app(in: daemon.store)
        let limit = try query.number("limit", 1...1_000, default: 100)
        let filter = DeliveryFilter(
            app: app.id, message: try query.one("message"), state: try query.word("state", DeliveryState.self),
            before: try query.cursor("after") ?? .max,
            limit: limit + 1)
        let view = call.caller.view
        return .page(try await daemon.store.messages.deliveries(filter), limit: limit, cursor: { String($0.id) }) { $0.write($1, view) }
    }

    @Sendable static func show(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.onlyApp(in: daemon.store)
        let id = try await daemon.store.messages.delivery(of: call.parameter("id"), app: app.id)
        let delivery = try await daemon.store.messages.delivery(id, app: app.id)
        let view = call.caller.view
        return .response(.json { $0.write(delivery, view) })
    }

    @Sendable static func retry(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.onlyApp(in: daemon.store)
        let id = try await daemon.store.messages.delivery(of: call.parameter("id"), app: app.id)
        try await daemon.store.messages.retry(id, app: app.id)
        // One that was dead has another number now.
        return try await show(daemon, call)
    }
}

extension JSONWriter {
    /// The field with what was tried, inside an object.
    mutating func write(_ attempts: [AttemptRecord]) {
        key("attempts")
        beginArray()
        for attempt in attempts { write(attempt) }
        endArray()
    }

    fileprivate mutating func write(_ delivery: DeliveryStatus, _ view: DeviceView) {
        beginObject()
        field("id", delivery.webhookID)
        field("message", delivery.message)
        if let token = delivery.token { field("token", view.token(token)) }
        if let url = delivery.url.flatMap({ try? WebhookURL($0) }) { field("url", view.url(url)) }
        field("state", delivery.state.name)
        field("tries", delivery.attempts)
        if let time = delivery.due { field("due_at", time.rfc3339) }
        field("changed_at", delivery.changed.rfc3339)
        write(delivery.log)
        endObject()
    }

    private mutating func write(_ attempt: AttemptRecord) {
        beginObject()
        field("at", attempt.at.rfc3339)
        field("milliseconds", attempt.milliseconds)
        if attempt.status != 0 { field("status", attempt.status) }
        if !attempt.error.isEmpty { field("error", attempt.error) }
        // Receivers answer what they like; what is told here is UTF-8.
        if !attempt.response.isEmpty { field("response", String(decoding: attempt.response, as: UTF8.self)) }
        endObject()
    }
}
