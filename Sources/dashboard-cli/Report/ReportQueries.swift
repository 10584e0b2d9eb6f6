// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Panes
import Platform

/// The queries of a report.
struct ReportQueries: Sendable {
    let events, eventsBefore, people, peopleBefore, crashes: DaemonQuery<RangedResult<SeriesResult>>
    let topEvents, topEventsBefore, topScreens, topScreensBefore: DaemonQuery<RangedResult<TopResult>>
    let activeUsers: DaemonQuery<RangedResult<ActiveUsersResult>>
    let retention: DaemonQuery<RangedResult<RetentionResult>>
    let lifecycle: DaemonQuery<RangedResult<LifecycleResult>>
    let revenue, revenueBefore: DaemonQuery<RangedResult<RevenueResult>>
    let sessions, sessionsBefore: DaemonQuery<RangedResult<SessionsResult>>
    let crashFree, crashFreeBefore: DaemonQuery<RangedResult<CrashFreeResult>>
    let issues = DaemonQuery<Page<IssueResponse>>("issues", "/v1/issues", [("sort", "last_seen"), ("limit", "100")])
    let messages = DaemonQuery<Page<MessageResponse>>("messages", "/v1/messages", [("limit", "100")])
    let quarantine = DaemonQuery<QuarantineResponse>("quarantine", "/v1/quarantine", [("limit", "1")])
    let system = DaemonQuery<SystemResponse>("system", "/v1/system")

    /// The number of names compared with the previous period.
    static let compared = 100

    init(_ period: ReportPeriod) {
        let now = [("from", period.from.rfc3339), ("to", period.to.rfc3339)]
        let bucket = ("interval", period.span.bucket.rawValue)
        // Only totals are used, so hours are enough.
        let before = [("from", period.before.from.rfc3339), ("to", period.before.to.rfc3339), ("interval", "hour")]
        // People are counted by whole days, and one day is no chart.
        let days = period.span.bucket == .hour ? [("from", "-6d")] : now
        let weekly = period.span.bucket == .week || period.span.hours > 21 * 24
        let screens = [("field", "params.screen_name"), ("metric", "screen_views"), ("limit", "\(ReportQueries.compared)")]
        let names = [("field", "name"), ("limit", "\(ReportQueries.compared)")]

        events = DaemonQuery("events", "/v1/query/series", now + [bucket])
        eventsBefore = DaemonQuery("events_before", "/v1/query/series", before)
        people = DaemonQuery("people", "/v1/query/series", now + [bucket, ("metric", "users")])
        peopleBefore = DaemonQuery("people_before", "/v1/query/series", before + [("metric", "users")])
        crashes = DaemonQuery("crashes", "/v1/query/series", now + [bucket, ("metric", "crashes")])
        topEvents = DaemonQuery("top_events", "/v1/query/top", now + names)
        topEventsBefore = DaemonQuery("top_events_before", "/v1/query/top", before.dropLast() + names)
        topScreens = DaemonQuery("top_screens", "/v1/query/top", now + screens)
        topScreensBefore = DaemonQuery("top_screens_before", "/v1/query/top", before.dropLast() + screens)
        activeUsers = DaemonQuery("active_users", "/v1/query/active-users", days)
        retention = DaemonQuery("retention", "/v1/query/retention", days + [("interval", weekly ? "week" : "day")])
        lifecycle = DaemonQuery("lifecycle", "/v1/query/lifecycle", days + [("interval", period.span.bucket == .week ? "week" : "day")])
        revenue = DaemonQuery("revenue", "/v1/query/revenue", now + [bucket])
        revenueBefore = DaemonQuery("revenue_before", "/v1/query/revenue", before)
        sessions = DaemonQuery("sessions", "/v1/query/sessions", now + [bucket])
        sessionsBefore = DaemonQuery("sessions_before", "/v1/query/sessions", before)
        crashFree = DaemonQuery("crash_free", "/v1/query/crash-free", now + [bucket, ("limit", "8")])
        crashFreeBefore = DaemonQuery("crash_free_before", "/v1/query/crash-free", before + [("limit", "1")])
    }

    var all: [PolledQuery] {
        [
            events.polled, eventsBefore.polled, people.polled, peopleBefore.polled, crashes.polled, topEvents.polled,
            topEventsBefore.polled, topScreens.polled, topScreensBefore.polled, activeUsers.polled, retention.polled,
            lifecycle.polled, revenue.polled, revenueBefore.polled, sessions.polled, sessionsBefore.polled, crashFree.polled,
            crashFreeBefore.polled, issues.polled, messages.polled, quarantine.polled, system.polled,
        ]
    }
}
