// SPDX-License-Identifier: Apache-2.0

import Database
package import Messaging
import Platform
import SQLite

extension MessageStore {
    package func settle(_ outcomes: [DeliveryOutcome]) async throws {
        let gone = try await change { context in
            var gone: [Int64] = []
            for outcome in outcomes where try context.settle(outcome) { gone.append(outcome.registration) }
            return gone
        }
        for registration in gone { streams.end(registration) }
    }

    /// Returns the content of a message, which is the same for all receivers.
    package func content(of message: Int64) async throws -> MessageContent? {
        try await read { try $0.content(of: message) }
    }
}

extension MessageContext {
    /// Records an outcome, unless the delivery was claimed again since. Returns whether its registration was removed.
    ///
    ///     delivered              → delivered
    ///     retry(at: t)           → retrying, due t; cancelled or expired if its message is
    ///     returned(due: t)       → pending or retrying, due t; not an attempt
    ///     gone                   → the registration is removed, with all its deliveries
    fileprivate func settle(_ outcome: DeliveryOutcome) throws -> Bool {
        assert(outcome.attempt > 0, "attempts are numbered from 1")
        let row = try file.statement(
            """
            SELECT d.origin, CASE WHEN d.replaced = 1 THEN \(sql: MessageStage.cancelling) ELSE m.stage END, m.expires
            FROM deliveries d JOIN messages m ON m.id = d.message
            WHERE d.id = ? AND d.claim = ? AND d.state = \(sql: DeliveryState.sending)
            """
        ).first(.integer(outcome.id), .integer(outcome.claim)) {
            ($0.integer(0), MessageStage(rawValue: $0.int(1)) ?? .over, Timestamp(milliseconds: $0.integer(2)))
        }
        guard let (origin, stage, expires) = row else { return false }
        if let record = outcome.record { try log(record, of: outcome) }
        switch outcome.verdict {
        case .delivered: try end(outcome, .delivered)
        case .dead: try end(outcome, .dead)
        case .expired: try end(outcome, .expired)
        case .retry(let time):
            if let over = stage.end(expires: expires, now: now) {
                try end(outcome, over)
            } else {
                try again(outcome, .retrying, at: time.milliseconds, origin, attempts: outcome.attempt)
            }
        case .returned(let time):
            if let over = stage.end(expires: expires, now: now) {
                try end(outcome, over)
            } else {
                try again(outcome, outcome.attempt == 1 ? .pending : .retrying, at: time.milliseconds, origin, attempts: outcome.attempt - 1)
            }
        case .gone:
            try remove(registration: outcome.registration)
            return true
        }
        try apply(outcome)
        return false
    }

    private func end(_ outcome: DeliveryOutcome, _ state: DeliveryState) throws {
        try file.statement("UPDATE deliveries SET state = ?, due = NULL, changed = ? WHERE id = ?")
            .run(integers: [Int64(state.rawValue), now.milliseconds, outcome.id])
        count(of: outcome.message, from: .sending, to: state)
    }

    private func again(_ outcome: DeliveryOutcome, _ state: DeliveryState, at time: Int64, _ origin: Int64, attempts: Int) throws {
        try file.statement("UPDATE deliveries SET state = ?, due = ?, attempts = ?, changed = ? WHERE id = ?")
            .run(integers: [Int64(state.rawValue), time, Int64(attempts), now.milliseconds, outcome.id])
        count(of: outcome.message, from: .sending, to: state)
        isDue(origin, at: time)
    }

    private func log(_ record: AttemptRecord, of outcome: DeliveryOutcome) throws {
        // A redrive restarts the count of attempts. The numbers of the log continue.
        try file.statement(
            """
            INSERT INTO attempts (delivery, number, at, milliseconds, status, error, response)
            VALUES (?1, (SELECT coalesce(max(number), 0) + 1 FROM attempts WHERE delivery = ?1), ?2, ?3, ?4, ?5, ?6)
            """
        ).run(
            .integer(outcome.id), .integer(record.at.milliseconds), .integer(record.milliseconds),
            .integer(record.status), .text(record.error), record.response.isEmpty ? .null : .blob(record.response))
    }

    // MARK: Registrations that fail

    /// Updates a registration's failures. One success clears them. A registration that fails for `disabledAfter` without a success is
    /// disabled, and the alert rules notify its app.
    private func apply(_ outcome: DeliveryOutcome) throws {
        if outcome.verdict == .delivered {
            try file.statement("UPDATE registrations SET failing_since = NULL WHERE id = ? AND failing_since IS NOT NULL")
                .run(integers: [outcome.registration])
        } else if outcome.hasFailed {
            try noteFailure(of: outcome.registration)
        }
    }

    /// Notes a failed attempt. Every attempt counts, not only the last one of a delivery: deliveries with a short lifetime expire before
    /// their last attempt.
    private func noteFailure(of registration: Int64) throws {
        try file.statement("UPDATE registrations SET failing_since = ?1 WHERE id = ?2 AND (failing_since IS NULL OR failing_since < ?3)")
            .run(integers: [now.milliseconds, registration, oldestFailure.milliseconds])
        try file.statement(
            "UPDATE registrations SET state = \(sql: RegistrationState.disabled) WHERE id = ? AND state = \(sql: RegistrationState.active) AND failing_since <= ?"
        )
        .run(integers: [registration, (now - limits.disabledAfter).milliseconds])
        if file.changes == 1 { try close(.dead, ofRegistration: registration) }
    }

    /// The time before which failures are forgotten. A registration that failed all the time since would be disabled by now, and times from
    /// an unset clock mean nothing.
    private var oldestFailure: Timestamp {
        let forgotten = now - limits.disabledAfter - limits.disabledAfter
        return now < ClockTrust.earliest ? forgotten : max(forgotten, ClockTrust.earliest)
    }
}

extension DeliveryOutcome {
    /// Whether the delivery was attempted and failed.
    fileprivate var hasFailed: Bool {
        switch verdict {
        case .retry, .dead: true
        case .expired: record != nil
        case .delivered, .gone, .returned: false
        }
    }
}

extension MessageStage {
    /// Returns the state in which a delivery ends instead of another attempt. Nil if it may be attempted.
    func end(expires: Timestamp, now: Timestamp) -> DeliveryState? {
        switch self {
        case .cancelling, .cancelled: .cancelled
        default: expires <= now ? .expired : nil
        }
    }
}

extension MessageDB {
    func content(of message: Int64) throws -> MessageContent? {
        try statement(
            """
            SELECT public, topic_name, condition, notification, data, text, label, collapse_key, priority, coalesce(sent, created), expires,
                platform, addressee
            FROM messages WHERE id = ?
            """
        ).first(.integer(message)) { row in
            MessageContent(
                id: row.text(0), topic: row.optionalText(1), condition: row.optionalText(2), user: row.optionalText(12),
                notification: row.isNull(3) ? nil : row.bytes(3), data: row.isNull(4) ? nil : row.bytes(4),
                platform: row.isNull(11) ? nil : row.bytes(11), text: row.optionalText(5),
                label: row.optionalText(6), collapseKey: row.optionalText(7),
                priority: MessagePriority(rawValue: row.int(8)) ?? .normal, sent: Timestamp(milliseconds: row.integer(9)),
                expires: Timestamp(milliseconds: row.integer(10)))
        }
    }
}
