// SPDX-License-Identifier: Apache-2.0

import API
import Terminal

/// One document: its fields with their types, and the collections below it.
struct DocumentPane: Pane {
    static let name = "Document"
    static let summary = "One document: its fields with their types, and the collections below it."

    static let keys: [PaneKey<Self>] =
        [
            .open("open", "Shows the whole value, or opens the collection.", when: { $0.row($1) != nil }) { $0.open($1) }
        ] + PaneKey.sections(\.sections) { $0.lists($1) }

    private static let fields = "Fields"
    private static let missing = "There is no such document."
    private static let mostCollections = 1_000
    /// A longer value is cut, because its lines are drawn anew with each frame.
    private static let mostCharacters = 50_000

    private let path: String
    private var sections = SectionedList()

    init(_ path: String) {
        self.path = path
    }

    // MARK: Queries

    private var document: DaemonQuery<DocumentContent> {
        DaemonQuery("document", ReadRequest(DocumentPlace.route(path)), every: 10) { try DocumentContent($0) }
    }

    private var collections: DaemonQuery<Page<String>> { DocumentPane.collections(below: path) }

    /// The collections directly below a document, or at the top.
    static func collections(below document: String?) -> DaemonQuery<Page<String>> {
        DaemonQuery("collections", ReadRequest(.collections(below: document, limit: mostCollections)), every: 30)
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [document.polled, collections.polled] }

    private func isMissing(_ view: PaneView) -> Bool { view.results.error(document)?.kind == .unknown }

    private func content(_ view: PaneView) -> DocumentContent? { isMissing(view) ? nil : view.results.value(document) }

    // MARK: Lists

    private func lists(_ view: PaneView) -> [ListSection] { [fields(view), collections(view)] }

    private func fields(_ view: PaneView) -> ListSection {
        let lines = content(view)?.lines
        let rows = (lines?.lines ?? []).map { line in
            ListSection.Row(line.path, [line.name, line.value.kind.rawValue, line.text], whole: "\(line.path)  \(line.text)")
        }
        let columns = [Table.Column("field", isFlexible: true), Table.Column("type"), Table.Column("value", isFlexible: true, weight: 2)]
        let nothing = isMissing(view) ? DocumentPane.missing : lines == nil ? "…" : "The document has no fields."
        return ListSection(DocumentPane.fields, columns, rows, nothing: nothing, part: lines?.isCut == true ? "first \(rows.count)" : nil)
    }

    private func collections(_ view: PaneView) -> ListSection {
        let found = view.results.value(collections)
        let rows = (found?.items ?? []).map { ListSection.Row($0, [$0.escaped(atMost: 200)]) }
        let nothing = view.results.error(collections)?.sentences ?? (found == nil ? "…" : "No collections below this document.")
        return ListSection(
            "Collections", [Table.Column("collection", isFlexible: true)], rows, nothing: nothing,
            part: found?.next == nil ? nil : "first \(rows.count)")
    }

    private func row(_ view: PaneView) -> ListSection.Row? { sections.row(in: lists(view)) }

    private func open(_ view: PaneView) -> PaneEffect? {
        guard let row = row(view) else { return nil }
        guard sections.section(of: lists(view)).title == DocumentPane.fields else { return .open(CollectionPane(.collection("\(path)/\(row.id)"))) }
        guard let value = content(view)?.lines.lines.first(where: { $0.path == row.id })?.value else { return nil }
        return .open(TextPane("Field", "\(row.id)\n\(value.kind.rawValue)\n\n\(value.lines(atMost: DocumentPane.mostCharacters))"))
    }

    // MARK: Drawing

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let title = "Document \(path.escaped(atMost: 200))"
        if let why = view.whyNotReadDocuments { return DocumentBlock.deny(title, why, in: area.inset(1), on: &frame) }
        let found = content(view)
        guard found != nil || isMissing(view) else {
            _ = Block.open(title, "", document, view, in: area.inset(1), on: &frame)
            return
        }
        let (head, body) = area.inset(1).split(rows: 1)
        frame.rule(title, note: found.map { "version \($0.document.version)" } ?? "", in: head, Theme.faint, title: Theme.title)
        let times = found.map { "\(view.moment($0.document.updated)), created \(view.moment($0.document.created))" }
        sections.draw(lists(view), in: FieldList(["updated": times]).draw(in: body, leaving: 5, on: &frame), on: &frame)
    }

    func sheet(_ view: PaneView) -> Sheet? {
        content(view).map { content in
            Sheet(
                ["field", "type", "value"],
                ShownValue(untagged: content.document.fields).fields.map { [$0.name, $0.value.kind.rawValue, $0.value.plain] })
        }
    }
}
