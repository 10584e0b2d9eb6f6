// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Delivery

struct FIFOQueueTests {
    /// An element whose lifetime can be observed.
    private final class Guest: Sendable {
        let number: Int

        init(_ number: Int) {
            self.number = number
        }
    }

    private struct Glance {
        weak var guest: Guest?
    }

    @Test func `elements leave in order`() {
        var line = FIFOQueue<Int>()
        #expect(line.next == nil && line.take() == nil)
        for number in 1...5 { line.add(number) }
        #expect(line.take() == 1 && line.take() == 2 && line.next == 3 && line.count == 3)
        line.add(6)
        #expect(line.takeAll() == [3, 4, 5, 6])
        line.add(7)
        #expect(line.take() == 7 && line.take() == nil && line.count == 0)
    }

    @Test func `a queue that is never empty frees removed elements`() {
        var line = FIFOQueue<Guest>()
        var glances: [Glance] = []
        for number in 0..<10_000 {
            let guest = Guest(number)
            line.add(guest)
            glances.append(Glance(guest: guest))
            if number >= 10 { #expect(line.take()?.number == number - 10) }
        }
        #expect(line.count == 10)
        #expect(glances.count { $0.guest != nil } <= 20)
    }
}
