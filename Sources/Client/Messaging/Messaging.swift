// SPDX-License-Identifier: Apache-2.0

/// Messages to this installation: `LiveMessaging` gets them from the daemon, `InMemoryMessaging` from the app's tests.
///
/// Whoever uses none of it has no token, and the daemon is asked nothing.
public protocol Messaging: Sendable {
    /// What a server sends to in order to reach this installation, and a password to its messages: the same one over starts, until
    /// `tokenUpdates` has another.
    func getToken() async throws(SignalboxError) -> String

    /// The token, as soon as there is one, and each that takes its place.
    func tokenUpdates() -> AsyncStream<String>

    /// Gives up the token, all topics, and what waits for them; streams end. The next `getToken`, `subscribe` or stream gets another one.
    ///
    /// Where this throws because the daemon was not reached it is done here already, and told to the daemon later.
    func deleteToken() async throws(SignalboxError)

    /// From now on gets what is sent to the topic; returns when the daemon knows it, and once more does no harm.
    ///
    /// Where this throws `refused`, nothing has changed. Whatever else it throws, the wish is kept over starts, and fulfilled as soon as that
    /// is possible.
    func subscribe(topic: String) async throws(SignalboxError)

    /// From now on gets nothing of what is sent to the topic; otherwise as `subscribe(topic:)`.
    func unsubscribe(topic: String) async throws(SignalboxError)

    /// The messages that wait and those that come, each at least once, over whatever is killed or offline meanwhile.
    ///
    /// A message counts as taken when the next one is asked for, and then does not come again; one that was being looked at when the app
    /// ended or left the loop comes once more. Several streams share a connection and get the same messages, each of which counts as taken
    /// when all have taken it.
    func messageStream() -> AsyncStream<RemoteMessage>

    /// Whether anything may be collected: the same switch as that of `Analytics`. With false the token is given up, and streams end.
    func setCollectionEnabled(_ isEnabled: Bool)
}
