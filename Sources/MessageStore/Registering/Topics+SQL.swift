// SPDX-License-Identifier: Apache-2.0

import Database
package import Messaging
package import Platform
import SQLite

/// A topic with its number of subscribers.
package struct TopicCount: Sendable, Equatable {
    package var name: String
    package var subscribers: Int
    package var created: Timestamp
}

/// A registration's subscription to a topic.
package struct Subscription: Sendable, Equatable {
    package var topic: String
    package var created: Timestamp

    package init(topic: String, created: Timestamp) {
        self.topic = topic
        self.created = created
    }
}

extension MessageStore {
    /// Subscribes a registration to topics and unsubscribes it from others, all or nothing. Returns the numbers of changes.
    package func changeTopics(app: AppID, token: String, subscribe: [TopicName], unsubscribe: [TopicName]) async throws -> (joined: Int, left: Int) {
        try await change { context in
            let id = try context.registration(app: app, token: token).id
            let left = try unsubscribe.count { try context.leave($0, registration: id, app: app) }
            // Counted once, because counting for each topic would take quadratic time.
            var held = try context.topicCount(ofRegistration: id)
            let joined = try subscribe.count { try context.join($0, registration: id, app: app, held: &held) }
            return (joined, left)
        }
    }

    /// Subscribes registrations to a topic or unsubscribes them. Returns an error or nil for each, in order.
    package func changeTopic(_ topic: TopicName, app: AppID, tokens: [String], joins: Bool) async throws -> [Refusal?] {
        try await change { context in
            try tokens.map { token in
                do {
                    let id = try context.registration(app: app, token: token).id
                    var held = joins ? try context.topicCount(ofRegistration: id) : 0
                    _ =
                        joins
                        ? try context.join(topic, registration: id, app: app, held: &held) : try context.leave(topic, registration: id, app: app)
                    return nil
                } catch let refusal as Refusal {
                    return refusal
                }
            }
        }
    }

    /// Returns topics with subscribers, by name.
    package func topics(app: AppID, after name: String, limit: Int) async throws -> [TopicCount] {
        try await read { file in
            try file.statement("SELECT name, subscribers, created FROM topics WHERE app = ? AND name > ? ORDER BY name LIMIT ?")
                .all(.integer(app.rawValue), .text(name), .integer(limit)) { TopicCount($0) }
        }
    }

    /// Returns a topic. Nil if it has no subscribers.
    package func topic(_ name: TopicName, app: AppID) async throws -> TopicCount? {
        try await read { file in
            try file.statement("SELECT name, subscribers, created FROM topics WHERE app = ? AND name = ?")
                .first(.integer(app.rawValue), .text(name.text)) { TopicCount($0) }
        }
    }

    /// Returns a topic's subscribers after one, in order of registration.
    package func subscribers(of name: TopicName, app: AppID, after id: Int64, limit: Int) async throws -> [Registration] {
        let cuts = Cuts(limits, now: clock.now())
        return try await read { file in
            guard let topic = try file.topic(name.text, app: app) else { return [] }
            return try file.subscribers(ofTopic: topic, after: id, limit: limit, cuts)
        }
    }

    /// Returns the names of a registration's topics.
    package func topics(ofRegistration id: Int64) async throws -> [String] {
        try await read { file in
            try file.statement("SELECT t.name FROM subscriptions s JOIN topics t ON t.id = s.topic WHERE s.registration = ? ORDER BY t.name")
                .all(.integer(id)) { $0.text(0) }
        }
    }
}

extension MessageStore {
    /// Returns a registration's subscriptions after a topic, by name.
    package func subscriptions(ofRegistration id: Int64, after topic: String, limit: Int) async throws -> [Subscription] {
        try await read { file in
            try file.statement("\(Subscription.select) AND t.name > ? ORDER BY t.name LIMIT ?")
                .all(.integer(id), .text(topic), .integer(limit)) { Subscription($0) }
        }
    }

