// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Platform

/// The queries of the overview.
struct OverviewQueries: Sendable {
    let events: DaemonQuery<RangedResult<SeriesResult>>
    let eventsBefore: DaemonQuery<RangedResult<SeriesResult>>
    let crashFree: DaemonQuery<RangedResult<CrashFreeResult>>
    let crashFreeBefore: DaemonQuery<RangedResult<CrashFreeResult>>
    let topEvents: DaemonQuery<RangedResult<TopResult>>
    let topScreens: DaemonQuery<RangedResult<TopResult>>
    let days = DaemonQuery<RangedResult<SeriesResult>>("days", "/v1/query/series", [("from", "-6d"), ("interval", "day")])
    /// 32 days: the 30 days until yesterday can be compared with those before.
    let people = DaemonQuery<RangedResult<ActiveUsersResult>>("active_users", "/v1/query/active-users", [("from", "-31d")], every: 10)
    let realtime = DaemonQuery<RangedResult<RealtimeResult>>("realtime", "/v1/query/realtime", [("limit", "1")])
    // Rounded to whole days, the last second is today.
    let revenue = DaemonQuery<RangedResult<RevenueResult>>("revenue_today", "/v1/query/revenue", [("from", "-1s"), ("interval", "day")])
    /// Covers all of yesterday at any time of day.
    let revenueHours = DaemonQuery<RangedResult<RevenueResult>>(
        "revenue_hours", "/v1/query/revenue", [("from", "-48h"), ("interval", "hour")], every: 10)
    let quarantine = DaemonQuery<QuarantineResponse>("quarantine", "/v1/quarantine", [("limit", "1")])

    init(_ range: ViewRange) {
        let now = [("from", range.from), ("interval", range.interval)]
        let before = [("from", range.before.from), ("to", range.before.to), ("interval", range.interval)]
        events = DaemonQuery("events", "/v1/query/series", now)
        eventsBefore = DaemonQuery("events_before", "/v1/query/series", before, every: 10)
        // Crash-free figures scan events, so they are queried less often.
        crashFree = DaemonQuery("crash_free", "/v1/query/crash-free", now + [("limit", "1")], every: 15)
        crashFreeBefore = DaemonQuery("crash_free_before", "/v1/query/crash-free", before + [("limit", "1")], every: 60)
        topEvents = DaemonQuery("top_events", "/v1/query/top", [("field", "name")] + now + [("limit", "12")])
        let screens = [("field", "params.screen_name"), ("metric", "screen_views")] + now + [("limit", "12")]
        topScreens = DaemonQuery("top_screens", "/v1/query/top", screens)
    }

    /// The people of today until the last full hour, and those of the same hours of yesterday.
    struct PeopleSoFar {
        let now: SeriesQuery
        let before: SeriesQuery
        /// False in the first hour of a day.
        let isOver: Bool

        var polled: [PolledQuery] { [now.polled, before.polled] }
    }

    /// Nil until the zone of the app is known.
    static func peopleSoFar(_ view: PaneView) -> PeopleSoFar? {
        guard let zone = view.zone else { return nil }
        let local = zone.local(view.now).milliseconds
        let day = Timestamp(milliseconds: local.flooredQuotient(by: Day.milliseconds) * Day.milliseconds)
        let hour = Timestamp(milliseconds: local.flooredQuotient(by: 3_600_000) * 3_600_000)
        let end = max(hour, day + .hours(1))
        let query = { (name: String, daysAgo: Int64) in
            let ends = [day, end].map { zone.moment(ofLocal: $0 - .days(daysAgo)).rfc3339 }
            let parameters = [("metric", "users"), ("from", ends[0]), ("to", ends[1]), ("interval", "hour")]
            return SeriesQuery(name, "/v1/query/series", parameters, every: 60)
        }
        return PeopleSoFar(now: query("people_so_far", 0), before: query("people_so_far_before", 1), isOver: hour == end)
    }

    var polled: [PolledQuery] {
        [
            events.polled, eventsBefore.polled, days.polled, people.polled, realtime.polled, topEvents.polled, topScreens.polled,
            revenue.polled, revenueHours.polled, crashFree.polled, crashFreeBefore.polled, quarantine.polled,
        ]
    }
}
