// SPDX-License-Identifier: Apache-2.0

import Events
import JSON
import Platform
import Terminal

/// The documents of one collection, or of all collections with an ID.
struct CollectionPane: Pane {
    static let name = "Collection"
    static let summary = "The documents of a collection, or of all collections with an ID."

    static let keys: [PaneKey<Self>] =
        [
            .open("open", "Opens the document.", when: { $0.selected($1) != nil }) { pane, view in
                pane.selected(view).map { .open(DocumentPane($0.path)) }
            }
        ] + PaneKey.list(\.list, hasMore: { $0.shown($1).hasMore($0.list.pages, $1) }) { $0.items($1) }

    /// As many of the largest documents are fewer than the bytes that the daemon gives in one result.
    private static let pageDocuments = 25
    /// The documents of a page if those of a usual one are too large.
    private static let largeDocuments = 2
    private static let everySeconds: Int64 = 30
    /// A query over all collections with an ID sorts all their documents.
    private static let groupEverySeconds: Int64 = 600

    private let place: DocumentPlace
    private var list = ListState<DocumentList.Item>(id: \.path, text: { "\($0.path)\n\($0.summary)" })

    init(_ place: DocumentPlace) {
        self.place = place
    }

    // MARK: Queries

    private static func documents(_ place: DocumentPlace, of limit: Int) -> PagedQuery<DocumentList> {
        let smaller = limit == pageDocuments ? page(of: place, largeDocuments) : nil
        return PagedQuery(page(of: place, limit), smaller: smaller, id: \.path)
    }

    private static func page(of place: DocumentPlace, _ limit: Int) -> DaemonQuery<DocumentList> {
        let (name, request, seconds) =
            switch place {
            case .group(let id): ("group_documents", ReadRequest(.documents(group: id, limit: limit)), groupEverySeconds)
            case .collection(let path), .onlyCollection(let path), .document(let path):
                ("documents", ReadRequest(DocumentPlace.route(path), [("limit", "\(limit)")]), everySeconds)
            }
        return DaemonQuery(limit == pageDocuments ? name : "large_\(name)", request, every: seconds) { try DocumentList($0, limit: limit) }
    }

    private var first: PagedQuery<DocumentList> { CollectionPane.documents(place, of: CollectionPane.pageDocuments) }

    /// The first query, and those that take its place: a collection that is not at the top is found by its ID, and one that begins with large
    /// documents comes in small pages.
    private func attempts(_ view: PaneView) -> [PagedQuery<DocumentList>] {
        var (attempts, place) = ([first], place)
        if case .onlyCollection(let id) = place, let found = view.results.value(first.query), found.items.isEmpty {
            place = .group(id)
            attempts.append(CollectionPane.documents(place, of: CollectionPane.pageDocuments))
        }
        if let last = attempts.last, view.results.error(last.query)?.kind == .tooLarge {
            attempts.append(CollectionPane.documents(place, of: CollectionPane.largeDocuments))
        }
        return attempts
    }

    private func shown(_ view: PaneView) -> PagedQuery<DocumentList> { attempts(view).last ?? first }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [first.first(list.pages)] }

    func followUps(_ view: PaneView) -> [PolledQuery] {
        let attempts = attempts(view)
        return attempts.dropFirst().map { $0.first(list.pages) } + (attempts.last?.further(list.pages, view) ?? [])
    }

    private func items(_ view: PaneView) -> [DocumentList.Item] { shown(view).items(list.pages, view) }

    private func selected(_ view: PaneView) -> DocumentList.Item? { list.selected(in: items(view)) }

    mutating func find(_ text: String) {
        list.find(text)
    }

    // MARK: Drawing

    func sheet(_ view: PaneView) -> Sheet? {
        view.results.value(shown(view).query).map { _ in CollectionPane.sheet(list.items(of: items(view))) }
    }

    func sheetPages(_ view: PaneView) -> SheetPages? {
        var pages = shown(view).sheets(of: nil, CollectionPane.sheet)
        // Each page of a group sorts the documents of all collections with the ID.
        pages.most = isOfGroup(view) ? 1 : SheetPages.mostRows / CollectionPane.pageDocuments
        return pages
    }

    private static func sheet(_ items: [DocumentList.Item]) -> Sheet {
        Sheet(
            ["path", "version", "created_at", "updated_at", "fields"],
            items.map { item in
                let document = item.document
                return [
                    document.path, "\(document.version)", document.created.time.rfc3339, document.updated.time.rfc3339,
                    String(decoding: document.fields.json, as: UTF8.self),
                ]
            })
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let (shown, all) = (shown(view), items(view))
        let rows = list.items(of: all)
        if let why = view.whyNotReadDocuments { return DocumentBlock.deny(heading, why, in: area.inset(1), on: &frame) }
        let note = list.note(of: shown, "first", view)
        guard let body = Block.open(heading, note, shown.query, view, in: area.inset(1), on: &frame) else { return }
        guard !rows.isEmpty else { return Block.say(list.whyEmpty ?? "No documents.", in: body, on: &frame) }
        let columns = [
            Table.Column(isOfGroup(view) ? "document" : "ID", isFlexible: true, cut: .middle), Table.Column("updated"),
            Table.Column("fields", isFlexible: true, weight: 2),
        ]
        let cells = rows.map { row in
            let document = row.document
            return [(isOfGroup(view) ? document.path : document.id).escaped(atMost: 200), view.moment(document.updated), row.summary]
        }
        SelectableTable(columns, cells, chosen: list.index(in: all)).draw(in: body, on: &frame)
    }

    private func isOfGroup(_ view: PaneView) -> Bool { shown(view).query.request.json != nil }

    private var heading: String {
        switch place {
        case .group(let id): "Collections \(id.escaped(atMost: 100))"
        case .collection(let path), .onlyCollection(let path), .document(let path): "Collection \(path.escaped(atMost: 100))"
        }
    }
}

/// The parts of panes that show documents.
enum DocumentBlock {
    /// Draws a title and why the key may not read documents.
    static func deny(_ title: String, _ why: String, in area: Rect, on frame: inout Frame) {
        let (head, body) = area.split(rows: 1)
        frame.rule(title, note: "", in: head, Theme.faint, title: Theme.title)
        frame.paragraph(why, in: body, Theme.warning)
    }
}
