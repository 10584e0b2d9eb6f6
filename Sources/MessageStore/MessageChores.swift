// SPDX-License-Identifier: Apache-2.0

import Database
import Messaging
import Platform
import SQLite

/// The background work of the writer, one step per transaction: cancelling, fan-out, and sweeps that expire and remove rows.
///
///     noteWork               → steps until nothing is to cancel or fan out
///     a scheduled message    → a step at its time
///     otherwise              → a sweep every 20 seconds, in steps until nothing is left
///     a failed step          → a pause of 5 seconds
struct MessageChores {
    private static let restBetweenSweeps = Timestamp.Span.seconds(20)
    private static let restAfterFailure = Timestamp.Span.seconds(5)

    private let bounds: MessageBounds
    /// Whether messages may be waiting for fan-out or cancelling.
    private var mayHaveFanout = true
    private var nextScheduled: Timestamp?
    private var nextSweep: Timestamp
    /// The end of the pause after a failure.
    private var pausedUntil: Timestamp

    init(_ bounds: MessageBounds, now: Timestamp) {
        self.bounds = bounds
        nextSweep = now
        pausedUntil = now
    }

    mutating func noteWork(at now: Timestamp) {
        mayHaveFanout = true
        nextSweep = now
    }

    mutating func failed(at now: Timestamp) {
        pausedUntil = now + MessageChores.restAfterFailure
    }

    func nextWork(at now: Timestamp) -> NextWork {
        // Bounded, so that a clock set back does not extend the wait.
        let sweep = min(nextSweep, now + MessageChores.restBetweenSweeps)
        let next = mayHaveFanout ? now : min(sweep, nextScheduled ?? sweep)
        let start = pausedUntil - now > MessageChores.restAfterFailure ? next : max(next, pausedUntil)
        return start <= now ? .now : .after(.milliseconds(start.milliseconds - now.milliseconds))
    }

    /// Does one step. Sweeps need a trusted clock, because they expire and remove rows.
    mutating func step(_ context: MessageContext, maySweep: Bool) throws {
        if mayHaveFanout || nextScheduled.map({ $0 <= context.now }) ?? false {
            // Cancelling comes first, so that it does not wait for the fan-out of another message.
            mayHaveFanout = try context.cancelSome() || context.spread()
            nextScheduled = mayHaveFanout ? nil : try context.nextScheduled()
        } else if try !maySweep || !context.sweep() {
            nextSweep = context.now + MessageChores.restBetweenSweeps
        }
    }
}

extension MessageContext {
    func nextScheduled() throws -> Timestamp? {
        try file.statement(
            "SELECT send_at FROM messages WHERE stage = \(sql: MessageStage.scheduled) AND \(MessageContext.isOfExistingApp) ORDER BY send_at LIMIT 1"
        )
        .first { Timestamp(milliseconds: $0.integer(0)) }
    }

    /// Cancels a chunk of a message's deliveries. Returns false if no message is to cancel. Deliveries in flight are not affected.
    func cancelSome() throws -> Bool {
        guard let message = try next("stage = \(sql: MessageStage.cancelling)") else { return false }
        if try !close(.cancelled, ofMessage: message, in: [.pending, .retrying, .sent]) { try set(.cancelled, of: message) }
        return true
    }

    /// Expires or removes a chunk of rows. Returns whether more may be left.
    func sweep() throws -> Bool {
        if let message = try next("\(MessageStage.mayExpireCondition) AND expires <= ?", now) { return try expireChunk(of: message) }
        if let message = try next("expires <= ?", now - limits.keptAfter) { return try removeChunk(of: message) }
        if let app = try file.statement("SELECT app FROM deleted_apps LIMIT 1").first(row: { $0.integer(0) }) { return try removeChunk(ofApp: app) }
        try file.statement("DELETE FROM idempotency WHERE until <= ?").run(integers: [now.milliseconds])
        return try removeExpiredRegistrations()
    }

    private func next(_ what: String, _ time: Timestamp? = nil) throws -> Int64? {
        try file.statement("SELECT id FROM messages WHERE \(what) LIMIT 1").first(time.map { [.integer($0.milliseconds)] } ?? []) { $0.integer(0) }
    }

    /// Deliveries in flight are skipped. They report an outcome, or expire at the next claim.
    private func expireChunk(of message: Int64) throws -> Bool {
        if try !close(.expired, ofMessage: message, in: [.pending, .retrying, .sent]) { try set(.over, of: message) }
        return true
    }

    func removeChunk(of message: Int64) throws -> Bool {
        let rows = try file.statement("SELECT id, state FROM deliveries WHERE message = ? LIMIT ?").all(.integer(message), .integer(limits.chunk)) {
            ($0.integer(0), DeliveryState(rawValue: $0.int(1)) ?? .removed)
        }
        for (id, state) in rows { try forget(delivery: id, of: message, state) }
        if rows.count < limits.chunk {
            try writeCounts()
            try file.statement("DELETE FROM message_counts WHERE message = ?").run(integers: [message])
            try file.statement("DELETE FROM messages WHERE id = ?").run(integers: [message])
        }
        return true
    }

    /// Removes a delivery and its log of attempts.
    func forget(delivery: Int64, of message: Int64, _ state: DeliveryState) throws {
        try file.statement("DELETE FROM attempts WHERE delivery = ?").run(integers: [delivery])
        try file.statement("DELETE FROM deliveries WHERE id = ?").run(integers: [delivery])
        uncount(of: message, from: state)
    }

    private func removeExpiredRegistrations() throws -> Bool {
        let gone = try file.statement("SELECT id FROM registrations WHERE seen < ? LIMIT 500").all(.integer(cuts.expired)) { $0.integer(0) }
        for id in gone { try remove(registration: id) }
        return gone.count == 500
    }
}
