// SPDX-License-Identifier: Apache-2.0

import Events
import Panes
import Terminal

extension Report {
    var eventsSection: HTML {
        let bucket = period.span.bucket
        return section("events", "Events", "All that the app reported, by when it happened.", from: requests.events) { answer in
            guard let series = answer.body.series.first, series.total.number > 0 else {
                return Report.nothing("Nothing came in. Does the app send to POST /v1/events?")
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
        section("top-events", "Top events", "What happened most, and how that changed.", from: requests.topEvents) { answer in
            ranking("Events by name", "event", answer.body, value(requests.topEventsBefore)?.body, "No event has come in.")
        }
    }

    var topScreensSection: HTML {
        section("top-screens", "Top screens", "Where people were, counted by looks at each screen.", from: requests.topScreens) { answer in
            ranking("Looks at screens", "screen", answer.body, value(requests.topScreensBefore)?.body, "No screen was seen.")
        }
    }

    private func ranking(_ title: String, _ column: String, _ now: TopAnswer, _ before: TopAnswer?, _ nothing: HTML) -> [HTML] {
        let named = now.items.filter { $0.name != BreakdownName.other }
        guard !named.isEmpty else { return Report.nothing(nothing) }
        let rows = named.prefix(12).map { item in
            RankingTable.Row(name: .name(item.name), value: item.value.number, change: change(item, before))
        }
        let rest = now.items.reduce(0) { $0 + $1.value.number } - rows.reduce(0) { $0 + $1.value }
        let table = RankingTable(title: title, column: column, rows: Array(rows), format: Report.count).table
        return rest > 0 ? [table, .element("p", ["class": "note"], "\(Report.count(rest)) more have other names.")] : [table]
    }

    /// Nil where the name was not among those that were asked for of the time before.
    private func change(_ item: TopAnswer.Item, _ before: TopAnswer?) -> ReportChange? {
        guard let before else { return nil }
        let old = before.items.first { $0.name == item.name }
        guard old != nil || !before.items.contains(where: { $0.name == BreakdownName.other }) else { return nil }
        return ReportChange(item.value.number, before: old?.value.number ?? 0, .neither, Report.count)
    }
}
