// SPDX-License-Identifier: Apache-2.0

import Database
import Messaging
import Platform
import SQLite

/// What the messages' writer does unasked, in pieces: makes deliveries, lets messages expire, and takes away what is over.
struct MessageChores {
    private static let restBetweenSweeps = Timestamp.Span.seconds(20)
    private static let restAfterFailure = Timestamp.Span.seconds(5)

    private let bounds: MessageBounds
    /// Whether deliveries may be left to make.
    private var mayHaveToSpread = true
    private var nextScheduled: Timestamp?
    private var nextSweep: Timestamp
    /// After a failure nothing is done for a while.
    private var pausedUntil: Timestamp

    init(_ bounds: MessageBounds, now: Timestamp) {
        self.bounds = bounds
        nextSweep = now
        pausedUntil = now
    }

    mutating func somethingIsToDo(at now: Timestamp) {
        mayHaveToSpread = true
        nextSweep = now
    }

    mutating func failed(at now: Timestamp) {
        pausedUntil = now + MessageChores.restAfterFailure
    }

    func nextWork(at now: Timestamp) -> NextWork {
        // A clock that is set back makes no rest longer.
        let sweep = min(nextSweep, now + MessageChores.restBetweenSweeps)
        let next = mayHaveToSpread ? now : min(sweep, nextScheduled ?? sweep)
        let start = pausedUntil - now > MessageChores.restAfterFailure ? next : max(next, pausedUntil)
        return start <= now ? .now : .after(.milliseconds(start.milliseconds - now.milliseconds))
    }

    /// Does one piece. A clock that is not believed ends nothing and takes nothing away.
    mutating func step(_ context: MessageContext, maySweep: Bool) throws {
        if mayHaveToSpread || nextScheduled.map({ $0 <= context.now }) ?? false {
            // What is called back must not wait for the fan-out of another.
            mayHaveToSpread = try context.cancelSome() || context.spread()
            nextScheduled = mayHaveToSpread ? nil : try context.nextScheduled()
        } else if try !maySweep || !context.sweep() {
            nextSweep = context.now + MessageChores.restBetweenSweeps
        }
    }
}

extension MessageContext {
    func nextScheduled() throws -> Timestamp? {
        try file.statement("SELECT send_at FROM messages WHERE stage = 1 AND \(MessageContext.isOfSomebody) ORDER BY send_at LIMIT 1")
            .first { Timestamp(milliseconds: $0.integer(0)) }
    }

    /// Takes back a chunk of what is called back; answers false where there is nothing. What is with a receiver just now stays with it.
    func cancelSome() throws -> Bool {
        guard let message = try next("stage = 3") else { return false }
        if try !close(.cancelled, ofMessage: message, in: [.pending, .retrying, .sent]) { try set(.cancelled, of: message) }
        return true
    }

    /// Takes a chunk of what time has ended; answers whether there may be more.
    func sweep() throws -> Bool {
        if let message = try next("stage < 5 AND expires <= ?", now) { return try expireChunk(of: message) }
        if let message = try next("expires <= ?", now - limits.keptAfter) { return try removeChunk(of: message) }
        if let app = try file.statement("SELECT app FROM deleted_apps LIMIT 1").first(row: { $0.integer(0) }) { return try removeChunk(ofApp: app) }
        try file.statement("DELETE FROM idempotency WHERE until <= ?").run(integers: [now.milliseconds])
        return try removeExpiredRegistrations()
    }

    private func next(_ what: String, _ time: Timestamp? = nil) throws -> Int64? {
        try file.statement("SELECT id FROM messages WHERE \(what) LIMIT 1").first(time.map { [.integer($0.milliseconds)] } ?? []) { $0.integer(0) }
    }

    /// What is with a receiver just now is heard of yet, or expires where it is claimed again.
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

    /// A delivery goes, with its log.
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
