// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

@Suite struct ClaimTests {
    private static func register(_ world: MessageWorld, _ host: String, _ count: Int) async throws {
        for number in 0..<count { try await world.register("\(host)-token-\(number)", at: "https://\(host).example/\(number)") }
        for number in 0..<count { try await world.join(host, "\(host)-token-\(number)") }
    }

    private static func hosts(_ claimed: ClaimedDeliveries) -> [String: Int] {
        Dictionary(claimed.deliveries.map { (String($0.url.dropFirst(8).prefix { $0 != "." }), 1) }, uniquingKeysWith: +)
    }

    @Test func `a claim respects each origin's capacity, and a full origin hides no other`() async throws {
        try await MessageWorld.run { world in
            try await Self.register(world, "many", 10)
            try await Self.register(world, "few", 2)
            try await world.publish(topic: "many")
            try await world.finish()
            world.clock.advance(by: .seconds(1))
            try await world.publish(topic: "few")
            try await world.finish()
            let first = try await world.claim(100, ofOrigin: 4)
            #expect(Self.hosts(first) == ["many": 4, "few": 2])
            // One origin has more that is due.
            #expect(first.nextDue.map { $0 <= world.clock.now } == true)
            let many = try #require(first.deliveries.first { $0.url.contains("many") }).origin
            let none = try await world.claim(100, ofOrigin: 4, capacity: [many: 0])
            #expect(none.deliveries.isEmpty && none.nextDue.map { $0 > world.clock.now } ?? true)
            #expect(Self.hosts(try await world.claim(100, ofOrigin: 4, capacity: [many: 1])) == ["many": 1])
            #expect(Self.hosts(try await world.claim(3, ofOrigin: 100)) == ["many": 3])
            #expect(Self.hosts(try await world.claim()) == ["many": 2])
            #expect(try await world.claim().deliveries.isEmpty)
            try await world.expectWhole()
        }
    }

    @Test func `new deliveries of an origin are signalled while another is excluded`() async throws {
        try await MessageWorld.run { world in
            try await Self.register(world, "stuck", 2)
            try await Self.register(world, "idle", 1)
            try await world.publish(topic: "stuck")
            try await world.finish()
            let stuck = try #require(try await world.claim(1).deliveries.first).origin
            #expect(try await world.claim(capacity: [stuck: 0]).deliveries.isEmpty)
            // Consumes the signal so far.
            var bell = world.messages.dueChanges.makeAsyncIterator()
            await bell.next()
            world.clock.advance(by: .seconds(1))
            try await world.publish(topic: "idle")
            try await world.finish()
            world.store.close()
            #expect(await bell.next() != nil)
        }
    }

    @Test func `an origin taken by a failed claim is claimed again`() async throws {
        struct Broken: Error {}
        try await MessageWorld.run { world in
            try await Self.register(world, "a", 1)
            try await world.publish(topic: "a")
            try await world.finish()
            let now = world.clock.now.milliseconds
            await #expect(throws: Broken.self) {
                try await world.messages.change { context in
                    #expect(context.origins.take(by: now) != nil)
                    throw Broken()
                }
            }
            #expect(try await world.claim().deliveries.count == 1)
        }
    }

    @Test func `an expired lease gives the delivery to a new claim, and only its outcome is recorded`() async throws {
        try await MessageWorld.run { world in
            try await Self.register(world, "a", 1)
            let published = try await world.publish(topic: "a")
            try await world.finish()
            let first = try #require(try await world.claim(lease: .seconds(30)).deliveries.first)
            #expect(first.attempt == 1 && first.leaseEnds == world.clock.now + .seconds(30) && !first.webhookID.contains("."))
            let waiting = try await world.claim()
            #expect(waiting.deliveries.isEmpty && waiting.nextDue == first.leaseEnds)
            world.clock.advance(by: .seconds(30))
            let second = try #require(try await world.claim().deliveries.first)
            #expect(second.attempt == 2 && second.claim > first.claim && second.webhookID == first.webhookID)
            for verdict in [DeliveryVerdict.delivered, .gone, .dead] { try await world.settle(first, verdict) }
            #expect(try await world.counts(published.id) == [.sending: 1])
            try await world.settle(second, .delivered)
            try await world.settle(second, .dead)
            #expect(try await world.counts(published.id) == [.delivered: 1])
            #expect(try await world.messages.delivery(second.id, app: MessageWorld.app).log.count == 1)
            try await world.expectWhole()
        }
    }

    @Test func `leases end with the process, and claims stay unique`() async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock(MessageWorld.start))
        let first = try await MessageWorld.run(in: folder, clock: clock) { world in
            try await Self.register(world, "a", 1)
            try await world.publish(topic: "a")
            try await world.finish()
            return try #require(try await world.claim(lease: .hours(9)).deliveries.first)
        }
        // However often the store restarts, the claim is the same attempt, because whether it was sent is unknown.
        for rest in [Timestamp.Span.seconds(0), .hours(10), .seconds(1)] {
            clock.advance(by: rest)
            try await MessageWorld.run(in: folder, clock: clock) { _ in }
            try await MessageWorld.run(in: folder, clock: clock) { world in
                let again = try #require(try await world.claim().deliveries.first)
                #expect(again.attempt == 1 && again.claim > first.claim && again.webhookID == first.webhookID)
                try await world.settle(first, .delivered)
                #expect(try await world.states("a-token-0") == [.sending])
                try await world.expectWhole()
            }
        }
        try await MessageWorld.run(in: folder, clock: clock) { world in
            let claimed = try #require(try await world.claim().deliveries.first)
            try await world.settle(claimed, .retry(at: world.clock.now))
            #expect(try await world.claim().deliveries.map(\.attempt) == [2])
            // A lease that ended within the process counts as an attempt.
            world.clock.advance(by: .hours(1))
            #expect(try await world.claim().deliveries.map(\.attempt) == [3])
            try await world.expectWhole()
        }
    }

    @Test func `expired deliveries are not claimed`() async throws {
        try await MessageWorld.run { world in
            try await Self.register(world, "a", 2)
            let short = try await world.publish(topic: "a") { $0.ttl = .seconds(10) }
            try await world.finish()
            let claimed = try await world.claim(1, lease: .seconds(15)).deliveries
            world.clock.advance(by: .seconds(10))
            #expect(try await world.claim().deliveries.isEmpty)
            #expect(try await world.counts(short.id) == [.expired: 1, .sending: 1])
            // The outcome of a delivery in flight is still recorded.
            try await world.settle(claimed[0], .delivered)
            #expect(try await world.counts(short.id) == [.expired: 1, .delivered: 1])
            // A time to live of 0 means one attempt, soon.
            let never = try await world.publish(topic: "a") { $0.ttl = .seconds(0) }
            try await world.finish()
            let now = try await world.claim(1).deliveries
            #expect(now.count == 1)
            world.clock.advance(by: .seconds(5))
            try await world.settle(now[0], .retry(at: world.clock.now + .seconds(5)))
            #expect(try await world.claim().deliveries.isEmpty)
            #expect(try await world.counts(never.id) == [.expired: 2])
            try await world.expectWhole()
        }
    }
}
