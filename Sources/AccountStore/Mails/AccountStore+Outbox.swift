// SPDX-License-Identifier: Apache-2.0

import Accounts
import Database
package import Platform
import SQLite

/// The outbox: the durable queue of mails.
extension AccountStore {
    /// Looks up whom new codes concern, then returns a mail that is due and counts the attempt durably, and the time of the next one.
    package func claimMail(at now: Timestamp) async throws -> (mail: StoredMail?, nextDue: Timestamp?) {
        let claimed = try await change { file in
            let isMore = try file.findAccounts(at: now)
            let mail = try file.claimMail(at: now)
            return (mail: mail, next: try file.nextMail(), isMore: isMore)
        }
        outbox.oldest = claimed.next?.oldest
        return (claimed.mail, claimed.isMore ? now : claimed.next?.due)
    }

    /// Returns a mail as `claimMail` does, but looks codes up only when it is time for that.
    package func claimMailInTurn(at now: Timestamp) async throws -> (mail: StoredMail?, nextDue: Timestamp?) {
        let claimed = try await change { [outbox] file in
            var lookUp: Timestamp?
            if try !file.newCodes(atMost: 1).isEmpty {
                if let wait = outbox.waitForLookUp() {
                    lookUp = now + Timestamp.Span(milliseconds: Int64(wait / .milliseconds(1)) + 1)
                } else if try file.findAccounts(at: now) {
                    lookUp = now
                }
            }
            return (mail: try file.claimMail(at: now), next: try file.nextMail(), lookUp: lookUp)
        }
        outbox.oldest = claimed.next?.oldest
        return (claimed.mail, [claimed.lookUp, claimed.next?.due].compactMap(\.self).min())
    }

    /// Notes durably that the server may have a mail from here on. Returns false if nobody needs it any more.
    package func handOver(_ mail: Int64) async throws -> Bool { try await change { try $0.handOver(mail) } }

    package func endMail(_ mail: Int64, _ state: StoredMail.State, reason: String) async throws {
        let now = clock.now()
        outbox.oldest = try await change { file in
            try file.end(mail, state, reason, at: now)
            return try file.nextMail()?.oldest
        }
    }

    package func retryMail(_ mail: Int64, at time: Timestamp, reason: String) async throws {
        try await change { try $0.retry(mail, at: time, reason) }
    }

    /// Returns the last mails to an account, newest first.
    package func mails(of account: Account) async throws -> [StoredMail] { try await read { try $0.mails(of: account, limit: 1_000) } }

    func wakeMails() { outbox.wake() }

    package var mailChanges: AsyncStream<Void> { outbox.changes }

    /// The creation of the oldest mail that waits; nil if none does.
    package var oldestWaitingMail: Timestamp? { outbox.oldest }

    package static func prepareRestored(_ path: String) throws {
        try AccountDB.change(path) { try $0.forgetCodes(at: WallClock.system.now()) }
    }
}
