// SPDX-License-Identifier: Apache-2.0

import Database
package import Messaging
package import Platform
import SQLite

/// A page of a stream.
package struct StreamPage: Sendable {
    package struct Item: Sendable {
        /// The cursor. Acknowledging it acknowledges all deliveries up to it.
        package var delivery: Int64
        package var message: Int64
        package var expires: Timestamp
    }

    /// The start of the page: the requested position, or 0 if no such cursor exists.
    package var after: Int64
    package var items: [Item]
    /// The number of deliveries that expired unread, and the last one. Nil if none did.
    package struct Gap: Sendable, Equatable {
        package var missed: Int
        /// The cursor that acknowledges the gap.
        package var through: Int64
    }

    package var gap: Gap?
    package var hasMore: Bool
}

extension MessageStore {
    static let streamPage = 100

    /// Returns the deliveries of a stream after a position, oldest first, and acknowledges those up to a cursor.
    ///
    /// The cursor is a delivery's number. A delivery stays until it is acknowledged, so a lost response is repeated:
    ///
    ///     page(after: 0)                         → d3, d5
    ///     page(after: 5, acknowledging: 5)       → d8; d3 and d5 are delivered
    ///     100 waiting, 2 more arrive             → the oldest 2 expire, and the next page has a gap of 2
    package func page(ofStream registration: Int64, after place: Int64, acknowledging cursor: Int64? = nil) async throws -> StreamPage {
        try await change { context in
            let cursor = try cursor.flatMap { try context.wasGiven($0) ? $0 : nil }
            let place = try context.wasGiven(place) ? place : 0
            if let cursor { try context.acknowledge(registration, through: cursor) }
            let gap = try context.gap(registration, after: place)
            let items = try context.file.statement(
                """
                SELECT d.id, d.message, m.expires FROM deliveries d JOIN messages m ON m.id = d.message
                WHERE d.registration = ? AND d.\(DeliveryState.openCondition) AND d.origin IS NULL AND d.id > ? AND m.expires > ? ORDER BY d.id LIMIT ?
                """
            ).all(.integer(registration), .integer(place), .integer(context.now.milliseconds), .integer(MessageStore.streamPage + 1)) {
                StreamPage.Item(delivery: $0.integer(0), message: $0.integer(1), expires: Timestamp(milliseconds: $0.integer(2)))
            }
            return StreamPage(
                after: place, items: Array(items.prefix(MessageStore.streamPage)), gap: gap, hasMore: items.count > MessageStore.streamPage)
        }
    }

    /// Marks deliveries that were written to a reader and are not acknowledged yet.
    package func wroteToStream(_ deliveries: [Int64]) async throws {
        try await change { context in
            for delivery in deliveries { try context.markSent(delivery) }
        }
    }

    /// Acknowledges the deliveries up to a cursor.
    package func acknowledge(stream registration: Int64, through cursor: Int64) async throws {
        try await change { context in
            if try context.wasGiven(cursor) { try context.acknowledge(registration, through: cursor) }
        }
    }

    /// Returns the registration of a stream and records the contact. It is a change, because the writer handles thousands in one commit.
    package func reader(app: AppID, token: String) async throws -> Registration {
        try await change { context in
            let found = try context.registration(app: app, token: token)
            try context.file.statement("UPDATE registrations SET seen = max(seen, ?) WHERE id = ?").run(integers: [
                context.now.milliseconds, found.id,
            ])
            return found
        }
    }
}

extension MessageContext {
    /// Adds a delivery to a stream and notifies its readers.
    func enterStream(_ delivery: StreamDelivery) throws {
        isForStream(delivery)
        try makeRoom(inStream: delivery.registration)
    }

    /// Expires the oldest deliveries of a stream above its limit, and counts them for the gap.
    func makeRoom(inStream registration: Int64) throws {
        let surplus = try file.statement(
            "SELECT id FROM deliveries WHERE registration = ? AND \(DeliveryState.openCondition) ORDER BY id DESC LIMIT -1 OFFSET ?"
        )
        .all(.integer(registration), .integer(limits.pendingOfStream)) { $0.integer(0) }
        guard !surplus.isEmpty else { return }
        for delivery in surplus { try close(delivery, .expired) }
        try file.statement("UPDATE registrations SET gap = gap + ?, gap_through = ? WHERE id = ?")
            .run(integers: [Int64(surplus.count), surplus[0], registration])
    }

    /// Whether a cursor was ever assigned. After an older backup was restored, a client may send one that has not been assigned again yet.
    fileprivate func wasGiven(_ cursor: Int64) throws -> Bool {
        try cursor <= file.last("deliveries")
    }

    fileprivate func acknowledge(_ registration: Int64, through cursor: Int64) throws {
        let read = try file.statement(
            "SELECT id FROM deliveries WHERE registration = ? AND \(DeliveryState.openCondition) AND origin IS NULL AND id <= ?"
        )
        .all(.integer(registration), .integer(cursor)) { $0.integer(0) }
        for delivery in read { try close(delivery, .delivered) }
        try file.statement("UPDATE registrations SET gap = 0 WHERE id = ? AND gap > 0 AND gap_through <= ?").run(integers: [registration, cursor])
    }

    fileprivate func markSent(_ delivery: Int64) throws {
        // The registration may be a webhook by now.
        let message = try file.statement("SELECT message FROM deliveries WHERE id = ? AND state = \(sql: DeliveryState.pending) AND origin IS NULL")
            .first(.integer(delivery)) {
                $0.integer(0)
            }
        guard let message else { return }
        try file.statement("UPDATE deliveries SET state = \(sql: DeliveryState.sent), attempts = attempts + 1, changed = ? WHERE id = ?")
            .run(integers: [now.milliseconds, delivery])
        count(of: message, from: .pending, to: .sent)
    }

    /// Returns what a reader at a position has missed. It is repeated until acknowledged, because a response may be lost.
    fileprivate func gap(_ registration: Int64, after place: Int64) throws -> StreamPage.Gap? {
        let found = try file.statement("SELECT gap, gap_through FROM registrations WHERE id = ?").first(.integer(registration)) {
            StreamPage.Gap(missed: $0.int(0), through: $0.integer(1))
        }
        guard let found, found.missed > 0, place < found.through else { return nil }
        return found
    }
}
