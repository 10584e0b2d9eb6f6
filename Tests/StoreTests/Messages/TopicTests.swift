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

@Suite struct TopicTests {
    private static func name(_ text: String) throws -> TopicName { try TopicName(text) }

    private static func topics(_ world: MessageWorld) async throws -> [String] {
        try await world.messages.topics(app: MessageWorld.app, after: "", limit: 100).map { "\($0.name) \($0.subscribers)" }
    }

    @Test func `a topic exists and is counted from its first to its last subscriber`() async throws {
        try await MessageWorld.run { world in
            for number in 1...5 { try await world.register("token-\(number)-abc") }
            let results = try await world.messages.changeTopic(
                try Self.name("news"), app: MessageWorld.app, tokens: ["token-1-abc", "nobody-at-all", "token-2-abc", "token-1-abc"], joins: true)
            #expect(results.map { $0?.code } == [nil, .unregistered, nil, nil])
            let changed = try await world.messages.changeTopics(
                app: MessageWorld.app, token: "token-3-abc", subscribe: ["b", "a", "news", "a"].map(Self.name),
                unsubscribe: ["news", "x"].map(Self.name))
            #expect(changed == (joined: 3, left: 0))
            #expect(try await Self.topics(world) == ["a 1", "b 1", "news 3"])
            #expect(try await world.messages.topics(app: MessageWorld.app, after: "a", limit: 1).map(\.name) == ["b"])
            #expect(try await world.messages.topics(app: AppID(rawValue: 2), after: "", limit: 10).isEmpty)
            let id = try await world.messages.registration(app: MessageWorld.app, token: "token-3-abc").id
            #expect(try await world.messages.topics(ofRegistration: id) == ["a", "b", "news"])
            let page = try await world.messages.subscribers(of: try Self.name("news"), app: MessageWorld.app, after: 0, limit: 2)
            #expect(page.map(\.token) == ["token-1-abc", "token-2-abc"])
            let rest = try await world.messages.subscribers(of: try Self.name("news"), app: MessageWorld.app, after: page[1].id, limit: 2)
            #expect(rest.map(\.token) == ["token-3-abc"])
            let left = try await world.messages.changeTopics(
                app: MessageWorld.app, token: "token-3-abc", subscribe: [], unsubscribe: ["a", "a", "b"].map(Self.name))
            #expect(left == (joined: 0, left: 2))
            #expect(try await Self.topics(world) == ["news 3"])
            for token in ["token-1-abc", "token-2-abc", "token-3-abc"] { try await world.messages.remove(app: MessageWorld.app, token: token) }
            #expect(try await Self.topics(world).isEmpty)
            try await world.expectWhole()
        }
    }

    @Test func `a registration's topics are limited, and a rejected change changes nothing`() async throws {
        var bounds = MessageBounds()
        bounds.topicsOfRegistration = 3
        try await MessageWorld.run(bounds) { world in
            try await world.register("crowded-token")
            try await world.register("another-token")
            await #expect(throws: Refusal.self) {
                try await world.messages.changeTopics(
                    app: MessageWorld.app, token: "crowded-token", subscribe: ["a", "b", "c", "d"].map(Self.name), unsubscribe: [])
            }
            #expect(try await Self.topics(world).isEmpty)
            for topic in ["a", "b", "c"] { try await world.join(topic, "crowded-token") }
            let results = try await world.messages.changeTopic(
                try Self.name("d"), app: MessageWorld.app, tokens: ["crowded-token", "another-token"], joins: true)
            #expect(results.map { $0?.fields.first?.code } == ["too_many_topics", nil])
            #expect(try await Self.topics(world) == ["a 1", "b 1", "c 1", "d 1"])
            _ = try await world.messages.changeTopic(try Self.name("e"), app: MessageWorld.app, tokens: ["crowded-token"], joins: true)
            // Subscribing again, or in exchange for another topic, does not exceed the limit.
            try await world.join("a", "crowded-token")
            _ = try await world.messages.changeTopics(
                app: MessageWorld.app, token: "crowded-token", subscribe: [try Self.name("e")], unsubscribe: [try Self.name("a")])
            #expect(try await Self.topics(world) == ["b 1", "c 1", "d 1", "e 1"])
            try await world.expectWhole()
        }
    }
}
