// SPDX-License-Identifier: Apache-2.0

import API
import Crashes
import Events
import Panes
import Terminal

extension Report {
    var crashesSection: HTML {
        let lead: HTML = "Share of sessions and people without a crash, and the most frequent issues."
        return section("crashes", "Crashes", lead, from: requests.crashFree, isWide: true) { result in
            guard result.body.total.sessions > 0 else { return Report.nothing("No sessions in this period.") + issues }
            let charts = [crashFree(result.body), crashes].compactMap { $0 }
            return [.element("div", ["class": "pair"], charts), releases(result.body)] + issues
        }
    }

    private func crashFree(_ result: CrashFreeResult) -> HTML {
        let bucket = period.span.bucket
        let series: [Chart.Series] = [
            .init(name: "sessions", values: result.points.map { $0.figures.crashFreeSessions }),
            .init(name: "people", values: result.points.map { $0.figures.crashFreeUsers }),
        ]
        let least = series.flatMap(\.values).compactMap { $0 }.min() ?? 1
        let gap = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5].first { 1 - least <= $0 } ?? 1
        let buckets = period.buckets(result.points.map(\.t.time), every: bucket)
        return Chart(
            title: "Crash-free by \(bucket)", kind: .lines, buckets: buckets, series: series, floor: 1 - gap, ceiling: 1, format: ReportPercent.exact
        ).figure
    }

    private var crashes: HTML? {
        guard let series = value(requests.crashes)?.body.series.first else { return nil }
        let bucket = period.span.bucket
        let values = series.points.map { Optional($0.value.number) }
        return Chart(
            title: "Crashes by \(bucket)", kind: .columns, buckets: period.buckets(series.points.map(\.t.time), every: bucket),
            series: [.init(name: "crashes", values: values)], format: Report.count
        ).figure
    }

    private func releases(_ result: CrashFreeResult) -> HTML {
        let rows = result.releases.map { release -> [HTML] in
            let total = release.total
            return [
                release.release.map { .name($0) } ?? "unknown", .text(total.crashFreeUsers.map(ReportPercent.exact) ?? "–"),
                .text(total.crashFreeSessions.map(ReportPercent.exact) ?? "–"), .text(Numbers.short(total.crashedSessions)),
                .text(Numbers.short(total.sessions)), .text(Numbers.percent(release.userAdoption)),
            ]
        }
        let headings = ["release", "crash-free users", "crash-free sessions", "crashed", "sessions", "adoption"]
        return FigureTable(title: "By release", headings: headings, rows: rows).table
    }

    /// Issues seen in the period, by crashes in total.
    private var issues: [HTML] {
        guard let page = value(requests.issues) else {
            return Report.nothing(.text(results.error(requests.issues)?.sentences ?? "Issues could not be loaded."))
        }
        let seen = page.items.filter { $0.lastSeen.time >= period.from }.sorted { $0.count > $1.count }
        guard !seen.isEmpty else { return Report.nothing("No issues in this period.") }
        let rows = seen.prefix(10).map { issue -> [HTML] in
            let place = issue.culprit.map { [HTML.empty("br", [:]), .element("small", .name($0))] } ?? []
            let signals = issue.signals.map { HTML.element("span", ["class": "tag"], .text($0.name)) }
            return [
                .joined([.name(issue.title)] + signals + place), .text(issue.kind.name), .text(issue.state.name), .text(Numbers.short(issue.count)),
                .text(Numbers.short(issue.users)), .text(period.moment(issue.lastSeen.time)), issue.lastRelease.map { .name($0) } ?? "–",
            ]
        }
        let headings = ["issue", "kind", "state", "crashes", "people", "last seen", "last release"]
        let table = FigureTable(
            title: "Issues seen in this period, with their total counts", headings: headings, rows: Array(rows),
            texts: ["kind", "state", "last seen", "last release"])
        return [table.table]
    }
}
