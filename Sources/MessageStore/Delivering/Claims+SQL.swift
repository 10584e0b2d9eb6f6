// SPDX-License-Identifier: Apache-2.0

import Database
package import Messaging
import Platform
import SQLite

/// Claims of due deliveries, by origin, with a lease and a fence.
///
/// A claim sets the state `sending`, moves `due` to the end of the lease, and stores the claim's number. No timer is needed for lost
/// claims: when the lease ends, the delivery is due again like any other. The number is the fence; `settle` ignores the outcome of an older
/// claim:
///
///     d1 pending, due 10:00
///     claim 7 at 10:00, lease until 10:02     sending, due 10:02, attempt 1
///     settle(claim 7, retry at 10:05)         retrying, due 10:05
///
///     or no outcome by 10:02
///     claim 8 at 10:02                        sending, due 10:04, attempt 2
///     settle(claim 7, delivered)              ignored
///
/// `DueOrigins` holds the earliest due time by origin, so a claim reads deliveries only of origins that have something due.
extension MessageStore: DeliveryQueue {
    package func claim(_ request: ClaimRequest) async throws -> ClaimedDeliveries {
        try await change { context in
            try context.origins.claim(request) { origin, limit in
                let deliveries = try context.claim(of: origin, limit: limit, request)
                return (deliveries, try context.file.nextDue(of: origin))
            }
        }
    }
}

extension MessageContext {
    private static let find = """
        SELECT d.id, d.message, d.registration,
            d.attempts + CASE WHEN d.state = \(sql: DeliveryState.sending) AND d.claim <= (SELECT value FROM meta WHERE key = 'ended_claims') THEN 0 ELSE 1 END,
            m.public, m.expires, r.url, r.token, d.state,
            CASE WHEN d.replaced = 1 OR EXISTS (SELECT 1 FROM deleted_apps WHERE app = m.app) THEN \(sql: MessageStage.cancelling) ELSE m.stage END,
            coalesce(r.secret, a.secret), CASE WHEN r.secret IS NULL THEN a.scheme ELSE r.scheme END,
            CASE WHEN r.secret IS NULL THEN a.replaced_secrets ELSE r.replaced_secrets END
        FROM deliveries d JOIN messages m ON m.id = d.message JOIN registrations r ON r.id = d.registration LEFT JOIN app_secrets a ON a.app = m.app
        WHERE d.origin = ? AND d.due <= ? ORDER BY d.due LIMIT ?
        """

    /// Leases an origin's deliveries, those due longest first. A delivery claimed by an earlier process keeps its attempt number, because
    /// whether it was sent is unknown.
    fileprivate func claim(of origin: Int64, limit: Int, _ request: ClaimRequest) throws -> [ClaimedDelivery] {
        assert(request.leaseEnds > request.now, "a lease must end after its claim")
        let number = claims.next()
        let found = try file.statement(MessageContext.find).all(.integer(origin), .integer(request.now.milliseconds), .integer(limit)) { row in
            let state = DeliveryState(rawValue: row.int(8)) ?? .pending
            return (ClaimedDelivery(row, origin: origin, claim: number, request), state, MessageStage(rawValue: row.int(9)) ?? .over)
        }
        let take = try file.statement(
            "UPDATE deliveries SET state = \(sql: DeliveryState.sending), due = ?, claim = ?, attempts = ?, changed = ? WHERE id = ?")
        var claimed: [ClaimedDelivery] = []
        for (delivery, state, stage) in found {
            if let end = stage.end(expires: delivery.expires, now: request.now) {
                try close(delivery.id, end)
                continue
            }
            try take.run(integers: [request.leaseEnds.milliseconds, number, Int64(delivery.attempt), request.now.milliseconds, delivery.id])
            count(of: delivery.message, from: state, to: .sending)
            claimed.append(delivery)
        }
        return claimed
    }
}

extension ClaimedDelivery {
    fileprivate init(_ row: Row, origin: Int64, claim: Int64, _ request: ClaimRequest) {
        let scheme = SigningKey.Scheme(rawValue: row.int(11)) ?? .symmetric
        var keys = row.isNull(10) ? [] : [SigningKey(scheme, row.bytes(10))]
        keys += ReplacedSecrets(row.optionalText(12)).keys(at: request.now)
        self.init(
            id: row.integer(0), claim: claim, webhookID: "\(row.text(4))_\(row.integer(2))", message: row.integer(1), registration: row.integer(2),
            origin: origin, attempt: row.int(3), url: row.text(6), token: row.text(7), keys: keys,
            expires: Timestamp(milliseconds: row.integer(5)), leaseEnds: request.leaseEnds)
    }
}

extension MessageDB {
    fileprivate func nextDue(of origin: Int64) throws -> Int64? {
        try statement("SELECT due FROM deliveries WHERE origin = ? AND due IS NOT NULL ORDER BY due LIMIT 1").first(.integer(origin)) {
            $0.integer(0)
        }
    }

    /// Returns the earliest due time of each origin.
    func earliestDue() throws -> [(origin: Int64, due: Int64)] {
        try statement("SELECT origin, min(due) FROM deliveries WHERE due IS NOT NULL GROUP BY origin").all { ($0.integer(0), $0.integer(1)) }
    }

    /// Ends all leases, at the start. They belong to an earlier process.
    func endLeases(at now: Timestamp) throws {
        for (origin, _) in try earliestDue() {
            try statement("UPDATE deliveries SET due = ? WHERE origin = ? AND due > ? AND state = \(sql: DeliveryState.sending)")
                .run(.integer(now.milliseconds), .integer(origin), .integer(now.milliseconds))
        }
    }
}
