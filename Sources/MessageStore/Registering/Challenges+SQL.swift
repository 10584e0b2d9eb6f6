// SPDX-License-Identifier: Apache-2.0

import Database
package import Messaging
import Platform
import SQLite

extension MessageStore {
    fileprivate static let restBetweenTries: [Timestamp.Span] = [.seconds(10), .minutes(5)]
    /// Origins that are looked at in one change, and how long the others wait where there are more.
    private static let mostOrigins = 1_000
    private static let restBetweenLooks = Timestamp.Span(milliseconds: 100)

    /// The endpoints that are to be asked now, each at most once in a while, and of one origin few.
    package func claimChallenges(_ wishes: ChallengeRequest) async throws -> ClaimedChallenges {
        try await change { context in
            var taken = ClaimedChallenges(through: wishes.after)
            var looked = 0
            for (behind, last) in [(wishes.after, Int64.max), (0, wishes.after)] {
                var place = behind
                while let origin = try context.file.originToChallenge(behind: place, through: last) {
                    if looked == MessageStore.mostOrigins {
                        taken.through = place
                        taken.isDue(context.now + MessageStore.restBetweenLooks)
                        return taken
                    }
                    looked += 1
                    place = origin
                    try context.claimChallenges(of: origin, wishes, &taken)
                }
            }
            return taken
        }
    }

    /// What came of asking; one whose endpoint has moved since is asked anew, not judged.
    package func answered(_ challenge: Challenge, _ answer: ChallengeAnswer) async throws {
        try await change { context in
            let isSame =
                try context.file.statement("SELECT 1 FROM registrations WHERE id = ? AND url = ? AND state = 2")
                .first(.integer(challenge.registration), .text(challenge.url)) { _ in true } ?? false
            guard isSame else { return }
            switch answer {
            case .proven: try context.activate(challenge.registration)
            case .wrong where challenge.tries >= context.limits.challengeTries:
                try context.file.statement("UPDATE registrations SET state = 4 WHERE id = ?").run(integers: [challenge.registration])
                try context.close(.dead, ofRegistration: challenge.registration)
            case .wrong: break
            case .notAsked: try context.giveBack(challenge)
            }
        }
    }
}

extension MessageDB {
    fileprivate func originToChallenge(behind origin: Int64, through last: Int64) throws -> Int64? {
        try statement("SELECT origin FROM registrations WHERE state = 2 AND origin > ? AND origin <= ? ORDER BY origin LIMIT 1")
            .first(.integer(origin), .integer(last)) { $0.integer(0) }
    }
}

extension MessageDB {
    /// Whether more endpoints wait to prove themselves than may. Other indexes lead through all registrations of the app.
    fileprivate func isBeyond(_ most: Int, _ condition: String, _ value: Int64?) throws -> Bool {
        try statement("SELECT 1 FROM registrations INDEXED BY registrations_to_challenge WHERE state = 2 AND \(condition) LIMIT 1 OFFSET ?")
            .first(.integer(value), .integer(most)) { _ in true } ?? false
    }
}

extension ClaimedChallenges {
    fileprivate mutating func isDue(_ time: Timestamp) {
        next = min(next ?? time, time)
    }
}

extension MessageContext {
    fileprivate func claimChallenges(of origin: Int64, _ wishes: ChallengeRequest, _ taken: inout ClaimedChallenges) throws {
        let room = max(min(ChallengeRequest.maxPerOrigin - (wishes.open[origin] ?? 0), wishes.limit - taken.challenges.count), 0)
        // One more, for the time it tells.
        let first = try file.statement(
            "SELECT id, url, challenge_tries + 1, challenge_due FROM registrations WHERE state = 2 AND origin = ? ORDER BY challenge_due LIMIT ?"
        ).all(.integer(origin), .integer(room + 1)) {
            (Challenge(registration: $0.integer(0), origin: origin, url: $0.text(1), tries: $0.int(2)), due: Timestamp(milliseconds: $0.integer(3)))
        }
        for (place, (challenge, due)) in first.enumerated() {
            if due > now {
                taken.isDue(due)
            } else if place < room {
                taken.isDue(try noteChallenge(challenge))
                taken.challenges.append(challenge)
                taken.through = origin
            }
        }
    }

    /// Answers when it is asked again, if it does not prove itself.
    private func noteChallenge(_ challenge: Challenge) throws -> Timestamp {
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

    /// Until its endpoint has proven itself nothing goes there. Another endpoint is asked no sooner than the one before it would have been.
    func challenge(_ registration: Int64) throws {
        let latest = now + (MessageStore.restBetweenTries.last ?? .seconds(0))
        try file.statement(
            "UPDATE registrations SET state = 2, challenge_due = max(?1, min(coalesce(challenge_due, ?1), ?2)), challenge_tries = 0 WHERE id = ?3"
        ).run(integers: [now.milliseconds, latest.milliseconds, registration])
        try file.statement("UPDATE deliveries SET due = NULL WHERE registration = ? AND state < 5").run(integers: [registration])
        try requireRoom(forChallenge: registration)
    }

    /// Whoever has an ingest key can name endpoints of others: so many wait to prove themselves at once, of a host and of an app.
    func requireRoom(forChallenge registration: Int64) throws {
        hasChallenges = true
        let (app, origin) = (try app(of: registration), try origin(of: registration))
        let isFull =
            try file.isBeyond(limits.pendingOfOrigin, "origin = ?", origin)
            || file.isBeyond(limits.pendingOfApp, "origin > 0 AND app = ?", app.rawValue)
        guard isFull else { return }
        throw Refusal(
            .rateLimited, "Too many endpoints wait to prove themselves.", hint: "Register it again when those before it have answered.",
            retryAfterSeconds: 60)
    }
}
