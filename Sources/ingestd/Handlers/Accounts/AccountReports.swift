// SPDX-License-Identifier: Apache-2.0

import API
import AccountStore
import AcrossStores
import EventStore
import Events
import HTTPServer
import Platform

/// Figures of an app's accounts, for keys with the role `accounts` or `admin`.
struct AccountReports: Sendable {
    let store: Stores
    let clock: WallClock

    static let routes = [Route(.get, "/v1/auth/figures", .role(.accounts), .task(\.accounts.reports, AccountReports.figures))]

    /// Counts accounts, and sign-ups, sign-ins and failures of days.
    func figures(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "from", "to")
        let app = try call.app(in: store)
        let now = clock.now()
        // The end is exclusive; one at midnight ends the day before.
        let end = try query.moment("to", now: now) ?? now
        let start = try query.moment("from", now: now) ?? Day(of: end).start - .days(29)
        let (first, last) = (Day(of: start), Day(of: end == Day(of: end).start && end > start ? Timestamp(milliseconds: end.milliseconds - 1) : end))
        guard (0..<3_650).contains(Int64(last.number) - Int64(first.number)) else {
            throw Refusal.field("from", "bad_range", "must be before to, by at most 3,650 days")
        }
        return try .json(AccountFiguresResponse(try await store.accounts.figures(app.id, from: first, through: last)))
    }
}

extension AccountFiguresResponse {
    init(_ figures: AccountFigures) {
        self.init(
            accounts: figures.accounts, verified: figures.verified, anonymous: figures.anonymous, disabled: figures.disabled,
            secondFactor: figures.withSecondFactor,
            days: figures.days.map { day in
                Activity(day: day.day.text, method: day.method, signUps: day.signUps, signIns: day.signIns, failures: day.failures)
            })
    }
}
