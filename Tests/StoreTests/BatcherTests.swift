// SPDX-License-Identifier: Apache-2.0

import Events
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

@Suite struct BatcherTests {
    /// A job of one event and 256 bytes.
    private static let one = EventJob.change(Change(body: { _ in }, done: { _ in }))

    private static func batcher(events: Int = 100, bytes: Int = 1 << 20, group: Int = 10) -> Batcher<EventJob> {
        Batcher(QueueLimits(highMark: .init(items: events, bytes: bytes), group: .init(items: group, bytes: 8 << 20)))
    }

    @Test func `the first job after an empty take wakes the writer once`() {
        var batcher = Self.batcher()
        #expect(batcher.add(Self.one) == .queued(wake: false))
        #expect(batcher.take().count == 1)
        #expect(batcher.take().isEmpty)
        #expect(batcher.add(Self.one) == .queued(wake: true))
        #expect(batcher.add(Self.one) == .queued(wake: false))
        #expect(batcher.take().count == 2)
    }

    @Test func `a group ends at its item limit, and the rest follows in order`() {
        var batcher = Self.batcher(group: 3)
        for _ in 0..<7 { _ = batcher.add(Self.one) }
        #expect([batcher.take().count, batcher.take().count, batcher.take().count, batcher.take().count] == [3, 3, 1, 0])
    }

    private static func work(_ bytes: Int) -> EventJob { .change(Change(bytes: bytes, body: { _ in }, done: { _ in })) }

    @Test func `a group ends at its byte limit, but one larger job is a group alone`() {
        var batcher = Self.batcher(bytes: 1 << 30)
        for bytes in [5 << 20, 2 << 20, 2 << 20, 9 << 20, 1] { _ = batcher.add(Self.work(bytes)) }
        #expect([batcher.take().count, batcher.take().count, batcher.take().count, batcher.take().count] == [2, 1, 1, 1])
    }

