// SPDX-License-Identifier: Apache-2.0

import Crypto
import HTTPClient
import Messaging
import Platform
import Synchronization

/// Sends challenges to endpoints, as WebSub does: an endpoint that wants messages answers a GET with the random text in its query.
///
///     GET /hook?hub.mode=subscribe&hub.challenge=k3J…
///       200, body k3J…  →  the registration becomes active
///       anything else   →  asked again later, finally refused
final class Challenger: Sendable {
    private struct OpenChallenge: Sendable {
        var challenge: Challenge
        var secret: String
    }

    private static let atOnce = 16
    private static let restAfterFailure = Duration.seconds(5)

    private let queue: any DeliveryQueue
    private let clock: WallClock
    private let troubles: TroubleLog
    private let alarm = Alarm()
    private let results = Mailbox<CourierResult>()
    private let fields: [HTTPField]
    /// The open challenges by request number. The numbers are negative; those of deliveries are positive. An endpoint may be asked again
    /// before it has answered.
    private let openChallenges = Mutex<[Int64: OpenChallenge]>([:])
    private let requests = Atomic<Int64>(0)

    init(_ queue: any DeliveryQueue, _ troubles: TroubleLog, clock: WallClock, fields: [HTTPField]) {
        self.queue = queue
        self.clock = clock
        self.troubles = troubles
        self.fields = fields
    }

    func look() {
        alarm.ring()
    }

    func end() {
        alarm.end()
        results.end()
    }

    /// Handles the results of challenges and returns all others.
    func handle(_ batch: [CourierResult]) -> [CourierResult] {
        guard batch.contains(where: { $0.id < 0 }) else { return batch }
        results.put(batch.filter { $0.id < 0 })
        return batch.filter { $0.id >= 0 }
    }

    func run(_ courier: HTTPCourier, timeout: Timestamp.Span) async {
        await withTaskGroup { group in
            group.addTask { await self.ask(courier, timeout) }
            group.addTask { await self.handleResults() }
        }
    }

    private func ask(_ courier: HTTPCourier, _ timeout: Timestamp.Span) async {
        alarm.ring()
        var place: Int64 = 0
        for await _ in alarm.rings {
            do {
                let open = openChallenges.withLock { $0.values.map(\.challenge.origin) }
                // A result frees capacity and wakes this loop.
                guard open.count < Challenger.atOnce else { continue }
                let claimRequest = ChallengeRequest(
                    limit: Challenger.atOnce - open.count, open: Dictionary(open.map { ($0, 1) }, uniquingKeysWith: +), after: place)
                let taken = try await queue.claimChallenges(claimRequest)
                place = taken.through
                for challenge in taken.challenges where !send(challenge, courier, timeout) { await record(challenge, .notAsked) }
                alarm.ring(after: taken.next.map { .milliseconds(max(0, $0.milliseconds - clock.now().milliseconds)) })
            } catch {
                troubles.note("could not claim challenges", error)
                alarm.ring(after: Challenger.restAfterFailure)
            }
        }
    }

    /// Sends a challenge. Returns false if that failed.
    private func send(_ challenge: Challenge, _ courier: HTTPCourier, _ timeout: Timestamp.Span) -> Bool {
        let secret = randomToken(prefix: "", bits: 192)
        let number = requests.wrappingSubtract(1, ordering: .relaxed).newValue
        openChallenges.withLock { $0[number] = OpenChallenge(challenge: challenge, secret: secret) }
        let url = challenge.url + (challenge.url.contains("?") ? "&" : "?") + "hub.mode=subscribe&hub.challenge=" + secret
        let request = CourierRequest(id: number, url: url, .get, sharedFields: fields, timeout: .milliseconds(timeout.milliseconds))
        let isSent = courier.send([request], shard: Int(truncatingIfNeeded: challenge.registration))
        if !isSent { openChallenges.withLock { $0[number] = nil } }
        return isSent
    }

    private func handleResults() async {
        while let batch = await results.take() {
            for result in batch {
                guard let open = openChallenges.withLock({ $0.removeValue(forKey: result.id) }) else { continue }
                let isProven = result.failure == nil && (200..<300).contains(result.status) && result.response == Array(open.secret.utf8)
                if result.failure != .cancelled { await record(open.challenge, isProven ? .proven : .wrong) }
            }
            alarm.ring()
        }
    }

    /// Records the result. If that fails, the challenge is sent again at its next time.
    private func record(_ challenge: Challenge, _ result: ChallengeResult) async {
        do { try await queue.completed(challenge, result) } catch { troubles.note("could not record the result of a challenge", error) }
    }
}
