// SPDX-License-Identifier: Apache-2.0

import JSON

/// What a request of a Sentry SDK tells: what is kept of it, and what is only counted.
package struct SentryRequest: Sendable {
    /// The types of items that are understood.
    enum Kind: String {
        case event, session, sessions
        case clientReport = "client_report"
    }

    /// Events that a client did not send, by why and of which kind they were.
    package struct Loss: Hashable, Sendable {
        package var reason: String
        package var category: String

        package init(reason: String, category: String) {
            (self.reason, self.category) = (reason, category)
        }
    }

    package internal(set) var batch = IntegrationBatch()
    /// Of its event, as its sender writes it: 32 digits.
    package private(set) var eventID: String?
    /// How many items of each type came and have no place here.
    package private(set) var skipped: [String: Int] = [:]
    package private(set) var losses: [Loss: Int] = [:]
    /// Sessions that came as mere numbers, by how they ended.
    package private(set) var countedSessions: [String: Int] = [:]
    /// How many items were taken.
    package private(set) var events = 0
    package private(set) var sessions = 0

    mutating func add(_ event: SentryEvent, from place: Int) {
        guard event.isError else { return skip("transaction") }
        events += 1
        eventID = eventID ?? event.plainID
        batch.crashes.add(from: place) { event.write(to: &$0) }
    }

    mutating func add(_ session: SentrySession?, from place: Int) {
        guard let session else { return skip("session") }
        sessions += 1
        batch.events.add(from: place) { session.writeStart(to: &$0) }
        if session.hasEnded { batch.events.add(from: place) { session.writeEnd(to: &$0) } }
    }

    mutating func skip(_ type: String) {
        skipped[SentryWords.itemTypes.contains(type) ? type : "other", default: 0] += 1
    }

    /// Sessions of servers come as numbers a minute and without ids: nothing could tell a second telling from the first, so they are only counted.
    mutating func addSessions(_ tape: JSONTape) {
        guard let all = tape.value("aggregates", of: 0) else { return }
        for one in tape.elements(of: all).prefix(SentryWords.mostCounts) {
            for key in tape.keys(of: one) {
                guard let status = SentryWords.sessionEnds.first(where: { tape.isText(tape[key], $0) }) else { continue }
                countedSessions[status.description, default: 0] += count(tape[tape[key].next])
            }
        }
    }

    mutating func addLosses(_ tape: JSONTape) {
        guard let all = tape.value("discarded_events", of: 0) else { return }
        for one in tape.elements(of: all).prefix(SentryWords.mostCounts) {
            let reason = word("reason", of: one, tape, SentryWords.lossReasons)
            let category = word("category", of: one, tape, SentryWords.categories)
            guard let quantity = tape.value("quantity", of: one) else { continue }
            losses[Loss(reason: reason, category: category), default: 0] += count(tape[quantity])
        }
    }

    /// Whoever has an ingest key may write any word; only those that are known become names of figures.
    private func word(_ name: StaticString, of object: Int, _ tape: JSONTape, _ known: Set<String>) -> String {
        guard let text = tape.value(name, of: object).flatMap({ tape.text(tape[$0]) }), known.contains(text) else { return "other" }
        return text
    }

    private func count(_ token: JSONToken) -> Int {
        Int(min(max(token.integer ?? 0, 0), 1_000_000_000))
    }
}

/// The words of Sentry's protocol that become names of figures.
private enum SentryWords {
    static let mostCounts = 100
    static let itemTypes: Set = [
        "attachment", "transaction", "span", "profile", "profile_chunk", "replay_event", "replay_recording", "replay_video", "log", "otel_log",
        "trace_metric", "check_in", "statsd", "metric_meta", "metric_buckets", "feedback", "user_report", "security", "raw_security",
        "unreal_report", "form_data", "nel", "session", "sessions",
    ]
    static let sessionEnds: [StaticString] = ["exited", "errored", "crashed", "abnormal", "unhandled"]
    static let lossReasons: Set = [
        "queue_overflow", "cache_overflow", "buffer_overflow", "ratelimit_backoff", "network_error", "send_error", "sample_rate", "before_send",
        "event_processor", "internal_sdk_error", "insufficient_data", "backpressure", "ignored", "invalid", "no_parent_span",
    ]
    static let categories: Set = [
        "error", "default", "transaction", "transaction_indexed", "session", "attachment", "profile", "profile_chunk", "replay", "monitor",
        "log_item", "log_byte", "trace_metric", "span", "internal", "security", "feedback", "user_report_v2", "metric_bucket",
    ]
}
