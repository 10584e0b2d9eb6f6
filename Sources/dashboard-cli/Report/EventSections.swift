// SPDX-License-Identifier: Apache-2.0

import Events
import Panes
import Terminal

extension Report {
    var eventsSection: HTML {
        let bucket = period.span.bucket
        return section("events", "Events", "All events of the app, by time of occurrence.", from: requests.events) { result in
            guard let series = result.body.series.first, series.total.number > 0 else {
                return Report.nothing("No events. Does the app send to POST /v1/events?")
            }
            let buckets = period.buckets(series.points.map(\.t.time), every: bucket)
            let values = series.points.map { Optional($0.value.number) }
            return [
                Chart(
                    title: "Events by \(bucket)", kind: .lines, buckets: buckets, series: [.init(name: "events", values: values)],
                    format: Report.count
                ).figure
            ]
        }
    }

    var topEventsSection: HTML {
        section("top-events", "Top events", "The most frequent events.", from: requests.topEvents) { result in
            ranking("Events by name", "event", result.body, \.topEvents, "No events.")
        }
    }

    var topScreensSection: HTML {
        section("top-screens", "Top screens", "The most viewed screens.", from: requests.topScreens) { result in
            ranking("Screen views", "screen", result.body, \.topScreens, "No screen views.")
        }
    }

    private typealias TopPath = KeyPath<ComparedQueries, DaemonQuery<RangedResult<TopResult>>>

    private func ranking(_ title: String, _ column: String, _ now: TopResult, _ path: TopPath, _ nothing: HTML) -> [HTML] {
        let compared = compared(path)
        let named = now.items.filter { $0.name != BreakdownName.other }
        guard !named.isEmpty else { return Report.nothing(nothing) }
        let rows = named.prefix(12).map { item in
            RankingTable.Row(
                name: .name(item.name), value: item.value.number, change: compared.flatMap { change(item.name, $0.now.body, $0.before.body) })
        }
        let rest = now.items.reduce(0) { $0 + $1.value.number } - rows.reduce(0) { $0 + $1.value }
        let table = RankingTable(title: title, column: column, rows: Array(rows), format: Report.count).table
        return rest > 0 ? [table, .element("p", ["class": "note"], "\(Report.count(rest)) others.")] : [table]
    }

    /// Nil if the name may be part of `(other)`.
    private func change(_ name: String, _ now: TopResult, _ before: TopResult) -> ReportChange? {
        guard let new = now.value(of: name), let old = before.value(of: name) else { return nil }
        return ReportChange(new, before: old, .neither, Report.count)
    }
}

extension TopResult {
    /// Zero for a name that is missing, unless it may be part of `(other)`.
    fileprivate func value(of name: String) -> Double? {
        if let item = items.first(where: { $0.name == name }) { return item.value.number }
        return items.contains { $0.name == BreakdownName.other } ? nil : 0
    }
}
