// SPDX-License-Identifier: Apache-2.0

/// Which row of a list is chosen: the same one when others come before it, and the one in its place when it goes.
struct Selection: Sendable {
    private var id: String?
    private var place = 0
    private static let page = 10

    /// Nil where there are no rows.
    func index(in ids: [String]) -> Int? {
        guard !ids.isEmpty else { return nil }
        return id.flatMap { ids.firstIndex(of: $0) } ?? min(place, ids.count - 1)
    }

    /// Only for `DashboardCommand.moves`.
    mutating func move(_ command: DashboardCommand, in ids: [String]) {
        guard let index = index(in: ids) else { return }
        let target =
            switch command {
            case .up: index - 1
            case .down: index + 1
            case .pageUp: index - Selection.page
            case .pageDown: index + Selection.page
            case .first: 0
            case .last: ids.count - 1
            default: index
            }
        place = min(max(0, target), ids.count - 1)
        // At the top it stays with whatever is newest.
        id = place == 0 ? nil : ids[place]
    }
}
