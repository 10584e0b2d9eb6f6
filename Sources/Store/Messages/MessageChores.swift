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

    /// How long nothing is to be done; nil where there is something now.
    func idleTime(at now: Timestamp) -> Duration? {
        let next = mayHaveToSpread ? now : min(nextSweep, nextScheduled ?? nextSweep)
        let start = max(next, pausedUntil)
        return start <= now ? nil : .milliseconds(start.milliseconds - now.milliseconds)
    }

    /// Does one piece.
    mutating func step(_ context: MessageContext) throws {
        if mayHaveToSpread || (nextScheduled ?? context.now) < context.now {
            mayHaveToSpread = try context.spread()
            if !mayHaveToSpread { nextScheduled = try context.nextScheduled() }
        } else if nextScheduled.map({ $0 <= context.now }) ?? false {
            mayHaveToSpread = true
        } else if try !context.sweep() {
            nextSweep = context.now + MessageChores.restBetweenSweeps
        }
    }
}

extension MessageContext {
    func nextScheduled() throws -> Timestamp? {
        try file.statement("SELECT send_at FROM messages WHERE stage = 1 ORDER BY send_at LIMIT 1").first { Timestamp(milliseconds: $0.integer(0)) }
    }

    /// Takes a chunk of what time has ended; answers whether there may be more.
    func sweep() throws -> Bool {
        if let message = try next("stage = 3 AND stage < 4") { return try cancelChunk(of: message) }
        if let message = try next("stage < 6 AND expires <= ?", now) { return try expireChunk(of: message) }
        if let message = try next("expires <= ?", now - limits.keptAfter) { return try removeChunk(of: message) }
        try file.statement("DELETE FROM idempotency WHERE until <= ?").run(integers: [now.milliseconds])
        return try removeExpiredRegistrations()
    }

    private func next(_ what: String, _ time: Timestamp? = nil) throws -> Int64? {
        try file.statement("SELECT id FROM messages WHERE \(what) LIMIT 1").first(time.map { [.integer($0.milliseconds)] } ?? []) { $0.integer(0) }
    }

    /// What is with a receiver just now stays with it.
    private func cancelChunk(of message: Int64) throws -> Bool {
        if try !close(.cancelled, ofMessage: message, in: [.pending, .retrying]) { try set(.cancelled, of: message) }
        return true
    }

    private func expireChunk(of message: Int64) throws -> Bool {
        if try !close(.expired, ofMessage: message, in: [.pending, .retrying, .sent, .sending]) { try set(.over, of: message) }
        return true
    }

    private func removeChunk(of message: Int64) throws -> Bool {
        let ids = try file.statement("SELECT id FROM deliveries WHERE message = ? LIMIT ?").all(.integer(message), .integer(limits.chunk)) {
            $0.integer(0)
        }
        for id in ids {
            try file.statement("DELETE FROM attempts WHERE delivery = ?").run(integers: [id])
            try file.statement("DELETE FROM deliveries WHERE id = ?").run(integers: [id])
        }
        if ids.count < limits.chunk {
            try file.statement("DELETE FROM message_counts WHERE message = ?").run(integers: [message])
            try file.statement("DELETE FROM messages WHERE id = ?").run(integers: [message])
        }
        return true
    }

    private func removeExpiredRegistrations() throws -> Bool {
        let gone = try file.statement("SELECT id FROM registrations WHERE seen < ? LIMIT 500").all(.integer(cuts.expired)) { $0.integer(0) }
        for id in gone { try remove(registration: id) }
        return gone.count == 500
    }
}
