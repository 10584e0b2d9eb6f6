// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Ingest
import JSON
import MessageStore
import Messaging
import Platform
import AcrossStores

/// FCM's topic subscriptions of a registration as resources.
struct FirebaseTopics: Sendable {
    let store: Stores
    let limits: DeviceLimits
    let disk: DiskGuard
    let clock: WallClock

    func create(_ call: Call) async throws -> HandlerResponse {
        let app = try changedProject(call)
        let query = try call.query()
        let topic = try FirebaseTopics.topic(try query.one("topic_name") ?? query.one("topicName") ?? "", call)
        let now = clock.now()
        let (joined, _) = try await store.messages.changeTopics(
            app: app.id, token: call.parameter("token"), subscribe: [topic], unsubscribe: [])
        guard joined == 1 else { throw Refusal(.conflict, "The registration is already subscribed to the topic.") }
        return FirebaseTopics.response(Subscription(topic: topic.text, created: now), call)
    }

    func delete(_ call: Call) async throws -> HandlerResponse {
        let app = try changedProject(call)
        let mayBeMissing = try FirebaseTopics.mayBeMissing(call)
        let (_, left) = try await store.messages.changeTopics(
            app: app.id, token: call.parameter("token"), subscribe: [], unsubscribe: [try FirebaseTopics.topic(call.parameter("topic"), call)])
        guard left == 1 || mayBeMissing else { throw Refusal.notSubscribed }
        return FirebaseTopics.nothing
    }

    /// Subscribes to the topic if `allow_missing` is set. A subscription has no fields that could change.
    func update(_ call: Call) async throws -> HandlerResponse {
        if try FirebaseTopics.mayBeMissing(call) {
            let app = try changedProject(call)
            _ = try await store.messages.changeTopics(
                app: app.id, token: call.parameter("token"), subscribe: [try FirebaseTopics.topic(call.parameter("topic"), call)], unsubscribe: [])
        }
        return try await show(call)
    }

    func show(_ call: Call) async throws -> HandlerResponse {
        let app = try call.project(in: store)
        let registration = try await store.messages.registration(app: app.id, token: call.parameter("token"))
        let topic = call.parameter("topic")
        let found = try await store.messages.subscription(ofRegistration: registration.id, to: topic)
        guard let found else { throw Refusal.notSubscribed }
        return FirebaseTopics.response(found, call)
    }

    func list(_ call: Call) async throws -> HandlerResponse {
        let app = try call.project(in: store)
        let query = try call.query()
        let pageSize = try query.number(try query.one("page_size") == nil ? "pageSize" : "page_size", 0...Int(Int32.max), default: 0)
        let limit = pageSize == 0 ? 1_000 : min(pageSize, 2_000)
        let after = try query.one("page_token") ?? query.one("pageToken") ?? ""
        let registration = try await store.messages.registration(app: app.id, token: call.parameter("token"))
        let found = try await store.messages.subscriptions(ofRegistration: registration.id, after: after, limit: limit + 1)
        return .response(
            .json { json in
                json.beginObject()
                json.key("topic_subscriptions")
                json.beginArray()
                for subscription in found.prefix(limit) { json.write(subscription, call) }
                json.endArray()
                if found.count > limit { json.field("next_page_token", found[limit - 1].topic) }
                json.endObject()
            })
    }

    /// Changes a subscription of the app's own device.
    func changeOwn(_ call: Call) async throws -> HandlerResponse {
        let app = try changedProject(call)
        let parts = call.parameter("topic").split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, ["subscribe", "unsubscribe"].contains(parts[1]) else {
            throw Refusal.field("topic", "unknown", "must be followed by :subscribe or :unsubscribe")
        }
        let topic = try FirebaseTopics.topic(String(parts[0]), call)
        let joins = parts[1] == "subscribe"
        _ = try await store.messages.changeTopics(
            app: app.id, token: call.parameter("token"), subscribe: joins ? [topic] : [], unsubscribe: joins ? [] : [topic])
        return FirebaseTopics.nothing
    }

    /// Charges one change and returns the project of the path.
    private func changedProject(_ call: Call) throws(Refusal) -> App {
        try disk.requireFree()
        try limits.charge(1, call)
        return try call.project(in: store)
    }

    private static func mayBeMissing(_ call: Call) throws -> Bool {
        let query = try call.query()
        return try query.one("allow_missing") ?? query.one("allowMissing") == "true"
    }

    private static func topic(_ text: String, _ call: Call) throws(Refusal) -> TopicName {
        try FirebaseMessages.topic(text, field: "topic_name", allowingReserved: call.caller.isTrusted)
    }

    private static var nothing: HandlerResponse { .response(.json(Array("{}".utf8))) }

    private static func response(_ subscription: Subscription, _ call: Call) -> HandlerResponse {
        .response(.json { $0.write(subscription, call) })
    }
}

extension Refusal {
    fileprivate static let notSubscribed = Refusal(.notFound, "The registration is not subscribed to the topic.")
}

extension JSONWriter {
    fileprivate mutating func write(_ subscription: Subscription, _ call: Call) {
        let registration = "projects/\(call.parameter("app"))/registrations/\(call.parameter("token").percentEncoded)"
        beginObject()
        field("name", "\(registration)/topicSubscriptions/\(subscription.topic.percentEncoded)")
        field("topic_name", subscription.topic)
        field("create_time", subscription.created.rfc3339)
        endObject()
    }
}
