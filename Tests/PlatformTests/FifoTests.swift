// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

struct FifoTests {
    @Test func `elements leave in the order in which they came, also while others come`() {
        var queue = Fifo<Int>()
        var taken: [Int] = []
        for number in 0..<100 {
            queue.append(2 * number)
            queue.append(2 * number + 1)
            #expect(queue.first == number && queue.count == number + 2)
            if let first = queue.popFirst() { taken.append(first) }
        }
        while let first = queue.popFirst() { taken.append(first) }
        #expect(taken == Array(0..<200) && queue.isEmpty && queue.first == nil)
    }

    @Test func `an element leaves from the middle, and the others keep their order`() {
        var queue = Fifo<Int>()
        for number in 0..<10 { queue.append(number) }
        #expect(queue.popFirst() == 0 && queue.removeFirst { $0 == 0 } == nil)
        #expect(queue.removeFirst { $0 % 4 == 0 } == 4 && queue.removeFirst { $0 == 9 } == 9 && queue.removeFirst { $0 == 1 } == 1)
        #expect(queue.count == 6 && queue.first == 2)
        var taken: [Int] = []
        while let first = queue.popFirst() { taken.append(first) }
        #expect(taken == [2, 3, 5, 6, 7, 8] && queue.removeFirst { _ in true } == nil)
        queue.append(1)
        #expect(queue.removeFirst { $0 == 1 } == 1 && queue.isEmpty)
    }

    @Test func `a sum of zero is none`() {
        var sums = KeyedSums<String>()
        sums.add(3, to: "a")
        sums.add(-1, to: "a")
        sums.add(5, to: "b")
        sums.add(-5, to: "b")
        #expect(sums["a"] == 2 && sums["b"] == 0 && sums["c"] == 0)
    }
}
