// SPDX-License-Identifier: Apache-2.0

import Panes

/// The target of `:`: a pane, an item by its ID, or a time range.
///
///     Jump("crashes", among: titles)      the pane
///     Jump("issue iss_7Qk2", …)           the issue
///     Jump("7d", …)                       the range
enum Jump: Equatable {
    case pane(Int)
    case item(PaneTarget, String)
    case range(ViewRange)

    /// A word may be abbreviated while it is unambiguous.
    init?(_ text: String, among titles: [String], _ targets: [PaneTarget] = PaneList.targets) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard let word = words.first?.lowercased() else { return nil }
        if words.count == 1 {
            if let range = ViewRange(word) {
                self = .range(range)
                return
            }
            guard let index = Jump.only(word, titles.map { $0.lowercased() }) else { return nil }
            self = .pane(index)
            return
        }
        guard let index = Jump.only(word, targets.map(\.word)) else { return nil }
        self = .item(targets[index], words[1])
    }

    private static func only(_ word: String, _ names: [String]) -> Int? {
        if let index = names.firstIndex(of: word) { return index }
        let found = names.indices.filter { names[$0].hasPrefix(word) }
        return found.count == 1 ? found[0] : nil
    }

    /// The words that tab completes.
    static func words(_ titles: [String]) -> [String] {
        titles.map { $0.lowercased() } + PaneList.targets.map { "\($0.word) " } + ViewRange.usual.map(\.text)
    }
}
