// SPDX-License-Identifier: Apache-2.0

import Database
import EventStore
import Events
import Platform
import SQLite

/// The contexts of one file by number.
struct FileContexts {
    private var values: [Int64: [[UInt8]?]] = [:]

    init(_ file: DayDB, _ app: AppID, needed: Bool) throws {
        guard needed else { return }
        try file.statement("SELECT id, \(EventContext.fields.joined(separator: ", ")) FROM contexts WHERE app = ?").each([.integer(app.rawValue)]) {
            row in
            values[row.integer(0)] = (0..<EventContext.fields.count).map { row.isNull(Int32($0 + 1)) ? nil : row.bytes(Int32($0 + 1)) }
        }
    }

    subscript(number: Int64, place: Int) -> [UInt8]? {
        values[number]?[place]
    }
}

extension DayDB {
    /// Returns the numbers of names in this file. Names that the file does not have are omitted.
    func words(_ names: [String], _ context: QueryContext) throws -> Set<Int64> {
        Set(
            try names.compactMap { name in
                try statement("SELECT id FROM words WHERE key = ?").first(.key(context.key(.name, name))) { $0.integer(0) }
            })
    }

    func nameTexts(of app: AppID) throws -> [Int64: [UInt8]] {
        var texts: [Int64: [UInt8]] = [:]
        try statement("SELECT id, text FROM words WHERE app = ? AND kind = \(sql: WordTable.Kind.name)").each([.integer(app.rawValue)]) {
            texts[$0.integer(0)] = $0.bytes(1)
        }
        return texts
    }
}

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

    /// Returns the property of an event's person. A property of the installation is used if its user has none.
    func value(_ name: String, user: UInt64, installation: UInt64) -> [UInt8]? {
        let known = values[ExactText(name)]
        return known?[identity.person(user: user, installation: installation)] ?? known?[installation]
    }
}
