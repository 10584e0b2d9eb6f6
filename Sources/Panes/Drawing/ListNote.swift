// SPDX-License-Identifier: Apache-2.0

import API
import Terminal

extension ListState {
    /// The note in the title of a list: `the newest 100 · by time · «news»`. `which` says what the loaded pages of a longer list hold.
    func note<Content: PageContent>(of list: PagedQuery<Content>, _ which: String, _ view: PaneView) -> String where Content.Item == Item {
        let all = list.items(pages, view)
        guard !all.isEmpty else { return "" }
        let shown = items(of: all).count
        let counted = searchText.isEmpty ? Numbers.short(shown) : "\(Numbers.short(shown)) of \(Numbers.short(all.count))"
        let loaded = "\(list.isCut(pages, view) ? "the \(which) " : "")\(counted)\(list.progress(pages, view))"
        return [loaded, note].filter { !$0.isEmpty }.joined(separator: " · ")
    }

    /// The placeholder of a search without a match; nil without a search.
    var whyEmpty: String? { searchText.isEmpty ? nil : "No match for «\(searchText)»." }
}
