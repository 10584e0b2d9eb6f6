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

/// Limits of the challenges that unconfirmed endpoints cause.
@Suite struct ChallengeTests {
    private static func take(_ world: MessageWorld, _ wishes: ChallengeRequest = ChallengeRequest(limit: 10)) async throws -> [Challenge] {
        try await world.messages.claimChallenges(wishes).challenges
    }

    private static func register(_ world: MessageWorld, _ token: String, at url: String) async throws {
        try await world.register(token, at: url, isTrusted: false)
    }

    @Test func `an origin gets two challenges at once and does not block others`() async throws {
        try await MessageWorld.run { world in
            for number in 0..<5 { try await Self.register(world, "many-token-\(number)", at: "https://many.example/\(number)") }
            try await Self.register(world, "single-token", at: "https://single.example/hook")
            let first = try await Self.take(world)
            #expect(first.map(\.url) == ["https://many.example/0", "https://many.example/1", "https://single.example/hook"])
            let many = first[0].origin
            #expect(try await Self.take(world, ChallengeRequest(limit: 10, open: [many: 2])).isEmpty)
            // `next` does not cover endpoints that wait for capacity, which responses free.
            let waiting = try await world.messages.claimChallenges(ChallengeRequest(limit: 10, open: [many: 2]))
            #expect(waiting.next == world.clock.now + .seconds(10))
            #expect(try await Self.take(world, ChallengeRequest(limit: 10, open: [many: 1])).map(\.url) == ["https://many.example/2"])
            try await world.expectWhole()
        }
    }

    @Test func `unconfirmed endpoints are limited per origin and app, and responses free places`() async throws {
        var bounds = MessageBounds()
        (bounds.unconfirmedPerOrigin, bounds.unconfirmedPerApp) = (3, 5)
        try await MessageWorld.run(bounds) { world in
            for number in 0..<3 { try await Self.register(world, "many-token-\(number)", at: "https://many.example/\(number)") }
            await #expect(throws: Refusal.self) { try await Self.register(world, "many-token-3", at: "https://many.example/3") }
            for number in 0..<2 { try await Self.register(world, "other-token-\(number)", at: "https://\(number).example/") }
            await #expect(throws: Refusal.self) { try await Self.register(world, "other-token-2", at: "https://2.example/") }
            // A changed registration is limited as well. Renewals of pending ones and trusted clients are not.
            try await world.register("stream-token", at: nil, isTrusted: false)
            await #expect(throws: Refusal.self) { try await Self.register(world, "stream-token", at: "https://3.example/") }
            try await Self.register(world, "many-token-1", at: "https://many.example/1")
            try await world.register("trusted-token", at: "https://many.example/9", isTrusted: true)
            let challenge = try #require(try await Self.take(world).first)
            try await world.messages.completed(challenge, .proven)
            try await Self.register(world, "many-token-3", at: "https://many.example/3")
            try await world.expectWhole()
        }
    }

    @Test func `origins take turns for challenges`() async throws {
        try await MessageWorld.run { world in
            for number in 0..<12 {
                try await Self.register(world, "turn-token-\(number)", at: "https://\("abc".dropFirst(number % 3).prefix(1)).example/\(number)")
            }
            var (place, hosts) = (Int64(0), "")
            for _ in 0..<4 {
                let taken = try await world.messages.claimChallenges(ChallengeRequest(limit: 2, after: place))
                place = taken.through
                hosts += taken.challenges.map { String($0.url.dropFirst(8).prefix(1)) }.joined()
            }
            #expect(hosts == "aabbccaa")
        }
    }

    @Test func `changing an endpoint back and forth causes no extra challenges`() async throws {
        try await MessageWorld.run { world in
            let urls = ["https://a.example/hook", "https://stranger.example/hook"]
            var asked = 0
            for number in 0..<20 {
                try await Self.register(world, "moving-token", at: urls[number % 2])
                asked += try await Self.take(world).count
                // A detour through a stream does not help either, although it needs no confirmation.
                var draft = RegistrationDraft()
                draft.endpoint = .stream
                if number % 3 == 0 { _ = try await world.messages.update(app: MessageWorld.app, token: "moving-token", draft, isTrusted: false) }
                world.clock.advance(by: .seconds(1))
            }
            #expect(asked == 2)
            world.clock.advance(by: .seconds(10))
            #expect(try await Self.take(world).map(\.url) == [urls[1]])
        }
    }

    @Test func `a challenge that was not sent is not an attempt`() async throws {
        try await MessageWorld.run { world in
            try await Self.register(world, "waiting-token", at: "https://a.example/hook")
            for _ in 0..<5 {
                let challenge = try #require(try await Self.take(world).first)
                #expect(challenge.tries == 1)
                try await world.messages.completed(challenge, .notAsked)
                #expect(try await Self.take(world).isEmpty)
                world.clock.advance(by: .seconds(10))
            }
            #expect(try await world.messages.registration(app: MessageWorld.app, token: "waiting-token").state == .pending)
        }
    }
}
