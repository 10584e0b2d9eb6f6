// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import Events
import Platform
import SQLite

/// The statement that reads a request's rows, with the cheapest access path: the few purchases, the index by name, or a scan of all rows.
///
/// Columns have fixed positions. Those that are not requested are NULL, so they are not read.
struct RowSelect {
    let sql: String
    let values: [Value]

    init(_ request: EventRequest, _ columns: EventColumns, names: Set<Int64>?) {
        var conditions = ["e.app = \(request.app.rawValue)"]
        var values: [Value] = []
        for condition in request.conditions {
            let (sql, bound) = condition.sql(request.app, names: names ?? [])
            conditions.append(sql)
            values += bound
        }
        sql = """
            SELECT \(RowSelect.columns(columns)) FROM \(RowSelect.tables(columns, request))
            WHERE \(conditions.joined(separator: " AND ")) \(request.order.sql)
            """
        self.values = values
    }

    private static func columns(_ wanted: EventColumns) -> String {
        let all: [(EventColumns, String)] = [
            (.seq, "e.seq"), (.name, "e.name"), (.time, "e.time"), (.received, "e.received"), (.user, "e.user"),
            (.installation, "e.installation"), (.session, "e.session"), (.context, "e.context"), (.flags, "e.flags"), (.id, "d.id"),
            (.params, "d.params"), (.purchase, "p.kind"), (.purchase, "p.amount"), (.purchase, "p.currency"),
        ]
        return all.map { column, sql in wanted.contains(column) ? sql : "NULL" }.joined(separator: ", ")
    }

    private static func tables(_ columns: EventColumns, _ request: EventRequest) -> String {
        // Without the hint, the planner would use the index on app and name even for all rows.
        var tables = request.isOfSales ? "purchases p CROSS JOIN events e ON e.seq = p.seq" : "events e"
        if request.names == nil || request.order != .any, !request.isOfSales { tables += " NOT INDEXED" }
        if !columns.isDisjoint(with: [.id, .params]) { tables += " CROSS JOIN details d ON d.seq = e.seq" }
        if columns.contains(.purchase), !request.isOfSales { tables += " LEFT JOIN purchases p ON p.seq = e.seq" }
        return tables
    }
}

extension EventRequest.Order {
    fileprivate var sql: String {
        switch self {
        case .any: ""
        case .ascending: "ORDER BY e.seq"
        case .descending: "ORDER BY e.seq DESC"
        }
    }
}

extension EventCondition {
    /// Returns the condition on the tables `e` and `p`, and the values of its parameters.
    fileprivate func sql(_ app: AppID, names: Set<Int64>) -> (String, [Value]) {
        switch self {
        case .seq(let comparison, let value): ("e.seq \(comparison.rawValue) ?", [value])
        case .time(let comparison, let value): ("e.time \(comparison.rawValue) ?", [value])
        case .received(let comparison, let value): ("e.received \(comparison.rawValue) ?", [value])
        case .seqs(let seqs): ("e.seq IN (\(seqs.map(String.init).joined(separator: ", ")))", [])
        case .names: ("e.name IN (\(names.sorted().map(String.init).joined(separator: ", ")))", [])
        case .user(let key): ("e.user = ?", [.key(key)])
        case .installation(let key): ("e.installation = ?", [.key(key)])
        case .sessions(let keys): ("e.session IN \(keys.list)", [])
        case .person(let keys): (keys.condition(on: "e."), [])
        case .isNamed: ("e.user != 0 AND e.installation != 0", [])
        // The second condition is that of the index.
        case .transaction(let key): ("p.transaction_key = ? AND p.transaction_key != 0", [.key(key)])
        case .isSale: ("p.app = \(app.rawValue) AND p.currency != 0", [])
        }
    }
}
