// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import CrashStore
import Crashes
import EventStore
import Events
import HTTPServer
import Ingest
import Platform

/// Quarantined data with its reasons, and its replay after a change of rules.
struct Quarantine: Sendable {
    let store: Stores
    let events: NativeEvents
    let crashes: NativeCrashes
    let crashIntake: CrashIntake

    static let routes = [
        Route(.get, "/v1/quarantine", .role(.read), .task(\.intake.quarantine, Quarantine.list)),
        Route(.post, "/v1/quarantine/replay", .role(.admin), .task(\.intake.quarantine, Quarantine.replay), audit: .quarantineReplay),
    ]

    func list(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "limit", "after", "reason")
        let app = try call.app(in: store)
        let limit = try query.number("limit", 1...1_000, default: 100)
        let before = try query.cursor("after")
        let page = try await store.events.quarantine(
            app: app.id, before: before, reason: try query.choice("reason", of: Reason.self)?.rawValue, limit: limit)
        let counts = try await store.events.quarantineCounts(app: app.id)
        return try .json(
            QuarantineResponse(
                items: page.rows.map(QuarantinedResponse.init), next: page.next.map(String.init),
                counts: counts.map { .init(code: $0.reason, kept: $0.kept, onlyCounted: $0.dropped) }))
    }

    /// Runs a page of quarantined records through the rules in force. Records that pass are stored and leave the quarantine.
    func replay(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "reason", "limit", "after")
        let app = try call.app(in: store)
        let limit = try query.number("limit", 1...1_000, default: 1_000)
        let page = try await store.events.quarantine(
            app: app.id, before: try query.cursor("after"), reason: try query.choice("reason", of: Reason.self)?.rawValue, limit: limit)
        var passed: [Int64] = []
        var total = EventOutcome(accepted: 0, duplicates: 0, quarantined: 0, verdicts: [])
        for row in page.rows {
            guard let outcome = try await replay(row, app) else { continue }
            total.accepted += outcome.accepted
            total.duplicates += outcome.duplicates
            passed.append(row.seq)
        }
        try await store.events.removeQuarantined(app: app.id, passed)
        return try .json(
            ReplayResponse(
                accepted: total.accepted, duplicates: total.duplicates, quarantined: page.rows.count - passed.count,
                next: page.next.map(String.init)))
    }

    /// Returns nil if the record is still rejected. An event without an ID gets one made of its `seq`, so that an interrupted replay
    /// dedupes it.
    private func replay(_ row: StoredQuarantine, _ app: App) async throws -> EventOutcome? {
        // A replay has no ID token that could prove another user. Unproved users pass once the app no longer asks for proof.
        let isUnproved = row.reason == Reason.userUnproved.rawValue && app.settings.users == .proved
        if isUnproved || row.reason == Reason.userMismatch.rawValue { return nil }
        let envelope = try Body(row.envelope).plainTexts()
        let body = [UInt8(ascii: "[")] + row.raw + [UInt8(ascii: "]")]
        let id = UUID128(high: UInt64(bitPattern: row.received.milliseconds) << 16 | 0x8000, low: 1 << 63 | UInt64(bitPattern: row.seq))
        let hash = store.events.hash
        let source = EventSubmission.Source(rawValue: row.source)
        switch source {
        case .events?, .server?, .open?, .trusted?, .orders?:
            let submission = try? events.decode(
                body, format: .json, query: envelope, app: app, source: source ?? .events, received: row.received, hash: hash, firstID: id)
            guard let submission, submission.quarantined.isEmpty, submission.records.count == 1 else { return nil }
            try await crashIntake.keepErrors(of: submission)
            let outcome = try await store.events.submit(submission.replayed)
            // Records of blocked users leave the quarantine.
            return outcome.verdicts.contains { $0.result == .quarantined && $0.reason != .blocked } ? nil : outcome
        case .crashes?:
            let batch = try? crashes.decode(body, query: envelope, app: app, received: row.received, hash: hash, firstID: id)
            guard let batch, batch.quarantined.isEmpty, batch.crashes.count == 1 else { return nil }
            let verdicts = try await crashIntake.take(batch)
            guard let verdict = verdicts.first, !verdict.isBlocked else { return nil }
            return EventOutcome(accepted: verdict.isDuplicate ? 0 : 1, duplicates: verdict.isDuplicate ? 1 : 0, quarantined: 0, verdicts: [])
        case .users?, nil: return nil
        }
    }
}

extension QueryString {
    /// A number that an earlier page ended with.
    func cursor(_ name: String) throws(Refusal) -> Int64? {
        guard let text = try one(name) else { return nil }
        guard let number = Int64(text), number >= 0 else { throw .field(name, "bad_cursor", "must be the next cursor of an earlier page") }
        return number
    }
}

extension QuarantinedResponse {
    init(_ row: StoredQuarantine) {
        self.init(
            seq: row.seq, receivedAt: Moment(row.received), timestamp: row.time.map(Moment.init), id: row.id, code: row.reason,
            number: Reason(rawValue: row.reason)?.number, field: row.field, message: row.message, source: row.source,
            envelope: .json(row.envelope),
            // A rejected line may not be UTF-8; the response must be.
            raw: String(decoding: row.raw, as: UTF8.self))
    }
}
