// SPDX-License-Identifier: Apache-2.0

import Database
import Events
import Platform
import SQLite

/// The virtual table `events` of SQL queries: an app's events in a time range.
///
/// Each day's file is read by a statement with the bounds and columns that the query needs.
final class EventsTable: RowTable {
    /// The size limit of values in a query. Longer parameters read as NULL.
    static let longestValue = 512 << 10

    private let context: QueryContext
    private let from: Timestamp
    private let to: Timestamp

    init(_ context: QueryContext, from: Timestamp, to: Timestamp) {
        self.context = context
        self.from = from
        self.to = to
    }

    let columns =
        [
            TableColumn("seq", "INTEGER", .range), TableColumn("id", "TEXT"), TableColumn("name", "TEXT", .equality),
            TableColumn("timestamp", "INTEGER", .range), TableColumn("received", "INTEGER", .range), TableColumn("user_id", "TEXT", .equality),
            TableColumn("installation_id", "TEXT", .equality), TableColumn("session_id", "TEXT", .equality),
        ] + EventContext.fields.map { TableColumn($0, "TEXT") } + [
            TableColumn("params", "TEXT"), TableColumn("late", "INTEGER"), TableColumn("clock", "INTEGER"), TableColumn("corrected", "INTEGER"),
            TableColumn("amount_micros", "INTEGER"), TableColumn("currency", "TEXT"),
        ]

    func rows(_ bounds: [TableBound], wanted: ColumnSet) throws -> any RowCursor {
        EventsCursor(context, try context.days(from: from, to: to), EventsQuery(context, from: from, to: to, bounds, wanted))
    }
}

/// The positions of the columns. The context's fields are in between.
enum EventColumn {
    static let (seq, id, name, time, received, user, installation, session) = (0, 1, 2, 3, 4, 5, 6, 7)
    static let contexts = 8..<8 + EventContext.fields.count
    static let params = contexts.upperBound
    static let (late, clock, corrected, amount, currency) = (params + 1, params + 2, params + 3, params + 4, params + 5)
}

/// The statement that reads each day's file.
struct EventsQuery {
    let sql: String
    let values: [Value]

    init(_ context: QueryContext, from: Timestamp, to: Timestamp, _ bounds: [TableBound], _ wanted: ColumnSet) {
        var conditions = ["e.app = ?", "e.time >= ?", "e.time < ?"]
        var values: [Value] = [.integer(context.app.rawValue), .integer(from.milliseconds), .integer(to.milliseconds)]
        for bound in bounds {
            func key(_ domain: KeyedHash.Domain) -> Value { .key(context.hash(domain, app: context.app, bound.value.text.span)) }
            let (condition, value) =
                switch bound.column {
                case EventColumn.name: ("e.name = (SELECT id FROM words WHERE key = ?)", key(.name))
                case EventColumn.user: ("e.user = ?", key(.user))
                case EventColumn.installation: ("e.installation = ?", key(.installation))
                case EventColumn.session: ("e.session = ?", key(.session))
                case EventColumn.seq: ("e.seq \(bound.comparison.rawValue) ?", bound.value)
                case EventColumn.time: ("e.time \(bound.comparison.rawValue) ?", bound.value)
                default: ("e.received \(bound.comparison.rawValue) ?", bound.value)
                }
            conditions.append(condition)
            values.append(value)
        }
        // Without the hint, the planner would use the index on app and name even for all rows.
        let hint = bounds.contains { $0.column == EventColumn.name } ? "" : "NOT INDEXED"
        let joins = EventsQuery.joins.filter { wanted.contains(any: $0.columns) }.map(\.sql)
        sql = """
            SELECT \(EventsQuery.columns(wanted)) FROM events e \(hint) \(joins.joined(separator: " "))
            WHERE \(conditions.joined(separator: " AND "))
            """
        self.values = values
    }

    private static let joins: [(columns: [Int], sql: String)] = [
        ([EventColumn.id, EventColumn.params], "LEFT JOIN details d ON d.seq = e.seq"),
        ([EventColumn.name], "LEFT JOIN words w ON w.id = e.name"),
        (Array(EventColumn.contexts), "LEFT JOIN contexts c ON c.id = e.context"),
        ([EventColumn.amount, EventColumn.currency], "LEFT JOIN purchases p ON p.seq = e.seq AND p.currency != 0"),
    ]

    /// Returns the columns. Those that are not wanted are NULL, so they are not read.
    private static func columns(_ wanted: ColumnSet) -> String {
        let all =
            ["e.seq", "d.id", "w.text", "e.time", "e.received", "e.user", "e.installation", "e.session"] + EventContext.fields.map { "c.\($0)" } + [
                "d.params", "e.flags & \(EventFlags.late.rawValue) != 0", "e.flags & \(EventFlags.clock.rawValue) != 0",
                "e.flags & \(EventFlags.corrected.rawValue) != 0", "p.amount", "p.currency",
            ]
        return all.enumerated().map { wanted.contains($0.offset) ? $0.element : "NULL" }.joined(separator: ", ")
    }
}
