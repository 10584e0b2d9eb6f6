// SPDX-License-Identifier: Apache-2.0

import API
import Terminal

/// The folders in one folder.
struct FolderPane: Pane {
    static let name = "Folder"
    static let summary = "One folder of files: the largest folders in it."

    static let keys: [PaneKey<Self>] =
        [
            .open("open", "Opens the folder.", when: { $0.selected($1) != nil }) { pane, view in
                pane.selected(view).map { .open(FolderPane($0)) }
            }
        ]
        + PaneKey.moves(when: { !$0.ids($1).isEmpty }) { $0.selection.move($1, in: $0.ids($2)) }

    private let prefix: String
    private var selection = Selection()

    /// A folder without its last slash is the same one.
    init(_ path: String) { prefix = path.isEmpty || path.hasSuffix("/") ? path : path + "/" }

    private var query: DaemonQuery<FileFoldersResponse> { FolderTable.query(prefix) }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [query.polled] }

    private func ids(_ view: PaneView) -> [String] { view.results.value(query).map(FolderTable.ids) ?? [] }

    private func selected(_ view: PaneView) -> String? {
        let ids = ids(view)
        return selection.index(in: ids).map { ids[$0] }.flatMap { $0.isEmpty ? nil : $0 }
    }

    func sheet(_ view: PaneView) -> Sheet? { view.results.value(query).map(FolderTable.sheet) }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let found = view.results.value(query)
        let note = found.map { FolderTable.note($0, view) } ?? ""
        guard let body = Block.open("Folder \(prefix)", note, query, view, in: area.inset(1), on: &frame), let found else { return }
        FolderTable.draw(found, chosen: selection.index(in: ids(view)), in: body, on: &frame)
    }
}
