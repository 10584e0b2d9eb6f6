// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Panes
import Platform

/// The queries of a report.
struct ReportQueries: Sendable {
    let events, people, crashes: DaemonQuery<RangedResult<SeriesResult>>
    let topEvents, topScreens: DaemonQuery<RangedResult<TopResult>>
    let activeUsers: DaemonQuery<RangedResult<ActiveUsersResult>>
    let retention: DaemonQuery<RangedResult<RetentionResult>>
    let lifecycle: DaemonQuery<RangedResult<LifecycleResult>>
    let revenue: DaemonQuery<RangedResult<RevenueResult>>
    let sessions: DaemonQuery<RangedResult<SessionsResult>>
    let crashFree: DaemonQuery<RangedResult<CrashFreeResult>>
    let over, before: ComparedQueries
    let issues = DaemonQuery<Page<IssueResponse>>("issues", "/v1/issues", [("sort", "last_seen"), ("limit", "100")])
    let messages = DaemonQuery<Page<MessageResponse>>("messages", "/v1/messages", [("limit", "100")])
    let quarantine = DaemonQuery<QuarantineResponse>("quarantine", "/v1/quarantine", [("limit", "1")])
    let system = DaemonQuery<SystemResponse>("system", "/v1/system")

    /// The number of names compared with the previous period.
    static let compared = 100

    init(_ period: ReportPeriod) {
        let now = [("from", period.from.rfc3339), ("to", period.to.rfc3339)]
        let bucket = ("interval", period.span.bucket.rawValue)
        // People are counted by whole days, and one day is no chart.
        let days = period.span.bucket == .hour ? [("from", "-6d")] : now
        let weekly = period.span.bucket == .week || period.span.hours > 21 * 24
        let screens = [("field", "params.screen_name"), ("metric", "screen_views"), ("limit", "\(ReportQueries.compared)")]
        let names = [("field", "name"), ("limit", "\(ReportQueries.compared)")]

        events = DaemonQuery("events", "/v1/query/series", now + [bucket])
        people = DaemonQuery("people", "/v1/query/series", now + [bucket, ("metric", "users")])
        crashes = DaemonQuery("crashes", "/v1/query/series", now + [bucket, ("metric", "crashes")])
        topEvents = DaemonQuery("top_events", "/v1/query/top", now + names)
        topScreens = DaemonQuery("top_screens", "/v1/query/top", now + screens)
        activeUsers = DaemonQuery("active_users", "/v1/query/active-users", days)
        retention = DaemonQuery("retention", "/v1/query/retention", days + [("interval", weekly ? "week" : "day")])
        lifecycle = DaemonQuery("lifecycle", "/v1/query/lifecycle", days + [("interval", period.span.bucket == .week ? "week" : "day")])
        revenue = DaemonQuery("revenue", "/v1/query/revenue", now + [bucket])
        sessions = DaemonQuery("sessions", "/v1/query/sessions", now + [bucket])
        crashFree = DaemonQuery("crash_free", "/v1/query/crash-free", now + [bucket, ("limit", "8")])
        over = ComparedQueries("over", from: period.from, to: period.closed, names: names, screens: screens)
        before = ComparedQueries("before", from: period.before.from, to: period.before.to, names: names, screens: screens)
    }

    var all: [PolledQuery] {
        [
            events.polled, people.polled, crashes.polled, topEvents.polled, topScreens.polled, activeUsers.polled, retention.polled,
            lifecycle.polled, revenue.polled, sessions.polled, crashFree.polled, issues.polled, messages.polled, quarantine.polled,
            system.polled,
        ] + over.all + before.all
    }
}

/// The queries whose totals are compared: over full hours of a period, or over the same hours of the previous one.
struct ComparedQueries: Sendable {
    let events, people: DaemonQuery<RangedResult<SeriesResult>>
    let topEvents, topScreens: DaemonQuery<RangedResult<TopResult>>
    let revenue: DaemonQuery<RangedResult<RevenueResult>>
    let sessions: DaemonQuery<RangedResult<SessionsResult>>
    let crashFree: DaemonQuery<RangedResult<CrashFreeResult>>

    /// - Parameter suffix: The end of the queries' names.
    fileprivate init(_ suffix: String, from: Timestamp, to: Timestamp, names: [(String, String)], screens: [(String, String)]) {
        // Only totals are used, so hours are enough.
        let range = [("from", from.rfc3339), ("to", to.rfc3339), ("interval", "hour")]
        events = DaemonQuery("events_\(suffix)", "/v1/query/series", range)
        people = DaemonQuery("people_\(suffix)", "/v1/query/series", range + [("metric", "users")])
        topEvents = DaemonQuery("top_events_\(suffix)", "/v1/query/top", range + names)
        topScreens = DaemonQuery("top_screens_\(suffix)", "/v1/query/top", range + screens)
        revenue = DaemonQuery("revenue_\(suffix)", "/v1/query/revenue", range)
        sessions = DaemonQuery("sessions_\(suffix)", "/v1/query/sessions", range)
        crashFree = DaemonQuery("crash_free_\(suffix)", "/v1/query/crash-free", range + [("limit", "1")])
    }

    fileprivate var all: [PolledQuery] {
        [
            events.polled, people.polled, topEvents.polled, topScreens.polled, revenue.polled, sessions.polled, crashFree.polled,
        ]
    }
}
