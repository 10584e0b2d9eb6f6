// SPDX-License-Identifier: Apache-2.0

import Database
package import Events
package import Platform
import SQLite

/// A query or a cohort that an app keeps under a name.
package struct SavedDefinition: Sendable {
    package enum Kind: Sendable, Equatable {
        case query(QueryName)
        case cohort

        /// The word in the table, under which names are unique.
        fileprivate var word: String {
            switch self {
            case .query: "query"
            case .cohort: "cohort"
            }
        }

        fileprivate var query: String {
            switch self {
            case .query(let name): name.rawValue
            case .cohort: ""
            }
        }

        /// How messages name it.
        package var noun: String {
            switch self {
            case .query: "saved query"
            case .cohort: "cohort"
            }
        }
    }

    package var kind: Kind
    package var name: String
    /// The parameters as a JSON object, as `POST /v1/query/…` takes them. Relative times stay relative.
    package var parameters: [UInt8]
    package var created: Timestamp
    package var changed: Timestamp

    /// The number of saved queries of an app, and of cohorts.
    package static let limit = 500
    /// The size of the parameters in bytes.
    package static let byteLimit = 32 << 10

    package init(_ kind: Kind, name: String, parameters: [UInt8], at time: Timestamp) {
        (self.kind, self.name, self.parameters) = (kind, name, parameters)
        (created, changed) = (time, time)
    }

    /// Throws a refusal if the name has other characters than letters, digits, dots, underscores and hyphens.
    package static func check(_ name: String) throws(Refusal) {
        guard Cohort.isName(name) else {
            throw .field("name", "bad_name", "must have 1 to 64 letters, digits, dots, underscores or hyphens")
        }
    }
}

/// The list to which a definition belongs.
package enum SavedList: String, Sendable {
    case query, cohort
}

extension EventStore {
    /// Stores a definition under its name, in place of the one before. Returns it with its times, and whether the name is new.
    package func save(_ definition: SavedDefinition, of app: AppID) async throws -> (definition: SavedDefinition, isNew: Bool) {
        _ = try self.app(app)
        return try await change(of: app, bytes: definition.parameters.count) { context in
            var definition = definition
            let list = definition.kind == .cohort ? SavedList.cohort : .query
            let known = try context.main.saved(definition.name, in: list, of: app)
            if let known { definition.created = known.created } else { try context.main.requireRoom(in: list, of: app) }
            try context.main.statement(
                """
                INSERT INTO saved_definitions (app, kind, name, query, parameters, created, changed) VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET query = excluded.query, parameters = excluded.parameters, changed = excluded.changed
                """
            ).run(
                .integer(app.rawValue), .text(definition.kind.word), .text(definition.name), .text(definition.kind.query),
                .utf8(definition.parameters), .integer(definition.created.milliseconds), .integer(definition.changed.milliseconds))
            return (definition, known == nil)
        }
    }

    /// Returns false if there is no definition of this name.
    package func deleteSaved(_ name: String, from list: SavedList, of app: AppID) async throws -> Bool {
        try await change(of: app) { context in
            try context.main.statement("DELETE FROM saved_definitions WHERE app = ? AND kind = ? AND name = ?").run(
                .integer(app.rawValue), .text(list.rawValue), .text(name))
            return context.main.changes > 0
        }
    }

    package func saved(_ name: String, in list: SavedList, of app: AppID) async throws -> SavedDefinition? {
        try await readers.read(.small) { session in try session.withMain { try $0.saved(name, in: list, of: app) } }
    }

    /// Returns definitions in the order of their names.
    package func saved(in list: SavedList, of app: AppID, after name: String, limit: Int) async throws -> [SavedDefinition] {
        try await readers.read(.small) { session in
            try session.withMain { main in
                let sql =
                    "SELECT \(SavedDefinition.columns) FROM saved_definitions WHERE app = ? AND kind = ? AND name > ? ORDER BY name LIMIT ?"
                return try main.statement(sql).all(
                    .integer(app.rawValue), .text(list.rawValue), .text(name), .integer(Int64(limit))
                ) { SavedDefinition($0) }.compactMap(\.self)
            }
        }
    }
}

extension MainDB {
    fileprivate func saved(_ name: String, in list: SavedList, of app: AppID) throws -> SavedDefinition? {
        let find = try statement("SELECT \(SavedDefinition.columns) FROM saved_definitions WHERE app = ? AND kind = ? AND name = ?")
        return try find.first(.integer(app.rawValue), .text(list.rawValue), .text(name)) { SavedDefinition($0) }.flatMap(\.self)
    }

    fileprivate func requireRoom(in list: SavedList, of app: AppID) throws {
        let find = try statement("SELECT count(*) FROM saved_definitions WHERE app = ? AND kind = ?")
        let count = try find.first(.integer(app.rawValue), .text(list.rawValue)) { $0.int(0) } ?? 0
        guard count < SavedDefinition.limit else {
            throw Refusal(
                .conflict, "The app has \(SavedDefinition.limit) of them already.", hint: "Delete a saved query or cohort that nobody uses.")
        }
    }
}

extension SavedDefinition {
    fileprivate static let columns = "kind, name, query, parameters, created, changed"

    /// Nil for a query that only a newer version knows.
    fileprivate init?(_ row: Row) {
        let kind: Kind? = row.text(0) == Kind.cohort.word ? .cohort : QueryName(rawValue: row.text(2)).map { .query($0) }
        guard let kind else { return nil }
        self.init(kind, name: row.text(1), parameters: row.bytes(3), at: Timestamp(milliseconds: row.integer(4)))
        changed = Timestamp(milliseconds: row.integer(5))
    }
}
