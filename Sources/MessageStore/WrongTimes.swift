// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite

/// Whether the messages' file may hold times that a clock told which has been set since.
struct WrongTimes {
    private var latest: Timestamp
    /// Times from before anything was sent with this program: nobody had set the clock.
    private(set) var mayBeUnset = true
    /// Times that lie further ahead than anything waits: the clock stood in the future.
    private(set) var mayBeAhead = true

    init(now: Timestamp) {
        latest = now
    }

    mutating func look(at now: Timestamp) {
        if now < ClockTrust.earliest { mayBeUnset = true }
        if now + ClockTrust.leap < latest { mayBeAhead = true }
        latest = now
    }

    /// After a transaction that was not made, and at a start.
    mutating func mayBeThere() {
        (mayBeUnset, mayBeAhead) = (true, true)
    }

    /// Puts right what there may be. While the clock is not set there is nothing better to put in the place of what it told.
    mutating func putRight(_ context: MessageContext) throws {
        look(at: context.now)
        if mayBeUnset, context.now >= ClockTrust.earliest {
            try context.redateUnset()
            mayBeUnset = false
        }
        if mayBeAhead {
            try context.hurryWhatWaitsTooLong()
            mayBeAhead = false
        }
    }
}

extension MessageContext {
    /// Longer than a message lives and waits for its time, both at most.
    private static let longestLife = Timestamp.Span.days(60)
    /// Longer than a delivery waits for its next attempt.
    private static let longestWait = ClockTrust.leap

    /// What bears such a time counts from now on: devices were in contact, messages were sent and have as long to live as they were given.
    fileprivate func redateUnset() throws {
        let unset = ClockTrust.earliest
        try file.statement("UPDATE registrations SET seen = ? WHERE seen < ?").run(integers: [now.milliseconds, unset.milliseconds])
        try file.statement(
            """
            UPDATE messages SET created = ?1, sent = CASE WHEN sent IS NOT NULL THEN ?1 END, expires = ?1 + ttl WHERE expires < ?2 AND created < ?3
            """
        ).run(integers: [now.milliseconds, (unset + MessageContext.longestLife).milliseconds, unset.milliseconds])
        try file.statement("UPDATE idempotency SET until = ? WHERE until < ?")
            .run(integers: [(now + limits.idempotency).milliseconds, (unset + limits.idempotency).milliseconds])
    }

    fileprivate func hurryWhatWaitsTooLong() throws {
        let (now, end) = (now.milliseconds, (now + MessageContext.longestWait).milliseconds)
        for (origin, _) in try file.earliestDue() {
            try file.statement("UPDATE deliveries SET due = ? WHERE origin = ? AND due > ?").run(integers: [now, origin, end])
            if file.changes > 0 { isDue(origin, at: now) }
        }
        try file.statement("UPDATE registrations INDEXED BY registrations_to_challenge SET challenge_due = ? WHERE state = 2 AND challenge_due > ?")
            .run(integers: [now, end])
        if file.changes > 0 { hasChallenges = true }
    }
}
