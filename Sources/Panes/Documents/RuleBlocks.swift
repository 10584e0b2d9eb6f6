// SPDX-License-Identifier: Apache-2.0

import API
import Platform
import Terminal

/// The decisions of one `allow` statement, or of none.
struct RuleLine: Equatable {
    /// The line and the column, such as `5:7`; `none` for denials of paths that no statement is about.
    let place: String
    /// Nil for no statement.
    let allowed: Int?
    /// The denials at which it was looked at last.
    let denied: Int
}

extension DocumentDenialsResponse {
    /// The statements in the order of the file, then the denials without one.
    var lines: [RuleLine] {
        let denied = Dictionary(items.map { ($0.place, $0.count) }, uniquingKeysWith: +)
        let lines = statements.map { RuleLine(place: "\($0.line):\($0.column)", allowed: $0.allowed, denied: denied["\($0.line):\($0.column)"] ?? 0) }
        return lines + (denied[Denial.noPlace].map { [RuleLine(place: Denial.noPlace, allowed: nil, denied: $0)] } ?? [])
    }
}

extension DocumentDenialsResponse.Denial {
    fileprivate static let noPlace = "none"

    fileprivate var place: String {
        if let line, let column { "\(line):\(column)" } else { Self.noPlace }
    }

    fileprivate var reason: String { line == nil ? "no line" : failed ? "error" : "false" }
}

/// Tables of what rules decided.
enum RuleBlocks {
    static let withoutRules = "No rules: users may read and write nothing. Set them with `ingestd rules set`."

    /// `120k allowed · 21 denied · 2 of 5 lines never · since 11:00:00`.
    static func note(_ found: DocumentDenialsResponse, _ view: PaneView) -> String {
        let allowed = found.statements.reduce(0) { $0 + $1.allowed }
        let parts = ["\(Numbers.short(allowed)) allowed", "\(denied(found)) denied", never(found), since(found, view)]
        return found.revision == nil ? "" : parts.filter { !$0.isEmpty }.joined(separator: " · ")
    }

    /// The number of denials.
    static func denied(_ found: DocumentDenialsResponse) -> String { Numbers.short(found.items.reduce(0) { $0 + $1.count }) }

    /// The number of statements that allowed nothing; empty for none.
    static func never(_ found: DocumentDenialsResponse) -> String {
        let never = found.statements.count { $0.allowed == 0 }
        return never == 0 ? "" : "\(never) of \(found.statements.count) lines never"
    }

    /// When the counts began.
    static func since(_ found: DocumentDenialsResponse, _ view: PaneView) -> String { found.since.map { "since \(view.moment($0))" } ?? "" }

    static func sheet(_ found: DocumentDenialsResponse) -> Sheet {
        Sheet(["line", "allowed", "denied"], found.lines.map { [$0.place, $0.allowed.map { "\($0)" } ?? "", "\($0.denied)"] })
    }

    static func drawLines(_ lines: [RuleLine], chosen: Int?, in area: Rect, on frame: inout Frame) {
        guard !lines.isEmpty else { return Block.say("No allow line.", in: area, on: &frame) }
        let columns = [Table.Column("line"), Table.Column("allowed", .right), Table.Column("denied", .right)]
        let rows = lines.map { line in
            [line.place, line.allowed.map { $0 == 0 ? "never" : Numbers.short($0) } ?? "–", Numbers.short(line.denied)]
        }
        SelectableTable(columns, rows, chosen: chosen) { lines[$0].allowed == 0 ? Theme.warning : .plain }.draw(in: area, on: &frame)
    }

    static func drawDenials(_ found: DocumentDenialsResponse, _ view: PaneView, in area: Rect, on frame: inout Frame) {
        guard found.revision != nil else { return Block.say(withoutRules, in: area, on: &frame) }
        guard !found.items.isEmpty else { return Block.say("No denials.", in: area, on: &frame) }
        let columns = [
            Table.Column("denied", isFlexible: true), Table.Column("times", .right), Table.Column("line"), Table.Column("why"), Table.Column("user"),
            Table.Column("last"),
        ]
        let cells = found.items.prefix(max(0, area.height - 1)).map { item in
            [
                "\(item.method) \(item.collection)", Numbers.short(item.count), item.place, item.reason, item.signedIn ? "yes" : "no",
                view.moment(item.last),
            ]
        }
        Table(columns, cells).draw(in: area, on: &frame, heading: Theme.faint)
    }

    static func drawByCollection(_ collections: [DocumentDenialsResponse.Collection], in area: Rect, on frame: inout Frame) {
        guard !collections.isEmpty else { return Block.say("No decisions yet.", in: area, on: &frame) }
        let columns = [
            Table.Column("collection", isFlexible: true), Table.Column("allowed", .right), Table.Column("denied", .right),
            Table.Column("share denied", .right),
        ]
        let cells = collections.prefix(max(0, area.height - 1)).map { one in
            [
                one.collection.isEmpty ? "(all)" : one.collection, Numbers.short(one.allowed), Numbers.short(one.denied),
                Numbers.percent(Double(one.denied) / Double(max(1, one.allowed + one.denied))),
            ]
        }
        Table(columns, cells).draw(in: area, on: &frame, heading: Theme.faint)
    }
}
