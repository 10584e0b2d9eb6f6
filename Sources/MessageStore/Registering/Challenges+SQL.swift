// SPDX-License-Identifier: Apache-2.0

import Database
package import Messaging
import Platform
import SQLite

/// Challenges: an endpoint from an untrusted client must confirm that it wants messages.
///
/// Clients hold ingest keys and could register endpoints of others. Until an endpoint has confirmed, its deliveries wait. The store decides
/// whom to challenge and when; `Challenger` sends the requests:
///
///     register(url)                   pending, challenge due now; deliveries have no due time
///     claimChallenges → attempt 1     due again in 10 s
///     completed(.wrong)               no change; attempt 2 after 10 s, attempt 3 after 5 more minutes
///     completed(.proven)              active; waiting deliveries are due now
///     completed(.wrong) at attempt 3  refused; waiting deliveries are dead
///
/// A registration that moves to another endpoint keeps its `challenge_due`, so that a client cannot use it to send requests faster. Origins
/// take turns: each claim continues after the last origin of the one before.
extension MessageStore {
    fileprivate static let restBetweenTries: [Timestamp.Span] = [.seconds(10), .minutes(5)]
    /// The number of origins examined in one change, and the wait before the next change if there are more.
    private static let mostOrigins = 1_000
    private static let restBetweenLooks = Timestamp.Span(milliseconds: 100)

    /// Claims endpoints to challenge now, a few per origin.
    package func claimChallenges(_ request: ChallengeRequest) async throws -> ClaimedChallenges {
        try await change { context in
            var taken = ClaimedChallenges(through: request.after)
            var looked = 0
            for (behind, last) in [(request.after, Int64.max), (0, request.after)] {
                var place = behind
                while let origin = try context.file.originToChallenge(behind: place, through: last) {
                    if looked == MessageStore.mostOrigins {
                        taken.through = place
                        taken.isDue(context.now + MessageStore.restBetweenLooks)
                        return taken
                    }
                    looked += 1
                    place = origin
                    try context.claimChallenges(of: origin, request, &taken)
                }
            }
            return taken
        }
    }

    /// Records the result of a challenge. It is ignored if the endpoint has changed since.
    package func completed(_ challenge: Challenge, _ result: ChallengeResult) async throws {
        try await change { context in
            let isSame =
                try context.file.statement("SELECT 1 FROM registrations WHERE id = ? AND url = ? AND state = \(sql: RegistrationState.pending)")
                .first(.integer(challenge.registration), .text(challenge.url)) { _ in true } ?? false
            guard isSame else { return }
            switch result {
            case .proven: try context.activate(challenge.registration)
            case .wrong where challenge.tries >= context.limits.challengeTries:
                try context.file.statement("UPDATE registrations SET state = \(sql: RegistrationState.refused) WHERE id = ?").run(integers: [
                    challenge.registration
                ])
                try context.close(.dead, ofRegistration: challenge.registration)
            case .wrong: break
            case .notAsked: try context.giveBack(challenge)
            }
        }
    }
}

extension MessageDB {
    fileprivate func originToChallenge(behind origin: Int64, through last: Int64) throws -> Int64? {
        try statement(
            "SELECT origin FROM registrations WHERE state = \(sql: RegistrationState.pending) AND origin > ? AND origin <= ? ORDER BY origin LIMIT 1"
        )
        .first(.integer(origin), .integer(last)) { $0.integer(0) }
    }
}

extension MessageDB {
    /// Whether more than `most` endpoints are unconfirmed. `INDEXED BY` is needed, because other indexes cover all registrations of the
    /// app.
    fileprivate func isBeyond(_ most: Int, _ condition: String, _ value: Int64?) throws -> Bool {
        try statement(
            "SELECT 1 FROM registrations INDEXED BY registrations_to_challenge WHERE state = \(sql: RegistrationState.pending) AND \(condition) LIMIT 1 OFFSET ?"
        )
        .first(.integer(value), .integer(most)) { _ in true } ?? false
    }
}

extension ClaimedChallenges {
    fileprivate mutating func isDue(_ time: Timestamp) {
        next = min(next ?? time, time)
    }
}

extension MessageContext {
    fileprivate func claimChallenges(of origin: Int64, _ request: ChallengeRequest, _ taken: inout ClaimedChallenges) throws {
        let capacity = max(min(ChallengeRequest.maxPerOrigin - (request.open[origin] ?? 0), request.limit - taken.challenges.count), 0)
        // One more than may be claimed, for its due time.
        let first = try file.statement(
            "SELECT id, url, challenge_tries + 1, challenge_due FROM registrations WHERE state = \(sql: RegistrationState.pending) AND origin = ? ORDER BY challenge_due LIMIT ?"
        ).all(.integer(origin), .integer(capacity + 1)) {
            (Challenge(registration: $0.integer(0), origin: origin, url: $0.text(1), tries: $0.int(2)), due: Timestamp(milliseconds: $0.integer(3)))
        }
        for (place, (challenge, due)) in first.enumerated() {
            if due > now {
                taken.isDue(due)
            } else if place < capacity {
                taken.isDue(try noteChallenge(challenge))
                taken.challenges.append(challenge)
                taken.through = origin
            }
        }
    }

    /// Records an attempt. Returns the time of the next one.
    private func noteChallenge(_ challenge: Challenge) throws -> Timestamp {
        precondition(challenge.tries > 0, "the attempts of a challenge are numbered from 1")
        let again = now + MessageStore.restBetweenTries[min(challenge.tries, MessageStore.restBetweenTries.count) - 1]
        try file.statement("UPDATE registrations SET challenge_tries = ?, challenge_due = ? WHERE id = ?")
            .run(integers: [Int64(challenge.tries), again.milliseconds, challenge.registration])
        return again
    }

    fileprivate func giveBack(_ challenge: Challenge) throws {
        try file.statement("UPDATE registrations SET challenge_tries = ?, challenge_due = ? WHERE id = ? AND challenge_tries = ?").run(integers: [
            Int64(challenge.tries - 1), (now + MessageStore.restBetweenTries[0]).milliseconds, challenge.registration, Int64(challenge.tries),
        ])
        hasChallenges = true
    }

    /// Requires a confirmation from a registration's endpoint, and suspends its deliveries. The challenge is not due earlier than that of
    /// the previous endpoint.
    func challenge(_ registration: Int64) throws {
        let latest = now + (MessageStore.restBetweenTries.last ?? .seconds(0))
        try file.statement(
            "UPDATE registrations SET state = \(sql: RegistrationState.pending), challenge_due = max(?1, min(coalesce(challenge_due, ?1), ?2)), challenge_tries = 0 WHERE id = ?3"
        ).run(integers: [now.milliseconds, latest.milliseconds, registration])
        try file.statement("UPDATE deliveries SET due = NULL WHERE registration = ? AND \(DeliveryState.openCondition)").run(integers: [registration])
        try requireCapacity(forChallenge: registration)
    }

    /// Throws if too many endpoints of the host or app are unconfirmed. The limit is needed because clients choose the endpoints.
    func requireCapacity(forChallenge registration: Int64) throws {
        hasChallenges = true
        let (app, origin) = (try app(of: registration), try origin(of: registration))
        let isFull =
            try file.isBeyond(limits.unconfirmedPerOrigin, "origin = ?", origin)
            || file.isBeyond(limits.unconfirmedPerApp, "origin > 0 AND app = ?", app.rawValue)
        guard isFull else { return }
        throw Refusal(
            .rateLimited, "Too many endpoints are waiting for verification.", hint: "Register the device again once others are verified.",
            retryAfterSeconds: 60)
    }
}
