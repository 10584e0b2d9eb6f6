// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Ingest
import JSON
import MessageStore
import Messaging
import Platform
import AcrossStores

/// FCM's HTTP v1 API: one message per request.
struct FirebaseSending: Sendable {
    let decoder: FirebaseMessages
    let store: Stores
    let disk: DiskGuard
    let clock: WallClock

    func send(_ call: Call) async throws -> HandlerResponse {
        let app = try call.project(in: store)
        let message = try decoder.message(call.request.body, now: clock.now())
        do {
            let published = try await publish(message, app)
            return .response(
                .json { json in
                    json.beginObject()
                    json.field("name", "projects/\(call.parameter("app"))/messages/\(published)")
                    json.endObject()
                })
        } catch let refusal as Refusal where refusal.code == .unregistered && message.isToInstallation {
            throw Refusal(
                .unregistered, refusal.detail, hint: refusal.hint,
                fields: [.init("message.fid", MessagingError.goneInstallation, "is no longer registered")])
        }
    }

    /// Publishes the message and returns its ID.
    private func publish(_ message: FirebaseMessage, _ app: App) async throws -> String {
        guard !message.publication.draft.validateOnly else {
            _ = try await store.messages.validate(app: app.id, message.publication)
            return "fake_message_id"
        }
        try disk.requireFree()
        return try await store.messages.publish(app: app.id, message.publication).id
    }
}
