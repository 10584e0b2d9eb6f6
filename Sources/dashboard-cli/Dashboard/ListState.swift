// SPDX-License-Identifier: Apache-2.0

import Terminal

/// How somebody looks at a list: which row is chosen, by what it is sorted, and which text its rows must hold.
struct ListState<Item: Sendable>: Sendable {
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
    private var choice = Selection()
    private var order = 0
    private(set) var wanted = ""

    /// `id` tells an item from the others when the list changes, and `text` is what is searched; without orders items stay as they came.
    init(id: @escaping @Sendable (Item) -> String, text: @escaping @Sendable (Item) -> String, orders: [Order] = []) {
        (self.id, self.text, self.orders) = (id, text, orders)
    }

    /// Those that are shown, as they are shown.
    func items(of all: [Item]) -> [Item] {
        let sought = wanted.lowercased()
        let found = sought.isEmpty ? all : all.filter { text($0).lowercased().contains(sought) }
        return orders.isEmpty ? found : found.sorted(by: orders[order].precedes)
    }

    /// Where the chosen one is among those that are shown.
    func index(in all: [Item]) -> Int? { choice.index(in: items(of: all).map(id)) }

    func chosen(in all: [Item]) -> Item? { index(in: all).map { items(of: all)[$0] } }

    func commands(of all: [Item]) -> Set<DashboardCommand> {
        guard !all.isEmpty else { return wanted.isEmpty ? [] : [.find] }
        return DashboardCommand.moves.union(orders.count > 1 ? [.find, .sort] : [.find])
    }

    /// Only for its own commands.
    mutating func perform(_ command: DashboardCommand, in all: [Item]) -> PaneEffect? {
        switch command {
        case .find: return .find(wanted)
        case .sort: (order, choice) = ((order + 1) % max(1, orders.count), Selection())
        default: choice.move(command, in: items(of: all).map(id))
        }
        return nil
    }

    mutating func find(_ text: String) {
        (wanted, choice) = (text, Selection())
    }

    /// How it is sorted and searched, for the title of the list.
    var note: String {
        let words = [orders.count > 1 ? "by \(orders[order].name)" : nil, wanted.isEmpty ? nil : "«\(wanted)»"]
        return words.compactMap(\.self).joined(separator: " · ")
    }
}
