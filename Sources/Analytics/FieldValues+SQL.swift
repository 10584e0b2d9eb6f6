// SPDX-License-Identifier: Apache-2.0

import Database
import EventStore
import Events
import Platform
import SQLite

/// The current values of user properties, by property and person.
struct PeopleValues: Sendable {
    private var values: [ExactText: [UInt64: [UInt8]]] = [:]
    private let identity: Identity

    init(_ context: QueryContext, _ scan: EventScan) throws {
        identity = try scan.identity ?? context.identity(from: scan.from, to: scan.to)
        for name in scan.properties {
            var found: [UInt64: [UInt8]] = [:]
            try context.session.withMain { main in
                let sql = "SELECT person, value FROM properties WHERE app = ? AND name = ? AND value IS NOT NULL"
                try main.statement(sql).each([.integer(context.app.rawValue), .text(name.text)]) { found[$0.key(0)] = ParamText.plain($0.bytes(1)) }
            }
            values[name] = found
        }
    }

    func person(user: UInt64, installation: UInt64) -> UInt64 { identity.person(user: user, installation: installation) }

    /// Returns the property of an event's person. A property of the installation is used if its user has none.
    @Sendable func value(_ name: String, user: UInt64, installation: UInt64) -> [UInt8]? {
        let known = values[ExactText(name)]
        return known?[identity.person(user: user, installation: installation)] ?? known?[installation]
    }
}
