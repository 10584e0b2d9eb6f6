// SPDX-License-Identifier: Apache-2.0

import Terminal

/// The selected row of a list.
///
/// The selection follows its row when rows are inserted above it. When its row disappears, the row that took its place is selected.
struct Selection: Sendable {
    /// A step through the rows of a list.
    enum Move: CaseIterable, Sendable {
        case up, down, pageUp, pageDown, first, last

        var binding: KeyBinding {
            switch self {
            case .up: KeyBinding([.up, .character("k")], nil, "Selects the previous row.")
            case .down: KeyBinding([.down, .character("j")], nil, "Selects the next row.")
            case .pageUp: KeyBinding([.pageUp, .control("u")], nil, "Moves up ten rows.")
            case .pageDown: KeyBinding([.pageDown, .control("d")], nil, "Moves down ten rows.")
            case .first: KeyBinding([.home, .character("g")], nil, "Selects the first row.")
            case .last: KeyBinding([.end, .character("G")], nil, "Selects the last row.")
            }
        }
    }

    private var id: String?
    private var place = 0
    private static let pageRows = 10

    /// Returns the index of the selected row; nil without rows.
    func index(in ids: [String]) -> Int? {
        guard !ids.isEmpty else { return nil }
        return id.flatMap { ids.firstIndex(of: $0) } ?? min(place, ids.count - 1)
    }

    mutating func select(_ id: String) {
        self.id = id
    }

    mutating func move(_ move: Move, in ids: [String]) {
        guard let index = index(in: ids) else { return }
        let target =
            switch move {
            case .up: index - 1
            case .down: index + 1
            case .pageUp: index - Selection.pageRows
            case .pageDown: index + Selection.pageRows
            case .first: 0
            case .last: ids.count - 1
            }
        place = min(max(0, target), ids.count - 1)
        // At the top the selection stays with the newest row.
        id = place == 0 ? nil : ids[place]
    }
}
