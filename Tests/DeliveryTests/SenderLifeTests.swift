// SPDX-License-Identifier: Apache-2.0

import Delivery
import MessageStore
import Messaging
import Platform
import AcrossStores
import Synchronization
import TestSupport
import Testing

/// Failures of the queue, and shutdown.
@Suite(.timeLimit(.minutes(5)))
struct SenderLifeTests {
    @Test func `a TTL of 0 allows one attempt`() async throws {
        let sink = try WebhookSink { $0.path == "/fine" ? .status(200) : .status(500) }
        try await withSender(SendingWorld.options { $0.retries = RetryPolicy(waits: [.seconds(10)]) }) { world in
            let fine = try await world.publish(to: try await world.register(sink.url("/fine")), ttl: .seconds(0))
            let broken = try await world.publish(to: try await world.register(sink.url("/broken")), ttl: .seconds(0))
            #expect(try await world.delivery(of: fine, in: .delivered)?.log.map(\.status) == [200])
            let last = try #require(try await world.delivery(of: broken, in: .expired))
            #expect(last.log.map(\.status) == [500])
        }
    }

    @Test func `stopping waits for exchanges and returns the rest`() async throws {
        let sink = try WebhookSink { _ in .silent }
        try await withSender(SendingWorld.options { ($0.origin.inFlight, $0.timeout) = (2, .seconds(60)) }) { world in
            var all: [Registered] = []
            for _ in 0..<20 { all.append(try await world.register(sink.url("/slow"))) }
            let message = try await world.publish(to: all)
            #expect(try await eventually { sink.hooks.count == 2 })
            await world.sender.stop(grace: .milliseconds(50))
            let rest = try await world.deliveries(of: message)
            #expect(rest.count == 20 && sink.hooks.count == 2)
            #expect(rest.allSatisfy { $0.state == .pending && $0.attempts == 0 && $0.log.isEmpty && $0.due != nil })
        }
    }

    @Test func `exchanges that end within the grace are recorded`() async throws {
        let sink = try WebhookSink()
        try await withSender { world in
            var all: [Registered] = []
            for number in 0..<300 { all.append(try await world.register(sink.url("/\(number)"))) }
            let message = try await world.publish(to: all)
            #expect(try await eventually { sink.hooks.count > 20 })
            await world.sender.stop()
            let counts = try await world.counts(of: message)
            #expect(counts[.sending] ?? 0 == 0 && counts[.delivered] == sink.hooks.count)
            let deliveries = try await world.deliveries(of: message)
            #expect(deliveries.filter { $0.state == .pending }.allSatisfy { $0.attempts == 0 })
            #expect(deliveries.filter { $0.state == .delivered }.allSatisfy { $0.attempts == 1 })
        }
    }

    @Test func `an outcome that waits until it is recorded holds 4 KiB of a longer response`() async throws {
        let sink = try WebhookSink { _ in .status(200, body: String(repeating: "x", count: 100_000)) }
        let faults = Faults()
        try await withSender(SendingWorld.options { $0.responseBytes = 256 << 10 }, queue: { FaultyQueue($0, faults) }) { world in
            let message = try await world.publish(to: try await world.register(sink.url("/hook")))
            #expect(try await world.delivery(of: message, in: .delivered) != nil)
            #expect(faults.responses.withLock(\.self) == [4_096])
        }
    }

    @Test func `an outcome that cannot be recorded for a while causes no second attempt`() async throws {
        let sink = try WebhookSink()
        let faults = Faults()
        try await withSender(queue: { FaultyQueue($0, faults) }) { world in
            faults.settles.withLock { $0 = 2 }
            let message = try await world.publish(to: try await world.register(sink.url("/hook")))
            #expect(try await world.delivery(of: message, in: .delivered)?.log.count == 1)
            #expect(sink.hooks.count == 1 && faults.settles.withLock { $0 } == 0)
        }
    }

