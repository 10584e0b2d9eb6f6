// SPDX-License-Identifier: Apache-2.0

import Database
import Messaging
import Platform
import SQLite

/// Closes deliveries for reasons other than a response: cancelling, expiry and removal.
extension MessageContext {
    /// Closes a delivery in any open state.
    func close(_ delivery: Int64, _ state: DeliveryState) throws {
        let found = try file.statement("SELECT message, state FROM deliveries WHERE id = ? AND \(DeliveryState.openCondition)")
            .first(.integer(delivery)) { ($0.integer(0), $0.int(1)) }
        guard let (message, number) = found, let old = DeliveryState(rawValue: number) else { return }
        try file.statement("UPDATE deliveries SET state = ?, due = NULL, changed = ? WHERE id = ?")
            .run(integers: [Int64(state.rawValue), now.milliseconds, delivery])
        count(of: message, from: old, to: state)
    }

    func close(_ state: DeliveryState, ofRegistration registration: Int64) throws {
        let open = try file.statement("SELECT id FROM deliveries WHERE registration = ? AND \(DeliveryState.openCondition)").all(
            .integer(registration)
        ) {
            $0.integer(0)
        }
        for delivery in open { try close(delivery, state) }
    }

    /// Closes the next chunk of a message's deliveries that are in some states. Returns whether more may be left.
    func close(_ state: DeliveryState, ofMessage message: Int64, in states: Set<DeliveryState>) throws -> Bool {
        guard try file.counts(of: message).contains(where: { states.contains($0.key) && $0.value > 0 }) else { return false }
        let chunk = try file.statement(
            """
            SELECT id, state FROM deliveries WHERE message = ?1 AND id > (SELECT closed FROM messages WHERE id = ?1) ORDER BY id LIMIT ?2
            """
        ).all(.integer(message), .integer(limits.chunk)) { ($0.integer(0), DeliveryState(rawValue: $0.int(1))) }
        for (delivery, old) in chunk {
            if let old, states.contains(old) { try close(delivery, state) }
        }
        guard let last = chunk.last?.0, chunk.count == limits.chunk else { return false }
        try file.statement("UPDATE messages SET closed = ? WHERE id = ?").run(integers: [last, message])
        return true
    }

    /// Moves the open deliveries of a registration to its new endpoint. Outcomes from the old one are ignored.
    func moveDeliveries(of registration: Int64, to origin: Int64?) throws {
        let open = try file.statement("SELECT id, message, state FROM deliveries WHERE registration = ? AND \(DeliveryState.openCondition)").all(
            .integer(registration)
        ) {
            (id: $0.integer(0), message: $0.integer(1), state: DeliveryState(rawValue: $0.int(2)) ?? .pending)
        }
        let move = try file.statement("UPDATE deliveries SET origin = ?, due = ?, state = ? WHERE id = ?")
        for delivery in open {
            let state: DeliveryState = origin == nil || delivery.state == .pending ? .pending : .retrying
            try move.run(
                .integer(origin), origin == nil ? .null : .integer(now.milliseconds), .integer(state.rawValue), .integer(delivery.id))
            count(of: delivery.message, from: delivery.state, to: state)
        }
        guard let origin else { return try makeRoom(inStream: registration) }
        if !open.isEmpty { isDue(origin, at: now.milliseconds) }
    }
}

extension MessageDB {
    /// Returns the number of a message's deliveries by state.
    func counts(of message: Int64) throws -> [DeliveryState: Int] {
        let rows = try statement("SELECT state, count FROM message_counts WHERE message = ?").all(.integer(message)) { ($0.int(0), $0.int(1)) }
        return Dictionary(rows.compactMap { row in DeliveryState(rawValue: row.0).map { ($0, row.1) } }, uniquingKeysWith: +)
    }
}
