// SPDX-License-Identifier: Apache-2.0

import Ingest
import Platform

/// Counts items that are not stored, and events that clients report as dropped.
struct SentryCounts: Sendable {
    private let items: MetricFamily<Counter>
    private let lost: MetricFamily<Counter>
    private let sessions: MetricFamily<Counter>

    init(_ metrics: Metrics) {
        items = metrics.counters(
            "signalbox_sentry_items_total", "Envelope items by type and outcome: taken (accepted), skipped (unsupported) or refused (rejected).",
            labels: ["type", "outcome"])
        lost = metrics.counters(
            "signalbox_sentry_lost_total", "Items that clients report as dropped before sending.", labels: ["reason", "category"])
        sessions = metrics.counters(
            "signalbox_sentry_counted_sessions_total",
            "Server sessions, which arrive as counts without IDs, by status; of these `too_old` and `in_future` were dropped.",
            labels: ["status"])
    }

    func take(_ request: SentryRequest) {
        count(request, "taken")
        for (type, count) in request.skipped { items(type, "skipped").add(count) }
        for (loss, count) in request.losses { lost(loss.reason, loss.category).add(count) }
        for (status, count) in request.countedSessions { sessions(status).add(count) }
    }

    /// Counts sessions of a time that is not counted.
    func drop(_ outcome: IntegrationOutcome) {
        if outcome.sessionsTooOld > 0 { sessions("too_old").add(outcome.sessionsTooOld) }
        if outcome.sessionsInFuture > 0 { sessions("in_future").add(outcome.sessionsInFuture) }
    }

    /// Counts a rejected request. Clients do not count a 429 themselves because they expect the server to.
    func reject(_ request: SentryRequest) {
        count(request, "refused")
    }

    private func count(_ request: SentryRequest, _ outcome: String) {
        if request.events > 0 { items("event", outcome).add(request.events) }
        if request.sessions > 0 { items("session", outcome).add(request.sessions) }
        if request.attachments > 0 { items("attachment", outcome).add(request.attachments) }
    }
}
