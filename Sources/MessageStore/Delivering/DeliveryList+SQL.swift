// SPDX-License-Identifier: Apache-2.0

import Database
package import Messaging
package import Platform
import SQLite

/// A delivery with its log of attempts.
package struct DeliveryStatus: Sendable {
    package var id: Int64
    package var webhookID: String
    package var message: String
    var messageRow: Int64
    /// Nil if the registration was removed.
    package var token: String?
    package var url: String?
    package var state: DeliveryState
    package var attempts: Int
    /// The time of the next attempt.
    package var due: Timestamp?
    package var changed: Timestamp
    /// The attempts, the newest last.
    package var log: [AttemptRecord]
}

/// A query for deliveries.
package struct DeliveryFilter: Sendable {
    package var app: AppID
    package var message: String?
    /// A token, or the number of a registration, with which the IDs of its deliveries end.
    package var device: String?
    package var state: DeliveryState?
    /// The delivery after which the page starts.
    package var before: Int64
    package var limit: Int

    package init(app: AppID, message: String?, device: String? = nil, state: DeliveryState?, before: Int64, limit: Int) {
        self.app = app
        self.message = message
        self.device = device
        self.state = state
        self.before = before
        self.limit = limit
    }
}

extension MessageStore {
    /// Returns deliveries of the newest message first, and within a message the newest first.
    ///
    /// The query walks the app's messages, and skips those whose counters show no delivery in the state. Other apps cost nothing.
    package func deliveries(_ filter: DeliveryFilter) async throws -> [DeliveryStatus] {
        if let device = filter.device { return try await deliveries(filter, to: device) }
        return try await read { file in
            let message = try filter.message.map { try file.message($0, app: filter.app) } ?? file.message(atDelivery: filter.before)
            var list = try file.deliveries(filter, "m.id = ? AND d.id < ?", [message, filter.before], filter.limit)
            if filter.message == nil, list.count < filter.limit {
                list += try file.deliveries(filter, "m.id < ?", [message], filter.limit - list.count)
            }
            return list
        }
    }

    package func delivery(_ id: Int64, app: AppID) async throws -> DeliveryStatus {
        try await read { file in
            let found = try file.deliveries(
                "m.app = ?1 AND m.id = (SELECT message FROM deliveries WHERE id = ?2) AND d.id = ?2",
                [.integer(app.rawValue), .integer(id), .integer(1)], .one)
            guard let found = found.first else { throw Refusal.noDelivery }
            return found
        }
    }

    /// Returns the number of a delivery by its webhook ID, `msg_…_42` for registration 42.
    package func delivery(of webhookID: String, app: AppID) async throws -> Int64 {
        try await read { file in
            let end = webhookID.utf8.lastIndex(of: UInt8(ascii: "_")) ?? webhookID.startIndex
            guard let registration = Int64(webhookID[end...].dropFirst()) else { throw Refusal.noDelivery }
            let found = try file.statement(
                "SELECT d.id FROM messages m JOIN deliveries d ON d.message = m.id WHERE m.public = ? AND m.app = ? AND d.registration = ?"
            ).first(.text(String(webhookID[..<end])), .integer(app.rawValue), .integer(registration)) { $0.integer(0) }
            guard let found else { throw Refusal.noDelivery }
            return found
        }
    }

    /// Retries a delivery now: a dead one from the first attempt, a pending one before its time.
    package func retry(_ id: Int64, app: AppID) async throws {
        try await change { context in
            let found = try context.file.statement(
                """
                SELECT d.message, d.state, d.origin, r.state FROM deliveries d JOIN messages m ON m.id = d.message
                    LEFT JOIN registrations r ON r.id = d.registration WHERE d.id = ? AND m.app = ?
                """
            ).first(.integer(id), .integer(app.rawValue)) {
                ($0.integer(0), DeliveryState(rawValue: $0.int(1)), $0.optionalInteger(2), RegistrationState(rawValue: $0.int(3)))
            }
            guard let (message, state, origin, registration) = found else { throw Refusal.noDelivery }
            switch state {
            case .dead where registration == .pending, .retrying where registration == .pending, .pending where registration == .pending:
                throw Refusal(
                    .conflict, "The endpoint is not verified yet.",
                    hint: "The delivery is sent once the endpoint answers a GET with the value of hub.challenge.")
            case .dead:
                guard try context.redrive(id, of: message) else {
                    throw Refusal(.conflict, "The registration is disabled or deleted.", hint: "Register the device again.")
                }
            case .retrying, .pending:
                guard let origin else {
                    throw Refusal(.conflict, "A stream delivery cannot be retried.", hint: "The device reads its stream itself.")
                }
                try context.file.statement("UPDATE deliveries SET due = ? WHERE id = ? AND due IS NOT NULL")
                    .run(integers: [context.now.milliseconds, id])
                context.isDue(origin, at: context.now.milliseconds)
            default:
                throw Refusal(
                    .conflict, "A delivery in the state \(state?.name ?? "removed") cannot be retried.",
                    hint: "Dead and retrying deliveries can be retried.")
            }
        }
    }
}

