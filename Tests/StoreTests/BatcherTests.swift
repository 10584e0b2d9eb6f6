import TestSupport
import Testing

@testable import Store

@Suite struct BatcherTests {
    /// Work that weighs one event and 256 bytes.
    private static let one = Work.change(Change(body: { _ in }, done: { _ in }))

    private static func batcher(events: Int = 100, bytes: Int = 1 << 20, group: Int = 10) -> Batcher {
        Batcher(highMark: .init(events: events, bytes: bytes), groupEvents: group)
    }

    @Test func `the writer is woken once, by the first work after it found none`() {
        var batcher = Self.batcher()
        #expect(batcher.add(Self.one) == .queued(wake: false))
        #expect(batcher.take().count == 1)
        #expect(batcher.take().isEmpty)
        #expect(batcher.add(Self.one) == .queued(wake: true))
        #expect(batcher.add(Self.one) == .queued(wake: false))
        #expect(batcher.take().count == 2)
    }

    @Test func `a group ends before it holds too many, and what is left comes next, in order`() {
        var batcher = Self.batcher(group: 3)
        for _ in 0..<7 { _ = batcher.add(Self.one) }
        #expect([batcher.take().count, batcher.take().count, batcher.take().count, batcher.take().count] == [3, 3, 1, 0])
    }

    @Test func `a group also ends before it weighs too much, but for one that does so alone`() {
        func work(_ bytes: Int) -> Work { .change(Change(bytes: bytes, body: { _ in }, done: { _ in })) }
        var batcher = Self.batcher(bytes: 1 << 30)
        for bytes in [5 << 20, 2 << 20, 2 << 20, 9 << 20, 1] { _ = batcher.add(work(bytes)) }
        #expect([batcher.take().count, batcher.take().count, batcher.take().count, batcher.take().count] == [2, 1, 1, 1])
    }

    @Test func `past the mark nothing is taken until enough is answered, in the queue or behind it`() {
        var batcher = Self.batcher(events: 3)
        for _ in 0..<3 { #expect(batcher.add(Self.one) != .full) }
        #expect(batcher.add(Self.one) == .full)
        // Taken by the writer is not yet answered.
        #expect(batcher.take().count == 3)
        #expect(batcher.add(Self.one) == .full)
        batcher.answered(Self.one.weight)
        #expect(batcher.add(Self.one) == .queued(wake: false))
        #expect(batcher.add(Self.one) == .full)
        #expect(batcher.unanswered == .init(events: 3, bytes: 3 * 256))
    }

    @Test func `what waits is looked at once, in order, and put back only where it still waits`() {
        func work(_ bytes: Int) -> Work { .change(Change(bytes: bytes, body: { _ in }, done: { _ in })) }
        var batcher = Self.batcher(group: 2)
        #expect(batcher.nextToAskAbout()?.place == nil)
        for bytes in 1...6 { _ = batcher.add(work(bytes)) }
        #expect(batcher.nextToAskAbout().map { [$0.place, $0.work.weight.bytes - 256] } == [0, 1])
        #expect(batcher.nextToAskAbout()?.place == 1)
        #expect(batcher.take().count == 2)
        batcher.replace(1, by: work(0))
        // Another two are taken before anybody looked at them.
        #expect(batcher.take().map { $0.weight.bytes - 256 } == [3, 4])
        #expect(batcher.nextToAskAbout().map { [$0.place, $0.work.weight.bytes - 256] } == [4, 5])
        batcher.replace(4, by: work(7))
        #expect(batcher.nextToAskAbout()?.place == 5)
        #expect(batcher.nextToAskAbout()?.place == nil)
        #expect(batcher.take().map { $0.weight.bytes - 256 } == [7, 6])
    }

    @Test func `bytes have a mark of their own`() {
        var batcher = Self.batcher(bytes: 600)
        #expect(batcher.add(Self.one) == .queued(wake: false))
        #expect(batcher.add(Self.one) == .queued(wake: false))
        #expect(batcher.add(Self.one) == .full)
    }

    @Test func `work larger than the mark gets through an empty queue alone`() {
        var batcher = Self.batcher(events: 0, bytes: 0)
        #expect(batcher.add(Self.one) == .queued(wake: false))
        #expect(batcher.add(Self.one) == .full)
        _ = batcher.take()
        batcher.answered(Self.one.weight)
        #expect(batcher.add(Self.one) == .queued(wake: false))
    }

    @Test func `closed it takes nothing in, gives out what waits, and wakes who would wait for ever`() {
        var batcher = Self.batcher()
        _ = batcher.add(Self.one)
        #expect(batcher.close() == false)
        #expect(batcher.add(Self.one) == .closed)
        #expect(batcher.take().count == 1)
        #expect(batcher.take().isEmpty)

        var waiting = Self.batcher()
        #expect(waiting.take().isEmpty)
        #expect(waiting.close() == true)
        #expect(waiting.closed)
    }
}
