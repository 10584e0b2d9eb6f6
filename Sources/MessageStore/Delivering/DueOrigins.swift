// SPDX-License-Identifier: Apache-2.0

/// Which origins may have something due, by the earliest moment known: a lower bound, so what is looked up may turn out to be later.
final class DueOrigins {
    private struct Entry: Sendable {
        var due: Int64
        var origin: Int64
    }

    /// What who claims was last told of when there will be more.
    var told = Int64.max
    private var earliest: [Int64: Int64] = [:]
    /// A heap with the earliest first; an entry that is not the earliest of its origin any more is passed over.
    private var heap: [Entry] = []

    /// The earliest of all; nil where nothing is known to come.
    var next: Int64? {
        dropStale()
        return heap.first?.due
    }

    /// Answers whether that is earlier than was known of the origin.
    @discardableResult
    func add(_ origin: Int64, due: Int64) -> Bool {
        if let known = earliest[origin], known <= due { return false }
        earliest[origin] = due
        push(Entry(due: due, origin: origin))
        return true
    }

    /// Takes out the origin that has waited longest of those due by now; whoever takes it looks it up and adds it again.
    func take(by now: Int64) -> Int64? {
        dropStale()
        guard let first = heap.first, first.due <= now else { return nil }
        earliest[first.origin] = nil
        pop()
        return first.origin
    }

    private func dropStale() {
        while let first = heap.first, earliest[first.origin] != first.due { pop() }
    }

    private func push(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0, case let parent = (child - 1) / 2, heap[child].due < heap[parent].due {
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private func pop() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while case let left = 2 * parent + 1, left < heap.count {
            let least = left + 1 < heap.count && heap[left + 1].due < heap[left].due ? left + 1 : left
            if heap[parent].due <= heap[least].due { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
