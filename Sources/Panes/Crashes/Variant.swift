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
                pane.sections.row(in: [pane.crashList(view)]).flatMap { CrashList.open($0.id, in: view.results.value(pane.crashes), of: pane.issue) }
            }
        ]
        + PaneKey.moves(when: hasRows) { pane, move, view in pane.sections.move(move, in: [pane.crashList(view)]) }

    private static let hasRows: PaneKey<Self>.Condition = { !$0.crashList($1).rows.isEmpty }

    private let issue: String
    private let variant: String
    private var sections = SectionedList()

    init(issue: String, variant: String) {
        (self.issue, self.variant) = (issue, variant)
    }

    private var crashes: DaemonQuery<Page<CrashResponse>> { CrashList.query(issue: issue, variant: variant) }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [crashes.polled] }

    func sheet(_ view: PaneView) -> Sheet? { view.results.value(crashes).map { CrashList.sheet($0) } }

    private func crashList(_ view: PaneView) -> ListSection { CrashList.listing("Crashes", view.results.value(crashes), view) }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let list = crashList(view)
        guard let body = Block.open("Crashes of variant \(variant)", "", crashes, view, in: area.inset(1), on: &frame) else { return }
        list.draw(chosen: sections.index(in: [list]), in: body, on: &frame)
    }
}
