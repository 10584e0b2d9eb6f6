// SPDX-License-Identifier: Apache-2.0

import Events
import Platform

/// All that a report asks the daemon.
struct ReportQuestions: Sendable {
    let events, eventsBefore, people, peopleBefore, crashes: Ask<QueryAnswer<SeriesAnswer>>
    let topEvents, topEventsBefore, topScreens, topScreensBefore: Ask<QueryAnswer<TopAnswer>>
    let activeUsers: Ask<QueryAnswer<ActiveUsersAnswer>>
    let retention: Ask<QueryAnswer<RetentionAnswer>>
    let lifecycle: Ask<QueryAnswer<LifecycleAnswer>>
    let revenue, revenueBefore: Ask<QueryAnswer<RevenueAnswer>>
    let sessions, sessionsBefore: Ask<QueryAnswer<SessionsAnswer>>
    let crashFree, crashFreeBefore: Ask<QueryAnswer<CrashFreeAnswer>>
    let issues = Ask<PageAnswer<IssueAnswer>>("issues", "/v1/issues", [("sort", "last_seen"), ("limit", "100")])
    let messages = Ask<PageAnswer<MessageAnswer>>("messages", "/v1/messages", [("limit", "100")])
    let quarantine = Ask<QuarantineAnswer>("quarantine", "/v1/quarantine", [("limit", "1")])
    let system = Ask<SystemAnswer>("system", "/v1/system")

    /// How many names are compared with the time before.
    static let compared = 100

    init(_ period: ReportPeriod) {
        let now = [("from", period.from.rfc3339), ("to", period.to.rfc3339)]
        let bucket = ("interval", period.span.bucket.rawValue)
        // Only the total is wanted, to the hour.
        let before = [("from", period.before.from.rfc3339), ("to", period.before.to.rfc3339), ("interval", "hour")]
        // People are counted by whole days, and a single one would be no chart.
        let days = period.span.bucket == .hour ? [("from", "-6d")] : now
        let weekly = period.span.bucket == .week || period.span.hours > 21 * 24
        let screens = [("field", "params.screen_name"), ("metric", "screen_views"), ("limit", "\(ReportQuestions.compared)")]
        let names = [("field", "name"), ("limit", "\(ReportQuestions.compared)")]

        events = Ask("events", "/v1/query/series", now + [bucket])
        eventsBefore = Ask("events_before", "/v1/query/series", before)
        people = Ask("people", "/v1/query/series", now + [bucket, ("metric", "users")])
        peopleBefore = Ask("people_before", "/v1/query/series", before + [("metric", "users")])
        crashes = Ask("crashes", "/v1/query/series", now + [bucket, ("metric", "crashes")])
        topEvents = Ask("top_events", "/v1/query/top", now + names)
        topEventsBefore = Ask("top_events_before", "/v1/query/top", before.dropLast() + names)
        topScreens = Ask("top_screens", "/v1/query/top", now + screens)
        topScreensBefore = Ask("top_screens_before", "/v1/query/top", before.dropLast() + screens)
        activeUsers = Ask("active_users", "/v1/query/active-users", days)
        retention = Ask("retention", "/v1/query/retention", days + [("interval", weekly ? "week" : "day")])
        lifecycle = Ask("lifecycle", "/v1/query/lifecycle", days + [("interval", period.span.bucket == .week ? "week" : "day")])
        revenue = Ask("revenue", "/v1/query/revenue", now + [bucket])
        revenueBefore = Ask("revenue_before", "/v1/query/revenue", before)
        sessions = Ask("sessions", "/v1/query/sessions", now + [bucket])
        sessionsBefore = Ask("sessions_before", "/v1/query/sessions", before)
        crashFree = Ask("crash_free", "/v1/query/crash-free", now + [bucket, ("limit", "8")])
        crashFreeBefore = Ask("crash_free_before", "/v1/query/crash-free", before + [("limit", "1")])
    }

    var all: [StandingAsk] {
        [
            events.standing, eventsBefore.standing, people.standing, peopleBefore.standing, crashes.standing, topEvents.standing,
            topEventsBefore.standing, topScreens.standing, topScreensBefore.standing, activeUsers.standing, retention.standing,
            lifecycle.standing, revenue.standing, revenueBefore.standing, sessions.standing, sessionsBefore.standing, crashFree.standing,
            crashFreeBefore.standing, issues.standing, messages.standing, quarantine.standing, system.standing,
        ]
    }
}
