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

@Suite struct AudienceTests {
    /// Returns the tokens for which a message has deliveries.
    static func reached(_ world: MessageWorld, _ id: String) async throws -> [String] {
        try await world.messages.deliveries(DeliveryFilter(app: MessageWorld.app, message: id, state: nil, before: .max, limit: 1_000))
            .compactMap(\.token).sorted()
    }

    private static let three = ["token-1-abc", "token-2-abc", "token-3-abc"]
    private static let one = {
        var bounds = MessageBounds()
        bounds.chunk = 1
        return bounds
    }()

    @Test func `subscribers who join after a publication or leave before their delivery get no delivery`() async throws {
        try await MessageWorld.run(Self.one) { world in
            for token in Self.three + ["token-4-abc", "token-5-abc"] { try await world.register(token) }
            try await world.join("news", "token-1-abc", "token-2-abc", "token-3-abc", "token-4-abc")
            // One transaction, so that no fan-out runs in between.
            let published = try await world.messages.change { context in
                let publication = try MessageWorld.draft(to: .topic(try TopicName("news")))
                let published = try context.publish(app: MessageWorld.app, publication)
                func change(_ token: String, _ body: (Int64) throws -> Void) throws {
                    try body(try context.registration(app: MessageWorld.app, token: token).id)
                }
                let news = try TopicName("news")
                try change("token-2-abc") { _ = try context.leave(news, registration: $0, app: MessageWorld.app) }
                try change("token-3-abc") {
                    _ = try context.leave(news, registration: $0, app: MessageWorld.app)
                    var held = 0
                    _ = try context.join(news, registration: $0, app: MessageWorld.app, held: &held)
                }
                try change("token-5-abc") {
                    var held = 0
                    _ = try context.join(news, registration: $0, app: MessageWorld.app, held: &held)
                }
                return published
            }
            #expect(published.audience == 4)
            try await world.finish()
            #expect(try await Self.reached(world, published.id) == ["token-1-abc", "token-4-abc"])
            #expect(try await world.messages.status(of: published.id, app: MessageWorld.app).stage == .spread)
            try await world.expectWhole()
        }
    }

    @Test func `a scheduled message reaches the subscribers at its send time`() async throws {
        try await MessageWorld.run { world in
            for token in Self.three { try await world.register(token, at: "https://a.example/hook") }
            try await world.join("news", "token-1-abc", "token-2-abc")
            let later = world.clock.now + .hours(1)
            let topic = try await world.publish(topic: "news") { ($0.sendAt, $0.ttl) = (later, .hours(2)) }
            let condition = MessageDraft.Target.condition(try Condition("'news' in topics && !('sport' in topics)"))
            let other = try await world.messages.publish(app: MessageWorld.app, try MessageWorld.draft(to: condition) { $0.sendAt = later })
            #expect(topic.audience == 2 && other.audience == 2)
            try await world.join("news", "token-1-abc", "token-2-abc", leaves: true)
            try await world.join("news", "token-2-abc", "token-3-abc")
            try await world.join("sport", "token-2-abc")
            world.clock.set(Timestamp(milliseconds: later.milliseconds - 1))
            try await world.finish()
            #expect(try await Self.reached(world, topic.id).isEmpty)
            world.clock.set(later)
            try await world.finish()
            #expect(try await Self.reached(world, topic.id) == ["token-2-abc", "token-3-abc"])
            #expect(try await Self.reached(world, other.id) == ["token-3-abc"])
            let status = try await world.messages.status(of: topic.id, app: MessageWorld.app)
            #expect(status.audience == 2 && status.content.sent == later && status.content.expires == later + .hours(2))
        }
    }

    @Test func `unregistered tokens are reported by index, and a duplicate token gets one delivery`() async throws {
        try await MessageWorld.run { world in
            for token in Self.three { try await world.register(token) }
            try await world.register("foreign-token", app: AppID(rawValue: 2))
            let published = try await world.publish(to: "token-2-abc", "gone-token", "token-1-abc", "token-2-abc", "foreign-token")
            #expect(published.audience == 2 && published.unregistered == [1, 4])
            try await world.finish()
            #expect(try await Self.reached(world, published.id) == ["token-1-abc", "token-2-abc"])
            let refusal = await #expect(throws: Refusal.self) { try await world.publish(to: "gone-token", "foreign-token") }
            #expect(refusal?.code == .unregistered)
            #expect(try await world.publish(topic: "nobody.there").audience == 0)
            let checked = try await world.messages.validate(
                app: MessageWorld.app,
                try MessageWorld.draft(to: .tokens([try RegistrationToken("token-1-abc"), try RegistrationToken("gone-token")])))
            #expect(checked.audience == 1 && checked.unregistered == [1])
            #expect(try await world.messages.list(app: MessageWorld.app, before: .max, limit: 10).count == 2)
            // Another app's message is not visible.
            await #expect(throws: Refusal.self) { try await world.messages.status(of: published.id, app: AppID(rawValue: 2)) }
        }
    }
}
