// SPDX-License-Identifier: Apache-2.0

import Database
import Messaging
import Platform
import SQLite

/// A message in fan-out.
struct FanoutMessage {
    var id: Int64
    var audience: Audience
    var collapseKey: String?
    var expires: Timestamp
    /// The last registration for which deliveries were created, where the next chunk continues.
    var place: Int64
}

extension MessageContext {
    /// Creates the next chunk of deliveries of the first message in the queue. Returns false if none is waiting.
    ///
    /// Fan-out is background work of the writer, one chunk per transaction, so that other changes run between chunks. The position is
    /// stored in the same transaction; after a crash the next chunk continues there without duplicates:
    ///
    ///     publish m, 12,000 subscribers     stage spreading, place 0
    ///     spread                            5,000 deliveries, place = the last registration
    ///     crash, restart, spread            5,000 deliveries
    ///     spread                            2,000 deliveries, stage spread
    func spread() throws -> Bool {
        guard let message = try nextFanout() else { return false }
        let page = try message.audience.page(file, after: message.place, limit: limits.chunk, cuts)
        if let key = message.collapseKey { try collapse(key, of: message, for: page.reached) }
        try insert(page.reached, of: message)
        if let next = page.next {
            try file.statement("UPDATE messages SET place = ? WHERE id = ?").run(integers: [next, message.id])
        } else {
            try set(.spread, of: message.id)
        }
        return true
    }

    private func insert(_ reached: [Reached], of message: FanoutMessage) throws {
        let insert = try file.statement(
            """
            INSERT INTO deliveries (message, registration, origin, state, due, changed) VALUES (?, ?, ?, \(sql: DeliveryState.pending), ?, ?)
            """)
        let time = now.milliseconds
        for one in reached {
            let isDue = one.origin != nil && !one.waits
            try insert.run(
                .integer(message.id), .integer(one.id), .integer(one.origin), isDue ? .integer(time) : .null, .integer(time))
            if let origin = one.origin {
                if isDue { self.isDue(origin, at: time) }
            } else {
                try enterStream(
                    StreamDelivery(registration: one.id, delivery: file.lastInsertedRow, message: message.id, expires: message.expires))
            }
        }
        count(reached.count, of: message.id, to: .pending)
    }

    /// Cancels undelivered older messages with the same collapse key. This one replaces them.
    private func collapse(_ key: String, of message: FanoutMessage, for reached: [Reached]) throws {
        let others = try file.statement(
            "SELECT 1 FROM messages WHERE app = ? AND collapse_key = ? AND id <> ? AND stage IN (\(sql: MessageStage.spreading), \(sql: MessageStage.spread)) LIMIT 1"
        )
        .first(.integer(message.audience.app.rawValue), .text(key), .integer(message.id)) { _ in true }
        if others == nil { return }
        let open = try file.statement(
            """
            SELECT d.id, d.state FROM deliveries d JOIN messages m ON m.id = d.message
            WHERE d.registration = ? AND d.\(DeliveryState.openCondition) AND d.state IN (\(sql: DeliveryState.pending), \(sql: DeliveryState.sending), \(sql: DeliveryState.retrying)) AND m.collapse_key = ? AND d.message <> ?
            """)
        let replace = try file.statement("UPDATE deliveries SET replaced = 1 WHERE id = ?")
        for one in reached {
            let replaced = try open.all(.integer(one.id), .text(key), .integer(message.id)) { ($0.integer(0), DeliveryState(rawValue: $0.int(1))) }
            for (delivery, state) in replaced {
                // A delivery in flight may still succeed. It is only not retried.
                if state == .sending { try replace.run(integers: [delivery]) } else { try close(delivery, .cancelled) }
            }
        }
    }

    func set(_ stage: MessageStage, of message: Int64) throws {
        try file.statement("UPDATE messages SET stage = ? WHERE id = ?").run(integers: [Int64(stage.rawValue), message])
    }

    // MARK: Which is next

    /// Excludes deleted apps, whose rows are being removed.
    static let isOfExistingApp = "app NOT IN (SELECT app FROM deleted_apps)"

    private static let columns = "id, app, topic_name, condition, registrations, fence, last_registration, collapse_key, expires, place, addressee"

    /// Returns the next message: urgent ones first, then in order of publication.
    private func nextFanout() throws -> FanoutMessage? {
        try startScheduled()
        let next = try file.statement(
            "SELECT \(MessageContext.columns) FROM messages WHERE stage = \(sql: MessageStage.spreading) AND \(MessageContext.isOfExistingApp) ORDER BY priority DESC, id LIMIT 1"
        ).first(row: { try FanoutMessage($0, in: self.file) })
        guard let next, let key = next.collapseKey else { return next }
        return try toReplace(key, by: next) ?? next
    }

    /// Returns the earliest message with the collapse key. It comes first even if the other is urgent; otherwise the older message would
    /// replace the newer one.
    private func toReplace(_ key: String, by next: FanoutMessage) throws -> FanoutMessage? {
        try file.statement(
            """
            SELECT \(MessageContext.columns) FROM messages INDEXED BY messages_to_spread WHERE stage = \(sql: MessageStage.spreading) AND app = ? AND collapse_key = ?
            ORDER BY sent, id LIMIT 1
            """
        ).first(.integer(next.audience.app.rawValue), .text(key)) { try FanoutMessage($0, in: self.file) }
    }

    /// Starts the fan-out of scheduled messages that are due. Their audience and fence are fixed now.
    private func startScheduled() throws {
        let due = try file.statement(
            "SELECT id FROM messages WHERE stage = \(sql: MessageStage.scheduled) AND send_at <= ? AND \(MessageContext.isOfExistingApp) LIMIT 1"
        )
        .all(.integer(now.milliseconds)) { $0.integer(0) }
        for id in due { try start(id) }
    }

    private func start(_ id: Int64) throws {
        let find = try file.statement("SELECT \(MessageContext.columns) FROM messages WHERE id = ?")
        guard var audience = try find.first(.integer(id), row: { try FanoutMessage($0, in: self.file).audience }) else { return }
        (audience.fence, audience.lastRegistration) = (try file.last("subscriptions"), try file.last("registrations"))
        try file.statement(
            "UPDATE messages SET stage = \(sql: MessageStage.spreading), fence = ?, last_registration = ?, audience = ?, sent = ?, expires = ? + ttl WHERE id = ?"
        ).run(integers: [
            audience.fence, audience.lastRegistration, Int64(try audience.count(file, cuts)), now.milliseconds, now.milliseconds, id,
        ])
    }
}

extension FanoutMessage {
    /// Topics are looked up by name. A topic that was deleted and created again has only subscribers after the fence.
    fileprivate init(_ row: Row, in file: MessageDB) throws {
        let app = AppID(rawValue: row.integer(1))
        let target: Audience.Target
        if let text = row.optionalText(3) {
            let condition = try Condition(stored: text)
            target = .condition(condition, topics: try condition.topics.map { try file.topic($0.text, app: app) })
        } else if let name = row.optionalText(2) {
            target = .topic(try file.topic(name, app: app))
        } else if let user = row.optionalText(10) {
            target = .user(user)
        } else {
            target = .registrations(row.words(4).map { Int64(bitPattern: $0) })
        }
        self.init(
            id: row.integer(0), audience: Audience(app: app, target: target, fence: row.integer(5), lastRegistration: row.integer(6)),
            collapseKey: row.optionalText(7), expires: Timestamp(milliseconds: row.integer(8)), place: row.integer(9))
    }
}
