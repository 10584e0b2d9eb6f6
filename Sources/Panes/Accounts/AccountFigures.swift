// SPDX-License-Identifier: Apache-2.0

import API
import Platform
import Terminal

/// The block with the totals, and sign-ups, sign-ins and failures by day and method.
enum AccountFigures {
    private typealias Row = (day: String, signUps: Int, signIns: Int, failures: Int, methods: String)

    static func draw(_ query: DaemonQuery<AccountFiguresResponse>, _ view: PaneView, in area: Rect, on frame: inout Frame) {
        let found = view.results.value(query)
        guard let body = Block.open("Sign-ins by day (UTC)", found.map(summary) ?? "", query, view, in: area, on: &frame), let found else { return }
        let rows = rows(found)
        guard !rows.isEmpty else { return Block.say("No sign-ins; ] lengthens the range.", in: body, on: &frame) }
        let columns = [
            Table.Column("day"), Table.Column("sign-ups", .right), Table.Column("sign-ins", .right), Table.Column("failures", .right),
            Table.Column("by method", isFlexible: true),
        ]
        let cells = rows.prefix(max(0, body.height - 1)).map { row in
            [row.day, Numbers.short(row.signUps), Numbers.short(row.signIns), Numbers.short(row.failures), row.methods]
        }
        Table(columns, cells).draw(in: body, on: &frame, heading: Theme.faint)
    }

    private static func summary(_ figures: AccountFiguresResponse) -> String {
        let parts = [
            (figures.verified, "verified"), (figures.anonymous, "anonymous"), (figures.disabled, "disabled"),
            (figures.secondFactor, "with a second factor"),
        ]
        return
            (["\(Numbers.short(figures.accounts)) \(figures.accounts == 1 ? "account" : "accounts")"]
            + parts.filter { $0.0 > 0 }.map { "\(Numbers.short($0.0)) \($0.1)" }).joined(separator: " · ")
    }

    /// Days, newest first, with the methods by their number of sign-ins and failures.
    private static func rows(_ figures: AccountFiguresResponse) -> [Row] {
        var rows: [Row] = []
        for (day, activity) in figures.days.grouped(by: \.day) {
            let methods = activity.sorted { ($1.signIns + $1.failures, $0.method) < ($0.signIns + $0.failures, $1.method) }.map { one in
                "\(one.method) \(Numbers.short(one.signIns))" + (one.failures > 0 ? " (\(Numbers.short(one.failures)) failed)" : "")
            }
            rows.append(
                (
                    day, activity.reduce(0) { $0 + $1.signUps }, activity.reduce(0) { $0 + $1.signIns }, activity.reduce(0) { $0 + $1.failures },
                    methods.joined(separator: ", ")
                ))
        }
        return rows
    }
}

extension [AccountFiguresResponse.Activity] {
    /// Neighbours with the same value, in their order.
    fileprivate func grouped(by key: (Element) -> String) -> [(String, [Element])] {
        reduce(into: []) { groups, one in
            if groups.last?.0 == key(one) { groups[groups.count - 1].1.append(one) } else { groups.append((key(one), [one])) }
        }
    }
}
