// SPDX-License-Identifier: Apache-2.0

/// A first-in, first-out queue.
struct FIFOQueue<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    /// The index of the first element; those before it have been removed.
    private var first = 0

    var count: Int { elements.count - first }
    /// The element that has waited longest.
    var next: Element? { count > 0 ? elements[first] : nil }

    mutating func add(_ element: Element) {
        elements.append(element)
    }

    /// Removes the first element. The storage is compacted once removed elements are the larger half, which makes removal constant time on
    /// average.
    @discardableResult
    mutating func take() -> Element? {
        guard let element = next else { return nil }
        first += 1
        if first > elements.count / 2 {
            elements.removeFirst(first)
            first = 0
        }
        return element
    }

    mutating func takeAll() -> [Element] {
        defer { (elements, first) = ([], 0) }
        return Array(elements[first...])
    }
}
