// SPDX-License-Identifier: Apache-2.0

/// Entries that are sorted in small pieces as they come, and merged as they go. No step takes longer with more entries, while one sort of all
/// of them would keep commits waiting.
///
///     append    7 3 9 | 5 1 8 | 2        pieces 3 7 9, 1 5 8, 2
///     next(4)   1 2 3 5                  pieces 7 9, 8
struct SortedPieces {
    typealias Element = (entry: IndexEntry, number: Int64)

    private static let pieceCount = 400

    private struct Piece {
        var elements: [Element] = []
        var first = 0

        var head: [UInt8] { elements[first].entry.key }
    }

    private var open: [Element] = []
    private var pieces: [Piece] = []
    /// The indexes of pieces with elements as a heap, the one with the smallest head first.
    private var heap: [Int] = []

    var isEmpty: Bool { open.isEmpty && heap.isEmpty }

    mutating func append(_ entry: IndexEntry, _ number: Int64) {
        open.append((entry, number))
        if open.count >= Self.pieceCount { closePiece() }
    }

    /// Takes the smallest elements in order.
    mutating func next(_ count: Int) -> [Element] {
        if !open.isEmpty { closePiece() }
        var taken: [Element] = []
        while taken.count < count, let smallest = heap.first {
            taken.append(pieces[smallest].elements[pieces[smallest].first])
            pieces[smallest].first += 1
            if pieces[smallest].first == pieces[smallest].elements.count {
                pieces[smallest] = Piece()
                heap[0] = heap[heap.count - 1]
                heap.removeLast()
            }
            siftDown(0)
        }
        return taken
    }

    private mutating func closePiece() {
        open.sort { $0.entry.key.lexicographicallyPrecedes($1.entry.key) }
        pieces.append(Piece(elements: open))
        heap.append(pieces.count - 1)
        siftUp(heap.count - 1)
        open = []
    }

    private func precedes(_ a: Int, _ b: Int) -> Bool { pieces[heap[a]].head.lexicographicallyPrecedes(pieces[heap[b]].head) }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0, precedes(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && precedes(child, smallest) { smallest = child }
            if smallest == parent { return }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
