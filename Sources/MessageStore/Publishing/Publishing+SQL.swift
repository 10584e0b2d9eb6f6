// SPDX-License-Identifier: Apache-2.0

import Crypto
import Database
package import Messaging
package import Platform
import SQLite

/// The identity of a request for idempotency: the client's key, and a hash of the content.
package struct IdempotencyKey: Sendable {
    package var key: String
    package var hash: [UInt8]

    package init(key: String, hash: [UInt8]) {
        self.key = key
        self.hash = hash
    }
}

extension MessageStore {
    /// Stores a message with its fence and audience. The deliveries are created after that, see `MessageContext.spread`.
    ///
    /// A request repeated with the same idempotency key gets the same result within 24 hours. With another content it is rejected:
    ///
    ///     publish(m, key k)    → msg_1
    ///     publish(m, key k)    → msg_1, nothing stored
    ///     publish(m2, key k)   → conflict
    package func publish(app: AppID, _ publication: Publication, _ key: IdempotencyKey? = nil) async throws -> Published {
        try await change { context in
            if let key, let before = try context.published(under: key, app: app) { return before }
            let published = try context.publish(app: app, publication)
            if let key { try context.remember(published, for: key, app: app) }
            return published
        }
    }

    /// Returns the present audience of a message without storing it.
    package func validate(app: AppID, _ publication: Publication) async throws -> Published {
        let cuts = Cuts(limits, now: clock.now())
        return try await read { file in
            let (audience, unregistered) = try file.audience(of: publication.draft.target, app: app, cuts)
            return Published(id: "validated", audience: try audience.count(file, cuts), unregistered: unregistered)
        }
    }
}

extension MessageDB {
    /// Resolves a target. Returns the positions of tokens without a registration, and throws if no token has one.
    func audience(of target: MessageDraft.Target, app: AppID, _ cuts: Cuts) throws -> (Audience, unregistered: [Int]) {
        var unregistered: [Int] = []
        let resolved: Audience.Target
        switch target {
        case .topic(let name): resolved = .topic(try topic(name.text, app: app))
        case .condition(let condition): resolved = .condition(condition, topics: try condition.topics.map { try topic($0.text, app: app) })
        case .token(let token): (resolved, unregistered) = try registrations(of: [token], app: app, cuts)
        case .tokens(let tokens): (resolved, unregistered) = try registrations(of: tokens, app: app, cuts)
        case .user(let user): resolved = .user(user)
        }
        let fence = try last("subscriptions")
        return (Audience(app: app, target: resolved, fence: fence, lastRegistration: try last("registrations")), unregistered)
    }

    private func registrations(of tokens: [RegistrationToken], app: AppID, _ cuts: Cuts) throws -> (Audience.Target, unregistered: [Int]) {
        var ids: Set<Int64> = []
        var unregistered: [Int] = []
        for (place, token) in tokens.enumerated() {
            let found = try registration(app: app, token: token.text, cuts)
            if let found, found.state.isReached { ids.insert(found.id) } else { unregistered.append(place) }
        }
        if ids.isEmpty { throw Refusal.noneRegistered }
        return (.registrations(ids.sorted()), unregistered)
    }

    /// Returns the last number assigned in a table.
    package func last(_ table: String) throws -> Int64 {
        try statement("SELECT seq FROM sqlite_sequence WHERE name = ?").first(.text(table)) { $0.integer(0) } ?? 0
    }
}

extension Refusal {
    fileprivate static var noneRegistered: Refusal {
        Refusal(.unregistered, "None of the tokens is registered.", hint: "Discard these tokens and send to registered ones.")
    }
}

extension MessageContext {
    func publish(app: AppID, _ publication: Publication) throws -> Published {
        let id = randomToken(prefix: "msg_", bits: 128)
        let waits = publication.draft.sendAt.map { $0 > now } ?? false
        // The audience of a scheduled message is fixed at its time. The response contains the present size.
        let (audience, unregistered) = try file.audience(of: publication.draft.target, app: app, cuts)
        let count = try audience.count(file, cuts)
        try insert(id, app: app, publication, audience, count: count, isScheduled: waits)
        leavesWork = true
        countPublished()
        return Published(id: id, audience: count, unregistered: unregistered)
    }

