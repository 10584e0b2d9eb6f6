// SPDX-License-Identifier: Apache-2.0

import Events
import Terminal

/// Revenue by currency.
struct RevenuePane: Pane {
    static let name = "Revenue"
    static let summary = "Purchases and refunds by currency."

    static let keys: [PaneKey<Self>] =
        PaneKey.range + [.compare, PaneKey("b", "by", "Breaks the revenue down by a field.") { pane, _ in .prompt(pane.fieldPrompt) }]
        + PaneKey.moves(when: { $0.currencies($1).count > 1 }) { $0.selection.move($1, in: $0.currencies($2).map(\.currency)) }

    private var selection = Selection()
    /// The field of the breakdown.
    private var field = "context.country"

    // MARK: Queries

    private func revenue(_ range: ViewRange) -> DaemonQuery<RangedResult<RevenueResult>> {
        let span = RevenueRange(range)
        return DaemonQuery("revenue", "/v1/query/revenue", [("from", span.from), ("interval", span.interval)], every: 5)
    }

    private func before(_ range: ViewRange) -> DaemonQuery<RangedResult<RevenueResult>> {
        let span = RevenueRange(range)
        let parameters = [("from", span.before.from), ("to", span.before.to), ("interval", span.interval)]
        return DaemonQuery("revenue_before", "/v1/query/revenue", parameters, every: 30)
    }

    private func parts(_ range: ViewRange) -> DaemonQuery<RangedResult<TopResult>> {
        DaemonQuery(
            "revenue_parts", "/v1/query/top",
            [
                ("field", field), ("metric", "revenue"), ("from", RevenueRange(range).from), ("interval", RevenueRange(range).interval),
                ("limit", "20"),
            ],
            every: 10
        )
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] {
        [revenue(options.range).polled, parts(options.range).polled] + (options.compares ? [before(options.range).polled] : [])
    }

    // MARK: Keys

    private static let fields =
        EventContext.fields.map { "context.\($0)" } + [
            "items.item_id", "items.item_name", "items.item_category", "name", "params.item_name", "params.item_id", "params.product_id", "user.",
        ]

    private var fieldPrompt: Prompt {
        Prompt("By", "A field: name, context.…, params.…, user.… or items.…. Current: \(field).", limit: 1_000, words: RevenuePane.fields) {
            [self] text in
            let field = text.trimmed
            guard !field.isEmpty else { return .unavailable("Type a field, such as context.country or items.item_name.") }
            var changed = self
            changed.field = field
            return .replace(changed)
        }
    }

    private func currencies(_ view: PaneView) -> [RevenueResult.Currency] { view.results.value(revenue(view.range))?.body.currencies ?? [] }

    // MARK: Drawing

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let query = revenue(view.range), parts = parts(view.range)
        let currencies = currencies(view)
        let result = view.results.value(query)
        let isComplete = result?.about.complete ?? false
        let notes = [
            view.options.compares ? "comparing complete \(RevenueRange(view.range).interval)s" : nil,
            result?.body.users.map { "\($0.of("person", "people")) there" },
        ]
        guard let body = Block.open(title, notes.compactMap(\.self).joined(separator: " · "), query, view, in: area.inset(1), on: &frame) else {
            return
        }
        guard let index = selection.index(in: currencies.map(\.currency)) else {
            let hint =
                "No purchases in the last \(view.range.name); ] lengthens the range. Events named purchase with a value and a currency count."
            return Block.say(hint, in: body, on: &frame)
        }
        let before = view.options.compares ? view.results.value(before(view.range))?.body.currencies : nil
        let chosen = currencies[index]
        let (field, compares) = (field, view.options.compares)
        let isWide = area.width >= 100
        let table: PaneRow.Draw = { _, place, frame in
            RevenueBlocks.currencies(currencies, compares ? before ?? [] : nil, isComplete: isComplete, chosen: index, in: place, on: &frame)
        }
        let chart: PaneRow.Draw = { RevenueBlocks.net(chosen, isComplete: isComplete, $0, in: $1, on: &$2) }
        let list: PaneRow.Draw = { RevenueBlocks.parts(parts, of: chosen.currency, by: field, $0, in: $1, on: &$2) }
        let head = PaneRow([(1, table)], least: 2, most: min(8, currencies.count + 1), rank: 0, weight: 4)
        let rows =
            isWide
            ? [head, PaneRow([(2, chart), (1, list)], least: 5, most: 60, rank: 1, weight: 1)]
            : [
                head, PaneRow([(1, chart)], least: 5, most: 60, rank: 1, weight: 2), PaneRow([(1, list)], least: 4, most: 22, rank: 2, weight: 1),
            ]
        PaneRow.draw(rows, view, in: body, on: &frame)
    }
}
