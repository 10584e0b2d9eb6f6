// SPDX-License-Identifier: Apache-2.0

/// The selection of a pane that shows a list, or the `allow` lines of rules in its place. Each keeps its own selected row.
struct ListOrRules: Sendable {
    var showsRules = false
    private var selectedRow = Selection()
    private var selectedLine = Selection()

    /// Returns the index of the selected row of what is shown; nil without rows.
    func index(in ids: [String]) -> Int? { (showsRules ? selectedLine : selectedRow).index(in: ids) }

    mutating func move(_ move: Selection.Move, in ids: [String]) {
        if showsRules { selectedLine.move(move, in: ids) } else { selectedRow.move(move, in: ids) }
    }
}