    @Test func `the sender recovers from failed claims`() async throws {
        let sink = try WebhookSink()
        let faults = Faults()
        faults.claims.withLock { $0 = 2 }
        let lines = Mutex<[String]>([])
        let log = Log { line in lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) } }
        try await withSender(log: log, queue: { FaultyQueue($0, faults) }) { world in
            let message = try await world.publish(to: try await world.register(sink.url("/hook")))
            #expect(try await world.delivery(of: message, in: .delivered) != nil && faults.claims.withLock { $0 } == 0)
        }
        #expect(lines.withLock { $0.count == 1 && $0[0].contains("msg=\"could not claim deliveries\" reason=Failed") })
    }

    @Test func `a message deleted while claimed blocks nothing`() async throws {
        let sink = try WebhookSink()
        let faults = Faults()
        try await withSender(queue: { FaultyQueue($0, faults) }) { world in
            let registered = try await world.register(sink.url("/hook"))
            faults.vanished.withLock { $0 = 1 }
            let gone = try await world.publish(to: registered)
            #expect(try await world.delivery(of: gone, in: .expired)?.log.count == 0)
            let message = try await world.publish(to: registered)
            #expect(try await world.delivery(of: message, in: .delivered) != nil && sink.hooks.count == 1)
        }
    }

    @Test func `a message that cannot be read is retried without counting an attempt`() async throws {
        let sink = try WebhookSink()
        let faults = Faults()
        try await withSender(queue: { FaultyQueue($0, faults) }) { world in
            faults.contents.withLock { $0 = 1 }
            let message = try await world.publish(to: try await world.register(sink.url("/hook")))
            #expect(try await world.delivery(of: message, in: .delivered)?.attempts == 1)
        }
    }

    @Test(arguments: [Timestamp.Span.hours(1), .hours(-1)])
    func `changing the clock during an exchange is harmless`(jump: Timestamp.Span) async throws {
        let open = Mutex(false)
        let sink = try WebhookSink { _ in open.withLock { $0 } ? .status(200) : .silent }
        let clock = ManualClock(WallClock.system.now())
        try await withSender(SendingWorld.options { $0.timeout = .seconds(1) }, clock: clock.clock) { world in
            let registered = try await world.register(sink.url("/hook"))
            let first = try await world.publish(to: registered, ttl: .days(1))
            #expect(try await eventually { sink.hooks.count == 1 })
            clock.advance(by: jump)
            open.withLock { $0 = true }
            let second = try await world.publish(to: registered, ttl: .days(1))
            #expect(try await world.delivery(of: second, in: .delivered) != nil)
            #expect(
                try await eventually {
                    clock.advance(by: .milliseconds(100))
                    return try await world.counts(of: first) == [.delivered: 1]
                })
            #expect(Set(sink.hooks.map(\.id)).count == 2)
        }
    }
}

/// The number of calls of each kind that will fail, and what the queue got.
private final class Faults: Sendable {
    let claims = Mutex(0)
    let settles = Mutex(0)
    let contents = Mutex(0)
    let vanished = Mutex(0)
    /// The bytes of the responses in outcomes that the queue got.
    let responses = Mutex<[Int]>([])

    struct Failed: Error {}

    static func takeOne(_ left: borrowing Mutex<Int>) -> Bool {
        left.withLock { left in
            defer { left = max(left - 1, 0) }
            return left > 0
        }
    }
}

/// The real queue with failing calls.
private struct FaultyQueue: DeliveryQueue {
    private let messages: MessageStore
    private let faults: Faults

    init(_ messages: MessageStore, _ faults: Faults) {
        self.messages = messages
        self.faults = faults
    }

    var dueChanges: AsyncStream<Void> { messages.dueChanges }

    func claim(_ claimRequest: ClaimRequest) async throws -> ClaimedDeliveries {
        if Faults.takeOne(faults.claims) { throw Faults.Failed() }
        return try await messages.claim(claimRequest)
    }

    func settle(_ outcomes: [DeliveryOutcome]) async throws {
        faults.responses.withLock { $0 += outcomes.compactMap { $0.record?.response.count } }
        if Faults.takeOne(faults.settles) { throw Faults.Failed() }
        try await messages.settle(outcomes)
    }

    func content(of message: Int64) async throws -> MessageContent? {
        if Faults.takeOne(faults.vanished) { return nil }
        if Faults.takeOne(faults.contents) { throw Faults.Failed() }
        return try await messages.content(of: message)
    }

    func claimChallenges(_ claimRequest: ChallengeRequest) async throws -> ClaimedChallenges {
        try await messages.claimChallenges(claimRequest)
    }

    func completed(_ challenge: Challenge, _ answer: ChallengeResult) async throws {
        try await messages.completed(challenge, answer)
    }
}