    package func subscription(ofRegistration id: Int64, to topic: String) async throws -> Subscription? {
        try await read { file in
            try file.statement("\(Subscription.select) AND t.name = ?").first(.integer(id), .text(topic)) { Subscription($0) }
        }
    }
}

extension Refusal {
    static func tooManyTopics(_ limits: MessageBounds) -> Refusal {
        Refusal(
            .invalid, "A registration can subscribe to \(limits.topicsOfRegistration) topics.", hint: "Unsubscribe it from another topic.",
            fields: [.init("topic", "too_many_topics", "exceeds the topics of a registration")])
    }
}

extension Subscription {
    fileprivate static let select = "SELECT t.name, s.created FROM subscriptions s JOIN topics t ON t.id = s.topic WHERE s.registration = ?"

    fileprivate init(_ row: Row) {
        self.init(topic: row.text(0), created: Timestamp(milliseconds: row.integer(1)))
    }
}

extension TopicCount {
    fileprivate init(_ row: Row) {
        self.init(name: row.text(0), subscribers: row.int(1), created: Timestamp(milliseconds: row.integer(2)))
    }
}

extension MessageDB {
    func topic(_ name: String, app: AppID) throws -> Int64? {
        try statement("SELECT id FROM topics WHERE app = ? AND name = ?").first(.integer(app.rawValue), .text(name)) { $0.integer(0) }
    }
}

extension MessageContext {
    func topicCount(ofRegistration id: Int64) throws -> Int {
        try file.statement("SELECT count(*) FROM subscriptions WHERE registration = ?").first(.integer(id)) { $0.int(0) } ?? 0
    }

    /// Subscribes a registration. Returns false if it was subscribed. `held` is the number of its topics.
    func join(_ topic: TopicName, registration: Int64, app: AppID, held: inout Int) throws -> Bool {
        let known = try file.topic(topic.text, app: app)
        if let known, try isSubscribed(registration, to: known) { return false }
        guard held < limits.topicsOfRegistration else {
            throw Refusal.tooManyTopics(limits)
        }
        // The topic is inserted after the checks, because topics without subscribers do not exist.
        let id = try known ?? makeTopic(topic.text, app: app)
        try file.statement("INSERT INTO subscriptions (topic, registration, created) VALUES (?, ?, ?)")
            .run(integers: [id, registration, now.milliseconds])
        try file.statement("UPDATE topics SET subscribers = subscribers + 1 WHERE id = ?").run(integers: [id])
        held += 1
        return true
    }

    private func isSubscribed(_ registration: Int64, to topic: Int64) throws -> Bool {
        try file.statement("SELECT 1 FROM subscriptions WHERE topic = ? AND registration = ?")
            .first(.integer(topic), .integer(registration)) { _ in true } ?? false
    }

    /// Unsubscribes a registration. Returns whether it was subscribed.
    func leave(_ topic: TopicName, registration: Int64, app: AppID) throws -> Bool {
        guard let id = try file.topic(topic.text, app: app) else { return false }
        return try leave(id, registration)
    }

    func leaveAllTopics(registration: Int64) throws {
        let topics = try file.statement("SELECT topic FROM subscriptions WHERE registration = ?").all(.integer(registration)) { $0.integer(0) }
        for topic in topics { _ = try leave(topic, registration) }
    }

    private func leave(_ topic: Int64, _ registration: Int64) throws -> Bool {
        try file.statement("DELETE FROM subscriptions WHERE topic = ? AND registration = ?").run(integers: [topic, registration])
        guard file.changes == 1 else { return false }
        try file.statement("UPDATE topics SET subscribers = subscribers - 1 WHERE id = ?").run(integers: [topic])
        try file.statement("DELETE FROM topics WHERE id = ? AND subscribers = 0").run(integers: [topic])
        return true
    }

    private func makeTopic(_ name: String, app: AppID) throws -> Int64 {
        try file.statement("INSERT INTO topics (app, name, created) VALUES (?, ?, ?)")
            .run(.integer(app.rawValue), .text(name), .integer(now.milliseconds))
        return file.lastInsertedRow
    }
}
