// SPDX-License-Identifier: Apache-2.0

import Delivery
import EventStore
import MessageStore
import Messaging
import Platform
import AcrossStores
import TestSupport

/// A real store with a running sender.
struct SendingWorld: Sendable {
    let store: Stores
    let app: AppID
    let sender: Sender
    let metrics: Metrics

    var messages: MessageStore { store.messages }

    static func options(_ change: (inout SenderOptions) -> Void = { _ in }) -> SenderOptions {
        var options = SenderOptions()
        options.retries = RetryPolicy(waits: [.milliseconds(50), .milliseconds(100)])
        options.destinations.addresses = AddressPolicy(allowing: ["127.0.0.0/8"].compactMap(AddressRange.init))
        change(&options)
        return options
    }

    @discardableResult
    func register(_ url: String, token: String? = nil, secret: SigningKey? = nil, isTrusted: Bool = true) async throws -> Registered {
        var draft = RegistrationDraft()
        draft.platform = .server
        draft.endpoint = .webhook(try WebhookURL(url))
        draft.token = try token.map { try RegistrationToken($0) }
        draft.secret = secret
        return try await messages.register(app: app, draft, isTrusted: isTrusted)
    }

    /// Publishes to these tokens. Returns the message ID.
    func publish(to registered: Registered..., ttl: Timestamp.Span = .hours(1)) async throws -> String {
        try await publish(to: registered, ttl: ttl)
    }

    func publish(to registered: [Registered], ttl: Timestamp.Span = .hours(1)) async throws -> String {
        var draft = MessageDraft(to: .tokens(try registered.map { try RegistrationToken($0.registration.token) }))
        draft.ttl = ttl
        var publication = Publication(draft)
        publication.notification = Array(#"{"title":"Hello"}"#.utf8)
        return try await messages.publish(app: app, publication).id
    }

    func deliveries(of message: String, limit: Int = 1_000) async throws -> [DeliveryStatus] {
        try await messages.deliveries(DeliveryFilter(app: app, message: message, state: nil, before: .max, limit: limit))
    }

    /// Returns the delivery of a message once it is in a state; nil after a timeout.
    func delivery(of message: String, in state: DeliveryState) async throws -> DeliveryStatus? {
        let isThere = try await eventually { try await deliveries(of: message).first?.state == state }
        return isThere ? try await deliveries(of: message).first : nil
    }

    func counts(of message: String) async throws -> [DeliveryState: Int] {
        try await messages.status(of: message, app: app).counts
    }

    /// Whether all deliveries of a message reach a state.
    func all(_ count: Int, of message: String, come state: DeliveryState) async throws -> Bool {
        try await eventually { try await counts(of: message) == [state: count] }
    }
}

/// Runs a sender on its own store during a closure; `queue` may wrap the store.
func withSender<T: Sendable>(
    _ options: SenderOptions = SendingWorld.options(), in folder: TemporaryFolder = TemporaryFolder(), clock: WallClock = .system, log: Log = Log(),
    queue: @Sendable (MessageStore) -> any DeliveryQueue = { $0 }, _ body: @Sendable (SendingWorld) async throws -> T
) async throws -> T {
    try await withStore(in: folder, clock: clock) { store in
        let app = try await store.events.createAppWithKeys(named: "shop").0
        let metrics = Metrics()
        let sender = try Sender(queue(store.messages), { options }, clock: clock, metrics: metrics, log: log)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await sender.run() }
            let result: Result<T, any Error>
            do { result = .success(try await body(SendingWorld(store: store, app: app.id, sender: sender, metrics: metrics))) } catch {
                result = .failure(error)
            }
            await sender.stop(grace: .zero)
            try await group.waitForAll()
            return try result.get()
        }
    }
}
