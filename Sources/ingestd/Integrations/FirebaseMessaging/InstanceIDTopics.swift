// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Ingest
import JSON
import MessageStore
import Messaging
import Platform
import AcrossStores

/// Topics of the Instance ID API, which older SDKs use.
enum InstanceIDTopics {
    @Sendable static func add(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        try await change(daemon, call, joins: true)
    }

    @Sendable static func remove(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        try await change(daemon, call, joins: false)
    }

    private static func change(_ daemon: Daemon, _ call: Call, joins: Bool) async throws -> HTTPAnswer {
        let app = try call.app(in: daemon.store)
        try daemon.disk.requireFree()
        let change = try daemon.firebaseMessages.topicChange(call.request.body)
        let refusals = try await daemon.store.messages.changeTopic(change.topic, app: app.id, tokens: change.tokens, joins: joins)
        return .response(
            .json { json in
                json.beginObject()
                json.key("results")
                json.beginArray()
                for (token, refusal) in zip(change.tokens, refusals) {
                    json.beginObject()
                    if let refusal { json.field("error", word(for: refusal, of: token)) }
                    json.endObject()
                }
                json.endArray()
                json.endObject()
            })
    }

    private static func word(for refusal: Refusal, of token: String) -> String {
        if refusal.fields.first?.code == "too_many_topics" { return "TOO_MANY_TOPICS" }
        return (try? RegistrationToken(token)) == nil ? "INVALID_ARGUMENT" : GoogleError.status(of: refusal.code).word
    }

    @Sendable static func join(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.app(in: daemon.store)
        try daemon.disk.requireFree()
        _ = try await daemon.store.messages.changeTopics(
            app: app.id, token: call.parameter("token"), subscribe: [try FirebaseMessages.topic(call.parameter("topic"), field: "topic")],
            unsubscribe: [])
        return .response(.json(Array("{}".utf8)))
    }

    @Sendable static func info(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.app(in: daemon.store)
        let isDetailed = try call.query().one("details") == "true"
        let registration = try await daemon.store.messages.registration(app: app.id, token: call.parameter("token"))
        // The maximum number of topics of a registration.
        let most = daemon.store.messages.limits.topicsOfRegistration
        let topics =
            isDetailed ? try await daemon.store.messages.subscriptions(ofRegistration: registration.id, after: "", limit: most) : []
        return .response(
            .json { json in
                json.beginObject()
                json.field("application", app.name)
                json.field("authorizedEntity", String(app.id.rawValue))
                json.field("platform", registration.platform.name.uppercased())
                if let version = registration.appVersion { json.field("applicationVersion", version) }
                if isDetailed { json.write(topics) }
                json.endObject()
            })
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ topics: [Subscription]) {
        key("rel")
        beginObject()
        key("topics")
        beginObject()
        for topic in topics {
            key(topic.topic)
            beginObject()
            field("addDate", String(topic.created.rfc3339.prefix(10)))
            endObject()
        }
        endObject()
        endObject()
    }
}
