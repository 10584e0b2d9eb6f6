// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import Events
import HTTPServer
import Ingest
import MessageStore
import Messaging
import Platform

/// Topics and their subscribers.
struct Topics: Sendable {
    let store: Stores
    let decoder: NativeMessages
    let limits: DeviceLimits

    static let routes = [
        Route(.post, "/v1/devices/{token}/topics", .roles([.ingest, .send]), .task(\.messaging.topics, Topics.changeOfDevice)),
        Route(.get, "/v1/topics", .roles([.read, .send]), .task(\.messaging.topics, Topics.list)),
        Route(.get, "/v1/topics/{topic}", .roles([.read, .send]), .task(\.messaging.topics, Topics.show)),
        Route(.get, "/v1/topics/{topic}/subscribers", .roles([.read, .send]), .task(\.messaging.topics, Topics.subscribers)),
        Route(.put, "/v1/topics/{topic}/subscribers/{token}", .roles([.ingest, .send]), .task(\.messaging.topics, Topics.join)),
        Route(.delete, "/v1/topics/{topic}/subscribers/{token}", .roles([.ingest, .send]), .task(\.messaging.topics, Topics.leave)),
        Route(.post, "/v1/topics/{topic}/subscribe", .role(.send), .task(\.messaging.topics, Topics.subscribe)),
        Route(.post, "/v1/topics/{topic}/unsubscribe", .role(.send), .task(\.messaging.topics, Topics.unsubscribe)),
    ]

    func join(_ call: Call) async throws -> HandlerResponse {
        try await change(call) { ([$0], []) }
    }

    func leave(_ call: Call) async throws -> HandlerResponse {
        try await change(call) { ([], [$0]) }
    }

    private typealias Lists = (subscribe: [TopicName], unsubscribe: [TopicName])

    /// One device and one topic, both in the path.
    private func change(_ call: Call, _ lists: (TopicName) -> Lists) async throws -> HandlerResponse {
        let app = try limits.admit(call, in: store)
        let (subscribe, unsubscribe) = lists(try call.topic())
        _ = try await store.messages.changeTopics(
            app: app.id, token: call.parameter("token"), subscribe: subscribe, unsubscribe: unsubscribe)
        return .noContent
    }

    /// Several topics of one device, all or none.
    func changeOfDevice(_ call: Call) async throws -> HandlerResponse {
        let app = try limits.admit(call, in: store)
        let change = try decoder.topics(call.json(), allowingReserved: call.caller.isTrusted)
        // `admit` charged the first change before the body was read.
        try limits.charge(change.subscribe.count + change.unsubscribe.count - 1, call)
        let (joined, left) = try await store.messages.changeTopics(
            app: app.id, token: call.parameter("token"), subscribe: change.subscribe, unsubscribe: change.unsubscribe)
        return try .json(TopicChangeResponse(subscribed: joined, unsubscribed: left))
    }

    // MARK: Many devices

    func subscribe(_ call: Call) async throws -> HandlerResponse {
        try await change(call, joins: true)
    }

    func unsubscribe(_ call: Call) async throws -> HandlerResponse {
        try await change(call, joins: false)
    }

    private func change(_ call: Call, joins: Bool) async throws -> HandlerResponse {
        let app = try limits.admit(call, in: store)
        let tokens = try decoder.tokens(call.json())
        let refusals = try await store.messages.changeTopic(try call.topic(), app: app.id, tokens: tokens.map(\.text), joins: joins)
        let failed = refusals.count { $0 != nil }
        return try .json(
            TokenResultsResponse(
                succeeded: refusals.count - failed, failed: failed,
                results: refusals.map { .init($0, done: joins ? .subscribed : .unsubscribed) }))
    }

    // MARK: Lists

    func list(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "limit", "after")
        let app = try call.app(in: store)
        let limit = try query.number("limit", 1...1_000, default: 100)
        let found = try await store.messages.topics(app: app.id, after: try query.one("after") ?? "", limit: limit + 1)
        return try .page(found, limit: limit, cursor: \.name, TopicResponse.init)
    }

    func show(_ call: Call) async throws -> HandlerResponse {
        let topic = try await known(call, try call.onlyApp(in: store))
        return try .json(TopicResponse(topic))
    }

    func subscribers(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "limit", "after")
        let app = try call.app(in: store)
        let limit = try query.number("limit", 1...1_000, default: 100)
        _ = try await known(call, app)
        let found = try await store.messages.subscribers(
            of: try call.topic(), app: app.id, after: try query.cursor("after") ?? 0, limit: limit + 1)
        let view = call.caller.view
        return try .page(found, limit: limit, cursor: { String($0.id) }) { DeviceResponse($0, view) }
    }

    private func known(_ call: Call, _ app: App) async throws -> TopicCount {
        guard let topic = try await store.messages.topic(try call.topic(), app: app.id) else {
            throw Refusal(.notFound, "The topic has no subscribers.", hint: "A topic exists while at least one device subscribes to it.")
        }
        return topic
    }
}

extension Call {
    /// The topic of the path; an ingest key may not name a reserved one.
    fileprivate func topic() throws(Refusal) -> TopicName {
        try TopicName(parameter("topic"), allowingReserved: caller.isTrusted)
    }
}

extension TopicResponse {
    fileprivate init(_ topic: TopicCount) {
        self.init(topic: topic.name, subscribers: topic.subscribers, createdAt: Moment(topic.created))
    }
}

extension TokenResultsResponse.Result {
    fileprivate init(_ refusal: Refusal?, done: Outcome) {
        self.init(
            result: refusal == nil ? done : .refused, code: refusal.map { $0.fields.first?.code ?? $0.code.rawValue }, message: refusal?.detail)
    }
}
