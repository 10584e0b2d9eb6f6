// SPDX-License-Identifier: Apache-2.0

import Database
package import Messaging
package import Platform
import SQLite

/// A message with the number of its deliveries by state.
package struct MessageStatus: Sendable {
    package var row: Int64
    package var content: MessageContent
    package var stage: MessageStage
    package var audience: Int
    package var created: Timestamp
    package var sendAt: Timestamp?
    /// The time at which the audience was fixed. Nil before that and for a message cancelled earlier.
    package var sentAt: Timestamp?
    package var counts: [DeliveryState: Int]
}

extension MessageStore {
    /// Returns an app's messages before a row, the newest first.
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

    /// Cancels what has not been sent.
    package func cancel(_ id: String, app: AppID) async throws {
        try await change { try $0.cancel(id, app: app) }
    }

    /// Redrives a message's dead letters, the deliveries in state `dead`, from the first attempt.
    ///
    /// An expired message gets a new lifetime. Returns the number of deliveries.
    package func redrive(_ id: String, app: AppID) async throws -> Int {
        var (redriven, place) = (0, Int64(0))
        while true {
            let after = place
            let (count, next) = try await change { try $0.redrive(id, app: app, after: after) }
            redriven += count
            guard let next else { return redriven }
            place = next
        }
    }
}

extension Refusal {
    fileprivate static var noMessage: Refusal {
        Refusal(.notFound, "There is no such message.", hint: "A message is deleted messages.kept_days after it expires.")
    }
}

extension MessageContext {
    func cancel(_ id: String, app: AppID) throws {
        let message = try file.message(id, app: app)
        // Expired and cancelled messages stay as they are.
        try file.statement(
            "UPDATE messages SET stage = \(sql: MessageStage.cancelling), closed = 0 WHERE id = ? AND stage IN (\(sql: MessageStage.scheduled), \(sql: MessageStage.spreading), \(sql: MessageStage.spread))"
        ).run(integers: [message])
        leavesWork = true
    }

    /// Redrives the next chunk of dead letters. `next` is nil at the end.
    fileprivate func redrive(_ id: String, app: AppID, after place: Int64) throws -> (count: Int, next: Int64?) {
        let message = try file.message(id, app: app)
        let dead = try file.statement(
            "SELECT id FROM deliveries WHERE message = ? AND state = \(sql: DeliveryState.dead) AND id > ? ORDER BY id LIMIT ?"
        )
        .all(.integer(message), .integer(place), .integer(limits.chunk)) { $0.integer(0) }
        return (try dead.count { try redrive($0, of: message) }, dead.count == limits.chunk ? dead.last : nil)
    }

    /// Redrives a dead letter. Returns false if its registration can no longer be reached.
    ///
    /// The delivery gets a new number. If its device reads a stream by now, the old number could be before the acknowledged cursor and
    /// would be skipped.
    func redrive(_ delivery: Int64, of message: Int64) throws -> Bool {
        // The present endpoint, which may differ from the one that failed.
        let place = try file.statement(
            """
            SELECT r.id, r.origin, r.state FROM deliveries d JOIN registrations r ON r.id = d.registration JOIN messages m ON m.id = d.message
            WHERE d.id = ? AND r.\(RegistrationState.reachedCondition) AND (m.addressee IS NULL OR m.addressee = r.user AND r.proved = 1)
            """
        ).first(.integer(delivery)) { Reached($0) }
        guard let place else { return false }
        let state: DeliveryState = place.origin == nil ? .pending : .retrying
        let due = place.origin == nil || place.waits ? nil : now.milliseconds
        let again = try renumber(delivery)
        try file.statement("UPDATE deliveries SET origin = ?, state = ?, due = ?, attempts = 0, changed = ? WHERE id = ?")
            .run(.integer(place.origin), .integer(state.rawValue), .integer(due), .integer(now.milliseconds), .integer(again))
        count(of: message, from: .dead, to: state)
        let expires = try revive(message)
        if place.origin == nil {
            try enterStream(StreamDelivery(registration: place.id, delivery: again, message: message, expires: expires))
        } else if let due, let origin = place.origin {
            isDue(origin, at: due)
        }
        return true
    }

    /// Gives a closed delivery and its log a number after all others. Returns the number.
    private func renumber(_ delivery: Int64) throws -> Int64 {
        try file.statement(
            """
            INSERT INTO deliveries (message, registration, state, changed, replaced)
            SELECT message, registration, state, changed, replaced FROM deliveries WHERE id = ?
            """
        ).run(integers: [delivery])
        let number = file.lastInsertedRow
        try file.statement("UPDATE attempts SET delivery = ? WHERE delivery = ?").run(integers: [number, delivery])
        try file.statement("DELETE FROM deliveries WHERE id = ?").run(integers: [delivery])
        return number
    }

    /// Extends the lifetime so that the message's time to live, or at least an hour, remains. Returns its end.
    private func revive(_ message: Int64) throws -> Timestamp {
        try file.statement(
            """
            UPDATE messages SET expires = max(expires, ?1 + max(ttl, 3600000)), closed = 0, stage = CASE WHEN stage > \(sql: MessageStage.spread) THEN \(sql: MessageStage.spread) ELSE stage END
            WHERE id = ?2
            """
        ).run(integers: [now.milliseconds, message])
        let expires = try file.statement("SELECT expires FROM messages WHERE id = ?").first(.integer(message)) { $0.integer(0) }
        return Timestamp(milliseconds: expires ?? 0)
    }
}

extension MessageDB {
    func message(_ id: String, app: AppID) throws -> Int64 {
        let row = try statement("SELECT id FROM messages WHERE public = ? AND app = ?").first(.text(id), .integer(app.rawValue)) { $0.integer(0) }
        guard let row else { throw Refusal.noMessage }
        return row
    }

    fileprivate func status(ofMessage row: Int64) throws -> MessageStatus? {
        guard let content = try content(of: row) else { return nil }
        return try statement("SELECT stage, audience, created, send_at, sent FROM messages WHERE id = ?").first(.integer(row)) { found in
            MessageStatus(
                row: row, content: content, stage: MessageStage(rawValue: found.int(0)) ?? .over, audience: found.int(1),
                created: Timestamp(milliseconds: found.integer(2)), sendAt: found.optionalInteger(3).map { Timestamp(milliseconds: $0) },
                sentAt: found.optionalInteger(4).map { Timestamp(milliseconds: $0) }, counts: try self.counts(of: row).filter { $0.value != 0 })
        }
    }
}
