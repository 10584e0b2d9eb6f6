// SPDX-License-Identifier: Apache-2.0

import Events
import Panes
import Terminal

extension Report {
    var peopleSection: HTML {
        let lead: HTML = "Distinct people per day, 7 days and 30 days."
        return section("people", "People", lead, from: requests.activeUsers) { result in
            guard result.body.total > 0 else { return Report.nothing("No identified people.") }
            let points = result.body.points
            let series: [Chart.Series] = [
                .init(name: "1 day (DAU)", values: points.map { Double($0.dau) }), .init(name: "7 days (WAU)", values: points.map { Double($0.wau) }),
                .init(name: "30 days (MAU)", values: points.map { Double($0.mau) }),
            ]
            let buckets = period.buckets(points.map(\.t.time), every: .day)
            let chart = Chart(title: "Active people", kind: .lines, buckets: buckets, series: series, format: Report.count)
            let sticky = points.last { $0.mau > 0 }.map { "Stickiness (DAU/MAU) of the last day: \(Numbers.percent($0.stickiness))." }
            return [chart.figure] + (sticky.map { [.element("p", ["class": "note"], .text($0))] } ?? [])
        }
    }

    var lifecycleSection: HTML {
        let bucket = period.span.bucket == .week ? ReportSpan.Bucket.week : .day
        let lead: HTML = "New, returning and resurrected people; below the axis those who churned since the previous \(bucket.rawValue)."
        return section("lifecycle", "Lifecycle", lead, from: requests.lifecycle) { result in
            let points = result.body.points
            guard points.contains(where: { $0.new + $0.returning + $0.resurrecting + $0.dormant > 0 }) else {
                return Report.nothing("No identified people.")
            }
            let series: [Chart.Series] = [
                .init(name: "Returning", values: points.map { Double($0.returning) }),
                .init(name: "New users", values: points.map { Double($0.new) }),
                .init(name: "Resurrected", values: points.map { Double($0.resurrecting) }),
                .init(name: "Churned", values: points.map { Double($0.dormant) }, isBelow: true),
            ]
            let buckets = period.buckets(points.map(\.t.time), every: bucket)
            return [Chart(title: "People by \(bucket)", kind: .columns, buckets: buckets, series: series, format: Report.count).figure]
        }
    }

    var retentionSection: HTML {
        section("retention", "Cohort retention", "Share of new people who came back.", from: requests.retention) { result in
            let cohorts = result.body.cohorts.filter { $0.size > 0 }
            guard !cohorts.isEmpty else { return Report.nothing("No new people.") }
            let isWeekly = requests.retention.request.parameters.contains { $0.value == "week" }
            return [RetentionTable(cohorts: cohorts.suffix(14), unit: isWeekly ? "week" : "day", period: period).table]
        }
    }
}

/// A heat map of cohort retention.
private struct RetentionTable {
    let cohorts: [RetentionResult.Cohort]
    let unit: String
    let period: ReportPeriod

    var table: HTML {
        let width = cohorts.map(\.cells.count).max() ?? 0
        // The first period is always 100 %, so it is left out.
        let periods = 1..<max(2, width)
        let heads =
            ["cohort", "people"].map { HTML.element("th", ["scope": "col"], .text($0)) }
            + periods.map { .element("th", ["scope": "col", "class": "number"], .text("\($0)")) }
        let rows = cohorts.map { cohort in
            HTML.element(
                "tr",
                [
                    .element("th", ["scope": "row"], .text(ReportDate(period.local(cohort.t.time)).short)),
                    .element("td", ["class": "number"], .text(Numbers.short(cohort.size))),
                ] + periods.map { cell($0, of: cohort) })
        }
        let caption = HTML.element("caption", "Share of the cohort by \(unit); * in progress")
        let table = HTML.element("table", ["class": "heat"], caption, .element("thead", .element("tr", heads)), .element("tbody", rows))
        return .element("div", ["class": "scroll"], table)
    }

    private func cell(_ number: Int, of cohort: RetentionResult.Cohort) -> HTML {
        guard let cell = cohort.cells.first(where: { $0.period == number }) else { return .element("td", ["class": "empty"], .none) }
        let strength = (cell.share * 100).rounded() / 100
        let kind = cell.share > 0.8 ? "number strong" : "number"
        let title = "\(Numbers.short(cell.people)) of \(Numbers.short(cohort.size)) in \(unit) \(number)"
        let text = "\(Numbers.decimals(cell.share * 100, 0))\u{202f}%\(cell.complete ? "" : "*")"
        return .element("td", ["class": kind, "style": "background-color:rgba(37,99,235,\(strength))", "title": title], .text(text))
    }
}
