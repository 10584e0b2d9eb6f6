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

@Suite struct StreamTests {
    private static func publish(_ world: MessageWorld, _ count: Int) async throws -> [String] {
        var ids: [String] = []
        for _ in 0..<count { ids.append(try await world.publish(to: "stream-token").id) }
        try await world.finish()
        return ids
    }

    @Test func `a stream repeats pending deliveries until they are acknowledged`() async throws {
        try await MessageWorld.run { world in
            let stream = try await world.register("stream-token").registration.id
            let ids = try await Self.publish(world, 150)
            let first = try await world.messages.page(ofStream: stream, after: 0)
            #expect(first.items.count == 100 && !first.hasMore && first.gap?.missed == 50)
            // The response may be lost, so the gap is repeated until acknowledged.
            #expect(try await world.messages.page(ofStream: stream, after: 0).gap == first.gap)
            #expect(try await world.messages.page(ofStream: stream, after: try #require(first.gap).through).gap == nil)
            #expect(try await world.messages.content(of: first.items[0].message)?.id == ids[50])
            try await world.messages.wroteToStream(first.items.map(\.delivery))
            #expect(try await world.counts(ids[50]) == [.sent: 1])
            #expect(try await world.counts(ids[49]) == [.expired: 1])
            try await world.messages.acknowledge(stream: stream, through: first.items[9].delivery)
            #expect(try await world.counts(ids[59]) == [.delivered: 1])
            #expect(try await world.counts(ids[60]) == [.sent: 1])
            let rest = try await world.messages.page(ofStream: stream, after: first.items[98].delivery, acknowledging: first.items[98].delivery)
            #expect(rest.items.map(\.delivery) == [first.items[99].delivery])
            #expect(try await world.counts(ids[148]) == [.delivered: 1])
            // A cursor that was never assigned acknowledges nothing.
            let again = try await world.messages.page(ofStream: stream, after: 1_000_000, acknowledging: 1_000_000)
            #expect(again.items.count == 1 && again.after == 0)
            try await world.messages.acknowledge(stream: stream, through: 1_000_000)
            #expect(try await world.counts(ids[149]) == [.sent: 1])
            #expect(try await world.claim().deliveries.isEmpty)
            try await world.expectWhole()
        }
    }

    @Test func `pages are bounded and continue after their last item`() async throws {
        var bounds = MessageBounds()
        bounds.pendingOfStream = 250
        try await MessageWorld.run(bounds) { world in
            let stream = try await world.register("stream-token").registration.id
            _ = try await Self.publish(world, 230)
            var (cursor, seen) = (Int64(0), [Int64]())
            while true {
                let page = try await world.messages.page(ofStream: stream, after: cursor, acknowledging: cursor)
                seen += page.items.map(\.delivery)
                #expect(page.gap == nil && page.hasMore == (seen.count < 230))
                if !page.hasMore { break }
                cursor = try #require(page.items.last).delivery
            }
            #expect(seen.count == 230 && seen == seen.sorted() && Set(seen).count == 230)
        }
    }

    @Test func `an expired delivery is not streamed, swept or not`() async throws {
        try await MessageWorld.run { world in
            let stream = try await world.register("stream-token").registration.id
            try await world.publish(to: "stream-token") { $0.ttl = .seconds(1) }
            try await world.publish(to: "stream-token") { $0.ttl = .hours(1) }
            try await world.finish()
            world.clock.advance(by: .seconds(1))
            #expect(try await world.messages.page(ofStream: stream, after: 0).items.count == 1)
            try await world.settleDown()
            #expect(try await world.states("stream-token") == [.expired, .pending])
            #expect(try await world.messages.page(ofStream: stream, after: 0).gap == nil)
            try await world.expectWhole()
        }
    }

