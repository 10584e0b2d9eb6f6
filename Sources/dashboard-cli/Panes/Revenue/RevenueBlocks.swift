import Events
import Terminal

/// The parts of the pane of revenue.
enum RevenueBlocks {
    /// A row for each currency; with `before`, how its net has changed against then.
    static func currencies(
        _ all: [RevenueAnswer.Currency], _ before: [RevenueAnswer.Currency]?, chosen: Int, in area: Rect, on frame: inout Frame
    ) {
        let compared = before == nil ? [] : [Table.Column("before", .right), Table.Column("change", .right)]
        let columns =
            [Table.Column(""), Table.Column("net", .right)] + compared + [
                Table.Column("gross", .right), Table.Column("refunds", .right), Table.Column("sold", .right), Table.Column("returned", .right),
                Table.Column("buyers", .right), Table.Column("per person", .right), Table.Column("per buyer", .right),
            ]
        let cells = all.map { currency in
            [currency.currency, currency.net.exact] + (before.map { comparison(currency, $0) } ?? []) + [
                currency.gross.exact, currency.refunds.exact, Numbers.short(currency.purchaseCount), Numbers.short(currency.refundCount),
                Numbers.short(currency.buyers), currency.arpu.cents, currency.arppu.cents,
            ]
        }
        ChosenTable(columns, cells, chosen: chosen).draw(in: area, on: &frame)
    }

    private static func comparison(_ now: RevenueAnswer.Currency, _ before: [RevenueAnswer.Currency]) -> [String] {
        guard let old = before.first(where: { $0.currency == now.currency }) else { return ["–", ""] }
        return [old.net.exact, Change(now.net.number, before: old.net.number)?.text ?? ""]
    }

    static func net(_ currency: RevenueAnswer.Currency, _ view: PaneView, in area: Rect, on frame: inout Frame) {
        let (head, body) = area.split(rows: 1)
        let points = currency.points
        let (most, least) = (points.max { $0.net.millionths < $1.net.millionths }, points.min { $0.net.millionths < $1.net.millionths })
        let worst = least.flatMap { $0.net.millionths < 0 ? " · least \($0.net.exact)" : nil } ?? ""
        let note = most.map { "most \($0.net.exact)\(worst)" } ?? ""
        frame.rule("Net \(currency.currency) a \(view.range.interval)", note: note, in: head, Theme.faint, title: Theme.title)
        guard let first = points.first else { return }
        let start = view.range.interval == "minute" ? view.clock(first.t.time) : view.day(first.t.time)
        SignedBars(points.map(\.net.number), from: start, to: "now").draw(in: body, on: &frame, Theme.bars, below: Theme.warning, axis: Theme.faint)
    }

    static func parts(
        _ ask: Ask<QueryAnswer<TopAnswer>>, of currency: String, by field: String, _ view: PaneView, in area: Rect, on frame: inout Frame
    ) {
        let items = (view.answers.value(ask)?.body.items ?? []).filter { $0.currency == currency }
        guard let body = Block.open("\(currency) by \(field)", "", ask, view, in: area, on: &frame) else { return }
        guard !items.isEmpty else { return Block.say("Nothing was bought in the last \(view.range.name).", in: body, on: &frame) }
        guard items.contains(where: { $0.name != BreakdownName.none }) else {
            return Block.say("No purchase says its \(field); b asks for another field.", in: body, on: &frame)
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

extension SeriesAnswer.Value {
    fileprivate var amount: String {
        switch self {
        case .count(let count): Numbers.grouped(Double(count))
        case .money(let millionths): DecimalText(millionths).exact
        }
    }
}
