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
            ranking("Events by name", "event", result.body, value(requests.topEventsBefore)?.body, "No events.")
        }
    }

    var topScreensSection: HTML {
        section("top-screens", "Top screens", "The most viewed screens.", from: requests.topScreens) { result in
            ranking("Screen views", "screen", result.body, value(requests.topScreensBefore)?.body, "No screen views.")
        }
    }

    private func ranking(_ title: String, _ column: String, _ now: TopResult, _ before: TopResult?, _ nothing: HTML) -> [HTML] {
        let named = now.items.filter { $0.name != BreakdownName.other }
        guard !named.isEmpty else { return Report.nothing(nothing) }
        let rows = named.prefix(12).map { item in
            RankingTable.Row(name: .name(item.name), value: item.value.number, change: change(item, before))
        }
        let rest = now.items.reduce(0) { $0 + $1.value.number } - rows.reduce(0) { $0 + $1.value }
        let table = RankingTable(title: title, column: column, rows: Array(rows), format: Report.count).table
        return rest > 0 ? [table, .element("p", ["class": "note"], "\(Report.count(rest)) others.")] : [table]
    }

    /// Nil if the name may be part of `(other)` in the previous period.
    private func change(_ item: TopResult.Item, _ before: TopResult?) -> ReportChange? {
        guard let before else { return nil }
        let old = before.items.first { $0.name == item.name }
        guard old != nil || !before.items.contains(where: { $0.name == BreakdownName.other }) else { return nil }
        return ReportChange(item.value.number, before: old?.value.number ?? 0, .neither, Report.count)
    }
}
