import Messaging
import Platform
import TestSupport
import Testing

@testable import Store

@Suite struct SecretTests {
    /// With what the next delivery to a registration is signed, newest first.
    private static func keys(_ world: MessageWorld, _ token: String = "webhook-token") async throws -> [SigningKey] {
        try await world.publish(to: token)
        try await world.finish()
        let claimed = try #require(try await world.claim().deliveries.first)
        try await world.settle(claimed, .delivered)
        return claimed.keys
    }

    @Test func `a new secret signs beside the old one for a day`() async throws {
        try await MessageWorld.run { world in
            let first = try #require(try await world.register("webhook-token", at: "https://a.example/hook").secret)
            #expect(try await Self.keys(world) == [first])
            let second = try await world.messages.rotateSecret(app: MessageWorld.app, token: "webhook-token")
            #expect(second != first)
            #expect(try await Self.keys(world) == [second, first])
            // A client that sends its secret with every start does not end the grace.
            var draft = try MessageWorld.draft("webhook-token", nil)
            draft.secret = second
            #expect(try await world.messages.register(app: MessageWorld.app, draft, isTrusted: true).secret == nil)
            world.clock.advance(by: .hours(23))
            #expect(try await Self.keys(world) == [second, first])
            world.clock.advance(by: .hours(1))
            #expect(try await Self.keys(world) == [second])
            let brought = SigningKey(.symmetric, Array(repeating: 7, count: 24))
            draft.secret = brought
            _ = try await world.messages.register(app: MessageWorld.app, draft, isTrusted: true)
            #expect(try await Self.keys(world) == [brought, second])
            try await world.register("stream-token")
            await #expect(throws: Refusal.self) { try await world.messages.rotateSecret(app: MessageWorld.app, token: "stream-token") }
        }
    }

    @Test func `an app's secret signs for whoever has none`() async throws {
        try await MessageWorld.run { world in
            let own = try #require(try await world.register("webhook-token", at: "https://a.example/hook").secret)
            let ofApp = try await world.messages.rotateAppSecret(MessageWorld.app, .asymmetric)
            #expect(try await world.register("common-token", at: "https://b.example/hook").secret == nil)
            #expect(try await Self.keys(world, "common-token") == [ofApp])
            #expect(try await Self.keys(world) == [own])
            let next = try await world.messages.rotateAppSecret(MessageWorld.app, .asymmetric)
            #expect(try await Self.keys(world, "common-token") == [next, ofApp])
            world.clock.advance(by: .hours(24))
            #expect(try await Self.keys(world, "common-token") == [next])
            // One that signs in another way would not be understood by who knows the old one.
            let symmetric = try await world.messages.rotateAppSecret(MessageWorld.app, .symmetric)
            #expect(try await Self.keys(world, "common-token") == [symmetric])
            // Who gets a secret of their own goes on being signed for by the app's for a grace.
            let first = try await world.messages.rotateSecret(app: MessageWorld.app, token: "common-token")
            #expect(try await Self.keys(world, "common-token") == [first, symmetric])
        }
    }
}