    @Test func `the queue is full until enough jobs are answered, also those taken`() {
        var batcher = Self.batcher(events: 3)
        for _ in 0..<3 { #expect(batcher.add(Self.one) != .full) }
        #expect(batcher.add(Self.one) == .full)
        // Jobs taken by the writer still count until they are answered.
        #expect(batcher.take().count == 3)
        #expect(batcher.add(Self.one) == .full)
        batcher.completed(Self.one)
        #expect(batcher.add(Self.one) == .queued(wake: false))
        #expect(batcher.add(Self.one) == .full)
        #expect(batcher.outstanding == .init(items: 3, bytes: 3 * 256))
    }

    @Test func `each job is offered for prefetch once, and replaced only while it is queued`() {
        var batcher = Self.batcher(group: 2)
        #expect(batcher.nextToPrefetch()?.place == nil)
        for bytes in 1...6 { _ = batcher.add(Self.work(bytes)) }
        #expect(batcher.nextToPrefetch().map { [$0.place, $0.job.weight.bytes - 256] } == [0, 1])
        #expect(batcher.nextToPrefetch()?.place == 1)
        #expect(batcher.take().count == 2)
        batcher.replace(1, by: Self.work(0))
        // Two more jobs are taken without a prefetch.
        #expect(batcher.take().map { $0.weight.bytes - 256 } == [3, 4])
        #expect(batcher.nextToPrefetch().map { [$0.place, $0.job.weight.bytes - 256] } == [4, 5])
        batcher.replace(4, by: Self.work(7))
        #expect(batcher.nextToPrefetch()?.place == 5)
        #expect(batcher.nextToPrefetch()?.place == nil)
        #expect(batcher.take().map { $0.weight.bytes - 256 } == [7, 6])
    }

    @Test func `bytes have their own limit`() {
        var batcher = Self.batcher(bytes: 600)
        #expect(batcher.add(Self.one) == .queued(wake: false))
        #expect(batcher.add(Self.one) == .queued(wake: false))
        #expect(batcher.add(Self.one) == .full)
    }

    @Test func `a job above the limit is accepted into an empty queue alone`() {
        var batcher = Self.batcher(events: 0, bytes: 0)
        #expect(batcher.add(Self.one) == .queued(wake: false))
        #expect(batcher.add(Self.one) == .full)
        _ = batcher.take()
        batcher.completed(Self.one)
        #expect(batcher.add(Self.one) == .queued(wake: false))
    }

    /// A submission of rejected events.
    private static func events(_ count: Int, app: Int64) -> EventJob {
        let refused = QuarantinedEvent(
            verdict: Verdict(index: 0, id: nil, result: .quarantined, reason: .badName, field: "", message: ""), raw: ByteRange(offset: 0, count: 0),
            time: nil)
        let submission = EventSubmission(
            app: AppID(rawValue: app), received: Timestamp(milliseconds: 0), body: [], arena: [], contexts: [], records: [],
            quarantined: Array(repeating: refused, count: count), corrections: [])
        return .events(submission, nil) { _, _ in }
    }

    @Test func `an app with many jobs does not delay another app`() {
        var batcher = Self.batcher(events: 1_000, bytes: 1 << 30)
        for _ in 0..<9 { _ = batcher.add(Self.events(4, app: 1)) }
        _ = batcher.add(Self.events(2, app: 2))
        #expect(batcher.take().map { [$0.app?.rawValue ?? 0, Int64($0.weight.items)] } == [[1, 4], [1, 4], [2, 2]])
        // A job that fairness skipped keeps its place.
        #expect(batcher.nextToPrefetch()?.place == 2)
        batcher.replace(3, by: Self.events(4, app: 3))
        batcher.replace(9, by: Self.events(4, app: 4))
        #expect(batcher.take().map { $0.app?.rawValue } == [1, 3])
        #expect(batcher.take().map { $0.app?.rawValue } == [1, 1])
    }

    @Test func `events queued after a change do not overtake it`() {
        var batcher = Self.batcher(events: 1_000, bytes: 1 << 30)
        for _ in 0..<3 { _ = batcher.add(Self.events(4, app: 1)) }
        _ = batcher.add(Self.one)
        _ = batcher.add(Self.events(1, app: 2))
        #expect(batcher.take().map { $0.app?.rawValue } == [1, 1])
        #expect(batcher.take().map { $0.app?.rawValue } == [1, nil, 2])
    }

    @Test func `a change of one app preserves the order of that app only`() {
        func users(_ app: Int64) -> EventJob { .change(Change(app: AppID(rawValue: app), body: { _ in }, done: { _ in })) }
        var batcher = Self.batcher(events: 1_000, bytes: 1 << 30)
        _ = batcher.add(Self.events(4, app: 1))
        _ = batcher.add(users(1))
        for _ in 0..<3 { _ = batcher.add(Self.events(4, app: 1)) }
        _ = batcher.add(Self.events(2, app: 2))
        #expect(batcher.take().map { [$0.app?.rawValue ?? 0, $0.isChange ? 1 : 0] } == [[1, 0], [1, 1], [2, 0]])
    }

    @Test func `an app cannot use the last eighth of the queue`() {
        var batcher = Self.batcher(events: 80, bytes: 1 << 30)
        var taken = 0
        while batcher.add(Self.events(1, app: 1)) != .full { taken += 1 }
        #expect(taken == 70)
        #expect(batcher.isFull(for: nil) == false)
        #expect(batcher.add(Self.events(5, app: 2)) != .full)
        // The check before decoding gives the same result.
        #expect(batcher.isFull(for: AppID(rawValue: 1)) && !batcher.isFull(for: AppID(rawValue: 2)))
        batcher.completed(Self.events(10, app: 1))
        #expect(batcher.add(Self.events(1, app: 1)) != .full)
    }

    @Test func `a closed queue rejects jobs, hands out queued ones and wakes a waiting writer`() {
        var batcher = Self.batcher()
        _ = batcher.add(Self.one)
        #expect(batcher.close() == false)
        #expect(batcher.add(Self.one) == .closed)
        #expect(batcher.take().count == 1)
        #expect(batcher.take().isEmpty)

        var waiting = Self.batcher()
        #expect(waiting.take().isEmpty)
        #expect(waiting.close() == true)
        #expect(waiting.isClosed)
    }
}
