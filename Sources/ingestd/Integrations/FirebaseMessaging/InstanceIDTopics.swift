// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Ingest
import JSON
import MessageStore
import Messaging
import Platform
import AcrossStores

/// Topics of the Instance ID API, which older SDKs use.
struct InstanceIDTopics: Sendable {
    let decoder: FirebaseMessages
    let store: Stores
    let disk: DiskGuard

    func add(_ call: Call) async throws -> HandlerResponse {
        try await change(call, joins: true)
    }

    func remove(_ call: Call) async throws -> HandlerResponse {
        try await change(call, joins: false)
    }

    private func change(_ call: Call, joins: Bool) async throws -> HandlerResponse {
        let app = try call.app(in: store)
        try disk.requireFree()
        let change = try decoder.topicChange(call.request.body)
        let refusals = try await store.messages.changeTopic(change.topic, app: app.id, tokens: change.tokens, joins: joins)
        return .response(
            .json { json in
                json.beginObject()
                json.key("results")
                json.beginArray()
                for (token, refusal) in zip(change.tokens, refusals) {
                    json.beginObject()
                    if let refusal { json.field("error", InstanceIDTopics.word(for: refusal, of: token)) }
                    json.endObject()
                }
                json.endArray()
                json.endObject()
            })
    }

    private static func word(for refusal: Refusal, of token: String) -> String {
        if refusal.fields.first?.code == "too_many_topics" { return "TOO_MANY_TOPICS" }
        return (try? RegistrationToken(token)) == nil ? "INVALID_ARGUMENT" : GoogleError.status(of: refusal.code).rawValue
    }

    func join(_ call: Call) async throws -> HandlerResponse {
        let app = try call.app(in: store)
        try disk.requireFree()
        _ = try await store.messages.changeTopics(
            app: app.id, token: call.parameter("token"), subscribe: [try FirebaseMessages.topic(call.parameter("topic"), field: "topic")],
            unsubscribe: [])
        return .response(.json(Array("{}".utf8)))
    }

    func info(_ call: Call) async throws -> HandlerResponse {
        let app = try call.app(in: store)
        let isDetailed = try call.query().one("details") == "true"
        let registration = try await store.messages.registration(app: app.id, token: call.parameter("token"))
        // The maximum number of topics of a registration.
        let most = store.messages.limits.topicsOfRegistration
        let topics =
            isDetailed ? try await store.messages.subscriptions(ofRegistration: registration.id, after: "", limit: most) : []
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
