// SPDX-License-Identifier: Apache-2.0

import Database
import Messaging
import Platform
import SQLite

extension MessageStore {
    /// Returns the deliveries to one device, the newest first.
    func deliveries(_ filter: DeliveryFilter, to device: String) async throws -> [DeliveryStatus] {
        let cuts = Cuts(limits, now: clock.now())
        return try await read { file in
            let registration = try file.registration(device, app: filter.app, cuts)
            let message = try filter.message.map { try file.message($0, app: filter.app) }
            var ids: [Int64] = []
            // Open and closed deliveries have a partial index each, which SQLite uses only if the statement repeats its condition.
            for half in [DeliveryState.openCondition, DeliveryState.overCondition] {
                ids += try file.deliveries(to: registration, half, filter, message)
            }
            return try ids.sorted(by: >).prefix(filter.limit).compactMap { try file.delivery($0, .list) }
        }
    }
}

extension MessageDB {
    /// Returns the number of an app's registration by its token, or by that number. A number is also that of a removed registration.
    fileprivate func registration(_ device: String, app: AppID, _ cuts: Cuts) throws -> Int64 {
        if let known = try registration(app: app, token: device, cuts) { return known.id }
        guard let number = Int64(device), number > 0 else { throw Refusal.unregistered }
        let owner = try statement("SELECT app FROM registrations WHERE id = ?").first(.integer(number)) { $0.integer(0) }
        guard owner == nil || owner == app.rawValue else { throw Refusal.unregistered }
        return number
    }

    fileprivate func deliveries(to registration: Int64, _ half: String, _ filter: DeliveryFilter, _ message: Int64?) throws -> [Int64] {
        try statement(
            """
            SELECT id FROM deliveries d WHERE registration = ?1 AND \(half) AND id < ?2 AND (?3 IS NULL OR state = ?3)
                AND (?4 IS NULL OR message = ?4) AND EXISTS (SELECT 1 FROM messages m WHERE m.id = d.message AND m.app = ?5)
            ORDER BY id DESC LIMIT ?6
            """
        ).all(
            .integer(registration), .integer(filter.before), .integer(filter.state.map { Int64($0.rawValue) }), .integer(message),
            .integer(filter.app.rawValue), .integer(filter.limit)
        ) { $0.integer(0) }
    }
}
