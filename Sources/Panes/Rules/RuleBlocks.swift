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

/// Tables of what rules decided.
enum RuleBlocks {
    private static let withoutRules = "No rules: users may read and write nothing."

    /// `120k allowed · 21 denied · 2 of 5 lines never · since 11:00:00`.
    static func note(_ found: RuleFigures, _ view: PaneView) -> String {
        let allowed = found.lines.reduce(0) { $0 + ($1.allowed ?? 0) }
        let parts = ["\(Numbers.short(allowed)) allowed", "\(denied(found)) denied", never(found), since(found, view)]
        return found.revision == nil ? "" : parts.filter { !$0.isEmpty }.joined(separator: " · ")
    }

    /// The number of denials.
    static func denied(_ found: RuleFigures) -> String { Numbers.short(found.denials.reduce(0) { $0 + $1.count }) }

    /// The number of statements that allowed nothing; empty for none.
    static func never(_ found: RuleFigures) -> String {
        let statements = found.lines.count { $0.allowed != nil }
        let never = found.lines.count { $0.allowed == 0 }
        return never == 0 ? "" : "\(never) of \(statements) lines never"
    }

    /// When the counts began.
    static func since(_ found: RuleFigures, _ view: PaneView) -> String { found.since.map { "since \(view.moment($0))" } ?? "" }

    static func sheet(_ found: RuleFigures) -> Sheet {
        Sheet(["line", "allowed", "denied"], found.lines.map { [$0.place, $0.allowed.map { "\($0)" } ?? "", "\($0.denied)"] })
    }

    static func drawLines<Response>(
        _ found: RuleFigures, chosen: Int?, _ query: DaemonQuery<Response>, _ view: PaneView, in area: Rect, on frame: inout Frame
    ) {
        guard let body = Block.open("Allow lines", never(found), query, view, in: area, on: &frame) else { return }
        let lines = found.lines
        guard !lines.isEmpty else { return Block.say("No allow line.", in: body, on: &frame) }
        let columns = [Table.Column("line"), Table.Column("allowed", .right), Table.Column("denied", .right)]
        let rows = lines.map { line in
            [line.place, line.allowed.map { $0 == 0 ? "never" : Numbers.short($0) } ?? "–", Numbers.short(line.denied)]
        }
        SelectableTable(columns, rows, chosen: chosen) { lines[$0].allowed == 0 ? Theme.warning : .plain }.draw(in: body, on: &frame)
    }

    /// Draws the newest denials; the note sums up all decisions.
    static func drawDecisions<Response>(
        _ found: RuleFigures?, _ query: DaemonQuery<Response>, _ view: PaneView, in area: Rect, on frame: inout Frame
    ) {
        let note = found.map { self.note($0, view) } ?? ""
        guard let body = Block.open("Rules", note, query, view, in: area, on: &frame), let found else { return }
        drawDenials(found, view, in: body, on: &frame)
    }

    static func drawDenials(_ found: RuleFigures, _ view: PaneView, in area: Rect, on frame: inout Frame) {
        guard found.revision != nil else { return Block.say("\(withoutRules) \(found.howToSet)", in: area, on: &frame) }
        guard !found.denials.isEmpty else { return Block.say("No denials.", in: area, on: &frame) }
        let columns = [
            Table.Column("denied", isFlexible: true), Table.Column("times", .right), Table.Column("line"), Table.Column("why"), Table.Column("user"),
            Table.Column("last"),
        ]
        let cells = found.denials.prefix(max(0, area.height - 1)).map { item in
            [
                item.what, Numbers.short(item.count), item.place, item.reason, item.isSignedIn ? "yes" : "no", view.moment(item.last),
            ]
        }
        Table(columns, cells).draw(in: area, on: &frame, heading: Theme.faint)
    }
}
