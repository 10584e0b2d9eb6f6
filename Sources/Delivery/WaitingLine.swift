// SPDX-License-Identifier: Apache-2.0

/// First come, first served.
struct WaitingLine<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    /// Those before it have gone.
    private var first = 0

    var count: Int { elements.count - first }
    /// The one that has waited longest.
    var next: Element? { count > 0 ? elements[first] : nil }

    mutating func add(_ element: Element) {
        elements.append(element)
    }

    /// Those that have gone are let go of once they are the larger half: a line that is never empty would keep them all, and to close up at each would move everybody.
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
