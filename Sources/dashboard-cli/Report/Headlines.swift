// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Panes
import Terminal

/// The change of a figure against the previous period.
struct ReportChange: Sendable, Equatable {
    enum Direction: Sendable {
        case up, down, even
    }

    /// The direction that is good.
    enum Better: Sendable {
        case more, less, neither
    }

    let direction: Direction
    let words: String
    private let better: Better

    /// The change of a count or an amount, in percent.
    init(_ now: Double, before: Double, _ better: Better, _ format: (Double) -> String) {
        self.better = better
        let share = before == 0 ? 0 : (now - before) / abs(before)
        if now == before || (before != 0 && abs(share) < 0.0005) {
            (direction, words) = (.even, "no change")
        } else {
            direction = now > before ? .up : .down
            words = before == 0 ? "none in previous period" : ReportChange.words(abs(share), format(before))
        }
    }

    /// The change of a share, in percentage points.
    init(share now: Double, before: Double, _ better: Better) {
        self.better = better
        let points = (now - before) * 100
        if abs(points) < 0.005 {
            (direction, words) = (.even, "no change")
        } else {
            (direction, words) = (points > 0 ? .up : .down, "\(Numbers.decimals(abs(points), 2)) points from \(ReportPercent.exact(before))")
        }
    }

    private static func words(_ share: Double, _ before: String) -> String {
        guard share < 10 else { return "\(Numbers.short(share)) times more than \(before)" }
        return "\(Numbers.decimals(share * 100, share < 0.0995 ? 1 : 0)) % from \(before)"
    }

    private var mood: String {
        switch (direction, better) {
        case (.even, _), (_, .neither): "even"
        case (.up, .more), (.down, .less): "good"
        default: "bad"
        }
    }

    private var sign: HTML {
        switch direction {
        case .up: .element("span", ["aria-label": "up", "role": "img"], "▲ ")
        case .down: .element("span", ["aria-label": "down", "role": "img"], "▼ ")
        case .even: .none
        }
    }

    var html: HTML { .element("span", ["class": "change \(mood)"], sign, .text(words)) }
}

/// Shares as reports show them.
enum ReportPercent {
    /// Two decimals; `100 %` only if exact.
    static func exact(_ share: Double) -> String {
        guard share < 1 else { return "100 %" }
        return "\(Numbers.decimals(min((share * 10_000).rounded(.down) / 100, 99.99), 2)) %"
    }
}

/// A key figure at the top of a report.
struct Headline {
    let name: String
    let value: String
    var change: ReportChange?
    var note: String?
    var history: [Double?] = []
    let section: String

    var tile: HTML {
        let below = change?.html ?? note.map { .element("span", ["class": "change even"], .text($0)) } ?? .none
        return .element(
            "a", ["class": "tile", "href": "#\(section)"], .element("span", ["class": "name"], .text(name)),
            .element("span", ["class": "value"], .text(value)), below, spark)
    }

    /// The history as a sparkline.
    private var spark: HTML {
        let known = history.compactMap { $0 }
        guard known.count > 2, let most = known.max(), let least = known.min(), most > least else { return .none }
        let floor = least > most / 2 ? least - (most - least) / 4 : 0
        let points = history.enumerated().compactMap { index, value -> String? in
            guard let value else { return nil }
            let (x, y) = (Double(index) / Double(history.count - 1) * 118 + 1, 27 - (value - floor) / (most - floor) * 25)
            return "\((x * 10).rounded() / 10),\((y * 10).rounded() / 10)"
        }
        return .element(
            "svg", ["class": "spark", "viewBox": "0 0 120 28", "preserveAspectRatio": "none", "aria-hidden": "true"],
            .empty("polyline", ["class": "line s0", "points": points.joined(separator: " ")]))
    }
}

extension Report {
    var headlines: [Headline] {
        [eventsHeadline, peopleHeadline, sessionsHeadline].compactMap { $0 } + revenueHeadlines + crashHeadlines
            + [quarantineHeadline].compactMap { $0 }
    }