extension Refusal {
    fileprivate static var noDelivery: Refusal { Refusal(.notFound, "There is no such delivery.") }
}

extension MessageDB {
    /// Returns the message of a delivery, at which a list continues. If the delivery was removed, the one before it counts.
    fileprivate func message(atDelivery delivery: Int64) throws -> Int64 {
        if delivery == .max { return .max }
        return try statement("SELECT message FROM deliveries WHERE id <= ? ORDER BY id DESC LIMIT 1").first(.integer(delivery)) { $0.integer(0) } ?? 0
    }

    /// Returns a delivery of any app.
    func delivery(_ id: Int64, _ detail: AttemptDetail) throws -> DeliveryStatus? {
        let one = "m.id = (SELECT message FROM deliveries WHERE id = ?1) AND d.id = ?1"
        return try deliveries(one, [.integer(id), .integer(1)], detail).first
    }

    fileprivate func deliveries(_ filter: DeliveryFilter, _ which: String, _ values: [Int64], _ limit: Int) throws -> [DeliveryStatus] {
        var conditions = "m.app = ? AND \(which)"
        if let state = filter.state?.rawValue {
            // A literal, because SQLite uses a partial index only if the statement repeats its condition.
            conditions += " AND d.state = \(state) AND EXISTS (SELECT 1 FROM message_counts WHERE message = m.id AND state = \(state) AND count > 0)"
        }
        return try deliveries(conditions, [.integer(filter.app.rawValue)] + values.map { .integer($0) } + [.integer(limit)], .list)
    }

    fileprivate func deliveries(_ conditions: String, _ values: [Value], _ detail: AttemptDetail) throws -> [DeliveryStatus] {
        let found = try statement(
            """
            SELECT d.id, m.public, d.registration, r.token, r.url, d.state, d.attempts, d.due, d.changed, d.message
            FROM messages m CROSS JOIN deliveries d ON d.message = m.id LEFT JOIN registrations r ON r.id = d.registration
            WHERE \(conditions) ORDER BY m.id DESC, d.id DESC LIMIT ?
            """)
        var list: [DeliveryStatus] = []
        try found.each(values) { list.append(DeliveryStatus($0)) }
        for place in list.indices { list[place].log = try attempts(of: list[place].id, detail) }
        return list
    }

    /// Returns the newest attempts, their responses cut according to `detail`.
    private func attempts(of delivery: Int64, _ detail: AttemptDetail) throws -> [AttemptRecord] {
        try statement("SELECT at, milliseconds, status, error, substr(response, 1, ?) FROM attempts WHERE delivery = ? ORDER BY number DESC LIMIT ?")
            .all(.integer(detail.responseBytes), .integer(delivery), .integer(detail.attempts)) {
                AttemptRecord(
                    at: Timestamp(milliseconds: $0.integer(0)), milliseconds: $0.int(1), status: $0.int(2), error: $0.text(3), response: $0.bytes(4))
            }.reversed()
    }
}

/// The amount of the log returned: less for many deliveries than for one.
package enum AttemptDetail: Sendable {
    case none, list, one

    fileprivate var attempts: Int {
        switch self {
        case .none: 0
        case .list: 10
        case .one: 100
        }
    }

    fileprivate var responseBytes: Int { self == .list ? 200 : AttemptRecord.mostResponseBytes }
}

extension DeliveryStatus {
    fileprivate init(_ row: Row) {
        let state = DeliveryState(rawValue: row.int(5)) ?? .removed
        self.init(
            id: row.integer(0), webhookID: "\(row.text(1))_\(row.integer(2))", message: row.text(1), messageRow: row.integer(9),
            token: row.optionalText(3), url: row.optionalText(4), state: state, attempts: row.int(6),
            due: state == .sending ? nil : row.optionalInteger(7).map { Timestamp(milliseconds: $0) },
            changed: Timestamp(milliseconds: row.integer(8)), log: [])
    }
}
