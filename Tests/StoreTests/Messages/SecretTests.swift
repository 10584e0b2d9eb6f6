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

@Suite struct SecretTests {
    /// Returns the keys that sign the next delivery, the newest first.
    private static func keys(_ world: MessageWorld, _ token: String = "webhook-token") async throws -> [SigningKey] {
        try await world.publish(to: token)
        try await world.finish()
        let claimed = try #require(try await world.claim().deliveries.first)
        try await world.settle(claimed, .delivered)
        return claimed.keys
    }

    @Test func `a replaced secret signs for one more day`() async throws {
        try await MessageWorld.run { world in
            let first = try #require(try await world.register("webhook-token", at: "https://a.example/hook").secret)
            #expect(try await Self.keys(world) == [first])
            let second = try await world.messages.rotateSecret(app: MessageWorld.app, token: "webhook-token")
            #expect(second != first)
            #expect(try await Self.keys(world) == [second, first])
            // A client that sends its secret at each start does not end the grace period.
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

    @Test func `up to four replaced secrets sign, each for its own day`() async throws {
        try await MessageWorld.run { world in
            var keys = [try #require(try await world.register("webhook-token", at: "https://a.example/hook").secret)]
            for _ in 1...3 {
                world.clock.advance(by: .hours(6))
                keys.insert(try await world.messages.rotateSecret(app: MessageWorld.app, token: "webhook-token"), at: 0)
            }
            #expect(try await Self.keys(world) == keys)
            for left in [3, 2, 1] {
                world.clock.advance(by: .hours(left == 3 ? 12 : 6))
                #expect(try await Self.keys(world) == Array(keys.prefix(left)))
            }
            for _ in 1...6 { keys.insert(try await world.messages.rotateSecret(app: MessageWorld.app, token: "webhook-token"), at: 0) }
            #expect(try await Self.keys(world) == Array(keys.prefix(5)))
            // A secret that is set again signs once.
            var draft = try MessageWorld.draft("webhook-token", nil)
            draft.secret = keys[2]
            _ = try await world.messages.register(app: MessageWorld.app, draft, isTrusted: true)
            #expect(try await Self.keys(world) == [keys[2], keys[0], keys[1], keys[3], keys[4]])
        }
    }

    @Test func `an app's secret signs for registrations without their own`() async throws {
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
            // A secret of another scheme signs beside the old one, which receivers know.
            let symmetric = try await world.messages.rotateAppSecret(MessageWorld.app, .symmetric)
            #expect(try await Self.keys(world, "common-token") == [symmetric, next])
            // After a registration gets its own secret, the app's still signs for a grace period.
            let first = try await world.messages.rotateSecret(app: MessageWorld.app, token: "common-token")
            #expect(try await Self.keys(world, "common-token") == [first, symmetric, next])
            #expect(try await Self.keys(world) == [own])
        }
    }
}
