// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
import Database
package import Messaging
package import Platform
import SQLite

/// A message on its way to a device of a person.
package struct PersonDelivery: Sendable {
    package var delivery: DeliveryStatus
    package var content: MessageContent
}

/// Some deliveries to a person's devices, the newest first.
package struct PersonDeliveries: Sendable {
    package var items: [PersonDelivery]
    /// Whether older ones may follow.
    package var hasMore: Bool
}

extension MessageStore {
    /// Deliveries to some registrations, in the order in which they were made, the newest first, before a number.
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

    /// The numbers of a person's registrations, the newest first: of an installation all that name it, of a user those that do, and the ones that
    /// name nobody on the installations that were seen with them.
    package func devices(of person: PersonID, _ profile: PersonProfile, app: AppID) async throws -> [Int64] {
        try await read { file in
            func ids(_ condition: String, _ text: String) throws -> [Int64] {
                try file.statement("SELECT id FROM registrations WHERE app = ? AND \(condition)").all(.integer(app.rawValue), .text(text)) {
                    $0.integer(0)
                }
            }
            if person.kind == .installation { return try ids("installation = ?", person.text).sorted(by: >) }
            let nobodys = try profile.partners.compactMap(\.id).flatMap { try ids("installation = ? AND user IS NULL", $0) }
            return try (ids("user = ?", person.text) + nobodys).sorted(by: >)
        }
    }
}

extension MessageDB {
    /// Of each registration as many as may be among the newest of all, so that a page costs no more for what lies behind it.
    fileprivate func newestDeliveries(to registrations: [Int64], before id: Int64, limit: Int) throws -> [Int64] {
        var newest: [Int64] = []
        for registration in registrations {
            // Those that wait and those that are over have an index each, used only where the statement says which it is about.
            for half in ["state < 5", "state >= 5"] {
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
