import Crypto
import HTTPClient
import Messaging
import Platform
import Synchronization

/// Asks endpoints whether they want messages, as WebSub does: who does answers a GET with the random text it carries.
final class Challenger: Sendable {
    private struct Asked: Sendable {
        var challenge: Challenge
        var secret: String
    }

    private static let atOnce = 16
    private static let restAfterFailure = Duration.seconds(5)

    private let queue: any DeliveryQueue
    private let clock: WallClock
    private let alarm = Alarm()
    private let answers = Mailbox<CourierResult>()
    private let fields: [HTTPField]
    /// By the number of the request, which is below 0: those above belong to deliveries. An endpoint may be asked again before it has answered.
    private let asked = Mutex<[Int64: Asked]>([:])
    private let requests = Atomic<Int64>(0)

    init(_ queue: any DeliveryQueue, clock: WallClock, fields: [HTTPField]) {
        self.queue = queue
        self.clock = clock
        self.fields = fields
    }

    func look() {
        alarm.ring()
    }

    func end() {
        alarm.end()
        answers.end()
    }

    /// Takes what is an answer to a challenge, and leaves the rest.
    func hear(_ batch: [CourierResult]) -> [CourierResult] {
        guard batch.contains(where: { $0.id < 0 }) else { return batch }
        answers.put(batch.filter { $0.id < 0 })
        return batch.filter { $0.id >= 0 }
    }

    func run(_ courier: HTTPCourier, timeout: Timestamp.Span) async {
        await withTaskGroup { group in
            group.addTask { await self.ask(courier, timeout) }
            group.addTask { await self.judge() }
        }
    }

    private func ask(_ courier: HTTPCourier, _ timeout: Timestamp.Span) async {
        alarm.ring()
        for await _ in alarm.rings {
            do {
                let room = Challenger.atOnce - asked.withLock { $0.count }
                // An answer makes room, and rings.
                guard room > 0 else { continue }
                let (challenges, next) = try await queue.takeChallenges(limit: room)
                for challenge in challenges { send(challenge, courier, timeout) }
                alarm.ring(after: next.map { .milliseconds(max(0, $0.milliseconds - clock.now().milliseconds)) })
            } catch {
                alarm.ring(after: Challenger.restAfterFailure)
            }
        }
    }

    private func send(_ challenge: Challenge, _ courier: HTTPCourier, _ timeout: Timestamp.Span) {
        let secret = randomToken(prefix: "", bits: 192)
        let number = requests.wrappingSubtract(1, ordering: .relaxed).newValue
        asked.withLock { $0[number] = Asked(challenge: challenge, secret: secret) }
        let url = challenge.url + (challenge.url.contains("?") ? "&" : "?") + "hub.mode=subscribe&hub.challenge=" + secret
        let request = CourierRequest(id: number, url: url, .get, sharedFields: fields, timeout: .milliseconds(timeout.milliseconds))
        if !courier.send([request], shard: Int(truncatingIfNeeded: challenge.registration)) {
            asked.withLock { $0[number] = nil }
        }
    }

    private func judge() async {
        while let batch = await answers.take() {
            for result in batch {
                guard let asked = asked.withLock({ $0.removeValue(forKey: result.id) }) else { continue }
                let isProven = result.failure == nil && (200..<300).contains(result.status) && result.response == Array(asked.secret.utf8)
                // Not told, it is asked again at its next time.
                if result.failure != .cancelled { try? await queue.answered(asked.challenge, proven: isProven) }
            }
            alarm.ring()
        }
    }
}
