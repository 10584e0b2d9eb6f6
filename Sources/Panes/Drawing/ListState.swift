// SPDX-License-Identifier: Apache-2.0

/// The state of a list: the selected row, the order of the rows, and the text that they must contain.
struct ListState<Item: Sendable>: Sendable {
    /// A named order of the rows.
    struct Order: Sendable {
        let name: String
        let precedes: @Sendable (Item, Item) -> Bool

        init(_ name: String, _ precedes: @escaping @Sendable (Item, Item) -> Bool) {
            (self.name, self.precedes) = (name, precedes)
        }
    }

    private let id: @Sendable (Item) -> String
    private let text: @Sendable (Item) -> String
    private let orders: [Order]
    private var selection = Selection()
    private var order = 0
    private(set) var searchText = ""
    private(set) var pages = LoadedPages()

    /// `id` identifies an item when the list changes, and `text` is searched. Without orders the items keep theirs.
    init(id: @escaping @Sendable (Item) -> String, text: @escaping @Sendable (Item) -> String, orders: [Order] = []) {
        (self.id, self.text, self.orders) = (id, text, orders)
    }

    /// Returns the items that are shown, in their order.
    func items(of all: [Item]) -> [Item] {
        let sought = searchText.lowercased()
        let found = sought.isEmpty ? all : all.filter { text($0).lowercased().contains(sought) }
        return orders.isEmpty ? found : found.sorted(by: orders[order].precedes)
    }

    /// Returns the index of the selected item among those that are shown.
    func index(in all: [Item]) -> Int? { selection.index(in: items(of: all).map(id)) }

    func selected(in all: [Item]) -> Item? { index(in: all).map { items(of: all)[$0] } }

    var canSort: Bool { orders.count > 1 }

    mutating func sortByNextOrder() {
        precondition(canSort, "a list with one order cannot be sorted by the next one")
        (order, selection) = ((order + 1) % orders.count, Selection())
    }

    /// Selects another row. Near the end of the list its next page is loaded.
    mutating func move(_ move: Selection.Move, in all: [Item], hasMore: Bool = false) {
        let ids = items(of: all).map(id)
        selection.move(move, in: ids)
        pages.follow(selection.index(in: ids), of: ids.count, hasMore: hasMore)
    }

    mutating func find(_ text: String) {
        (searchText, selection) = (text, Selection())
    }

    /// Selects the first row of a list with other items.
    mutating func startOver() {
        (selection, pages) = (Selection(), LoadedPages())
    }

    /// Order and search text, for the title of the list: `by time · «news»`.
    var note: String {
        let words = [canSort ? "by \(orders[order].name)" : nil, searchText.isEmpty ? nil : "«\(searchText)»"]
        return words.compactMap(\.self).joined(separator: " · ")
    }
}
