// SPDX-License-Identifier: Apache-2.0

import Crashes
import JSON
import Platform

/// A translated request of a Sentry SDK, and the counts of items that are not stored.
package struct SentryRequest: Sendable {
    /// The supported item types.
    enum Kind: String {
        case event, session, sessions
        case clientReport = "client_report"
    }

    /// The reason and category of events that a client dropped.
    package struct Loss: Hashable, Sendable {
        package var reason: String
        package var category: String

        package init(reason: String, category: String) {
            (self.reason, self.category) = (reason, category)
        }
    }

    package internal(set) var batch = IntegrationBatch()
    /// The ID of its event in the sender's form: 32 digits.
    package private(set) var eventID: String?
    /// The number of unsupported items by type.
    package private(set) var skipped: [String: Int] = [:]
    package private(set) var losses: [Loss: Int] = [:]
    /// The number of aggregated sessions by status.
    package private(set) var countedSessions: [String: Int] = [:]
    /// The number of accepted items.
    package private(set) var events = 0
    package private(set) var sessions = 0
    package private(set) var attachments = 0
    /// The report of the first event.
    private var firstReport: String?

    mutating func add(_ event: SentryEvent, from place: Int) {
        guard event.isError else { return skip("transaction") }
        events += 1
        eventID = eventID ?? event.plainID
        firstReport = firstReport ?? event.id
        batch.crashes.add(from: place) { event.write(to: &$0) }
    }

    /// Adds the event of a minidump, whatever its type.
    mutating func add(_ event: SentryEvent, withMinidump dump: [UInt8], from place: Int) {
        events += 1
        eventID = eventID ?? event.plainID
        firstReport = firstReport ?? event.id
        batch.crashes.add(from: place) { event.write(to: &$0) }
        batch.dumps[place] = dump
    }

    /// Adds the files of a form with a minidump.
    mutating func add(_ files: [FormParts.Part]) {
        attachments += files.count
        batch.attachments += files.map { file in
            let name = file.fileName.flatMap { $0.isEmpty ? nil : $0 } ?? file.name
            return CrashAttachment(
                name: name.prefix(scalars: CrashLimits.attachmentNameCharacters), kind: nil, contentType: nil, size: file.bytes.count,
                bytes: Array(file.bytes))
        }
        attach(to: nil)
    }

    mutating func add(_ session: SentrySession?, from place: Int) {
        guard let session else { return skip("session") }
        sessions += 1
        batch.events.add(from: place) { session.writeStart(to: &$0) }
        if session.hasEnded { batch.events.add(from: place) { session.writeEnd(to: &$0) } }
    }

    mutating func add(_ file: SentryFile, _ item: SentryEnvelope.Item, _ body: [UInt8]) {
        attachments += 1
        let bytes = item.isTruncated || item.length > CrashLimits.attachmentBytes ? nil : Array(body[item.payload])
        batch.attachments.append(
            CrashAttachment(name: file.name, kind: file.kind, contentType: file.contentType, size: item.length, bytes: bytes))
    }

    /// Assigns the attachments to the event of the envelope. It may have arrived before, in another envelope.
    ///
    /// - Parameter id: The event ID of the envelope's headers.
    mutating func attach(to id: String?) {
        guard !batch.attachments.isEmpty else { return }
        let report = firstReport ?? id.map { id in UUID128(sentry: id).map { String(decoding: $0.text, as: UTF8.self) } ?? id } ?? ""
        for place in batch.attachments.indices { batch.attachments[place].report = report }
        if events == 0 { eventID = eventID ?? id.map { UUID128(sentry: $0)?.plainText ?? $0 } }
    }

    mutating func skip(_ type: String) {
        skipped[SentryMetricLabels.itemTypes.contains(type) ? type : "other", default: 0] += 1
    }

    /// Adds aggregated sessions.
    ///
    /// - Parameter header: The first line of the envelope. With `sent_at` it identifies the item, so that a retry counts once.
    mutating func add(_ aggregates: SentryAggregates, header: ArraySlice<UInt8>, payload: ArraySlice<UInt8>) {
        countedSessions.merge(aggregates.counts, uniquingKeysWith: +)
        guard !aggregates.sessions.isEmpty else { return }
        batch.sessionCounts.append(SessionCounts(aggregates.sessions, identity: batch.sentAt == nil ? nil : Array(header + payload)))
    }

    mutating func addLosses(_ tape: JSONTape) {
        guard let all = tape.value("discarded_events", of: 0) else { return }
        for one in tape.elements(of: all).prefix(SentryMetricLabels.mostCounts) {
            let reason = word("reason", of: one, tape, SentryMetricLabels.lossReasons)
            let category = word("category", of: one, tape, SentryMetricLabels.categories)
            guard let quantity = tape.value("quantity", of: one) else { continue }
            losses[Loss(reason: reason, category: category), default: 0] += SentryRequest.count(tape[quantity])
        }
    }

    /// Returns a word for a metric label. Words outside `known` become `other`, because any holder of an ingest key could send them.
    private func word(_ name: StaticString, of object: Int, _ tape: JSONTape, _ known: Set<String>) -> String {
        guard let text = tape.value(name, of: object).flatMap({ tape.text(tape[$0]) }), known.contains(text) else { return "other" }
        return text
    }

    static func count(_ token: JSONToken) -> Int {
        Int(min(max(token.integer ?? 0, 0), 1_000_000_000))
    }
}

/// The words of Sentry's protocol that are metric labels.
private enum SentryMetricLabels {
    static let mostCounts = 100
    static let itemTypes: Set = [
        "transaction", "span", "profile", "profile_chunk", "replay_event", "replay_recording", "replay_video", "log", "otel_log",
        "trace_metric", "check_in", "statsd", "metric_meta", "metric_buckets", "feedback", "user_report", "security", "raw_security",
        "unreal_report", "form_data", "nel", "session", "sessions",
    ]
    static let lossReasons: Set = [
        "queue_overflow", "cache_overflow", "buffer_overflow", "ratelimit_backoff", "network_error", "send_error", "sample_rate", "before_send",
        "event_processor", "internal_sdk_error", "insufficient_data", "backpressure", "ignored", "invalid", "no_parent_span",
    ]
    static let categories: Set = [
        "error", "default", "transaction", "transaction_indexed", "session", "attachment", "profile", "profile_chunk", "replay", "monitor",
        "log_item", "log_byte", "trace_metric", "span", "internal", "security", "feedback", "user_report_v2", "metric_bucket",
    ]
}
