// SPDX-License-Identifier: Apache-2.0

/// Elements in the order in which they were added. A removed element is released at once.
package struct Fifo<Element> {
    /// Elements from `taken` on; earlier ones are nil. A slice would retain them.
    private var elements: [Element?] = []
    private var taken = 0

    package init() {}

    package var count: Int { elements.count - taken }
    package var isEmpty: Bool { count == 0 }
    package var first: Element? { isEmpty ? nil : elements[taken] }

    package mutating func append(_ element: Element) { elements.append(element) }

    package mutating func popFirst() -> Element? {
        if isEmpty { return nil }
        defer {
            taken += 1
            if taken * 2 > elements.count {
                elements.removeFirst(taken)
                taken = 0
            }
        }
        return elements[taken].take()
    }

    /// Removes the first element that matches, whatever is before it.
    package mutating func removeFirst(where matches: (Element) -> Bool) -> Element? {
        guard let index = elements[taken...].firstIndex(where: { $0.map(matches) ?? false }) else { return nil }
        return elements.remove(at: index)
    }
}