    /// A count, grouped or abbreviated.
    static func count(_ value: Double) -> String { Numbers.short(value) }

    private var eventsHeadline: Headline? {
        counted("Events", "events", value(requests.events)?.body.series.first, \.events)
    }

    private var peopleHeadline: Headline? {
        counted("People", "people", value(requests.people)?.body.series.first, \.people)
    }

    private func counted(
        _ name: String, _ section: String, _ now: SeriesResult.Series?, _ path: KeyPath<ComparedQueries, DaemonQuery<RangedResult<SeriesResult>>>
    ) -> Headline? {
        guard let now else { return nil }
        let change = compared(path).flatMap { over, before -> ReportChange? in
            guard let over = over.body.series.first, let before = before.body.series.first else { return nil }
            return ReportChange(over.total.number, before: before.total.number, .more, Report.count)
        }
        return Headline(
            name: name, value: Report.count(now.total.number), change: change, history: now.points.map { $0.value.number }.closed,
            section: section)
    }

    private var sessionsHeadline: Headline? {
        guard let now = value(requests.sessions)?.body else { return nil }
        let change = compared(\.sessions).map {
            ReportChange(Double($0.now.body.total.sessions), before: Double($0.before.body.total.sessions), .more, Report.count)
        }
        return Headline(
            name: "Sessions", value: Report.count(Double(now.total.sessions)), change: change,
            history: now.points.map { Double($0.figures.sessions) }.closed, section: "sessions")
    }

    private var revenueHeadlines: [Headline] {
        let compared = compared(\.revenue)
        return (value(requests.revenue)?.body.currencies ?? []).prefix(4).map { currency in
            Headline(
                name: "Revenue in \(currency.currency)", value: Amounts.short(currency.net.number),
                change: compared.map { ReportChange(currency.net($0.now), before: currency.net($0.before), .more, Amounts.short) },
                history: currency.points.map { $0.net.number }.closed, section: "revenue")
        }
    }

    private var crashHeadlines: [Headline] {
        guard let now = value(requests.crashFree)?.body, now.total.sessions > 0 else { return [] }
        let compared = compared(\.crashFree)
        let shares: [(name: String, share: KeyPath<CrashFreeResult.Figures, Double?>)] = [
            ("Crash-free users", \.crashFreeUsers), ("Crash-free sessions", \.crashFreeSessions),
        ]
        return shares.compactMap { name, path in
            guard let share = now.total[keyPath: path] else { return nil }
            let change = compared.flatMap { over, before -> ReportChange? in
                guard let over = over.body.total[keyPath: path], let before = before.body.total[keyPath: path] else { return nil }
                return ReportChange(share: over, before: before, .more)
            }
            return Headline(
                name: name, value: ReportPercent.exact(share), change: change, note: "no sessions in previous period",
                history: now.points.map { $0.figures[keyPath: path] }.closed, section: "crashes")
        }
    }

    private var quarantineHeadline: Headline? {
        guard let result = value(requests.quarantine) else { return nil }
        return Headline(name: "Quarantined", value: Report.count(Double(result.total)), note: "all stored", section: "quarantine")
    }
}

extension QuarantineResponse {
    var total: Int { counts.reduce(0) { $0 + $1.total } }
}

extension [Double?] {
    /// The values without the running bucket.
    var closed: [Double?] { count > 3 ? dropLast() : self }
}

extension [Double] {
    var closed: [Double?] { map { $0 as Double? }.closed }
}

/// Amounts of money in reports.
enum Amounts {
    static func short(_ amount: Double) -> String {
        abs(amount) >= 100_000 ? Numbers.short(amount) : Numbers.decimals(amount, abs(amount) < 1_000 ? 2 : 0)
    }
    static func full(_ amount: Double) -> String { Numbers.decimals(amount, 2) }
}
