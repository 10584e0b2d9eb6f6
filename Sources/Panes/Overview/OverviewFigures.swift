// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Platform
import Terminal

/// The key figures of the overview. Changes compare complete buckets, hours and days.
struct OverviewFigures {
    enum Name {
        case events, revenue, people, sessions, now, day, week, month

        /// Events, revenue and crashes in the first row, people in the second.
        static let wide: [Name] = [.events, .revenue, .people, .sessions, .now, .day, .week, .month]
        /// Signals by importance.
        static let narrow: [Name] = [.events, .now, .day, .people, .revenue, .sessions, .week, .month]

        /// The width share; figures below each other have the same.
        var weight: Int {
            switch self {
            case .events, .revenue, .now, .day: 5
            case .people, .sessions, .week, .month: 6
            }
        }
    }

    private let queries: OverviewQueries
    private let view: PaneView

    init(_ queries: OverviewQueries, _ view: PaneView) {
        (self.queries, self.view) = (queries, view)
    }

    func card(_ name: Name) -> Card {
        switch name {
        case .events: events
        case .revenue: revenue
        case .people: crashFree("crash-free users", queries.crashFree, all: \.users, crashed: \.crashedUsers, share: \.crashFreeUsers)
        case .sessions: crashFree("crash-free sessions", queries.crashFree, all: \.sessions, crashed: \.crashedSessions, share: \.crashFreeSessions)
        case .now: now
        case .day: today
        case .week: people("people in 7 days", \.wau, days: 7)
        case .month: people("people in 30 days", \.mau, days: 30)
        }
    }

    /// The card of a result or of its error.
    private func card<Value>(_ name: String, _ query: DaemonQuery<Value>, _ figure: (Value) -> Card.Figure?) -> Card {
        if let result = view.results.value(query) { return Card(name, figure(result) ?? Card.Figure("–")) }
        return view.results.error(query).map { Card(name, whyNot: $0.what) } ?? Card(name, Card.Figure("…"))
    }

    // MARK: Events

    private var events: Card {
        card("events/s", SystemResponse.query) { system in
            let points = over(queries.events), before = over(queries.eventsBefore)
            let change = before.isEmpty ? nil : Change(points.reduce(0, +), before: before.reduce(0, +))
            return Card.Figure(Numbers.short(system.events.perSecond), change, points)
        }
    }

    private func over(_ query: DaemonQuery<RangedResult<SeriesResult>>) -> [Double] {
        (view.results.value(query)?.body.series.first?.points ?? []).dropLast().map(\.value.number)
    }

    // MARK: People

    private var now: Card {
        card("people now", queries.realtime) { result in
            Card.Figure(Numbers.short(result.body.users), nil, result.body.points.dropLast().map(\.value.number))
        }
    }

    /// The change compares the full hours of today with the same hours of yesterday.
    private var today: Card {
        card("people today", queries.people) { result in
            let counts = result.body.points.map { Double($0.dau) }
            let count = { (query: SeriesQuery) in view.results.value(query)?.body.series.first?.total.number }
            let change = OverviewQueries.peopleSoFar(view).flatMap { soFar in
                !soFar.isOver ? nil : count(soFar.now).flatMap { now in count(soFar.before).flatMap { Change(now, before: $0) } }
            }
            return counts.last.map { Card.Figure(Numbers.short($0), change, counts) }
        }
    }

    /// The change compares the days until yesterday with as many before them.
    private func people(_ name: String, _ count: (ActiveUsersResult.Point) -> Int, days: Int) -> Card {
        card(name, queries.people) { result in
            let counts = result.body.points.map { Double(count($0)) }
            guard let last = counts.last else { return nil }
            let over = counts.dropLast()
            let change = over.last.flatMap { now in over.dropLast(days).last.flatMap { Change(now, before: $0) } }
            return Card.Figure(Numbers.short(last), change, counts)
        }
    }

    // MARK: Crashes

    private typealias Figures = CrashFreeResult.Figures

    private func crashFree(
        _ name: String, _ query: DaemonQuery<RangedResult<CrashFreeResult>>, all: (Figures) -> Int, crashed: (Figures) -> Int,
        share: (Figures) -> Double?
    ) -> Card {
        func whole(_ result: RangedResult<CrashFreeResult>) -> Double? {
            let figures = result.body.points.dropLast().map(\.figures)
            let count = figures.reduce(0) { $0 + all($1) }
            return count == 0 ? nil : 1 - Double(figures.reduce(0) { $0 + crashed($1) }) / Double(count)
        }
        return card(name, query) { result in
            guard let total = share(result.body.total) else { return nil }
            let before = view.results.value(queries.crashFreeBefore).flatMap(whole)
            let change = whole(result).flatMap { now in before.map { Change(share: now, before: $0) } }
            // A bucket without sessions counts as crash-free.
            return Card.Figure(CrashFreeText.share(total), change, OverviewFigures.dips(result.body.points.map { share($0.figures) ?? 1 }))
        }
    }

    /// Stretches shares near 100 %, so that drops are visible.
    private static func dips(_ shares: [Double]) -> [Double] {
        guard let lowest = shares.min(), lowest < 1 else { return shares }
        return shares.map { 0.2 + ($0 - lowest) / (1 - lowest) }
    }

    // MARK: Revenue

    /// Net revenue of today in the currency with most purchases, compared with the same hours of yesterday.
    private var revenue: Card {
        card("revenue today", queries.revenue) { result in
            guard let most = result.body.currencies.max(by: { $0.purchaseCount < $1.purchaseCount }) else { return Card.Figure("none") }
            let amount = Double(most.net.millionths) / 1_000_000
            let text = abs(amount) < 100 ? Numbers.decimals(amount, 2) : Numbers.short(amount.rounded())
            let points = view.results.value(queries.revenueHours)?.body.currencies.first { $0.currency == most.currency }?.points.dropLast() ?? []
            let day = { (time: Timestamp) in Day(of: view.zone?.local(time) ?? time).number }
            let now = points.filter { day($0.t.time) == day(view.now) }.map(\.amount)
            let before = points.filter { day($0.t.time) == day(view.now) - 1 }.prefix(now.count).map(\.amount)
            let change = now.isEmpty ? nil : Change(now.reduce(0, +), before: before.reduce(0, +))
            return Card.Figure("\(text) \(most.currency)", change, points.suffix(24).map(\.amount))
        }
    }
}

extension RevenueResult.Point {
    fileprivate var amount: Double { Double(net.millionths) / 1_000_000 }
}

extension Change {
    /// The change between two shares, in percentage points.
    init(share: Double, before: Double) {
        let points = (share - before) * 100
        let text = Numbers.decimals(abs(points), 2)
        guard text != "0.00" else {
            (self.text, style) = ("=", Theme.faint)
            return
        }
        self.text = "\(points > 0 ? "▲" : "▼") \(text)"
        style = points > 0 ? Theme.good : Theme.bad
    }
}
