// SPDX-License-Identifier: Apache-2.0

import Database
import Messaging
import Platform
import SQLite

/// Ends of deliveries that no receiver has a part in.
extension MessageContext {
    /// Closes one that is open, whatever it waits for.
    func close(_ delivery: Int64, _ state: DeliveryState) throws {
        let found = try file.statement("SELECT message, state FROM deliveries WHERE id = ? AND state < 5")
            .first(.integer(delivery)) { ($0.integer(0), $0.int(1)) }
        guard let (message, number) = found, let old = DeliveryState(rawValue: number) else { return }
        try file.statement("UPDATE deliveries SET state = ?, due = NULL, changed = ? WHERE id = ?")
            .run(integers: [Int64(state.rawValue), now.milliseconds, delivery])
        count(of: message, from: old, to: state)
    }

    func close(_ state: DeliveryState, ofRegistration registration: Int64) throws {
        let open = try file.statement("SELECT id FROM deliveries WHERE registration = ? AND state < 5").all(.integer(registration)) { $0.integer(0) }
        for delivery in open { try close(delivery, state) }
    }

    /// Closes those of a message's next deliveries that are in some states; answers whether there may be more.
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

    /// A registration's endpoint is another now: what waits for the old one goes to the new one. Whoever tries it just now is not heard
    /// any more.
    func moveDeliveries(of registration: Int64, to origin: Int64?) throws {
        let open = try file.statement("SELECT id, message, state FROM deliveries WHERE registration = ? AND state < 5").all(.integer(registration)) {
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
    /// How many of a message's deliveries are in each state.
    func counts(of message: Int64) throws -> [DeliveryState: Int] {
        let rows = try statement("SELECT state, count FROM message_counts WHERE message = ?").all(.integer(message)) { ($0.int(0), $0.int(1)) }
        return Dictionary(rows.compactMap { row in DeliveryState(rawValue: row.0).map { ($0, row.1) } }, uniquingKeysWith: +)
    }
}
