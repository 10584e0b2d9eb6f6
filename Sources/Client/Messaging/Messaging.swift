// SPDX-License-Identifier: Apache-2.0

/// Receives messages sent to this installation. `LiveMessaging` gets them from the daemon, `InMemoryMessaging` from tests.
///
/// An app that uses none of these calls has no token and makes no requests.
public protocol Messaging: Sendable {
    /// Returns the registration token that servers send to. It persists across launches until `tokenUpdates()` yields another.
    /// Treat it as a password: it gives access to this installation's messages.
    func getToken() async throws(SignalboxError) -> String

    /// Yields the token once there is one, and each replacement.
    func tokenUpdates() -> AsyncStream<String>

    /// Deletes the token, all topics and undelivered messages, and ends streams. The next `getToken`, `subscribe` or stream creates
    /// another token.
    ///
    /// If it throws because the daemon was not reached, the token is gone locally and is removed from the daemon later.
    func deleteToken() async throws(SignalboxError)

    /// Subscribes to a topic and returns when the daemon has confirmed it. Repeating a subscription has no effect.
    ///
    /// If it throws ``SignalboxError/rejected(code:detail:)``, nothing has changed. After any other error the change stays pending,
    /// across launches too, and is retried.
    func subscribe(topic: String) async throws(SignalboxError)

    /// Unsubscribes from a topic; errors and retries are as with `subscribe(topic:)`.
    func unsubscribe(topic: String) async throws(SignalboxError)

    /// Yields undelivered and new messages, each at least once.
    ///
    /// A message is acknowledged when the reader asks for the next one. A message in hand when the app ends or leaves the loop is
    /// delivered again. Several streams share one connection and get the same messages, which are acknowledged when all have read them.
    func messageStream() -> AsyncStream<RemoteMessage>

    /// Enables or disables collection; the same switch as that of `Analytics`. Disabling deletes the token and ends streams.
    func setCollectionEnabled(_ isEnabled: Bool)
}
