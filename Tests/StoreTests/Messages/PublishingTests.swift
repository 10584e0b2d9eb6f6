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

@Suite struct PublishingTests {
    private static let app = MessageWorld.app

    private static func key(_ text: String, _ hash: UInt8) -> IdempotencyKey { IdempotencyKey(key: text, hash: [hash]) }

    private static func tokens(_ count: Int) -> [String] { (0..<count).map { "token-\($0)-abc" } }

    /// Registers webhooks that subscribe to the topic news.
    private static func register(_ world: MessageWorld, _ count: Int) async throws {
        for token in tokens(count) {
            try await world.register(token, at: "https://a.example/hook")
            try await world.join("news", token)
        }
    }

    @Test func `an idempotency key returns the same response for a day and conflicts with another message`() async throws {
        try await MessageWorld.run { world in
            try await world.register("living-token")
            let first = try await world.publish(to: "gone-token", "living-token", key: Self.key("k", 1))
            try await world.messages.remove(app: Self.app, token: "living-token")
            world.clock.advance(by: .seconds(86_370))
            #expect(try await world.publish(to: "gone-token", "living-token", key: Self.key("k", 1)) == first && first.unregistered == [0])
            let refusal = await #expect(throws: Refusal.self) { try await world.publish(topic: "other", key: Self.key("k", 2)) }
            #expect(refusal?.code == .conflict && refusal?.fields.first?.field == "Idempotency-Key")
            #expect(try await world.messages.list(app: Self.app, before: .max, limit: 10).count == 1)
            #expect(try await world.publish(topic: "other", app: AppID(rawValue: 2), key: Self.key("k", 2)).id != first.id)
            world.clock.advance(by: .seconds(30))
            #expect(try await world.publish(topic: "other", key: Self.key("k", 2)).id != first.id)
            // A rejected request does not use up its key.
            await #expect(throws: Refusal.self) { try await world.publish(to: "gone-token", key: Self.key("l", 3)) }
            #expect(try await world.publish(topic: "other", key: Self.key("l", 4)).audience == 0)
            world.clock.advance(by: .hours(24))
            try await world.settleDown()
            #expect(try await world.query("SELECT key FROM idempotency") { $0.integer(0) }.isEmpty)
        }
    }

    @Test func `a newer message replaces pending ones with its collapse key`() async throws {
        try await MessageWorld.run { world in
            try await Self.register(world, 3)
            func score(_ change: (inout MessageDraft) throws -> Void = { _ in }) async throws -> Published {
                try await world.publish(topic: "news") { draft in
                    draft.collapseKey = try CollapseKey("score")
                    try change(&draft)
                }
            }
            let first = try await score()
            let other = try await world.publish(topic: "news") { $0.collapseKey = try CollapseKey("weather") }
            try await world.finish()
            let sending = try await world.claim(2).deliveries
            try await world.settle(sending[0], .retry(at: world.clock.now + .minutes(5)))
            // The three are pending, retrying and sending.
            let second = try await score()
            try await world.finish()
            #expect(try await world.counts(first.id) == [.cancelled: 2, .sending: 1])
            // The one in flight is not retried.
            try await world.settle(sending[1], .retry(at: world.clock.now + .minutes(5)))
            #expect(try await world.counts(first.id) == [.cancelled: 3])
            #expect(try await world.counts(other.id) == [.pending: 3])
            // The older message must be replaced even though the newer one is urgent.
            let both = try await world.messages.change { context in
                func publish(_ priority: MessagePriority) throws -> Published {
                    let publication = try MessageWorld.draft(to: .topic(try TopicName("news"))) {
                        ($0.collapseKey, $0.priority) = (try CollapseKey("score"), priority)
                    }
                    return try context.publish(app: Self.app, publication)
                }
                return [try publish(.normal), try publish(.high)]
            }
            try await world.finish()
            #expect(try await world.counts(second.id) == [.cancelled: 3])
            #expect(try await world.counts(both[0].id) == [.cancelled: 3])
            #expect(try await world.counts(both[1].id) == [.pending: 3])
            // A scheduled message counts as newer if it is sent later.
            let later = try await score { $0.sendAt = world.clock.now + .hours(1) }
            let sooner = try await score()
            try await world.finish()
            world.clock.advance(by: .hours(1))
            try await world.finish()
            #expect(try await world.counts(sooner.id) == [.cancelled: 3])
            #expect(try await world.counts(later.id) == [.pending: 3])
            try await world.expectWhole()
        }
    }

