// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
import Database
package import Messaging
package import Platform
import SQLite

/// A delivery to a person's device, with its message.
package struct PersonDelivery: Sendable {
    package var delivery: DeliveryStatus
    package var content: MessageContent
}

/// A page of deliveries to a person's devices, the newest first.
package struct PersonDeliveries: Sendable {
    package var items: [PersonDelivery]
    /// Whether older deliveries may follow.
    package var hasMore: Bool
}

extension MessageStore {
    /// Returns deliveries to some registrations before a number, the newest first.
    package func deliveries(
        to registrations: [Int64], before id: Int64, limit: Int, _ detail: AttemptDetail
    ) async throws -> PersonDeliveries {
        try await read { file in
            let found = try file.newestDeliveries(to: registrations, before: id, limit: limit)
            let items = try found.compactMap { id -> PersonDelivery? in
                guard let delivery = try file.delivery(id, detail), let content = try file.content(of: delivery.messageRow) else { return nil }
                return PersonDelivery(delivery: delivery, content: content)
            }
            return PersonDeliveries(items: items, hasMore: found.count == limit)
        }
    }

    /// Returns the numbers of a person's registrations, the newest first. For an installation these name it. For a user these name the
    /// user, or name no user but an installation that was seen with the user.
    package func devices(of person: PersonID, _ profile: PersonProfile, app: AppID) async throws -> [Int64] {
        try await read { file in
            func ids(_ condition: String, _ text: String) throws -> [Int64] {
                try file.statement("SELECT id FROM registrations WHERE app = ? AND \(condition)").all(.integer(app.rawValue), .text(text)) {
                    $0.integer(0)
                }
            }
            if person.kind == .installation { return try ids("installation = ?", person.text).sorted(by: >) }
            let anonymous = try profile.partners.compactMap(\.id).flatMap { try ids("installation = ? AND user IS NULL", $0) }
            return try (ids("user = ?", person.text) + anonymous).sorted(by: >)
        }
    }
}

extension MessageDB {
    /// Returns the newest deliveries. Each registration is read only as far as its deliveries are among the newest, so later pages do not
    /// cost more.
    fileprivate func newestDeliveries(to registrations: [Int64], before id: Int64, limit: Int) throws -> [Int64] {
        var newest: [Int64] = []
        for registration in registrations {
            // Open and closed deliveries have a partial index each, which SQLite uses only if the statement repeats its condition.
            for half in [DeliveryState.openCondition, DeliveryState.overCondition] {
                let floor = newest.count == limit ? newest.last ?? 0 : 0
                let found = try statement(
                    "SELECT id FROM deliveries WHERE registration = ? AND \(half) AND id > ? AND id < ? ORDER BY id DESC LIMIT ?"
                ).all(.integer(registration), .integer(floor), .integer(id), .integer(limit)) { $0.integer(0) }
                if !found.isEmpty { newest = Array((newest + found).sorted(by: >).prefix(limit)) }
            }
        }
        return newest
    }
}
