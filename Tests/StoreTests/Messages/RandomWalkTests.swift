// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

/// Random operations in any order. After every few steps the counters must match the rows, and all that is due must be scheduled.
@Suite struct RandomWalkTests {
    @Test(arguments: StoreWalks.seeds(few: 2))
    func `counts match the rows and nothing is lost after random operations`(seed: UInt64) async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock(MessageWorld.start))
        var walk = Walk(seed)
        // The store is closed and reopened between parts.
        for part in 0..<3 {
            let before = walk
            walk = try await MessageWorld.run(in: folder, clock: clock, Walk.bounds) { world in
                var walk = before
                for step in 0..<120 {
                    try await walk.step(world)
                    if step % 20 == 0 { try await world.expectWhole("part \(part), step \(step)") }
                }
                try await world.settleDown()
                try await world.expectWhole("part \(part)")
                return walk
            }
        }
        try await Self.end(in: folder, clock)
    }

    /// Expects that nothing is open once every message has expired, and that all rows are removed later.
    private static func end(in folder: TemporaryFolder, _ clock: ManualClock) async throws {
        try await MessageWorld.run(in: folder, clock: clock, Walk.bounds) { world in
            // The lifetime of a scheduled message starts when it is sent.
            clock.advance(by: .hours(1))
            try await world.finish()
            clock.advance(by: .days(30))
            #expect(try await world.claim(10_000, ofOrigin: 10_000).deliveries.isEmpty)
            try await world.settleDown()
            #expect(try await world.query("SELECT id FROM deliveries WHERE state < 5") { _ in 1 }.isEmpty)
            clock.advance(by: .days(300))
            try await world.settleDown()
            for table in ["deliveries", "attempts", "messages", "message_counts", "registrations", "subscriptions", "topics", "idempotency"] {
                #expect(try await world.query("SELECT 1 FROM \(table)") { _ in 1 }.isEmpty, "\(table)")
            }
        }
    }
}

/// A random walk over the operations.
private struct Walk: Sendable {
    static let bounds = {
        var bounds = MessageBounds()
        (bounds.chunk, bounds.pendingOfStream, bounds.topicsOfRegistration) = (3, 3, 3)
        return bounds
    }()
    private static let tokens = (0..<8).map { "token-\($0)-abc" }
    private static let topics = ["a", "b", "c", "d"]
    private static let conditions = ["'a' in topics || 'b' in topics", "!('c' in topics)", "'a' in topics && !('d' in topics)"]

    private var random: SeededGenerator
    private var messages: [String] = []
    private var claimed: [ClaimedDelivery] = []
    private var challenges: [Challenge] = []

    init(_ seed: UInt64) {
        random = SeededGenerator(seed)
    }

    private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func one<T>(_ list: [T]) -> T? { list.randomElement(using: &random) }

    private mutating func token() -> String { Self.tokens[number(0..<Self.tokens.count)] }

    /// Makes one step. A rejection is a valid result.
    mutating func step(_ world: MessageWorld) async throws {
        do { try await act(world) } catch is Refusal {}
    }

    private mutating func act(_ world: MessageWorld) async throws {
        switch number(0..<20) {
        case 0...2: try await register(world)
        case 3: try await world.messages.remove(app: MessageWorld.app, token: token())
        case 4...5: try await changeTopics(world)
        case 6...8: try await publish(world)
        case 9: try await callBack(world)
        case 10...12: claimed += try await claim(world)
        case 13...15: try await settle(world)
        case 16: try await read(world)
        case 17: try await answer(world)
        case 18: try await world.pieces(number(0..<6))
        default: world.clock.advance(by: .seconds(Int64([1, 10, 40, 300, 4_000, 90_000, 600_000][number(0..<7)])))
        }
    }

    private mutating func register(_ world: MessageWorld) async throws {
        let url = number(0..<3) == 0 ? nil : "https://\(number(0..<3)).example/hook"
        try await world.register(token(), at: url, isTrusted: number(0..<3) > 0)
    }

    private mutating func changeTopics(_ world: MessageWorld) async throws {
        let (topic, tokens) = (try TopicName(Self.topics[number(0..<4)]), [token(), token(), token()])
        _ = try await world.messages.changeTopic(topic, app: MessageWorld.app, tokens: tokens, joins: number(0..<3) > 0)
    }

    private mutating func publish(_ world: MessageWorld) async throws {
        let target: MessageDraft.Target =
            switch number(0..<3) {
            case 0: .topic(try TopicName(Self.topics[number(0..<4)]))
            case 1: .tokens(try [token(), token(), token()].map { try RegistrationToken($0) })
            default: .condition(try Condition(Self.conditions[number(0..<3)]))
            }
        var publication = try MessageWorld.draft(to: target)
        publication.draft.ttl = .seconds(Int64([0, 20, 3_000, 2_000_000][number(0..<4)]))
        publication.draft.priority = number(0..<3) == 0 ? .high : .normal
        if number(0..<3) == 0 { publication.draft.collapseKey = try CollapseKey("k\(number(0..<2))") }
        if number(0..<5) == 0 { publication.draft.sendAt = world.clock.now + .seconds(Int64(number(1..<1_000))) }
        messages.append(try await world.messages.publish(app: MessageWorld.app, publication).id)
    }

    private mutating func callBack(_ world: MessageWorld) async throws {
        guard let message = one(messages) else { return }
        switch number(0..<3) {
        case 0: try await world.messages.cancel(message, app: MessageWorld.app)
        case 1: _ = try await world.messages.redrive(message, app: MessageWorld.app)
        default:
            let filter = DeliveryFilter(app: MessageWorld.app, message: message, state: nil, before: .max, limit: 5)
            guard let delivery = one(try await world.messages.deliveries(filter)) else { return }
            try await world.messages.retry(delivery.id, app: MessageWorld.app)
        }
    }

    private mutating func claim(_ world: MessageWorld) async throws -> [ClaimedDelivery] {
        let capacity = number(0..<2) == 0 ? [1: 0, 2: 1] : [Int64: Int]()
        return try await world.claim(number(1..<10), ofOrigin: number(1..<5), capacity: capacity, lease: .seconds(30)).deliveries
    }

    private mutating func settle(_ world: MessageWorld) async throws {
        guard !claimed.isEmpty else { return }
        let delivery = claimed.remove(at: number(0..<claimed.count))
        let later = world.clock.now + .seconds(Int64(number(0..<500)))
        let verdicts: [DeliveryVerdict] = [.delivered, .dead, .dead, .retry(at: later), .retry(at: later), .returned(due: later), .expired, .gone]
        try await world.settle(delivery, verdicts[number(0..<(number(0..<4) == 0 ? 8 : 7))])
    }

    private mutating func read(_ world: MessageWorld) async throws {
        let stream = try await world.messages.registration(app: MessageWorld.app, token: token()).id
        let page = try await world.messages.page(ofStream: stream, after: 0)
        try await world.messages.wroteToStream(page.items.map(\.delivery))
        if let item = one(page.items) { try await world.messages.acknowledge(stream: stream, through: item.delivery) }
    }

    private mutating func answer(_ world: MessageWorld) async throws {
        challenges += try await world.messages.claimChallenges(ChallengeRequest(limit: 2)).challenges
        guard !challenges.isEmpty else { return }
        try await world.messages.completed(challenges.remove(at: number(0..<challenges.count)), [.proven, .wrong, .notAsked][number(0..<3)])
    }
}
