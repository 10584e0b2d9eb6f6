// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Terminal

/// The blocks of the overview: each draws one result or its error.
enum OverviewBlocks {
    static func events(_ queries: OverviewQueries, _ view: PaneView, in area: Rect, on frame: inout Frame) {
        let points = view.results.value(queries.events)?.body.series.first?.points ?? []
        let values = points.map(\.value.number)
        let before = view.options.compares ? view.results.value(queries.eventsBefore)?.body.series.first?.points.map(\.value.number) : nil
        // The running bucket does not count as the last value.
        let said = values.isEmpty ? "" : "last \(Numbers.short(values.dropLast().last ?? 0)) · peak \(Numbers.short(values.max() ?? 0))"
        let unit = view.range.interval == "hour" ? "an hour" : "a \(view.range.interval)"
        let note = before == nil ? said : "dashed: previous \(view.range.name)"
        guard let body = Block.open("Events \(unit)", note, queries.events, view, in: area, on: &frame), let first = points.first else {
            return
        }
        let start = view.range.interval == "minute" || view.range == .day ? view.clock(first.t.time) : view.day(first.t.time)
        guard let before else { return AreaChart(values, from: start, to: "now").draw(in: body, on: &frame, Theme.chart, axis: Theme.faint) }
        let lines = [dashed(before), values.dropLast() + [nil]]
        LineChart(lines, from: start, to: "now").draw(in: body, on: &frame, [Theme.faint, Theme.chart], axis: Theme.faint)
    }

    /// Gaps make the line recognizable without color.
    private static func dashed(_ values: [Double]) -> [Double?] {
        let dash = max(1, values.count / 24)
        return values.enumerated().map { $0 / dash % 2 == 0 ? $1 : nil }
    }

    static func days(_ query: DaemonQuery<RangedResult<SeriesResult>>, _ view: PaneView, in area: Rect, on frame: inout Frame) {
        let series = view.results.value(query)?.body.series.first
        let note = series.map { "\(Numbers.short($0.total.number)) total" } ?? ""
        guard let body = Block.open("Events by day", note, query, view, in: area, on: &frame), let points = series?.points else { return }
        let width = body.width / max(1, points.count) - 1
        let bars = points.enumerated().map { BarChart.Bar(view.day($1.t.time, within: width), $1.value.number, isOpen: $0 == points.count - 1) }
        BarChart(bars).draw(in: body, on: &frame, Theme.bars, open: Theme.open, label: Theme.faint)
    }

    static func top(
        _ title: String, _ query: DaemonQuery<RangedResult<TopResult>>, _ style: Style, _ view: PaneView, in area: Rect, on frame: inout Frame
    ) {
        let items = view.results.value(query)?.body.items ?? []
        guard let body = Block.open(title, "", query, view, in: area, on: &frame) else { return }
        guard !items.isEmpty else { return Block.say("No data in the last \(view.range.name).", in: body, on: &frame) }
        let values = items.prefix(body.height).map { Numbers.short($0.value.number) }
        let width = values.map(\.width).max() ?? 0
        // Names are complete as long as the bars keep some columns.
        let longest = items.prefix(body.height).map(\.name.width).max() ?? 0
        let names = max(min(longest + 2, body.width - width - 7), body.width / 2 - width)
        let peak = items.map(\.value.number).max() ?? 0
        for (row, (item, value)) in zip(items, values).enumerated() {
            let line = Rect(body.x, body.y + row, body.width, 1)
            let (left, right) = line.split(columns: line.width - width)
            frame.text(value, in: right, .bold, .right)
            let (name, bar) = left.split(columns: names)
            frame.text(item.name, in: name.split(columns: name.width - 1).left, item.name == BreakdownName.other ? Theme.faint : .plain)
            frame.bar(item.value.number, of: peak, in: bar.split(columns: bar.width - 1).left, style)
        }
    }

    static func revenue(_ query: DaemonQuery<RangedResult<RevenueResult>>, _ view: PaneView, in area: Rect, on frame: inout Frame) {
        let currencies = view.results.value(query)?.body.currencies ?? []
        guard let body = Block.open("Revenue today", "", query, view, in: area, on: &frame) else { return }
        guard !currencies.isEmpty else { return Block.say("No purchases today.", in: body, on: &frame) }
        let amounts = currencies.map { "\(Numbers.decimals(Double($0.net.millionths) / 1_000_000, 2)) \($0.currency)" }
        let width = amounts.map(\.width).max() ?? 0
        for (row, (currency, amount)) in zip(currencies, amounts).prefix(body.height).enumerated() {
            let (left, rest) = Rect(body.x, body.y + row, body.width, 1).split(columns: width + 2)
            frame.text(amount, in: left.split(columns: width).left, .bold, .right)
            let sold = "\(currency.purchaseCount) sold"
            let all = currency.refundCount > 0 ? "\(sold), \(currency.refundCount) refunded" : sold
            // The refunds are left out rather than cut.
            frame.text(all.width <= rest.width ? all : sold, in: rest, Theme.faint)
        }
    }

    static func quarantine(_ query: DaemonQuery<QuarantineResponse>, _ view: PaneView, in area: Rect, on frame: inout Frame) {
        let counts = (view.results.value(query)?.counts ?? []).map { (code: $0.code, count: $0.total) }.sorted { $0.count > $1.count }
        let total = counts.reduce(0) { $0 + $1.count }
        guard let body = Block.open("Quarantined", total > 0 ? Numbers.short(total) : "", query, view, in: area, on: &frame) else { return }
        guard !counts.isEmpty else { return Block.say("No quarantined events.", in: body, on: &frame) }
        for (row, (code, count)) in counts.prefix(body.height).enumerated() {
            let line = Rect(body.x, body.y + row, body.width, 1)
            let text = Numbers.short(count)
            frame.text(code, in: line.split(columns: line.width - text.width - 1).left, Theme.warning)
            frame.text(text, in: line, .bold, .right)
        }
    }

    static func system(_ query: DaemonQuery<SystemResponse>, _ view: PaneView, in line: Rect, on frame: inout Frame) {
        guard let system = view.results.value(query) else { return Block.say(view.results.error(query)?.what ?? "", in: line, on: &frame) }
        guard system.reasons.isEmpty else {
            frame.text("Not accepting data: \(system.reasons.joined(separator: ", "))", in: line, Theme.bad)
            return
        }
        let limits = system.usage.map(SystemHealth.reached) ?? []
        var parts = ["\(Numbers.decimals(system.events.perSecond, 1)) events/s"]
        if !limits.isEmpty { parts.append("limits reached: \(limits.joined(separator: ", "))") }
        if let usage = system.usage {
            parts += [
                "\(Numbers.short(usage.events)) events today", "\(Numbers.bytes(Double(usage.bytes))) sent",
                "\(Numbers.bytes(Double(usage.storageBytes))) stored", usage.devices.of("device", "devices"),
            ]
        }
        parts.append("ingestd \(system.version)")
        var text = parts[0]
        for part in parts.dropFirst() where text.width + 3 + part.width <= line.width { text += " · \(part)" }
        frame.text(text, in: line, limits.isEmpty ? Theme.faint : Theme.warning)
    }
}
