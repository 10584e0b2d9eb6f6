// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Ingest
import JSON
import MessageStore
import Messaging
import Platform
import AcrossStores

/// FCM's topic subscriptions of a registration as resources.
enum FirebaseTopics {
    @Sendable static func create(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.changedProject(daemon)
        let query = try call.query()
        let topic = try topic(try query.one("topic_name") ?? query.one("topicName") ?? "", call)
        let now = daemon.clock.now()
        let (joined, _) = try await daemon.store.messages.changeTopics(
            app: app.id, token: call.parameter("token"), subscribe: [topic], unsubscribe: [])
        guard joined == 1 else { throw Refusal(.conflict, "The registration is already subscribed to the topic.") }
        return answer(Subscription(topic: topic.text, created: now), call)
    }

    @Sendable static func delete(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.changedProject(daemon)
        let mayBeMissing = try mayBeMissing(call)
        let (_, left) = try await daemon.store.messages.changeTopics(
            app: app.id, token: call.parameter("token"), subscribe: [], unsubscribe: [try topic(call.parameter("topic"), call)])
        guard left == 1 || mayBeMissing else { throw Refusal.notSubscribed }
        return nothing
    }

    /// Subscribes to the topic if `allow_missing` is set. A subscription has no fields that could change.
    @Sendable static func update(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        if try mayBeMissing(call) {
            let app = try call.changedProject(daemon)
            _ = try await daemon.store.messages.changeTopics(
                app: app.id, token: call.parameter("token"), subscribe: [try topic(call.parameter("topic"), call)], unsubscribe: [])
        }
        return try await show(daemon, call)
    }

    @Sendable static func show(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.project(daemon)
        let registration = try await daemon.store.messages.registration(app: app.id, token: call.parameter("token"))
        let topic = call.parameter("topic")
        let found = try await daemon.store.messages.subscription(ofRegistration: registration.id, to: topic)
        guard let found else { throw Refusal.notSubscribed }
        return answer(found, call)
    }

    @Sendable static func list(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.project(daemon)
        let query = try call.query()
        let asked = try query.number(try query.one("page_size") == nil ? "pageSize" : "page_size", 0...Int(Int32.max), default: 0)
        let limit = asked == 0 ? 1_000 : min(asked, 2_000)
        let after = try query.one("page_token") ?? query.one("pageToken") ?? ""
        let registration = try await daemon.store.messages.registration(app: app.id, token: call.parameter("token"))
        let found = try await daemon.store.messages.subscriptions(ofRegistration: registration.id, after: after, limit: limit + 1)
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
    @Sendable static func changeOwn(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.changedProject(daemon)
        let parts = call.parameter("topic").split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, ["subscribe", "unsubscribe"].contains(parts[1]) else {
            throw Refusal.field("topic", "unknown", "must be followed by :subscribe or :unsubscribe")
        }
        let topic = try topic(String(parts[0]), call)
        let joins = parts[1] == "subscribe"
        _ = try await daemon.store.messages.changeTopics(
            app: app.id, token: call.parameter("token"), subscribe: joins ? [topic] : [], unsubscribe: joins ? [] : [topic])
        return nothing
    }

    private static func mayBeMissing(_ call: Call) throws -> Bool {
        let query = try call.query()
        return try query.one("allow_missing") ?? query.one("allowMissing") == "true"
    }

    private static func topic(_ text: String, _ call: Call) throws(Refusal) -> TopicName {
        try FirebaseMessages.topic(text, field: "topic_name", allowingReserved: call.caller.isTrusted)
    }

    private static var nothing: HTTPAnswer { .response(.json(Array("{}".utf8))) }

    private static func answer(_ subscription: Subscription, _ call: Call) -> HTTPAnswer {
        .response(.json { $0.write(subscription, call) })
    }
}

extension Refusal {
    fileprivate static let notSubscribed = Refusal(.notFound, "The registration is not subscribed to the topic.")
}

extension Call {
    /// Returns the project of the path for a request that changes something.
    func changedProject(_ daemon: Daemon) throws(Refusal) -> App {
        try daemon.disk.requireFree()
        try daemon.deviceLimits.charge(1, self)
        return try project(daemon)
    }
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
