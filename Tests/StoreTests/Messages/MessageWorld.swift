import Messaging
import Platform
import SQLite
import TestSupport
import Testing

@testable import Store

/// A running store with a clock that stands still, and short ways to say what happens to its messages.
struct MessageWorld: Sendable {
    static let start = Timestamp(milliseconds: 1_790_000_000_000)
    static let app = AppID(rawValue: 1)

    let store: Store
    let clock: ManualClock
    var messages: Messages { store.messages }

    static func run<T: Sendable>(
        in folder: TemporaryFolder = TemporaryFolder(), clock: ManualClock = ManualClock(start), _ bounds: MessageBounds = MessageBounds(),
        metrics: Metrics = Metrics(), _ body: @Sendable (MessageWorld) async throws -> T
    ) async throws -> T {
        var options = StoreOptions()
        options.messages = bounds
        return try await withStore(in: folder, options: options, clock: clock.clock, metrics: metrics) { store in
            try await body(MessageWorld(store: store, clock: clock))
        }
    }

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

    static func draft(to target: MessageDraft.Target, _ change: (inout MessageDraft) throws -> Void = { _ in }) rethrows -> Publication {
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

    // MARK: What happens by itself

    /// Lets the writer do a number of pieces of its own work: between two changes that are waited for it does one.
    func pieces(_ number: Int) async throws {
        for _ in 0...number { try await messages.change { _ in } }
    }

    /// Lets the writer do all that is to be done now. What it sweeps it looks for every 20 seconds.
    func settleDown() async throws {
        clock.advance(by: .seconds(21))
        try await finish()
    }

    /// Lets the writer make and take back all that was asked for, at this very moment.
    func finish() async throws {
        let now = clock.now.milliseconds
        for _ in 0..<10_000 {
            try await pieces(1)
            let left = try await messages.read { file in
                try file.statement("SELECT count(*) FROM messages WHERE stage IN (2, 3) OR stage = 1 AND send_at <= ?").first(.integer(now)) {
                    $0.int(0)
                } ?? 0
            }
            // Behind it comes what time has ended; twenty pieces of it are more than any test leaves.
            if left == 0 { return try await pieces(20) }
        }
        Issue.record("the writer does not come to an end")
    }

    // MARK: Deliveries

    func claim(_ limit: Int = 1_000, ofOrigin: Int = 1_000, room: [Int64: Int] = [:], lease: Timestamp.Span = .seconds(60)) async throws
        -> ClaimedDeliveries
    {
        try await messages.claim(
            DeliveryWishes(limit: limit, limitOfOrigin: ofOrigin, room: room, leaseEnds: clock.now + lease, now: clock.now))
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

extension MessageWorld {
    /// Whatever happened: what is counted is what is there, and nothing that is over is still due.
    func expectWhole(_ comment: Comment? = nil, at location: SourceLocation = #_sourceLocation) async throws {
        let count = { @Sendable (row: Row) in "\(row.integer(0)) \(row.integer(1)): \(row.integer(2))" }
        let counted = try await query("SELECT message, state, count FROM message_counts WHERE count <> 0 ORDER BY 1, 2", count)
        let there = try await query("SELECT message, state, count(*) FROM deliveries GROUP BY 1, 2 ORDER BY 1, 2", count)
        #expect(counted == there, comment, sourceLocation: location)
        let wrong = [
            "due though it is over or with a reader": "SELECT id FROM deliveries WHERE due IS NOT NULL AND state NOT IN (1, 2, 4)",
            "due at no origin": "SELECT id FROM deliveries WHERE due IS NOT NULL AND origin IS NULL",
            "lost: it waits for nothing":
                "SELECT d.id FROM deliveries d JOIN registrations r ON r.id = d.registration WHERE d.state < 5 AND d.due IS NULL AND r.state = 1 AND r.url IS NOT NULL",
            "due at an endpoint that has not proven itself":
                "SELECT d.id FROM deliveries d JOIN registrations r ON r.id = d.registration WHERE d.due IS NOT NULL AND r.state <> 1",
            "at another origin than its registration":
                "SELECT d.id FROM deliveries d JOIN registrations r ON r.id = d.registration WHERE d.state < 5 AND d.origin IS NOT r.origin",
            "open though its registration is gone":
                "SELECT id FROM deliveries WHERE state < 5 AND registration NOT IN (SELECT id FROM registrations)",
            "made twice": "SELECT min(id) FROM deliveries GROUP BY message, registration HAVING count(*) > 1",
            "of no message": "SELECT id FROM deliveries WHERE message NOT IN (SELECT id FROM messages)",
            "an attempt of no delivery": "SELECT delivery FROM attempts WHERE delivery NOT IN (SELECT id FROM deliveries)",
            "a topic that counts wrongly":
                "SELECT id FROM topics t WHERE subscribers = 0 OR subscribers <> (SELECT count(*) FROM subscriptions WHERE topic = t.id)",
            "a subscription of nobody": "SELECT seq FROM subscriptions WHERE registration NOT IN (SELECT id FROM registrations)",
        ]
        for (what, sql) in wrong {
            let rows = try await query(sql) { $0.integer(0) }
            #expect(rows.isEmpty, "\(what)\(comment.map { ", \($0)" } ?? "")", sourceLocation: location)
        }
        for state in DeliveryState.allCases where state.isOpen {
            let rows = try await query("SELECT count(*) FROM deliveries WHERE state = \(state.rawValue)") { $0.int(0) }
            #expect(messages.gauges.count(state) == rows[0], "the gauge of \(state.name)", sourceLocation: location)
        }
    }
}
