// SPDX-License-Identifier: Apache-2.0

import Delivery
import Platform
import Testing

@Suite struct CallGateTests {
    private static let now = Timestamp(milliseconds: 1_000_000)

    @Test func `places are taken in order`() {
        var gate = CallGate(concurrency: 2, waiting: 2, at: Self.now)
        #expect((1...5).map { gate.enter($0, at: Self.now) } == [.begins, .begins, .waits, .waits, .full])
        #expect(gate.leave(1, .responded, at: Self.now).begun == [3])
        #expect(gate.enter(6, at: Self.now) == .waits)
        #expect(gate.leave(2, .responded, at: Self.now).begun == [4])
        #expect(gate.underWayCount == 2 && gate.waitingCount == 1)
    }

    @Test func `a call that gave up takes no place`() {
        var gate = CallGate(concurrency: 1, waiting: 2, at: Self.now)
        #expect((1...3).map { gate.enter($0, at: Self.now) } == [.begins, .waits, .waits])
        #expect(!gate.giveUp(1) && gate.giveUp(2))
        #expect(!gate.giveUp(2) && !gate.giveUp(99), "a client may leave before its call came here")
        #expect(gate.waitingCount == 1 && gate.enter(4, at: Self.now) == .waits)
        #expect(gate.leave(1, nil, at: Self.now).begun == [3])
        #expect(gate.leave(1, nil, at: Self.now) == .init())
        #expect(gate.leave(3, nil, at: Self.now).begun == [4])
        #expect(gate.leave(4, nil, at: Self.now).begun.isEmpty && gate.isIdle)
    }

    @Test func `calls that wait are refused when the target is out of reach, and one probes it later`() {
        var gate = CallGate(concurrency: 1, waiting: 10, at: Self.now)
        for call in 1...7 { _ = gate.enter(Int64(call), at: Self.now) }
        for call in 1...4 { #expect(gate.leave(Int64(call), .unreachable, at: Self.now).begun == [Int64(call) + 1]) }
        let released = gate.leave(5, .unreachable, at: Self.now)
        #expect(released.begun.isEmpty && released.refused == [6, 7] && released.brokenUntil == Self.now + .seconds(10))
        #expect(gate.enter(8, at: Self.now + .seconds(9)) == .broken(until: Self.now + .seconds(10)))
        #expect(gate.enter(9, at: Self.now + .seconds(10)) == .begins)
        #expect(gate.enter(10, at: Self.now + .seconds(10)) == .waits)
        #expect(gate.leave(9, .responded, at: Self.now + .seconds(11)).begun == [10])
    }

    @Test func `other limits hold from the next call on`() {
        var gate = CallGate(concurrency: 1, waiting: 1, at: Self.now)
        #expect((1...3).map { gate.enter($0, at: Self.now) } == [.begins, .waits, .full])
        gate.limit(concurrency: 3, waiting: 0)
        #expect(gate.leave(1, .responded, at: Self.now).begun == [2])
        #expect((4...6).map { gate.enter($0, at: Self.now) } == [.begins, .begins, .full])
    }
}
