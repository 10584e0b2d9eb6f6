// SPDX-License-Identifier: Apache-2.0

import Signalbox

/// A push message as the app knows it.
public struct PushMessage: Sendable, Hashable, Identifiable {
    public var id: String
    public var topic: String?
    public var title: String?
    public var body: String?
    public var data: [String: String]

    init(_ message: RemoteMessage) {
        (id, topic, data) = (message.id, message.topic, message.data)
        (title, body) = (message.notification?.title, message.notification?.body)
    }
}

/// Push messages as an app with an adapter for each service has them.
public protocol MessagingAdapter: Sendable {
    /// Returns the token that servers send to.
    func getToken() async throws -> String
    func subscribe(topic: String) async throws
    func unsubscribe(topic: String) async throws
    /// Yields messages, each at least once. A message counts as handled when the next one is asked for.
    func messageStream() -> AsyncStream<PushMessage>
}

/// The adapter over `Messaging`.
public struct SignalboxMessagingAdapter: MessagingAdapter {
    private let messaging: any Messaging

    public init(_ messaging: any Messaging) {
        self.messaging = messaging
    }

    public func getToken() async throws -> String { try await messaging.getToken() }

    public func subscribe(topic: String) async throws { try await messaging.subscribe(topic: topic) }

    public func unsubscribe(topic: String) async throws { try await messaging.unsubscribe(topic: topic) }

    public func messageStream() -> AsyncStream<PushMessage> {
        AsyncStream(reading: messaging.messageStream()) { PushMessage($0) }
    }
}
