// SPDX-License-Identifier: Apache-2.0

import Terminal

/// The crashes of an issue whose whole stacks are the same.
struct VariantPane: Pane {
    let title = "Variant"
    private let issue: String
    private let variant: String
    private var shown = SectionedList()

    init(issue: String, variant: String) {
        (self.issue, self.variant) = (issue, variant)
    }

    private var crashes: DaemonQuery<PageResponse<CrashResponse>> { CrashList.ask(issue: issue, variant: variant) }

    func commands(_ view: PaneView) -> Set<DashboardCommand> {
        listing(view).rows.isEmpty ? [] : DashboardCommand.moves.union([.open])
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [crashes.polled] }

    mutating func perform(_ command: DashboardCommand, _ view: PaneView) -> PaneEffect? {
        let listing = listing(view)
        if command == .open {
            return shown.row(in: [listing]).flatMap { CrashList.open($0.id, in: view.answers.value(crashes), of: issue) }
        }
        shown.perform(command, in: [listing])
        return nil
    }

    func sheet(_ view: PaneView) -> Sheet? { view.answers.value(crashes).map { CrashList.sheet($0) } }

    private func listing(_ view: PaneView) -> ListSection { CrashList.listing("Crashes", view.answers.value(crashes), view) }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let listing = listing(view)
        guard let body = Block.open("Crashes of variant \(variant)", "", crashes, view, in: area.inset(1), on: &frame) else { return }
        listing.draw(chosen: shown.index(in: [listing]), in: body, on: &frame)
    }
}
