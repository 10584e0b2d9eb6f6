// SPDX-License-Identifier: Apache-2.0

import HTTPClient
package import Platform

/// A mail to send now.
package struct OutgoingMail: Sendable {
    package var id: Int64
    /// The number of this attempt, from 1.
    package var attempt: Int
    /// The time after which nobody needs the mail.
    package var expires: Timestamp
    package var message: MailMessage

    package init(id: Int64, attempt: Int, expires: Timestamp, message: MailMessage) {
        (self.id, self.attempt, self.expires, self.message) = (id, attempt, expires, message)
    }
}

/// The consequence of an attempt to send a mail.
package enum MailVerdict: Sendable, Equatable {
    case sent
    case retry(at: Timestamp)
    /// The server rejected it, or it was tried as often as allowed.
    case failed
    case expired
    /// The connection broke after the whole mail was sent. It is not sent again, because a code must not arrive twice.
    case unknown
}

/// A durable queue of mails: the outbox of accounts. Other senders of mail have their own.
package protocol MailQueue: Sendable {
    /// Returns a mail that is due and counts the attempt durably, and the time of the next one; nil if none is known.
    func claimMail(at now: Timestamp) async throws -> (mail: OutgoingMail?, nextDue: Timestamp?)
    /// Notes durably that the server may have the mail from here on. Returns false if it must not be sent any more.
    func handOver(_ mail: Int64) async throws -> Bool
    /// Records the outcome of an attempt durably.
    func settle(_ mail: Int64, _ verdict: MailVerdict, reason: String) async throws
    /// Signals that a mail may be due earlier than stated before.
    var mailChanges: AsyncStream<Void> { get }
}

/// The pauses between the attempts of a mail: at once, after 1, 5 and 30 minutes.
enum MailRetries {
    private static let waits: [Timestamp.Span] = [.minutes(1), .minutes(4), .minutes(25)]

    static func verdict(_ outcome: MailOutcome, attempt: Int, at now: Timestamp, expires: Timestamp) -> MailVerdict {
        switch outcome {
        case .accepted: return .sent
        case .rejected: return .failed
        case .unknown: return .unknown
        case .deferred, .withdrawn:
            guard waits.indices.contains(attempt - 1) else { return .failed }
            let next = now + waits[attempt - 1]
            return next < expires ? .retry(at: next) : .expired
        }
    }
}
