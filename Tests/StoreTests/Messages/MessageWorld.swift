// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform
import SQLite
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

/// A running store with a manual clock, and short forms of operations.
struct MessageWorld: StoreWorld {
    static var bounds: WritableKeyPath<StoreOptions, MessageBounds> { \.messages }

    let store: Stores
    let clock: ManualClock
    var messages: MessageStore { store.messages }

    // MARK: Registrations

    static func webhook(_ url: String) throws -> Messaging.Endpoint { .webhook(try WebhookURL(url)) }

    static func draft(_ token: String? = nil, _ endpoint: Messaging.Endpoint? = .stream, installation: String? = nil, user: String? = nil) throws
        -> RegistrationDraft
    {
        var draft = RegistrationDraft()
        draft.token = try token.map { try RegistrationToken($0) }
        draft.endpoint = endpoint
        draft.platform = .ios
        (draft.installation, draft.user) = (installation, user)
        return draft
    }

    @discardableResult
    func register(_ token: String, at url: String? = nil, app: AppID = app, isTrusted: Bool = true) async throws -> Registered {
        let endpoint = try url.map { try Self.webhook($0) } ?? .stream
        return try await messages.register(app: app, try Self.draft(token, endpoint), isTrusted: isTrusted)
    }

    func join(_ topic: String, _ tokens: String..., leaves: Bool = false) async throws {
        let results = try await messages.changeTopic(try TopicName(topic), app: Self.app, tokens: tokens, joins: !leaves)
        #expect(results.allSatisfy { $0 == nil })
    }

    // MARK: Messages

    static func draft(to target: MessageDraft.Target, _ change: (inout MessageDraft) throws -> Void = { _ in }) throws -> Publication {
        var draft = MessageDraft(to: target)
        try change(&draft)
        return Publication(draft, data: Array(#"{"a":"1"}"#.utf8))
    }

    @discardableResult
    func publish(
        topic: String, app: AppID = app, key: IdempotencyKey? = nil, _ change: (inout MessageDraft) throws -> Void = { _ in }
    ) async throws -> Published {
        try await messages.publish(app: app, try Self.draft(to: .topic(try TopicName(topic)), change), key)
    }

    @discardableResult
    func publish(
        to tokens: String..., app: AppID = app, key: IdempotencyKey? = nil, _ change: (inout MessageDraft) throws -> Void = { _ in }
    ) async throws -> Published {
        let target = MessageDraft.Target.tokens(try tokens.map { try RegistrationToken($0) })
        return try await messages.publish(app: app, try Self.draft(to: target, change), key)
    }

    // MARK: Background work

    /// Lets the writer do some steps of background work. It does one between two changes.
    func pieces(_ number: Int) async throws {
        for _ in 0...number { try await messages.change { _ in } }
    }

    /// Lets the writer finish all due work, including sweeps, which run every 20 seconds.
    func settleDown() async throws {
        clock.advance(by: .seconds(21))
        let (now, limits) = (clock.now, messages.limits)
        try await finish(
            """
            SELECT (SELECT count(*) FROM messages WHERE stage < 5 AND expires <= \(now.milliseconds) OR expires <= \((now - limits.keptAfter).milliseconds))
                + (SELECT count(*) FROM registrations WHERE seen < \((now - limits.expiredAfter).milliseconds)) + (SELECT count(*) FROM deleted_apps)
                + (SELECT count(*) FROM idempotency WHERE until <= \(now.milliseconds))
            """)
    }

    /// Lets the writer finish fan-out and cancelling at the present time.
    func finish() async throws {
        try await finish("SELECT count(*) FROM messages WHERE stage IN (2, 3) OR stage = 1 AND send_at <= \(clock.now.milliseconds)")
    }

    /// Lets the writer work until a query of the remaining work returns 0.
    private func finish(_ left: String) async throws {
        for _ in 0..<10_000 {
            try await pieces(1)
            if try await query(left, { $0.int(0) }) == [0] { return }
        }
        Issue.record("the writer did not finish")
    }

    // MARK: Deliveries

    func claim(_ limit: Int = 1_000, ofOrigin: Int = 1_000, capacity: [Int64: Int] = [:], lease: Timestamp.Span = .seconds(60)) async throws
        -> ClaimedDeliveries
    {
        try await messages.claim(
            ClaimRequest(limit: limit, limitPerOrigin: ofOrigin, capacity: capacity, leaseEnds: clock.now + lease, now: clock.now))
    }

    func settle(_ delivery: ClaimedDelivery, _ verdict: DeliveryVerdict, status: Int = 200) async throws {
        let record = AttemptRecord(at: clock.now, milliseconds: 5, status: status, error: "", response: Array("ok".utf8))
        try await messages.settle([DeliveryOutcome(delivery, verdict, record)])
    }

    func counts(_ id: String) async throws -> [DeliveryState: Int] {
        try await messages.status(of: id, app: Self.app).counts
    }

    func states(_ token: String) async throws -> [DeliveryState] {
        try await messages.deliveries(DeliveryFilter(app: Self.app, message: nil, state: nil, before: .max, limit: 1_000))
            .filter { $0.token == token }.reversed().map(\.state)
    }

    func query<T: Sendable>(_ sql: String, _ row: @escaping @Sendable (Row) throws -> T) async throws -> [T] {
        try await messages.read { try $0.uncached(sql).all(row: row) }
    }
}
