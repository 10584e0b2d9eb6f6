// SPDX-License-Identifier: Apache-2.0

import API
import Terminal

extension ListState {
    /// The note in the title of a list: `the newest 100 · by time · «news»`. `which` says what a page that is not the last holds.
    func note(of page: Page<Item>?, _ which: String) -> String where Item: Codable {
        guard let page, !page.items.isEmpty else { return "" }
        let shown = items(of: page.items).count
        let counted = searchText.isEmpty ? Numbers.short(shown) : "\(Numbers.short(shown)) of \(Numbers.short(page.items.count))"
        return ["\(page.next == nil ? "" : "the \(which) ")\(counted)", note].filter { !$0.isEmpty }.joined(separator: " · ")
    }

    /// The placeholder of a search without a match; nil without a search.
    var whyEmpty: String? { searchText.isEmpty ? nil : "No match for «\(searchText)»." }
}
