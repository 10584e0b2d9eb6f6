// SPDX-License-Identifier: Apache-2.0

import HTTPClient
import Messaging
import Platform
import Synchronization

/// Builds the signed request of a delivery.
final class RequestWriter: Sendable {
    private let queue: any DeliveryQueue
    private let timeout: Duration
    private let sharedFields: [HTTPField]
    private let bodies = Mutex(BodyCache())

    init(_ queue: any DeliveryQueue, _ options: SenderOptions) throws {
        self.queue = queue
        timeout = .milliseconds(options.timeout.milliseconds)
        sharedFields = try [HTTPField("Content-Type", "application/json"), HTTPField("User-Agent", options.userAgent)]
    }

    /// Returns the request; nil if the message has been deleted.
    func request(for delivery: ClaimedDelivery, at now: Timestamp) async throws -> CourierRequest? {
        if delivery.hasOwnRequest { return try await queue.request(for: delivery).map { try ownRequest($0, of: delivery, at: now) } }
        guard let body = try await body(of: delivery.message, expires: delivery.expires) else { return nil }
        let bytes = body.bytes(token: delivery.token)
        let fields = StandardWebhooks.fields(id: delivery.webhookID, at: now, body: bytes, keys: delivery.keys)
        return try request(delivery, bytes, fields, timeout: timeout)
    }

    private func ownRequest(_ request: DeliveryRequest, of delivery: ClaimedDelivery, at now: Timestamp) throws -> CourierRequest {
        let timeout = delivery.timeout.map { .milliseconds($0.milliseconds) } ?? timeout
        if delivery.isForWorker {
            let call = WorkerCall(function: delivery.origin, id: delivery.webhookID, token: request.token)
            return CourierRequest(id: delivery.id, call, request.body, timeout: timeout)
        }
        let signature = StandardWebhooks.fields(id: delivery.webhookID, at: now, body: request.body, keys: delivery.keys)
        return try self.request(delivery, request.body, request.fields + signature, timeout: timeout)
    }

    private func request(
        _ delivery: ClaimedDelivery, _ body: [UInt8], _ fields: [(name: String, value: String)], timeout: Duration
    ) throws -> CourierRequest {
        let fields = try fields.map { try HTTPField($0.name, $0.value) }
        var request = CourierRequest(
            id: delivery.id, url: delivery.url, .post(body), sharedFields: sharedFields, fields: fields, timeout: timeout)
        // Delivery is at least once.
        request.isRepeatable = true
        return request
    }

    private func body(of message: Int64, expires: Timestamp) async throws -> DeliveryBody? {
        if let known = bodies.withLock({ $0.body(of: message, expires: expires) }) { return known }
        guard let content = try await queue.content(of: message) else { return nil }
        let body = DeliveryBody(content)
        bodies.withLock { $0.keep(body, of: message) }
        return body
    }
}
