// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import HTTPServer
import Platform

/// FCM messages and topics, as Firebase's server SDKs send and manage them.
enum FirebaseMessaging {
    static let routes = messages + topics + instances + [token]

    /// The token endpoint. It needs no key, so its body is limited before it is read.
    private static let token = Route(
        .post, "/token", .open, .task(TokenEndpoint.exchange), most: TokenEndpoint.mostBytes, refusal: TokenEndpoint.refusal)

    private static let key = IntegrationKey(roles: [.send], place: .authorization)
    /// The key of an app's own SDK, where Google's SDKs put theirs.
    private static let keyOfDevice = IntegrationKey(roles: [.ingest, .send], place: .googleAPIKey)
    private static let subscriptions = "/v1/projects/{app}/registrations/{token}/topicSubscriptions"

    private static let messages = [
        Route(.post, "/v1/projects/{app}/messages:send", .integration(key), .task(FirebaseSending.send), refusal: GoogleError.answer)
    ]

    private static let topics = [
        Route(.post, subscriptions, .integration(key), .task(FirebaseTopics.create), refusal: GoogleError.answer),
        Route(.get, subscriptions, .integration(key), .task(FirebaseTopics.list), refusal: GoogleError.answer),
        Route(.get, subscriptions + "/{topic}", .integration(key), .task(FirebaseTopics.show), refusal: GoogleError.answer),
        Route(.patch, subscriptions + "/{topic}", .integration(key), .task(FirebaseTopics.update), refusal: GoogleError.answer),
        Route(.delete, subscriptions + "/{topic}", .integration(key), .task(FirebaseTopics.delete), refusal: GoogleError.answer),
        Route(.post, subscriptions + "/{topic}", .integration(keyOfDevice), .task(FirebaseTopics.changeOwn), refusal: GoogleError.answer),
    ]

    private static let instances = [
        Route(.post, "/iid/v1:batchAdd", .integration(key), .task(InstanceIDTopics.add), refusal: GoogleError.shortAnswer),
        Route(.post, "/iid/v1:batchRemove", .integration(key), .task(InstanceIDTopics.remove), refusal: GoogleError.shortAnswer),
        Route(.post, "/iid/v1/{token}/rel/topics/{topic}", .integration(key), .task(InstanceIDTopics.join), refusal: GoogleError.shortAnswer),
        Route(.get, "/iid/info/{token}", .integration(key), .task(InstanceIDTopics.info), refusal: GoogleError.shortAnswer),
    ]
}

extension Call {
    /// Returns the app that the path calls its project. It must be the key's own.
    func project(_ daemon: Daemon) throws(Refusal) -> App {
        let named = parameter("app")
        if case .operator = caller { return try daemon.store.events.app(named: named) }
        let own = try app(in: daemon.store)
        guard String(own.id.rawValue) == named || own.name.lowercased() == named.lowercased() else { throw .otherProject }
        return own
    }
}

extension Refusal {
    static let otherProject = Refusal(
        .forbidden, "The key does not belong to the project in the path.", hint: "Use the ID or name of the key's app.",
        fields: [.init("project", GoogleError.mismatch, "is not the app of this key")])
}
