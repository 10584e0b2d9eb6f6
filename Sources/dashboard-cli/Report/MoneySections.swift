// SPDX-License-Identifier: Apache-2.0

import Events
import Panes
import Terminal

extension Report {
    var revenueSection: HTML {
        section(
            "revenue", "Revenue", "Purchases minus refunds, by currency.", from: requests.revenue, isWide: true
        ) { result in
            guard !result.body.currencies.isEmpty else { return Report.nothing("No purchases.") }
            let charts = result.body.currencies.prefix(4).map(chart)
            return [.element("div", ["class": "pair"], charts), currencies(result.body.currencies)]
        }
    }

    private func chart(_ currency: RevenueResult.Currency) -> HTML {
        let bucket = period.span.bucket
        let series: [Chart.Series] = [
            .init(name: "purchases", values: currency.points.map { $0.gross.number }),
            .init(name: "refunds", values: currency.points.map { $0.refunds.number }, isBelow: true),
        ]
        let buckets = period.buckets(currency.points.map(\.t.time), every: bucket)
        let shown = currency.refundCount > 0 ? series : [series[0]]
        return Chart(title: "\(currency.currency) by \(bucket)", kind: .columns, buckets: buckets, series: shown, format: Amounts.short).figure
    }

    private func currencies(_ currencies: [RevenueResult.Currency]) -> HTML {
        let compared = compared(\.revenue)
        let rows = currencies.map { currency -> [HTML] in
            let change = compared.map { ReportChange(currency.net($0.now), before: currency.net($0.before), .more, Amounts.short).html } ?? "–"
            let figures = [
                Amounts.full(currency.net.number), Amounts.full(currency.gross.number), Amounts.full(currency.refunds.number),
                Numbers.short(currency.purchaseCount), currency.buyers.map { Numbers.short($0) } ?? "–",
                currency.arpu.map { Amounts.full($0.number) } ?? "–", currency.arppu.map { Amounts.full($0.number) } ?? "–",
            ]
            return [.name(currency.currency)] + figures.map { .text($0) } + [change]
        }
        let headings = ["currency", "net", "purchases", "refunds", "sold", "buyers", "per person", "per buyer", "change of net"]
        return FigureTable(title: "Revenue by currency", headings: headings, rows: rows).table
    }

    var sessionsSection: HTML {
        section(
            "sessions", "Sessions", "Engaged sessions last more than ten seconds, have two screens, or a purchase.", from: requests.sessions,
            isWide: true
        ) { result in
            let (total, points) = (result.body.total, result.body.points)
            guard total.sessions > 0 else { return Report.nothing("No sessions.") }
            let bucket = period.span.bucket
            let series: [Chart.Series] = [
                .init(name: "engaged", values: points.map { Double($0.figures.engaged) }),
                .init(name: "others", values: points.map { Double($0.figures.sessions - $0.figures.engaged) }),
            ]
            let chart = Chart(
                title: "Sessions by \(bucket)", kind: .columns, buckets: period.buckets(points.map(\.t.time), every: bucket),
                series: total.engaged < total.sessions ? series : [series[0]], format: Report.count)
            return [.element("div", ["class": "pair"], chart.figure, figures(total))]
        }
    }

    private func figures(_ now: SessionsResult.Figures) -> HTML {
        let compared = compared(\.sessions).map { (now: $0.now.body.total, before: $0.before.body.total) }
        let change = { (path: KeyPath<SessionsResult.Figures, Double>, better: ReportChange.Better, format: @escaping (Double) -> String) -> HTML in
            compared.map { ReportChange($0.now[keyPath: path], before: $0.before[keyPath: path], better, format).html } ?? "–"
        }
        let duration: (Double) -> String = { Numbers.duration(seconds: Int($0.rounded())) }
        let decimal: (Double) -> String = { Numbers.decimals($0, 2) }
        let rows: [[HTML]] = [
            ["Median session", .text(duration(now.medianSeconds)), change(\.medianSeconds, .neither, duration)],
            ["90th percentile", .text(duration(now.p90Seconds)), change(\.p90Seconds, .neither, duration)],
            [
                "Engaged", .text(ReportPercent.exact(now.exactlyEngaged)),
                compared.map { ReportChange(share: $0.now.exactlyEngaged, before: $0.before.exactlyEngaged, .more).html } ?? "–",
            ],
            ["Sessions per person", .text(decimal(now.perUser)), change(\.perUser, .more, decimal)],
        ]
        return FigureTable(title: "Session figures", headings: ["", "now", "change"], rows: rows).table
    }
}

extension SessionsResult.Figures {
    /// The exact share; the one in the response is rounded.
    fileprivate var exactlyEngaged: Double { sessions == 0 ? 0 : Double(engaged) / Double(sessions) }
}

extension RevenueResult.Currency {
    /// The net revenue of this currency in another result.
    func net(_ result: RangedResult<RevenueResult>) -> Double { result.body.currencies.first { $0.currency == currency }?.net.number ?? 0 }
}
