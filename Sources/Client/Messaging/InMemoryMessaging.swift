// SPDX-License-Identifier: Apache-2.0

/// Messaging for an app's own tests: messages come from `deliver(_:)`, and what the app asked for can be looked at.
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

    /// Nothing was told yet.
    public init() {}

    /// The topics that are subscribed to.
    public var topics: Set<String> { told.withLock { $0.topics } }
    /// The token, if one was asked for.
    public var token: String? { told.withLock { $0.token } }
    /// What `setCollectionEnabled` said last.
    public var isCollectionEnabled: Bool { told.withLock { $0.isCollectionEnabled } }

    /// From now on everything that may throw does; nil ends that.
    public func fail(with error: SignalboxError?) {
        told.withLock { $0.failure = error }
    }

    /// Brings a message to all streams that are open; where there is none it waits for the next. The newest 200 wait for who does not read.
    public func deliver(_ message: RemoteMessage) {
        told.withLock { told in
            told.streams.removeAll { if case .terminated = $0.yield(message) { true } else { false } }
            if told.streams.isEmpty { told.waiting = told.waiting.suffix(Feed.room - 1) + [message] }
        }
    }

    /// The token of this start: `token-1`, and after `deleteToken()` `token-2`.
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

    /// The token, and each that takes its place.
    public func tokenUpdates() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
        told.withLock { told in
            if let token = told.token { continuation.yield(token) }
            told.updates.append(continuation)
        }
        return stream
    }

    /// Forgets token and topics, and ends the streams.
    public func deleteToken() async throws(SignalboxError) {
        try change { InMemoryMessaging.leave(&$0) }
    }

    /// Keeps it in `topics`.
    public func subscribe(topic: String) async throws(SignalboxError) {
        try change { _ = $0.topics.insert(topic) }
    }

    /// Takes it out of `topics`.
    public func unsubscribe(topic: String) async throws(SignalboxError) {
        try change { _ = $0.topics.remove(topic) }
    }

    /// What `deliver(_:)` brings, until the token is deleted or the task that reads it is cancelled.
    public func messageStream() -> AsyncStream<RemoteMessage> {
        let (stream, continuation) = AsyncStream.makeStream(of: RemoteMessage.self, bufferingPolicy: .bufferingNewest(Feed.room))
        told.withLock { told in
            guard told.isCollectionEnabled else { return continuation.finish() }
            for message in told.waiting { continuation.yield(message) }
            told.waiting = []
            told.streams.append(continuation)
        }
        return stream
    }

    /// Forgets everything with false, as the live one does.
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
