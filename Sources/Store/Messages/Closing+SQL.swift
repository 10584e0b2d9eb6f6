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

    /// Closes a chunk of a message's deliveries that are in some states; answers whether there may be more.
    func close(_ state: DeliveryState, ofMessage message: Int64, in states: [DeliveryState]) throws -> Bool {
        guard try file.counts(of: message).contains(where: { states.contains($0.key) && $0.value > 0 }) else { return false }
        let marks = states.map { String($0.rawValue) }.joined(separator: ", ")
        let open = try file.statement("SELECT id FROM deliveries WHERE message = ? AND state IN (\(marks)) LIMIT ?")
            .all(.integer(message), .integer(limits.chunk)) { $0.integer(0) }
        for delivery in open { try close(delivery, state) }
        return open.count == limits.chunk
    }

    /// A registration's endpoint is another now: what waits for the old one goes to the new one.
    func moveDeliveries(of registration: Int64, to origin: Int64?, areDue: Bool) throws {
        try file.statement(
            """
            UPDATE deliveries SET origin = ?, due = ?, state = CASE WHEN state = 2 THEN 4 ELSE state END WHERE registration = ? AND state IN (1, 2, 4)
            """
        ).run(.integer(origin), origin != nil && areDue ? .integer(now.milliseconds) : .null, .integer(registration))
        if let origin, areDue { isDue(origin, at: now.milliseconds) }
    }
}

extension Connection {
    /// How many of a message's deliveries are in each state.
    func counts(of message: Int64) throws -> [DeliveryState: Int] {
        let rows = try statement("SELECT state, count FROM message_counts WHERE message = ?").all(.integer(message)) { ($0.int(0), $0.int(1)) }
        return Dictionary(rows.compactMap { row in DeliveryState(rawValue: row.0).map { ($0, row.1) } }, uniquingKeysWith: +)
    }
}
