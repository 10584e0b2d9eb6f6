// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform
import TestSupport
import Testing

@testable import Database
@testable import MessageStore

/// Owners of devices at moments that requests cannot reach: during a fan-out, at a redrive, at a repetition.
@Suite struct OwnerTests {
    private static let app = MessageWorld.app
    private static let (first, second): ([UInt8], [UInt8]) = ([1, 1], [2, 2])

    private static func own(_ world: MessageWorld, _ token: String, _ user: String, _ session: [UInt8], at url: String? = nil) async throws {
        var draft = try MessageWorld.draft(token, try url.map { try MessageWorld.webhook($0) } ?? .stream, user: user)
        draft.proof = .session(session)
        _ = try await world.messages.register(app: app, draft, isTrusted: url != nil)
    }

    private static func states(_ world: MessageWorld, _ message: Published) async throws -> [DeliveryState: Int] {
        try await world.messages.status(of: message.id, app: app).counts
    }

    @Test func `a device that is released before its delivery is created is not reached`() async throws {
        try await MessageWorld.run { world in
            try await Self.own(world, "token-ana-1", "ana", Self.first)
            try await Self.own(world, "token-ana-2", "ana", Self.second)
            let sent = try await world.messages.publish(
                app: Self.app, try MessageWorld.draft(to: .user("ana")) { $0.sendAt = world.clock.now + .seconds(60) })
            #expect(sent.audience == 2)
            try await world.messages.follow([], releasing: [Self.first])
            world.clock.advance(by: .seconds(61))
            try await world.finish()
            #expect(try await Self.states(world, sent) == [.pending: 1])
        }
    }

    @Test func `a redrive does not reach the next owner`() async throws {
        try await MessageWorld.run { world in
            for token in ["token-ana-1", "token-ana-2"] { try await Self.own(world, token, "ana", Self.first, at: "https://a.example/\(token)") }
            let sent = try await world.messages.publish(app: Self.app, try MessageWorld.draft(to: .user("ana")))
            try await world.finish()
            for delivery in try await world.claim(2).deliveries { try await world.settle(delivery, .dead) }
            #expect(try await Self.states(world, sent) == [.dead: 2])
            try await Self.own(world, "token-ana-2", "bob", Self.second, at: "https://a.example/token-ana-2")
            #expect(try await world.messages.redrive(sent.id, app: Self.app) == 1)
        }
    }

    @Test func `a repeated step publishes an event once, and an event of a restored folder is another one`() async throws {
        try await MessageWorld.run { world in
            try await world.register("token-server")
            try await world.messages.change { context in
                var held = 0
                let id = try context.registration(app: Self.app, token: "token-server").id
                _ = try context.join(TopicName(DaemonTopic.accounts), registration: id, app: Self.app, held: &held)
            }
            func events(_ numbers: ClosedRange<Int64>, at time: Timestamp) throws -> [AccountMessage] {
                try numbers.map {
                    AccountMessage(
                        seq: $0, time: time, app: Self.app, publication: try MessageWorld.draft(to: .topic(TopicName(DaemonTopic.accounts))))
                }
            }
            func published() async throws -> Int { try await world.messages.list(app: Self.app, before: .max, limit: 100).count }
            let now = world.clock.now
            try await world.messages.follow(try events(1...3, at: now), releasing: [])
            try await world.messages.follow(try events(1...3, at: now), releasing: [])
            #expect(try await published() == 3)
            // Killed before the first were forgotten, while others arrived.
            try await world.messages.follow(try events(1...5, at: now), releasing: [])
            #expect(try await published() == 5)
            try await world.messages.follow(try events(4...5, at: now + .days(1)), releasing: [])
            #expect(try await published() == 7)
        }
    }

    @Test func `a stream that waits rereads after a release, so that a withdrawn message is not written`() async throws {
        try await MessageWorld.run { world in
            try await Self.own(world, "token-ana-1", "ana", Self.first)
            let id = try await world.messages.registration(app: Self.app, token: "token-ana-1").id
            let listener = try world.messages.streams.join(id)
            _ = try await world.messages.publish(app: Self.app, try MessageWorld.draft(to: .user("ana")))
            try await world.finish()
            try await world.messages.follow([], releasing: [Self.first])
            if case .deliveries(let kept) = listener.take() { #expect(kept.isEmpty, "the notification of a withdrawn delivery was kept") }
            #expect(try await world.messages.page(ofStream: id, after: 0).items.isEmpty)
        }
    }
}
