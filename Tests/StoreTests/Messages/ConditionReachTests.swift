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

/// Random registrations, topics, subscriptions and messages against a model of sets.
@Suite struct ConditionReachTests {
    private static let topics = ["a", "b", "c", "d"]
    private static let conditions = [
        "'a' in topics", "!('a' in topics)", "'a' in topics && 'b' in topics", "'a' in topics || 'c' in topics", "!('x' in topics)",
        "'a' in topics && !('b' in topics)", "('a' in topics || 'b' in topics) && !('c' in topics && 'd' in topics)",
        "!('a' in topics || 'b' in topics || 'c' in topics || 'd' in topics)",
        "('a' in topics && 'b' in topics) || ('c' in topics && !('d' in topics))",
    ]

    /// The model: the topics of each live token.
    private struct Model {
        var topics: [String: Set<String>] = [:]

        func members(_ topic: String) -> [String] { topics.filter { $0.value.contains(topic) }.map(\.key).sorted() }

        func matching(_ condition: Condition) -> [String] {
            topics.filter { _, held in condition.matches { held.contains(condition.topics[$0].text) } }.map(\.key).sorted()
        }
    }

    @Test(arguments: StoreWalks.seeds(few: 2))
    func `topics and conditions reach the audience of a naive model`(part: UInt64) async throws {
        var bounds = MessageBounds()
        bounds.chunk = 3
        try await MessageWorld.run(bounds) { world in
            for seed in (25 * part - 24)...(25 * part) { try await Self.run(seed, world) }
            try await world.expectWhole()
        }
    }

    @Test(arguments: [
        // The shortest spelling, and the longest and deepest conditions accepted.
        [String](repeating: "!'a'in topics", count: 333).joined(separator: "&&"),
        "'b'in topics||" + String(repeating: "('c'in topics&&('b'in topics||", count: 10) + "!'a'in topics" + String(repeating: "))", count: 10),
    ])
    func `extreme conditions reach their audience`(text: String) async throws {
        try await MessageWorld.run { world in
            for token in ["token-1-abc", "token-2-abc"] { try await world.register(token) }
            try await world.join("a", "token-1-abc")
            try await world.join("c", "token-1-abc", "token-2-abc")
            let published = try await world.messages.publish(app: MessageWorld.app, try MessageWorld.draft(to: .condition(try Condition(text))))
            #expect(published.audience == 1)
            try await world.finish()
            #expect(try await world.counts(published.id) == [.pending: 1])
            #expect(try await world.states("token-2-abc") == [.pending])
        }
    }

    @Test func `an unreadable condition fails the fan-out`() async throws {
        struct Undone: Error {}
        try await MessageWorld.run { world in
            try await world.register("token-1-abc")
            await #expect(throws: Undone.self) {
                try await world.messages.change { context in
                    _ = try context.publish(app: MessageWorld.app, try MessageWorld.draft(to: .condition(try Condition("!('a' in topics)"))))
                    try context.file.execute("UPDATE messages SET condition = '!('")
                    #expect(throws: Refusal.self) { try context.spread() }
                    throw Undone()
                }
            }
        }
    }

    /// Each seed uses its own app.
    private static func run(_ seed: UInt64, _ world: MessageWorld) async throws {
        var random = SeededGenerator(seed)
        let app = AppID(rawValue: Int64(seed))
        var model = Model()
        var expected: [(id: String, tokens: [String], what: String)] = []
        for step in 0..<25 {
            let token = model.topics.keys.sorted().randomElement(using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0...1:
                let token = "token-\(step)-abc"
                try await world.register(token, app: app)
                model.topics[token] = []
            case 2...5:
                guard let token, let topic = topics.randomElement(using: &random) else { continue }
                let joins = Int.random(in: 0..<3, using: &random) > 0
                if !joins { try await world.finish() }
                _ = try await world.messages.changeTopic(try TopicName(topic), app: app, tokens: [token], joins: joins)
                if joins { model.topics[token]?.insert(topic) } else { model.topics[token]?.remove(topic) }
            case 6:
                guard let token else { continue }
                try await world.finish()
                try await world.messages.remove(app: app, token: token)
                model.topics[token] = nil
            case 7:
                guard let topic = topics.randomElement(using: &random) else { continue }
                let published = try await world.publish(topic: topic, app: app)
                expected.append((published.id, model.members(topic), topic))
                #expect(published.audience == expected.last?.tokens.count, "\(topic), seed \(seed)")
            default:
                guard let text = conditions.randomElement(using: &random) else { continue }
                let condition = try Condition(text)
                let published = try await world.messages.publish(app: app, try MessageWorld.draft(to: .condition(condition)))
                expected.append((published.id, model.matching(condition), text))
                #expect(published.audience == expected.last?.tokens.count, "\(text), seed \(seed)")
            }
        }
        try await world.finish()
        for (id, tokens, what) in expected {
            // Removed registrations have no token to compare.
            let living = tokens.filter { model.topics[$0] != nil }
            let made = try await world.query("SELECT count(*) FROM deliveries d JOIN messages m ON m.id = d.message WHERE m.public = '\(id)'") {
                $0.int(0)
            }
            let reached = try await world.messages.deliveries(DeliveryFilter(app: app, message: id, state: nil, before: .max, limit: 100)).compactMap(
                \.token)
            #expect(made == [tokens.count] && reached.sorted() == living, "\(what), seed \(seed)")
        }
    }
}
