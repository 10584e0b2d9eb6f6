// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import HTTPServer
import Platform

/// Messages and topics as Firebase's server SDKs send and manage them.
enum FirebaseMessaging {
    static let routes = messages + topics + instances + [token]

    /// Open to everybody, so its body is bounded before it is read.
    private static let token = Route(
        .post, "/token", .open, .task(TokenEndpoint.exchange), most: TokenEndpoint.mostBytes, refusal: TokenEndpoint.refusal)

    private static let key = DoorKey(roles: [.send], place: .authorization)
    /// Apps have theirs where Google's have them.
    private static let keyOfDevice = DoorKey(roles: [.ingest, .send], place: .googleAPIKey)
    private static let subscriptions = "/v1/projects/{app}/registrations/{token}/topicSubscriptions"

    private static let messages = [
        Route(.post, "/v1/projects/{app}/messages:send", .door(key), .task(FirebaseSending.send), refusal: GoogleError.answer)
    ]

    private static let topics = [
        Route(.post, subscriptions, .door(key), .task(FirebaseTopics.create), refusal: GoogleError.answer),
        Route(.get, subscriptions, .door(key), .task(FirebaseTopics.list), refusal: GoogleError.answer),
        Route(.get, subscriptions + "/{topic}", .door(key), .task(FirebaseTopics.show), refusal: GoogleError.answer),
        Route(.patch, subscriptions + "/{topic}", .door(key), .task(FirebaseTopics.update), refusal: GoogleError.answer),
        Route(.delete, subscriptions + "/{topic}", .door(key), .task(FirebaseTopics.delete), refusal: GoogleError.answer),
        Route(.post, subscriptions + "/{topic}", .door(keyOfDevice), .task(FirebaseTopics.changeOwn), refusal: GoogleError.answer),
    ]

    private static let instances = [
        Route(.post, "/iid/v1:batchAdd", .door(key), .task(InstanceIDTopics.add), refusal: GoogleError.shortAnswer),
        Route(.post, "/iid/v1:batchRemove", .door(key), .task(InstanceIDTopics.remove), refusal: GoogleError.shortAnswer),
        Route(.post, "/iid/v1/{token}/rel/topics/{topic}", .door(key), .task(InstanceIDTopics.join), refusal: GoogleError.shortAnswer),
        Route(.get, "/iid/info/{token}", .door(key), .task(InstanceIDTopics.info), refusal: GoogleError.shortAnswer),
    ]
}

extension Call {
    /// The app that the path calls its project; it must be the key's own.
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
        .forbidden, "This key is not one of the project in the path.", hint: "Use the number or the name of the key's own app.",
        fields: [.init("project", GoogleError.mismatch, "is not the app of this key")])
}