    private func insert(
        _ id: String, app: AppID, _ publication: Publication, _ audience: Audience, count: Int, isScheduled: Bool
    ) throws {
        let draft = publication.draft
        let sent = isScheduled ? draft.sendAt ?? now : now
        let life = draft.ttl > .seconds(0) ? draft.ttl : limits.lifetimeOfZeroTTL
        try file.statement(
            """
            INSERT INTO messages (app, public, stage, topic_name, condition, registrations, notification, data, platform, text, label, collapse_key,
                priority, ttl, created, send_at, sent, expires, fence, last_registration, audience, addressee, about)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).run(
            .integer(app.rawValue), .text(id), .integer((isScheduled ? MessageStage.scheduled : .spreading).rawValue),
            .text(draft.target.topicName), .text(draft.target.condition), audience.listed,
            publication.notification.map { .blob($0) } ?? .null, publication.data.map { .blob($0) } ?? .null,
            publication.platform.map { .blob($0) } ?? .null, .text(publication.text?.text),
            .text(draft.label?.text), .text(draft.collapseKey?.text), .integer(draft.priority.rawValue), .integer(life.milliseconds),
            .integer(now.milliseconds), .integer(draft.sendAt?.milliseconds), isScheduled ? .null : .integer(sent.milliseconds),
            .integer((sent + life).milliseconds), .integer(audience.fence), .integer(audience.lastRegistration), .integer(count),
            .text(draft.target.user), .text(publication.about))
    }

    // MARK: The same request again

    fileprivate func published(under key: IdempotencyKey, app: AppID) throws -> Published? {
        let known = try file.statement("SELECT hash, answer FROM idempotency WHERE app = ? AND key = ? AND until > ?")
            .first(.integer(app.rawValue), .text(key.key), .integer(now.milliseconds)) { ($0.bytes(0), $0.text(1)) }
        guard let (hash, response) = known else { return nil }
        guard hash == key.hash else {
            throw Refusal(
                .conflict, "This Idempotency-Key was used for another message.", hint: "Use a new key for each message.",
                fields: [.init("Idempotency-Key", "used", "was used for another message")])
        }
        return Published(stored: response)
    }

    fileprivate func remember(_ published: Published, for key: IdempotencyKey, app: AppID) throws {
        try file.statement("INSERT OR REPLACE INTO idempotency (app, key, hash, answer, until) VALUES (?, ?, ?, ?, ?)").run(
            .integer(app.rawValue), .text(key.key), .blob(key.hash), .text(published.stored),
            .integer((now + limits.idempotency).milliseconds))
    }
}

extension Audience {
    fileprivate var listed: Value {
        if case .registrations(let ids) = target { .words(ids.map { UInt64(bitPattern: $0) }) } else { .null }
    }
}

extension MessageDraft.Target {
    fileprivate var topicName: String? {
        if case .topic(let name) = self { name.text } else { nil }
    }

    fileprivate var condition: String? {
        if case .condition(let condition) = self { condition.description } else { nil }
    }

    fileprivate var user: String? {
        if case .user(let user) = self { user } else { nil }
    }
}

extension Published {
    /// The ID, the audience and the positions of unregistered tokens, separated by spaces: `msg_1 3 0 2`.
    fileprivate var stored: String {
        ([id, String(audience)] + unregistered.map(String.init)).joined(separator: " ")
    }

    fileprivate init?(stored: String) {
        let parts = stored.split(separator: " ")
        guard parts.count >= 2, let audience = Int(parts[1]) else { return nil }
        self.init(id: String(parts[0]), audience: audience, unregistered: parts[2...].compactMap { Int($0) })
    }
}
