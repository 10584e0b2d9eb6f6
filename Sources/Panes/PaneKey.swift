// SPDX-License-Identifier: Apache-2.0

import Terminal

/// One key of a pane: its texts, when it is available, and its action.
///
///     PaneKey("f", "state", "Shows the issues of the next state.") { pane, _ in
///         pane.state = [.open, .closed, .muted].next(after: pane.state)
///         return nil
///     }
package struct PaneKey<Owner: Sendable>: Sendable {
    package typealias Condition = @Sendable (Owner, PaneView) -> Bool
    package typealias Action = @Sendable (inout Owner, PaneView) -> PaneEffect?

    package let binding: KeyBinding
    package let isAvailable: Condition
    package let action: Action

    package init(_ binding: KeyBinding, when isAvailable: @escaping Condition = { _, _ in true }, _ action: @escaping Action) {
        (self.binding, self.isAvailable, self.action) = (binding, isAvailable, action)
    }

    package init(
        _ character: Character, _ label: String, _ help: String, when isAvailable: @escaping Condition = { _, _ in true },
        _ action: @escaping Action
    ) {
        self.init(KeyBinding([.character(character)], label, help), when: isAvailable, action)
    }

    /// Returns the same key, available only while `condition` holds as well.
    package func when(_ condition: @escaping Condition) -> PaneKey {
        PaneKey(binding, when: { isAvailable($0, $1) && condition($0, $1) }, action)
    }

    /// Returns the same key for a pane that contains `Owner`.
    package func inside<Outer>(_ path: any WritableKeyPath<Outer, Owner> & Sendable, when condition: @escaping PaneKey<Outer>.Condition) -> PaneKey<
        Outer
    > {
        PaneKey<Outer>(binding, when: { condition($0, $1) && isAvailable($0[keyPath: path], $1) }) { action(&$0[keyPath: path], $1) }
    }
}

// MARK: - Keys that many panes have

extension PaneKey {
    /// The key that opens the selected row.
    static func open(
        _ label: String = "open", _ help: String = "Opens the selected row.", when isAvailable: @escaping Condition, _ action: @escaping Action
    ) -> PaneKey {
        PaneKey(KeyBinding([.enter], label, help), when: isAvailable, action)
    }

    /// The key that shows the other one of two views.
    static func otherView(_ help: String, _ showsOther: any WritableKeyPath<Owner, Bool> & Sendable) -> PaneKey {
        PaneKey("v", "view", help) { owner, _ in
            owner[keyPath: showsOther].toggle()
            return nil
        }
    }

    /// The keys that select another row.
    static func moves(
        when isAvailable: @escaping Condition, _ move: @escaping @Sendable (inout Owner, Selection.Move, PaneView) -> Void
    ) -> [PaneKey] {
        Selection.Move.allCases.map { step in
            PaneKey(step.binding, when: isAvailable) { owner, view in
                move(&owner, step, view)
                return nil
            }
        }
    }

    /// The keys of a list that can be searched, sorted and moved through. `hasMore` says whether its next page may be loaded.
    static func list<Item>(
        _ path: any WritableKeyPath<Owner, ListState<Item>> & Sendable,
        hasMore: @escaping Condition = { _, _ in false }, _ items: @escaping @Sendable (Owner, PaneView) -> [Item]
    ) -> [PaneKey] {
        let hasItems: Condition = { !items($0, $1).isEmpty }
        let find = PaneKey(.find, when: { hasItems($0, $1) || !$0[keyPath: path].searchText.isEmpty }) { owner, _ in
            .find(owner[keyPath: path].searchText)
        }
        let sort = PaneKey(.sort, when: { hasItems($0, $1) && $0[keyPath: path].canSort }) { owner, _ in
            owner[keyPath: path].sortByNextOrder()
            return nil
        }
        return [find, sort]
            + moves(when: hasItems) { $0[keyPath: path].move($1, in: items($0, $2), hasMore: hasMore($0, $2)) }
    }

    /// The keys of several lists of which one is shown. `moved` is called after another row was selected.
    static func sections(
        _ path: any WritableKeyPath<Owner, SectionedList> & Sendable, when isAvailable: @escaping Condition = { _, _ in true },
        moved: @escaping @Sendable (inout Owner, PaneView) -> Void = { _, _ in },
        _ sections: @escaping @Sendable (Owner, PaneView) -> [ListSection]
    ) -> [PaneKey] {
        let next = PaneKey(.nextSection, when: isAvailable) { owner, view in
            owner[keyPath: path].showNext(of: sections(owner, view))
            return nil
        }
        return [next]
            + moves(when: isAvailable) {
                $0[keyPath: path].move($1, in: sections($0, $2))
                moved(&$0, $2)
            }
    }

    /// The keys of a pane with a time range.
    static var range: [PaneKey] {
        [
            PaneKey(.range) { _, view in .prompt(.range(view.range)) }, PaneKey(.shorterRange) { _, view in .range(view.range.shorter) },
            PaneKey(.longerRange) { _, view in .range(view.range.longer) },
        ]
    }

    /// The key of a pane that can show the previous period.
    static var compare: PaneKey { PaneKey(.compare) { _, view in .compare(!view.options.compares) } }
}

extension Array where Element: Equatable {
    /// Returns the value after `current`, for a key that cycles through a filter. After the last one it returns `nil`, which is no filter.
    func next(after current: Element?) -> Element? {
        guard let current, let index = firstIndex(of: current) else { return first }
        return index + 1 < count ? self[index + 1] : nil
    }
}

extension KeyBinding {
    static let nextSection = KeyBinding([.character("v")], "view", "Shows the next list.")
}
