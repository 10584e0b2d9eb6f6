// SPDX-License-Identifier: Apache-2.0

import Terminal

extension ListState {
    /// For the title of a list: how many there are, of which the daemon may have told the `first` or the `newest` alone, and how they are sorted and searched.
    func note(of page: PageResponse<Item>?, _ which: String) -> String where Item: Decodable {
        guard let page, !page.items.isEmpty else { return "" }
        let shown = items(of: page.items).count
        let counted = searchText.isEmpty ? Numbers.short(shown) : "\(Numbers.short(shown)) of \(Numbers.short(page.items.count))"
        return ["\(page.next == nil ? "" : "the \(which) ")\(counted)", note].filter { !$0.isEmpty }.joined(separator: " · ")
    }

    /// What is said where none holds what is sought; nil where nothing is.
    var whyEmpty: String? { searchText.isEmpty ? nil : "None of them holds «\(searchText)»." }
}
