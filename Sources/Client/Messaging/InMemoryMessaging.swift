// SPDX-License-Identifier: Apache-2.0

/// Messaging for an app's tests: `deliver(_:)` brings messages; `topics` and `token` show what the app requested.
public final class InMemoryMessaging: Messaging {
    private struct Recorded {
        var token: String?
        var tokensMade = 0
        var topics: Set<String> = []
        var failure: SignalboxError?
        var waiting: [RemoteMessage] = []
        var streams: [AsyncStream<RemoteMessage>.Continuation] = []
        var updates: [AsyncStream<String>.Continuation] = []
        var isCollectionEnabled = true
    }

    private let recorded = Locked(Recorded())

    /// Creates an instance without token and topics, with collection enabled.
    public init() {}

    /// The subscribed topics.
    public var topics: Set<String> { recorded.withLock { $0.topics } }
    /// The token, once requested.
    public var token: String? { recorded.withLock { $0.token } }
    /// Whether collection is enabled.
    public var isCollectionEnabled: Bool { recorded.withLock { $0.isCollectionEnabled } }

    /// Makes all throwing calls fail with the error; `nil` ends that.
    public func fail(with error: SignalboxError?) {
        recorded.withLock { $0.failure = error }
    }

    /// Delivers a message to all open streams, or to the next stream if none is open. At most the newest 200 are kept.
    public func deliver(_ message: RemoteMessage) {
        recorded.withLock { recorded in
            recorded.streams.removeAll { if case .terminated = $0.yield(message) { true } else { false } }
            if recorded.streams.isEmpty { recorded.waiting = recorded.waiting.suffix(MessageBuffer.capacity - 1) + [message] }
        }
    }

    /// Returns `token-1`, and `token-2` after `deleteToken()`.
    public func getToken() async throws(SignalboxError) -> String {
        try change { recorded in
            if let token = recorded.token { return token }
            recorded.tokensMade += 1
            let token = "token-\(recorded.tokensMade)"
            recorded.token = token
            for update in recorded.updates { update.yield(token) }
            return token
        }
    }

    /// Yields the current token and each replacement.
    public func tokenUpdates() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
        recorded.withLock { recorded in
            if let token = recorded.token { continuation.yield(token) }
            recorded.updates.append(continuation)
        }
        return stream
    }

    /// Drops token and topics, and ends the streams.
    public func deleteToken() async throws(SignalboxError) {
        try change { InMemoryMessaging.leave(&$0) }
    }

    /// Adds to `topics`.
    public func subscribe(topic: String) async throws(SignalboxError) {
        try change { _ = $0.topics.insert(topic) }
    }

    /// Removes from `topics`.
    public func unsubscribe(topic: String) async throws(SignalboxError) {
        try change { _ = $0.topics.remove(topic) }
    }

    /// Yields messages of `deliver(_:)` until the token is deleted or the reading task is cancelled.
    public func messageStream() -> AsyncStream<RemoteMessage> {
        let (stream, continuation) = AsyncStream.makeStream(of: RemoteMessage.self, bufferingPolicy: .bufferingNewest(MessageBuffer.capacity))
        recorded.withLock { recorded in
            guard recorded.isCollectionEnabled else { return continuation.finish() }
            for message in recorded.waiting { continuation.yield(message) }
            recorded.waiting = []
            recorded.streams.append(continuation)
        }
        return stream
    }

    /// Drops token, topics and streams when disabling, like `LiveMessaging`.
    public func setCollectionEnabled(_ isEnabled: Bool) {
        recorded.withLock { recorded in
            if !isEnabled { InMemoryMessaging.leave(&recorded) }
            recorded.isCollectionEnabled = isEnabled
        }
    }

    private func change<T>(_ body: (inout Recorded) -> T) throws(SignalboxError) -> T {
        try recorded.withLock { (recorded) throws(SignalboxError) in
            if let failure = recorded.failure { throw failure }
            guard recorded.isCollectionEnabled else { throw .collectionDisabled }
            return body(&recorded)
        }
    }

    private static func leave(_ recorded: inout Recorded) {
        recorded.token = nil
        recorded.topics = []
        recorded.waiting = []
        for stream in recorded.streams { stream.finish() }
        recorded.streams = []
    }
}
