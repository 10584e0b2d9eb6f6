// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Ingest
import JSON
import MessageStore
import Messaging
import Platform
import AcrossStores

/// FCM's HTTP v1 API: one message per request.
enum FirebaseSending {
    @Sendable static func send(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.project(daemon)
        let message = try daemon.firebaseMessages.message(call.request.body, now: daemon.clock.now())
        do {
            let published = try await publish(message, app, daemon)
            return .response(
                .json { json in
                    json.beginObject()
                    json.field("name", "projects/\(call.parameter("app"))/messages/\(published)")
                    json.endObject()
                })
        } catch let refusal as Refusal where refusal.code == .unregistered && message.isToInstallation {
            throw Refusal(
                .unregistered, refusal.detail, hint: refusal.hint,
                fields: [.init("message.fid", GoogleError.goneInstallation, "is no longer registered")])
        }
    }

    /// Publishes the message and returns its ID.
    private static func publish(_ message: FirebaseMessage, _ app: App, _ daemon: Daemon) async throws -> String {
        guard !message.publication.draft.validateOnly else {
            _ = try await daemon.store.messages.validate(app: app.id, message.publication)
            return "fake_message_id"
        }
        try daemon.disk.requireFree()
        return try await daemon.store.messages.publish(app: app.id, message.publication).id
    }
}