    @Test func `a listener gets new deliveries at once, or a gap beyond its buffer`() async throws {
        try await MessageWorld.run { world in
            let stream = try await world.register("stream-token").registration.id
            let listener = try world.messages.streams.join(stream)
            var wakeUps = listener.wakeUps.makeAsyncIterator()
            _ = try await Self.publish(world, 1)
            await wakeUps.next()
            guard case .deliveries(let deliveries) = listener.take() else { return #expect(Bool(false), "the listener has a gap") }
            let page = try await world.messages.page(ofStream: stream, after: 0)
            #expect(deliveries.map(\.delivery) == page.items.map(\.delivery) && deliveries.map(\.message) == page.items.map(\.message))
            _ = try await Self.publish(world, 17)
            await wakeUps.next()
            guard case .missed = listener.take() else { return #expect(Bool(false), "17 deliveries fit the buffer") }
            #expect(world.messages.streams.count == 1)
            try await world.messages.remove(app: MessageWorld.app, token: "stream-token")
            while await wakeUps.next() != nil {}
            _ = consume listener
            #expect(world.messages.streams.count == 0)
            world.store.close()
            #expect(throws: Refusal.self) { try world.messages.streams.join(1) }
        }
    }

    /// Makes a webhook's delivery dead, then reads a stream with its device. Returns the message and the cursor.
    private static func deadBeforeRead(_ world: MessageWorld) async throws -> (stream: Int64, message: String, cursor: Int64) {
        try await world.register("stream-token", at: "https://a.example/hook")
        let message = try await publish(world, 1)[0]
        try await world.settle(try #require(try await world.claim().deliveries.first), .dead, status: 500)
        var draft = RegistrationDraft()
        draft.endpoint = .stream
        let stream = try await world.messages.update(app: MessageWorld.app, token: "stream-token", draft, isTrusted: true).registration.id
        _ = try await publish(world, 2)
        let cursor = try #require(try await world.messages.page(ofStream: stream, after: 0).items.last).delivery
        try await world.messages.acknowledge(stream: stream, through: cursor)
        return (stream, message, cursor)
    }

    @Test func `a redriven delivery follows all read ones and wakes listeners`() async throws {
        try await MessageWorld.run { world in
            let (stream, message, cursor) = try await Self.deadBeforeRead(world)
            let listener = try world.messages.streams.join(stream)
            var wakeUps = listener.wakeUps.makeAsyncIterator()
            world.clock.advance(by: .days(30))
            #expect(try await world.messages.redrive(message, app: MessageWorld.app) == 1)
            _ = try await Self.publish(world, 1)
            await wakeUps.next()
            guard case .deliveries(let deliveries) = listener.take() else { return #expect(Bool(false), "the listener has a gap") }
            let page = try await world.messages.page(ofStream: stream, after: cursor, acknowledging: cursor)
            #expect(
                page.items.count == 2 && page.items.map(\.delivery) == deliveries.map(\.delivery)
                    && page.items.map(\.expires) == deliveries.map(\.expires))
            #expect(try await world.counts(message) == [.pending: 1])
            let item = try #require(page.items.first)
            #expect(try await world.messages.delivery(item.delivery, app: MessageWorld.app).log.map(\.status) == [500])
            try await world.messages.acknowledge(stream: stream, through: item.delivery)
            #expect(try await world.counts(message) == [.delivered: 1])
            try await world.expectWhole()
        }
    }

    @Test func `a redriven delivery counts for the stream's limit`() async throws {
        var bounds = MessageBounds()
        bounds.pendingOfStream = 2
        try await MessageWorld.run(bounds) { world in
            let (stream, message, cursor) = try await Self.deadBeforeRead(world)
            let others = try await Self.publish(world, 2)
            #expect(try await world.messages.redrive(message, app: MessageWorld.app) == 1)
            let page = try await world.messages.page(ofStream: stream, after: cursor)
            #expect(page.items.count == 2 && page.gap?.missed == 1)
            #expect(try await world.counts(others[0]) == [.expired: 1])
            try await world.expectWhole()
        }
    }

    @Test func `a failed change wakes no listener`() async throws {
        struct Broken: Error {}
        try await MessageWorld.run { world in
            let stream = try await world.register("stream-token").registration.id
            let listener = try world.messages.streams.join(stream)
            await #expect(throws: Broken.self) {
                try await world.messages.change { context in
                    context.isForStream(StreamDelivery(registration: stream, delivery: 1, message: 1, expires: context.now + .hours(1)))
                    throw Broken()
                }
            }
            _ = try await Self.publish(world, 1)
            var wakeUps = listener.wakeUps.makeAsyncIterator()
            await wakeUps.next()
            guard case .deliveries(let deliveries) = listener.take() else { return #expect(Bool(false), "the listener has a gap") }
            #expect(deliveries.count == 1)
        }
    }

    @Test func `deliveries of a former webhook have the stream's limit and leave a gap`() async throws {
        var bounds = MessageBounds()
        bounds.pendingOfStream = 3
        try await MessageWorld.run(bounds) { world in
            try await world.register("stream-token", at: "https://a.example/hook")
            let ids = try await Self.publish(world, 5)
            var draft = RegistrationDraft()
            draft.endpoint = .stream
            let stream = try await world.messages.update(app: MessageWorld.app, token: "stream-token", draft, isTrusted: true).registration.id
            let page = try await world.messages.page(ofStream: stream, after: 0)
            #expect(page.items.count == 3 && page.gap?.missed == 2)
            #expect(try await world.counts(ids[1]) == [.expired: 1])
            #expect(try await world.counts(ids[2]) == [.pending: 1])
            try await world.expectWhole()
        }
    }
}
