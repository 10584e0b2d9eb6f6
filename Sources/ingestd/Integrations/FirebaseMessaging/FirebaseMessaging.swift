// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import HTTPServer
import Platform

/// FCM messages and topics, as Firebase's server SDKs send and manage them.
enum FirebaseMessaging {
    static let integration = Integration(
        "Firebase Cloud Messaging", refusal: MessagingError.response, routes: messages + topics + instances + [token])

    /// The token endpoint. It needs no key, so its body is limited before it is read.
    private static let token = Route(
        .post, "/token", .open, .task(\.integrations.tokenEndpoint, TokenEndpoint.exchange), most: TokenEndpoint.mostBytes,
        refusal: TokenEndpoint.refusal)

    private static let key = IntegrationKey(roles: [.send], place: .authorization)
    /// The key of an app's own SDK, where Google's SDKs put theirs.
    private static let keyOfDevice = IntegrationKey(roles: [.ingest, .send], place: .googleAPIKey)
    private static let subscriptions = "/v1/projects/{app}/registrations/{token}/topicSubscriptions"

    private static let messages = [
        Route(.post, "/v1/projects/{app}/messages:send", .integration(key), .task(\.integrations.firebaseSending, FirebaseSending.send))
    ]

    private static let topics = [
        topicRoute(.post, subscriptions, key, FirebaseTopics.create),
        topicRoute(.get, subscriptions, key, FirebaseTopics.list),
        topicRoute(.get, subscriptions + "/{topic}", key, FirebaseTopics.show),
        topicRoute(.patch, subscriptions + "/{topic}", key, FirebaseTopics.update),
        topicRoute(.delete, subscriptions + "/{topic}", key, FirebaseTopics.delete),
        topicRoute(.post, subscriptions + "/{topic}", keyOfDevice, FirebaseTopics.changeOwn),
    ]

    private static let instances = [
        instanceRoute(.post, "/iid/v1:batchAdd", InstanceIDTopics.add),
        instanceRoute(.post, "/iid/v1:batchRemove", InstanceIDTopics.remove),
        instanceRoute(.post, "/iid/v1/{token}/rel/topics/{topic}", InstanceIDTopics.join),
        instanceRoute(.get, "/iid/info/{token}", InstanceIDTopics.info),
    ]

    private static func topicRoute(
        _ method: HTTPMethod, _ pattern: String, _ key: IntegrationKey,
        _ handle: @escaping @Sendable (FirebaseTopics) -> (Call) async throws -> HandlerResponse
    ) -> Route {
        Route(method, pattern, .integration(key), .task(\.integrations.firebaseTopics, handle))
    }

    private static func instanceRoute(
        _ method: HTTPMethod, _ pattern: String, _ handle: @escaping @Sendable (InstanceIDTopics) -> (Call) async throws -> HandlerResponse
    ) -> Route {
        Route(method, pattern, .integration(key), .task(\.integrations.instanceIDTopics, handle), refusal: MessagingError.shortResponse)
    }
}

extension Call {
    /// Returns the app that the path calls its project. It must be the key's own.
    func project(in store: Stores) throws(Refusal) -> App {
        let named = parameter("app")
        if case .operator = caller { return try store.events.app(named: named) }
        let own = try app(in: store)
        if own.project.hasSameBytes(as: named) { return own }
        guard String(own.id.rawValue).hasSameBytes(as: named) || own.name.lowercased() == named.lowercased() else { throw .otherProject }
        return own
    }
}

extension Refusal {
    static let otherProject = Refusal(
        .forbidden, "The key does not belong to the project in the path.", hint: "Use the ID, name or project of the key's app.",
        fields: [.init("project", MessagingError.mismatch, "is not the app of this key")])
}
