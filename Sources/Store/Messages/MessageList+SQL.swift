package import Messaging
package import Platform
import SQLite

/// A message as it is shown, with how many of its deliveries are in each state.
package struct MessageStatus: Sendable {
    package var row: Int64
    package var content: MessageContent
    package var stage: MessageStage
    package var audience: Int
    package var created: Timestamp
    package var sendAt: Timestamp?
    package var counts: [DeliveryState: Int]
}

extension Messages {
    /// An app's messages, newest first, older than a row.
    package func list(app: AppID, before row: Int64, limit: Int) async throws -> [MessageStatus] {
        try await read { file in
            let rows = try file.statement("SELECT id FROM messages WHERE app = ? AND id < ? ORDER BY id DESC LIMIT ?")
                .all(.integer(app.rawValue), .integer(row), .integer(limit)) { $0.integer(0) }
            return try rows.compactMap { try file.status(ofMessage: $0) }
        }
    }

    package func status(of id: String, app: AppID) async throws -> MessageStatus {
        try await read { file in
            guard let status = try file.status(ofMessage: try file.message(id, app: app)) else { throw Refusal.noMessage }
            return status
        }
    }

    /// Calls back what is not sent yet.
    package func cancel(_ id: String, app: AppID) async throws {
        try await change { context in
            let message = try context.file.message(id, app: app)
            // What has expired or was called back before is as it should be.
            try context.file.statement("UPDATE messages SET stage = 3 WHERE id = ? AND stage IN (1, 2, 4)").run(integers: [message])
            context.leavesWork = true
        }
    }

    /// Has what is dead tried again from the start; a message that has expired lives as long again. Answers how many will be.
    package func redrive(_ id: String, app: AppID) async throws -> Int {
        try await change { context in
            let message = try context.file.message(id, app: app)
            let dead = try context.file.statement("SELECT id FROM deliveries WHERE message = ? AND state = 6").all(.integer(message)) {
                $0.integer(0)
            }
            return try dead.count { try context.redrive($0, of: message) }
        }
    }
}

extension Refusal {
    fileprivate static var noMessage: Refusal {
        Refusal(.notFound, "There is no such message.", hint: "Messages are kept for 30 days after they expired.")
    }
}

extension MessageContext {
    /// Answers false where its registration cannot be reached any more.
    func redrive(_ delivery: Int64, of message: Int64) throws -> Bool {
        let place = try file.statement(
            "SELECT d.origin FROM deliveries d JOIN registrations r ON r.id = d.registration WHERE d.id = ? AND r.state < 3 AND d.origin IS NOT NULL"
        ).first(.integer(delivery)) { $0.integer(0) }
        guard let origin = place else { return false }
        try file.statement("UPDATE deliveries SET state = 4, due = ?, attempts = 0, changed = ? WHERE id = ?")
            .run(integers: [now.milliseconds, now.milliseconds, delivery])
        try file.statement(
            "UPDATE messages SET expires = max(expires, ? + max(ttl, 3600000)), stage = CASE WHEN stage = 6 THEN 4 ELSE stage END WHERE id = ?"
        )
        .run(integers: [now.milliseconds, message])
        count(of: message, from: .dead, to: .retrying)
        isDue(origin, at: now.milliseconds)
        return true
    }
}

extension Connection {
    func message(_ id: String, app: AppID) throws -> Int64 {
        let row = try statement("SELECT id FROM messages WHERE public = ? AND app = ?").first(.text(id), .integer(app.rawValue)) { $0.integer(0) }
        guard let row else { throw Refusal.noMessage }
        return row
    }

    fileprivate func status(ofMessage row: Int64) throws -> MessageStatus? {
        guard let content = try content(of: row) else { return nil }
        return try statement("SELECT stage, audience, created, send_at FROM messages WHERE id = ?").first(.integer(row)) { found in
            MessageStatus(
                row: row, content: content, stage: MessageStage(rawValue: found.int(0)) ?? .over, audience: found.int(1),
                created: Timestamp(milliseconds: found.integer(2)), sendAt: found.optionalInteger(3).map { Timestamp(milliseconds: $0) },
                counts: try self.counts(of: row).filter { $0.value != 0 })
        }
    }
}
