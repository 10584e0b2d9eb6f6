// SPDX-License-Identifier: Apache-2.0

/// Where `:` goes: a pane, or one thing by its id, or another range.
enum Jump: Equatable {
    case pane(Int)
    case thing(Thing, String)
    case range(ViewRange)

    /// Something that can be opened by its id, and the pane it belongs to.
    struct Thing: Equatable, Sendable {
        let word: String
        let pane: String
        let open: @Sendable (String) -> any Pane

        init(_ word: String, of pane: String, _ open: @escaping @Sendable (String) -> any Pane) {
            (self.word, self.pane, self.open) = (word, pane, open)
        }

        static func == (a: Thing, b: Thing) -> Bool { a.word == b.word }
    }

    /// A word may be cut short as long as one thing alone begins with it.
    init?(_ text: String, among titles: [String], _ things: [Thing] = Panes.things) {
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
        guard let index = Jump.only(word, things.map(\.word)) else { return nil }
        self = .thing(things[index], words[1])
    }

    private static func only(_ word: String, _ names: [String]) -> Int? {
        if let index = names.firstIndex(of: word) { return index }
        let found = names.indices.filter { names[$0].hasPrefix(word) }
        return found.count == 1 ? found[0] : nil
    }

    static func words(_ titles: [String]) -> [String] {
        titles.map { $0.lowercased() } + Panes.things.map { "\($0.word) " } + ViewRange.usual.map(\.text)
    }
}
