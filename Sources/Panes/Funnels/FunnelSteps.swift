// SPDX-License-Identifier: Apache-2.0

import Events
import Terminal

/// The steps of a funnel as typed, and the selected one.
struct FunnelSteps: Sendable {
    /// Each step as `event;condition;condition`.
    private(set) var texts: [String]
    private var selection = Selection()

    init(_ texts: [String]) {
        self.texts = texts
    }

    static let least = 2
    static let most = FunnelQuery.stepsLimit

    var index: Int? { selection.index(in: places) }
    private var places: [String] { texts.indices.map(String.init) }

    mutating func move(_ move: Selection.Move) {
        selection.move(move, in: places)
    }

    /// Inserts a step after the selected one, and selects it.
    mutating func add(_ text: String) {
        texts.insert(text, at: index.map { $0 + 1 } ?? 0)
        if texts.count > 1 { move(.down) }
    }

    mutating func change(_ text: String) {
        if let index { texts[index] = text }
    }

    mutating func drop() {
        if let index { texts.remove(at: index) }
    }

    /// Swaps the selected step with its neighbor.
    mutating func shift(by distance: Int) {
        guard let index, texts.indices.contains(index + distance) else { return }
        texts.swapAt(index, index + distance)
        move(distance < 0 ? .up : .down)
    }
}
