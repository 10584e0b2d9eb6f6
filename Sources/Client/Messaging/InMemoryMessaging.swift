// SPDX-License-Identifier: Apache-2.0

/// Messaging for an app's tests: `deliver(_:)` brings messages; `topics` and `token` show what the app requested.
public final class InMemoryMessaging: Messaging {
    private struct Told {
        var token: String?
        var tokensMade = 0
        var topics: Set<String> = []
        var failure: SignalboxError?
        var waiting: [RemoteMessage] = []
        var streams: [AsyncStream<RemoteMessage>.Continuation] = []
        var updates: [AsyncStream<String>.Continuation] = []
        var isCollectionEnabled = true
    }

    private let told = Locked(Told())

    /// Creates an instance without token and topics, with collection enabled.
    public init() {}

    /// The subscribed topics.
    public var topics: Set<String> { told.withLock { $0.topics } }
    /// The token, once requested.
    public var token: String? { told.withLock { $0.token } }
    /// Whether collection is enabled.
    public var isCollectionEnabled: Bool { told.withLock { $0.isCollectionEnabled } }

    /// Makes all throwing calls fail with the error; `nil` ends that.
    public func fail(with error: SignalboxError?) {
        told.withLock { $0.failure = error }
    }

    /// Delivers a message to all open streams, or to the next stream if none is open. At most the newest 200 are kept.
    public func deliver(_ message: RemoteMessage) {
        told.withLock { told in
            told.streams.removeAll { if case .terminated = $0.yield(message) { true } else { false } }
            if told.streams.isEmpty { told.waiting = told.waiting.suffix(MessageBuffer.capacity - 1) + [message] }
        }
    }

    /// Returns `token-1`, and `token-2` after `deleteToken()`.
    public func getToken() async throws(SignalboxError) -> String {
        try change { told in
            if let token = told.token { return token }
            told.tokensMade += 1
            let token = "token-\(told.tokensMade)"
            told.token = token
            for update in told.updates { update.yield(token) }
            return token
        }
    }

    /// Yields the current token and each replacement.
    public func tokenUpdates() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
        told.withLock { told in
            if let token = told.token { continuation.yield(token) }
            told.updates.append(continuation)
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
        told.withLock { told in
            guard told.isCollectionEnabled else { return continuation.finish() }
            for message in told.waiting { continuation.yield(message) }
            told.waiting = []
            told.streams.append(continuation)
        }
        return stream
    }

    /// Drops token, topics and streams when disabling, like `LiveMessaging`.
    public func setCollectionEnabled(_ isEnabled: Bool) {
        told.withLock { told in
            if !isEnabled { InMemoryMessaging.leave(&told) }
            told.isCollectionEnabled = isEnabled
        }
    }

    private func change<T>(_ body: (inout Told) -> T) throws(SignalboxError) -> T {
        try told.withLock { (told) throws(SignalboxError) in
            if let failure = told.failure { throw failure }
            guard told.isCollectionEnabled else { throw .collectionDisabled }
            return body(&told)
        }
    }

    private static func leave(_ told: inout Told) {
        told.token = nil
        told.topics = []
        told.waiting = []
        for stream in told.streams { stream.finish() }
        told.streams = []
    }
}
