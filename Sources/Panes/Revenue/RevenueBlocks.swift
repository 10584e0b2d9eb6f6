// SPDX-License-Identifier: Apache-2.0

import Events
import Terminal

/// The blocks of the revenue pane.
enum RevenueBlocks {
    /// A row for each currency; with `before`, the change of the net revenue of complete buckets.
    static func currencies(
        _ all: [RevenueResult.Currency], _ before: [RevenueResult.Currency]?, isComplete: Bool, chosen: Int, in area: Rect,
        on frame: inout Frame
    ) {
        let isNarrow = area.width < 100 && before != nil
        let parts: [(heading: String, text: (RevenueResult.Currency) -> String, isShown: Bool)] = [
            ("net", { $0.net.exact }, true), ("before", { old($0, before)?.net.exact ?? "–" }, before != nil),
            ("change", { change($0, old($0, before), isComplete) }, before != nil), ("gross", { $0.gross.exact }, !isNarrow),
            ("refunds", { $0.refunds.exact }, !isNarrow), ("sold", { Numbers.short($0.purchaseCount) }, true),
            ("back", { Numbers.short($0.refundCount) }, true), ("buyers", { $0.buyers.map { Numbers.short($0) } ?? "–" }, true),
            ("ARPU", { $0.arpu?.cents ?? "–" }, true), ("ARPPU", { $0.arppu?.cents ?? "–" }, true),
        ]
        let shown = parts.filter(\.isShown)
        let columns = [Table.Column("")] + shown.map { Table.Column($0.heading, .right) }
        SelectableTable(columns, all.map { currency in [currency.currency] + shown.map { $0.text(currency) } }, chosen: chosen).draw(
            in: area, on: &frame)
    }

    private static func old(_ currency: RevenueResult.Currency, _ before: [RevenueResult.Currency]?) -> RevenueResult.Currency? {
        before?.first { $0.currency == currency.currency }
    }

    /// The running bucket is left out of the comparison.
    private static func change(_ now: RevenueResult.Currency, _ before: RevenueResult.Currency?, _ isComplete: Bool) -> String {
        let over = isComplete ? now.points[...] : now.points.dropLast()
        let net = over.reduce(0) { $0 + $1.net.number }
        return before.flatMap { Change(net, before: $0.net.number) }?.text ?? ""
    }

    static func net(_ currency: RevenueResult.Currency, isComplete: Bool, _ view: PaneView, in area: Rect, on frame: inout Frame) {
        let (head, body) = area.split(rows: 1)
        let points = currency.points
        let unit = RevenueRange(view.range).interval
        let shared = SignedBars.shared(points.count, across: body.width)
        let least = points.map(\.net.millionths).min() ?? 0
        let notes = [
            shared > 1 ? "each column \(shared) \(unit)s" : nil,
            points.map(\.net.millionths).max().map { "most \(DecimalText($0).exact)" },
            least < 0 ? "least \(DecimalText(least).exact)" : nil,
        ]
        frame.rule(
            "Net \(currency.currency) by the \(unit)", note: notes.compactMap(\.self).joined(separator: " · "), in: head, Theme.faint,
            title: Theme.title)
        guard let first = points.first else { return }
        let start = unit == "day" ? view.day(first.t.time) : view.moment(first.t)
        SignedBars(points.map(\.net.number), from: start, to: isComplete ? "now" : "now, in progress", isLastOpen: !isComplete)
            .draw(in: body, on: &frame, Theme.bars, below: Theme.warning, open: Theme.open, axis: Theme.faint)
    }

    static func parts(
        _ query: DaemonQuery<RangedResult<TopResult>>, of currency: String, by field: String, _ view: PaneView, in area: Rect, on frame: inout Frame
    ) {
        let items = (view.results.value(query)?.body.items ?? []).filter { $0.currency == currency }
        guard let body = Block.open("\(currency) by \(field)", "", query, view, in: area, on: &frame) else { return }
        guard !items.isEmpty else { return Block.say("No purchases in the last \(view.range.name).", in: body, on: &frame) }
        guard items.contains(where: { $0.name != BreakdownName.none }) else {
            return Block.say("No purchase has the field \(field); b changes it.", in: body, on: &frame)
        }
        let amounts = items.prefix(body.height).map { $0.value.amount }
        let width = amounts.map(\.width).max() ?? 0
        let peak = items.map(\.value.number).max() ?? 0
        for (row, (item, amount)) in zip(items, amounts).enumerated() {
            let (left, right) = Rect(body.x, body.y + row, body.width, 1).split(columns: body.width - width)
            frame.text(amount, in: right, .bold, .right)
            let (name, bar) = left.split(columns: left.width / 2)
            let isRest = [BreakdownName.other, BreakdownName.none].contains(item.name)
            frame.text(item.name, in: name.split(columns: name.width - 1).left, isRest ? Theme.faint : .plain)
            frame.bar(item.value.number, of: peak, in: bar.split(columns: bar.width - 1).left, Theme.bars)
        }
    }
}

extension SeriesResult.Value {
    fileprivate var amount: String {
        switch self {
        case .count, .number, .missing: Numbers.grouped(number)
        case .money(let millionths): DecimalText(millionths).exact
        }
    }
}
