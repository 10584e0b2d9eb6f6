// SPDX-License-Identifier: Apache-2.0

import Database
import EventStore
import Events
import Platform
import SQLite

/// The virtual table `events` of SQL queries: an app's events in a time range.
///
/// Each day's file is read with the bounds and columns that the query needs.
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
        EventsCursor(context, try context.days(from: from, to: to), request(bounds, wanted))
    }

    private func request(_ bounds: [TableBound], _ wanted: ColumnSet) -> EventRequest {
        var request = EventRequest(context.app, EventColumn.read(for: wanted), where: EventCondition.times(from, to) + bounds.map(condition))
        // A query may need one row only.
        request.firstBatch = 64
        return request
    }

    private func condition(_ bound: TableBound) -> EventCondition {
        func key(_ domain: KeyedHash.Domain) -> UInt64 { context.hash(domain, app: context.app, bound.value.text.span) }
        return switch bound.column {
        case EventColumn.name: .names([key(.name)])
        case EventColumn.user: .user(key(.user))
        case EventColumn.installation: .installation(key(.installation))
        case EventColumn.session: .sessions([key(.session)])
        case EventColumn.seq: .seq(bound.comparison, bound.value)
        case EventColumn.time: .time(bound.comparison, bound.value)
        default: .received(bound.comparison, bound.value)
        }
    }
}

/// The positions of the columns. The context's fields are in between.
enum EventColumn {
    static let (seq, id, name, time, received, user, installation, session) = (0, 1, 2, 3, 4, 5, 6, 7)
    static let contexts = 8..<8 + EventContext.fields.count
    static let params = contexts.upperBound
    static let (late, clock, corrected, amount, currency) = (params + 1, params + 2, params + 3, params + 4, params + 5)

    /// Returns the columns of events from which the wanted columns of the table are made.
    static func read(for wanted: ColumnSet) -> EventColumns {
        sources.reduce(into: []) { columns, source in
            if wanted.contains(any: source.columns) { columns.insert(source.read) }
        }
    }

    private static let sources: [(columns: [Int], read: EventColumns)] = [
        ([seq], .seq), ([id], .id), ([name], .name), ([time], .time), ([received], .received), ([user], .user), ([installation], .installation),
        ([session], .session), (Array(contexts), .context), ([params], .params), ([late, clock, corrected], .flags),
        ([amount, currency], .purchase),
    ]
}
