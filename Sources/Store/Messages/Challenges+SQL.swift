package import Messaging
package import Platform
import SQLite

extension Messages {
    private static let restBetweenTries: [Timestamp.Span] = [.seconds(10), .minutes(5)]

    /// The endpoints that are to be asked now, each at most once in a while; answers also when the next is.
    package func takeChallenges(limit: Int) async throws -> (challenges: [Challenge], next: Timestamp?) {
        try await change { context in
            let now = context.now.milliseconds
            let due = try context.file.statement(
                "SELECT id, url, challenge_tries + 1 FROM registrations WHERE challenge_due <= ? ORDER BY challenge_due LIMIT ?"
            ).all(.integer(now), .integer(limit)) {
                Challenge(registration: $0.integer(0), url: $0.text(1), tries: $0.int(2))
            }
            for challenge in due {
                let rest = Messages.restBetweenTries[min(challenge.tries, Messages.restBetweenTries.count) - 1]
                try context.file.statement("UPDATE registrations SET challenge_tries = ?, challenge_due = ? WHERE id = ?")
                    .run(integers: [Int64(challenge.tries), now + rest.milliseconds, challenge.registration])
            }
            let next = try context.file.statement(
                "SELECT challenge_due FROM registrations WHERE challenge_due IS NOT NULL ORDER BY challenge_due LIMIT 1"
            )
            .first { Timestamp(milliseconds: $0.integer(0)) }
            return (due, next)
        }
    }

    /// What came of asking; one whose endpoint has moved since is asked anew, not judged.
    package func answered(_ challenge: Challenge, proven: Bool) async throws {
        try await change { context in
            let isSame =
                try context.file.statement("SELECT 1 FROM registrations WHERE id = ? AND url = ? AND state = 2")
                .first(.integer(challenge.registration), .text(challenge.url)) { _ in true } ?? false
            guard isSame else { return }
            if proven {
                try context.activate(challenge.registration)
            } else if challenge.tries >= context.limits.challengeTries {
                try context.file.statement("UPDATE registrations SET state = 4, challenge_due = NULL WHERE id = ?").run(integers: [
                    challenge.registration
                ])
                try context.close(.dead, ofRegistration: challenge.registration)
            }
        }
    }
}
