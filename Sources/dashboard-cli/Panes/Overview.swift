import Events
import Terminal

/// How it is going, all on one screen.
struct OverviewPane: Pane {
    let title = "Overview"

    private let days = Ask<QueryAnswer<SeriesAnswer>>("days", "/v1/query/series", [("from", "-6d"), ("interval", "day")])
    private let people = Ask<QueryAnswer<ActiveUsersAnswer>>("active_users", "/v1/query/active-users", [("from", "-6d")], every: 10)
    private let realtime = Ask<QueryAnswer<RealtimeAnswer>>("realtime", "/v1/query/realtime", [("limit", "1")])
    // Cut to whole days, the last second is today.
    private let revenue = Ask<QueryAnswer<RevenueAnswer>>("revenue_today", "/v1/query/revenue", [("from", "-1s"), ("interval", "day")])
    private let quarantine = Ask<QuarantineAnswer>("quarantine", "/v1/quarantine", [("limit", "1")])

    private func events(_ range: ShownRange) -> Ask<QueryAnswer<SeriesAnswer>> {
        Ask("events", "/v1/query/series", [("from", range.from), ("interval", range.interval)])
    }

    private func topEvents(_ range: ShownRange) -> Ask<QueryAnswer<TopAnswer>> {
        Ask("top_events", "/v1/query/top", [("field", "name"), ("from", range.from), ("limit", "12")])
    }

    private func topScreens(_ range: ShownRange) -> Ask<QueryAnswer<TopAnswer>> {
        let parameters = [("field", "params.screen_name"), ("metric", "screen_views"), ("from", range.from), ("limit", "12")]
        return Ask("top_screens", "/v1/query/top", parameters)
    }

    func commands(_ view: PaneView) -> Set<DashboardCommand> { [.shorter, .longer, .range] }

    func asks(_ look: Look) -> [StandingAsk] {
        [
            events(look.range).standing, days.standing, people.standing, realtime.standing, topEvents(look.range).standing,
            topScreens(look.range).standing,
            revenue.standing, quarantine.standing,
        ]
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        PaneRow.draw(rows(view.range, in: area.size), view, in: area.inset(area.width >= 60 ? 1 : 0), on: &frame)
    }

    private func rows(_ range: ShownRange, in size: Size) -> [PaneRow] {
        let events = events(range), topEvents = topEvents(range), topScreens = topScreens(range)
        let chart: PaneRow.Draw = { OverviewBlocks.events(events, $0, in: $1, on: &$2) }
        let bars: PaneRow.Draw = { [days] in OverviewBlocks.days(days, $0, in: $1, on: &$2) }
        let figures: PaneRow.Draw = { [people, realtime] in OverviewBlocks.people(people, realtime, $0, in: $1, on: &$2) }
        let names: PaneRow.Draw = { OverviewBlocks.top("Top events", topEvents, Theme.chart, $0, in: $1, on: &$2) }
        let screens: PaneRow.Draw = { OverviewBlocks.top("Top screens", topScreens, Theme.bars, $0, in: $1, on: &$2) }
        let money: PaneRow.Draw = { [revenue] in OverviewBlocks.revenue(revenue, $0, in: $1, on: &$2) }
        let refused: PaneRow.Draw = { [quarantine] in OverviewBlocks.quarantine(quarantine, $0, in: $1, on: &$2) }
        let system: PaneRow.Draw = { OverviewBlocks.system(Dashboard.system, $0, in: $1, on: &$2) }

        let people = PaneRow([(1, figures)], least: 3, most: 3, rank: 1)
        let foot = PaneRow([(1, system)], least: 1, most: 1, rank: 2)
        if size.width < 60 {
            return [
                PaneRow([(1, chart)], least: 4, most: 12, rank: 0, weight: 2), people, PaneRow([(1, bars)], least: 5, most: 9, rank: 5, weight: 1),
                PaneRow([(1, names)], least: 4, most: 13, rank: 3, weight: 2), PaneRow([(1, screens)], least: 4, most: 13, rank: 6, weight: 2),
                PaneRow([(1, money)], least: 3, most: 6, rank: 4, weight: 1), PaneRow([(1, refused)], least: 3, most: 8, rank: 7, weight: 1), foot,
            ]
        }
        let top = PaneRow([(3, chart), (2, bars)], least: 6, most: 48, rank: 0, weight: 3)
        if size.width < 110 {
            return [
                top, people, PaneRow([(1, names), (1, screens)], least: 4, most: 13, rank: 3, weight: 2),
                PaneRow([(1, money), (1, refused)], least: 3, most: 8, rank: 4, weight: 1), foot,
            ]
        }
        return [top, people, PaneRow([(4, names), (4, screens), (5, money), (3, refused)], least: 5, most: 16, rank: 3, weight: 2), foot]
    }
}
