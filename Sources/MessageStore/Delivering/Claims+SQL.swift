// SPDX-License-Identifier: Apache-2.0

import Database
package import Messaging
import Platform
import SQLite

extension MessageStore: DeliveryQueue {
    package func claim(_ wishes: ClaimRequest) async throws -> ClaimedDeliveries {
        try await change { context in
            let due = context.origins
            var claimed = ClaimedDeliveries([], nextDue: nil)
            let now = wishes.now.milliseconds
            var leftOut: [Int64] = []
            var lookedAt: [(origin: Int64, next: Int64?)] = []
            while claimed.deliveries.count < wishes.limit, let origin = due.take(by: now) {
                let room = min(wishes.room[origin] ?? wishes.limitPerOrigin, wishes.limit - claimed.deliveries.count)
                if room <= 0 {
                    leftOut.append(origin)
                    continue
                }
                claimed.deliveries += try context.claim(of: origin, limit: room, wishes)
                lookedAt.append((origin, try context.file.nextDue(of: origin)))
            }
            for (origin, next) in lookedAt {
                if let next { due.add(origin, due: next) }
            }
            claimed.nextDue = due.next.map { Timestamp(milliseconds: $0) }
            due.told = due.next ?? .max
            // Of those left out nothing is told: who has no room for them knows when there will be some.
            for origin in leftOut { due.add(origin, due: now) }
            return claimed
        }
    }
}

extension MessageContext {
    private static let find = """
        SELECT d.id, d.message, d.registration,
            d.attempts + CASE WHEN d.state = 2 AND d.claim <= (SELECT value FROM meta WHERE key = 'ended_claims') THEN 0 ELSE 1 END,
            m.public, m.expires, r.url, r.token, d.state,
            CASE WHEN d.replaced = 1 OR EXISTS (SELECT 1 FROM deleted_apps WHERE app = m.app) THEN 3 ELSE m.stage END,
            coalesce(r.secret, a.secret), CASE WHEN r.secret IS NULL THEN a.scheme ELSE r.scheme END,
            CASE WHEN r.secret IS NULL THEN a.replaced_secrets ELSE r.replaced_secrets END
        FROM deliveries d JOIN messages m ON m.id = d.message JOIN registrations r ON r.id = d.registration LEFT JOIN app_secrets a ON a.app = m.app
        WHERE d.origin = ? AND d.due <= ? ORDER BY d.due LIMIT ?
        """

    /// Takes what has been due longest, each for as long as the lease. What was claimed by a process that is gone is the same attempt again.
    fileprivate func claim(of origin: Int64, limit: Int, _ wishes: ClaimRequest) throws -> [ClaimedDelivery] {
        let number = newClaim()
        let found = try file.statement(MessageContext.find).all(.integer(origin), .integer(wishes.now.milliseconds), .integer(limit)) { row in
            let state = DeliveryState(rawValue: row.int(8)) ?? .pending
            return (ClaimedDelivery(row, origin: origin, claim: number, wishes), state, MessageStage(rawValue: row.int(9)) ?? .over)
        }
        let take = try file.statement("UPDATE deliveries SET state = 2, due = ?, claim = ?, attempts = ?, changed = ? WHERE id = ?")
        var claimed: [ClaimedDelivery] = []
        for (delivery, state, stage) in found {
            if let end = stage.end(expires: delivery.expires, now: wishes.now) {
                try close(delivery.id, end)
                continue
            }
            try take.run(integers: [wishes.leaseEnds.milliseconds, number, Int64(delivery.attempt), wishes.now.milliseconds, delivery.id])
            count(of: delivery.message, from: state, to: .sending)
            claimed.append(delivery)
        }
        return claimed
    }
}

extension ClaimedDelivery {
    fileprivate init(_ row: Row, origin: Int64, claim: Int64, _ wishes: ClaimRequest) {
        let scheme = SigningKey.Scheme(rawValue: row.int(11)) ?? .symmetric
        var keys = row.isNull(10) ? [] : [SigningKey(scheme, row.bytes(10))]
        keys += ReplacedSecrets(row.optionalText(12)).keys(at: wishes.now)
        self.init(
            id: row.integer(0), claim: claim, webhookID: "\(row.text(4))_\(row.integer(2))", message: row.integer(1), registration: row.integer(2),
            origin: origin, attempt: row.int(3), url: row.text(6), token: row.text(7), keys: keys,
            expires: Timestamp(milliseconds: row.integer(5)), leaseEnds: wishes.leaseEnds)
    }
}

extension MessageDB {
    fileprivate func nextDue(of origin: Int64) throws -> Int64? {
        try statement("SELECT due FROM deliveries WHERE origin = ? AND due IS NOT NULL ORDER BY due LIMIT 1").first(.integer(origin)) {
            $0.integer(0)
        }
    }

    /// Of each origin the earliest there is.
    func earliestDue() throws -> [(origin: Int64, due: Int64)] {
        try statement("SELECT origin, min(due) FROM deliveries WHERE due IS NOT NULL GROUP BY origin").all { ($0.integer(0), $0.integer(1)) }
    }

    /// At the start nobody holds a lease: whoever did is gone with the process, and nobody knows whether anything went out.
    func endLeases(at now: Timestamp) throws {
        try statement("INSERT OR REPLACE INTO meta (key, value) SELECT 'ended_claims', value FROM meta WHERE key = 'claims'").run()
        for (origin, _) in try earliestDue() {
            try statement("UPDATE deliveries SET due = ? WHERE origin = ? AND due > ? AND state = 2")
                .run(.integer(now.milliseconds), .integer(origin), .integer(now.milliseconds))
        }
    }
}
