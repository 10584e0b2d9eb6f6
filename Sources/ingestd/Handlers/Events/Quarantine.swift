// SPDX-License-Identifier: Apache-2.0

import CrashStore
import Crashes
import EventStore
import Events
import HTTPServer
import Ingest
import JSON
import Platform
import AcrossStores

/// What was refused, why, and a second chance after a change of rules.
enum Quarantine {
    @Sendable static func list(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let query = try call.query()
        try query.allow("app", "limit", "after", "reason")
        let app = try call.app(in: daemon.store)
        let limit = try query.number("limit", 1...1_000, default: 100)
        let before = try query.cursor("after")
        let page = try await daemon.store.events.quarantine(
            app: app.id, before: before, reason: try query.choice("reason", of: Reason.self)?.rawValue, limit: limit)
        let counts = try await daemon.store.events.quarantineCounts(app: app.id)
        return .response(
            .json { json in
                json.beginObject()
                json.key("items")
                json.beginArray()
                for row in page.rows { json.write(row) }
                json.endArray()
                if let next = page.next { json.field("next", String(next)) }
                json.write(counts)
                json.endObject()
            })
    }

    /// Runs a page of kept events through today's rules; those that pass are stored and leave the quarantine, the others stay.
    @Sendable static func replay(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let query = try call.query()
        try query.allow("app", "reason", "limit", "after")
        let app = try call.app(in: daemon.store)
        let limit = try query.number("limit", 1...1_000, default: 1_000)
        let page = try await daemon.store.events.quarantine(
            app: app.id, before: try query.cursor("after"), reason: try query.choice("reason", of: Reason.self)?.rawValue, limit: limit)
        var passed: [Int64] = []
        var total = EventOutcome(accepted: 0, duplicates: 0, quarantined: 0, verdicts: [])
        for row in page.rows {
            guard let outcome = try await replay(row, daemon, app) else { continue }
            total.accepted += outcome.accepted
            total.duplicates += outcome.duplicates
            passed.append(row.seq)
        }
        try await daemon.store.events.removeQuarantined(app: app.id, passed)
        let (accepted, duplicates, left) = (total.accepted, total.duplicates, page.rows.count - passed.count)
        return .response(
            .json { json in
                json.beginObject()
                json.key("accepted")
                json.integer(accepted)
                json.key("duplicates")
                json.integer(duplicates)
                json.key("quarantined")
                json.integer(left)
                if let next = page.next { json.field("next", String(next)) }
                json.endObject()
            })
    }

    /// Nil where the event is still refused. One without an id gets one made of its number, so that a replay cut short finds it again.
    private static func replay(_ row: StoredQuarantine, _ daemon: Daemon, _ app: App) async throws -> EventOutcome? {
        let envelope = try Body(row.envelope).plainTexts()
        let body = [UInt8(ascii: "[")] + row.raw + [UInt8(ascii: "]")]
        let id = UUID128(high: UInt64(bitPattern: row.received.milliseconds) << 16 | 0x8000, low: 1 << 63 | UInt64(bitPattern: row.seq))
        let hash = daemon.store.events.hash
        let source = EventSubmission.Source(rawValue: row.source)
        switch source {
        case .events?, .server?, .open?:
            let submission = try? daemon.events.decode(
                body, format: .json, query: envelope, app: app, source: source ?? .events, received: row.received, hash: hash, firstID: id)
            guard let submission, submission.quarantined.isEmpty, submission.records.count == 1 else { return nil }
            try await Crashing.keepErrors(of: submission, daemon)
            let outcome = try await daemon.store.events.submit(submission.replayed)
            // Of those who are kept out nothing stays.
            return outcome.verdicts.contains { $0.result == .quarantined && $0.reason != .blocked } ? nil : outcome
        case .crashes?:
            let batch = try? daemon.crashes.decode(body, query: envelope, app: app, received: row.received, hash: hash, firstID: id)
            guard let batch, batch.quarantined.isEmpty, batch.crashes.count == 1 else { return nil }
            let verdicts = try await daemon.store.crashes.take(batch.submissions(grouping: GroupingRule.current.group), app: app.id)
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
        guard let number = Int64(text), number >= 0 else { throw .field(name, "bad_cursor", "must be the next of an earlier page") }
        return number
    }
}

extension JSONWriter {
    mutating func write(_ row: StoredQuarantine) {
        beginObject()
        field("seq", row.seq)
        field("received_at", row.received.rfc3339)
        if let time = row.time { field("timestamp", time.rfc3339) }
        if let id = row.id { field("id", id) }
        field("code", row.reason)
        if let number = Reason(rawValue: row.reason)?.number { field("number", number) }
        field("field", row.field)
        field("message", row.message)
        field("source", row.source)
        key("envelope")
        raw(row.envelope[...])
        // A line may have been refused for not being UTF-8; what is answered must be.
        field("raw", String(decoding: row.raw, as: UTF8.self))
        endObject()
    }

    fileprivate mutating func write(_ counts: [QuarantineCount]) {
        key("counts")
        beginArray()
        for count in counts {
            beginObject()
            field("code", count.reason)
            field("kept", count.kept)
            field("only_counted", count.dropped)
            endObject()
        }
        endArray()
    }
}
