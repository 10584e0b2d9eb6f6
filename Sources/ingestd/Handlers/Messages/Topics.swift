// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Ingest
import JSON
import MessageStore
import Messaging
import Platform
import AcrossStores

/// Topics, and who subscribes to them.
enum Topics {
    @Sendable static func join(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        try await change(daemon, call) { ([$0], []) }
    }

    @Sendable static func leave(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        try await change(daemon, call) { ([], [$0]) }
    }

    private typealias Lists = (subscribe: [TopicName], unsubscribe: [TopicName])

    /// One device and one topic, both in the path.
    private static func change(_ daemon: Daemon, _ call: Call, _ lists: (TopicName) -> Lists) async throws -> HTTPAnswer {
        let app = try call.appOfDevices(daemon)
        let (subscribe, unsubscribe) = lists(try call.topic())
        _ = try await daemon.store.messages.changeTopics(
            app: app.id, token: call.parameter("token"), subscribe: subscribe, unsubscribe: unsubscribe)
        return .response(HTTPResponse(status: 204))
    }

    /// Several topics of one device, all or none.
    @Sendable static func changeOfDevice(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.appOfDevices(daemon)
        let change = try daemon.messages.topics(call.json(), allowingReserved: call.caller.isTrusted)
        // The first is paid for: before that nobody reads what was sent.
        try call.charge(change.subscribe.count + change.unsubscribe.count - 1, daemon)
        let (joined, left) = try await daemon.store.messages.changeTopics(
            app: app.id, token: call.parameter("token"), subscribe: change.subscribe, unsubscribe: change.unsubscribe)
        return .response(
            .json { json in
                json.beginObject()
                json.field("subscribed", joined)
                json.field("unsubscribed", left)
                json.endObject()
            })
    }

    // MARK: Many devices

    @Sendable static func subscribe(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        try await change(daemon, call, joins: true)
    }

    @Sendable static func unsubscribe(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        try await change(daemon, call, joins: false)
    }

    private static func change(_ daemon: Daemon, _ call: Call, joins: Bool) async throws -> HTTPAnswer {
        let app = try call.appOfDevices(daemon)
        let tokens = try daemon.messages.tokens(call.json())
        let refusals = try await daemon.store.messages.changeTopic(try call.topic(), app: app.id, tokens: tokens.map(\.text), joins: joins)
        let failed = refusals.count { $0 != nil }
        return .response(
            .json { json in
                json.beginObject()
                json.field("succeeded", refusals.count - failed)
                json.field("failed", failed)
                json.key("results")
                json.beginArray()
                for refusal in refusals { json.write(refusal, joins ? "subscribed" : "unsubscribed") }
                json.endArray()
                json.endObject()
            })
    }

    // MARK: What there is

    @Sendable static func list(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let query = try call.query()
        try query.allow("app", "limit", "after")
        let app = try call.app(in: daemon.store)
        let limit = try query.number("limit", 1...1_000, default: 100)
        let found = try await daemon.store.messages.topics(app: app.id, after: try query.one("after") ?? "", limit: limit + 1)
        return .page(found, limit: limit, cursor: \.name) { $0.write($1) }
    }

    @Sendable static func show(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let topic = try await known(daemon, call, try call.onlyApp(in: daemon.store))
        return .response(.json { $0.write(topic) })
    }

    @Sendable static func subscribers(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let query = try call.query()
        try query.allow("app", "limit", "after")
        let app = try call.app(in: daemon.store)
        let limit = try query.number("limit", 1...1_000, default: 100)
        _ = try await known(daemon, call, app)
        let found = try await daemon.store.messages.subscribers(
            of: try call.topic(), app: app.id, after: try query.cursor("after") ?? 0, limit: limit + 1)
        let view = call.caller.view
        return .page(found, limit: limit, cursor: { String($0.id) }) { json, registration in
            json.beginObject()
            json.write(registration, view)
            json.endObject()
        }
    }

    private static func known(_ daemon: Daemon, _ call: Call, _ app: App) async throws -> TopicCount {
        guard let topic = try await daemon.store.messages.topic(try call.topic(), app: app.id) else {
            throw Refusal(.notFound, "Nobody subscribes to this topic.", hint: "A topic is there as long as somebody subscribes to it.")
        }
        return topic
    }
}

extension Call {
    /// The topic of the path; with an ingest key none of the daemon's own.
    fileprivate func topic() throws(Refusal) -> TopicName {
        try TopicName(parameter("topic"), allowingReserved: caller.isTrusted)
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ topic: TopicCount) {
        beginObject()
        field("topic", topic.name)
        field("subscribers", topic.subscribers)
        field("created_at", topic.created.rfc3339)
        endObject()
    }

    /// What became of one of many tokens.
    fileprivate mutating func write(_ refusal: Refusal?, _ done: String) {
        beginObject()
        field("result", refusal == nil ? done : "refused")
        if let refusal {
            field("code", refusal.fields.first?.code ?? refusal.code.rawValue)
            field("message", refusal.detail)
        }
        endObject()
    }
}
