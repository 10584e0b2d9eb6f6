// SPDX-License-Identifier: Apache-2.0

import Messaging
import Database
import Platform
import SQLite

/// Corrects stored times that were written while the clock was wrong.
///
/// A device may start with its clock at 1970, or in the future, and be set later. Rows then contain times that would expire everything at
/// once or delay deliveries for years:
///
///     seen 1970-01-01, clock set to 2026     `redateUnset`: seen = now, lifetimes start now
///     due 2031, clock set back to 2026       `shortenLongWaits`: due = now
///
/// Both run only if they may be needed: at the start, after a failure, and when the clock moves accordingly.
struct WrongTimes {
    private var latest: Timestamp
    /// Whether there may be times from before the clock was set.
    private(set) var mayBeUnset = true
    /// Whether there may be times in the future, from a clock that was ahead.
    private(set) var mayBeAhead = true

    init(now: Timestamp) {
        latest = now
    }

    mutating func look(at now: Timestamp) {
        if now < ClockTrust.earliest { mayBeUnset = true }
        if now + ClockTrust.leap < latest { mayBeAhead = true }
        latest = now
    }

    /// Both corrections are needed again, because a transaction failed.
    mutating func expectAll() {
        (mayBeUnset, mayBeAhead) = (true, true)
    }

    /// Applies the corrections. As long as the clock is not set, there is no better time.
    mutating func correct(_ context: MessageContext) throws {
        look(at: context.now)
        if mayBeUnset, context.now >= ClockTrust.earliest {
            try context.redateUnset()
            mayBeUnset = false
        }
        if mayBeAhead {
            try context.shortenLongWaits()
            mayBeAhead = false
        }
    }
}

extension MessageContext {
    /// Exceeds the lifetime plus the scheduled delay of any message.
    private static let longestLife = Timestamp.Span.days(60)
    /// Exceeds the delay of any retry.
    private static let longestWait = ClockTrust.leap

    /// Dates rows from before the clock was set to now: contact, sending, and the start of lifetimes.
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

    fileprivate func shortenLongWaits() throws {
        let (now, end) = (now.milliseconds, (now + MessageContext.longestWait).milliseconds)
        for (origin, _) in try file.earliestDue() {
            try file.statement("UPDATE deliveries SET due = ? WHERE origin = ? AND due > ?").run(integers: [now, origin, end])
            if file.changes > 0 { isDue(origin, at: now) }
        }
        try file.statement(
            "UPDATE registrations INDEXED BY registrations_to_challenge SET challenge_due = ? WHERE state = \(sql: RegistrationState.pending) AND challenge_due > ?"
        )
        .run(integers: [now, end])
        if file.changes > 0 { hasChallenges = true }
    }
}
