// SPDX-License-Identifier: Apache-2.0

import Events

/// What the overview is made from.
struct OverviewAsks: Sendable {
    let events: Ask<QueryAnswer<SeriesAnswer>>
    let eventsBefore: Ask<QueryAnswer<SeriesAnswer>>
    let crashFree: Ask<QueryAnswer<CrashFreeAnswer>>
    let crashFreeBefore: Ask<QueryAnswer<CrashFreeAnswer>>
    let topEvents: Ask<QueryAnswer<TopAnswer>>
    let topScreens: Ask<QueryAnswer<TopAnswer>>
    let days = Ask<QueryAnswer<SeriesAnswer>>("days", "/v1/query/series", [("from", "-6d"), ("interval", "day")])
    /// So many days that the month that ended yesterday has another one before it.
    let people = Ask<QueryAnswer<ActiveUsersAnswer>>("active_users", "/v1/query/active-users", [("from", "-31d")], every: 10)
    let realtime = Ask<QueryAnswer<RealtimeAnswer>>("realtime", "/v1/query/realtime", [("limit", "1")])
    // Cut to whole days, the last second is today.
    let revenue = Ask<QueryAnswer<RevenueAnswer>>("revenue_today", "/v1/query/revenue", [("from", "-1s"), ("interval", "day")])
    /// All of yesterday, whatever the time is.
    let revenueHours = Ask<QueryAnswer<RevenueAnswer>>("revenue_hours", "/v1/query/revenue", [("from", "-48h"), ("interval", "hour")], every: 10)
    let quarantine = Ask<QuarantineAnswer>("quarantine", "/v1/quarantine", [("limit", "1")])

    init(_ range: ShownRange) {
        let now = [("from", range.from), ("interval", range.interval)]
        let before = [("from", range.before.from), ("to", range.before.to), ("interval", range.interval)]
        events = Ask("events", "/v1/query/series", now)
        eventsBefore = Ask("events_before", "/v1/query/series", before, every: 10)
        // These are counted from the events themselves.
        crashFree = Ask("crash_free", "/v1/query/crash-free", now + [("limit", "1")], every: 15)
        crashFreeBefore = Ask("crash_free_before", "/v1/query/crash-free", before + [("limit", "1")], every: 60)
        topEvents = Ask("top_events", "/v1/query/top", [("field", "name"), ("from", range.from), ("limit", "12")])
        let screens = [("field", "params.screen_name"), ("metric", "screen_views"), ("from", range.from), ("limit", "12")]
        topScreens = Ask("top_screens", "/v1/query/top", screens)
    }

    var standing: [StandingAsk] {
        [
            events.standing, eventsBefore.standing, days.standing, people.standing, realtime.standing, topEvents.standing, topScreens.standing,
            revenue.standing, revenueHours.standing, crashFree.standing, crashFreeBefore.standing, quarantine.standing,
        ]
    }
}
