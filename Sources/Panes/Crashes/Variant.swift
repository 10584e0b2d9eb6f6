// SPDX-License-Identifier: Apache-2.0

import API
import Terminal

/// The crashes of one variant of an issue.
struct VariantPane: Pane {
    static let name = "Variant"
    static let summary = "The crashes of one variant of an issue."

    static let keys: [PaneKey<Self>] =
        [
            .open("open", "Opens the crash.", when: hasRows) { pane, view in
                pane.sections.row(in: [pane.crashList(view)]).flatMap {
                    CrashList.open($0.id, in: pane.crashes.items(pane.pages, view), of: pane.issue)
                }
            }
        ]
        + PaneKey.moves(when: hasRows) { pane, move, view in pane.move(move, view) }

    private static let hasRows: PaneKey<Self>.Condition = { !$0.crashList($1).rows.isEmpty }

    private let issue: String
    private let variant: String
    private var sections = SectionedList()
    private var pages = LoadedPages()

    init(issue: String, variant: String) {
        (self.issue, self.variant) = (issue, variant)
    }

    private var crashes: PagedQuery<Page<CrashResponse>> { CrashList.query(issue: issue, variant: variant) }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [crashes.first(pages)] }

    func followUps(_ view: PaneView) -> [PolledQuery] { crashes.further(pages, view) }

    func sheet(_ view: PaneView) -> Sheet? { CrashList.loaded(crashes, pages, view).map { CrashList.sheet($0) } }

    private func crashList(_ view: PaneView) -> ListSection { CrashList.listing("Crashes", crashes, pages, view) }

    private mutating func move(_ move: Selection.Move, _ view: PaneView) {
        let list = crashList(view)
        sections.move(move, in: [list])
        pages.follow(sections.index(in: [list]), of: list.rows.count, hasMore: crashes.hasMore(pages, view))
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let list = crashList(view)
        guard let body = Block.open("Crashes of variant \(variant)", list.part ?? "", crashes.query, view, in: area.inset(1), on: &frame) else {
            return
        }
        list.draw(chosen: sections.index(in: [list]), in: body, on: &frame)
    }
}