    @Test func `urgent messages are fanned out first and completely`() async throws {
        var bounds = MessageBounds()
        bounds.chunk = 2
        try await MessageWorld.run(bounds) { world in
            try await Self.register(world, 5)
            let published = try await world.messages.change { context in
                try [MessagePriority.normal, .normal, .high].map { priority in
                    let publication = try MessageWorld.draft(to: .topic(try TopicName("news"))) { $0.priority = priority }
                    return try context.publish(app: Self.app, publication).id
                }
            }
            try await world.finish()
            let order = try await world.query("SELECT m.public FROM deliveries d JOIN messages m ON m.id = d.message ORDER BY d.id") { $0.text(0) }
            #expect(order == [2, 0, 1].flatMap { Array(repeating: published[$0], count: 5) })
            #expect(try await world.claim(5).deliveries.allSatisfy { $0.webhookID.hasPrefix(published[2]) })
        }
    }

    @Test func `a delivery replaced in flight keeps its outcome and is not claimed again`() async throws {
        try await MessageWorld.run { world in
            try await Self.register(world, 2)
            let ids = [try await world.publish(topic: "news") { $0.collapseKey = try CollapseKey("score") }.id]
            try await world.finish()
            let sending = try await world.claim(lease: .seconds(30)).deliveries
            #expect(sending.count == 2)
            try await world.publish(topic: "news") { $0.collapseKey = try CollapseKey("score") }
            try await world.finish()
            try await world.settle(sending[0], .delivered)
            world.clock.advance(by: .seconds(30))
            #expect(try await world.claim().deliveries.allSatisfy { !$0.webhookID.hasPrefix(ids[0]) })
            #expect(try await world.counts(ids[0]) == [.delivered: 1, .cancelled: 1])
            try await world.expectWhole()
        }
    }

    @Test func `cancelling closes unacknowledged stream deliveries`() async throws {
        try await MessageWorld.run { world in
            let stream = try await world.register("stream-token").registration.id
            let id = try await world.publish(to: "stream-token").id
            try await world.finish()
            let page = try await world.messages.page(ofStream: stream, after: 0)
            try await world.messages.wroteToStream(page.items.map(\.delivery))
            #expect(try await world.counts(id) == [.sent: 1])
            try await world.messages.cancel(id, app: Self.app)
            try await world.finish()
            #expect(try await world.counts(id) == [.cancelled: 1])
            #expect(try await world.messages.page(ofStream: stream, after: 0).items.isEmpty)
            try await world.messages.acknowledge(stream: stream, through: page.items[0].delivery)
            #expect(try await world.counts(id) == [.cancelled: 1])
            try await world.expectWhole()
        }
    }

    @Test func `cancelling withdraws unsent deliveries in every stage`() async throws {
        var bounds = MessageBounds()
        bounds.chunk = 2
        try await MessageWorld.run(bounds) { world in
            try await Self.register(world, 7)
            let scheduled = try await world.publish(topic: "news") { $0.sendAt = world.clock.now + .hours(1) }
            try await world.messages.cancel(scheduled.id, app: Self.app)
            // Once before and once within the fan-out.
            let half = try await world.messages.change { context in
                let ids = try (0..<2).map { _ in
                    try context.publish(app: Self.app, try MessageWorld.draft(to: .topic(try TopicName("news")))).id
                }
                for _ in 0..<2 { #expect(try context.spread()) }
                for id in ids { try context.cancel(id, app: Self.app) }
                return ids
            }
            try await world.finish()
            #expect(try await world.counts(half[0]) == [.cancelled: 4])
            #expect(try await world.counts(half[1]).isEmpty)
            let whole = try await world.publish(topic: "news")
            try await world.finish()
            let sending = try await world.claim(4).deliveries
            try await world.settle(sending[0], .delivered)
            try await world.settle(sending[1], .retry(at: world.clock.now + .minutes(5)))
            try await world.messages.cancel(whole.id, app: Self.app)
            try await world.finish()
            #expect(try await world.counts(whole.id) == [.delivered: 1, .sending: 2, .cancelled: 4])
            // A delivery in flight is not retried, whether its outcome is reported or not.
            try await world.settle(sending[2], .retry(at: world.clock.now + .minutes(5)))
            world.clock.advance(by: .minutes(1))
            #expect(try await world.claim().deliveries.isEmpty)
            #expect(try await world.counts(whole.id) == [.delivered: 1, .cancelled: 6])
            world.clock.advance(by: .hours(1))
            try await world.settleDown()
            for id in [scheduled.id, half[0], half[1], whole.id] {
                #expect(try await world.messages.status(of: id, app: Self.app).stage == .cancelled)
            }
            #expect(try await world.counts(scheduled.id).isEmpty)
            await #expect(throws: Refusal.self) { try await world.messages.cancel(whole.id, app: AppID(rawValue: 2)) }
            try await world.expectWhole()
        }
    }
}
