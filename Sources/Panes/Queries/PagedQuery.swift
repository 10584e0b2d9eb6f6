// SPDX-License-Identifier: Apache-2.0

package import API
import Terminal

/// A response that holds a page of a list.
package protocol PageContent: Sendable {
    associatedtype Item: Sendable
    var items: [Item] { get }
    /// The cursor of the next page; nil on the last one.
    var next: String? { get }
}

extension Page: PageContent {}
extension QuarantineResponse: PageContent {}

extension PersonResponse: PageContent {
    package var items: [TimelineItem] { timeline.items }
    package var next: String? { timeline.next }
}

/// The number of pages of a list that the user has scrolled to.
struct LoadedPages: Sendable {
    /// With pages of a hundred, a list has at most two thousand rows in memory.
    static let most = 20

    fileprivate(set) var wanted = 1
    /// The next page is loaded when the selected row is this close to the last one.
    private static let margin = 10

    /// Loads the next page if the selected row is near the end of the `count` shown rows, or if no loaded row is shown.
    mutating func follow(_ index: Int?, of count: Int, hasMore: Bool) {
        if hasMore, (index ?? count) >= count - LoadedPages.margin { wanted += 1 }
    }
}

/// The query for a list in pages. Each page follows the cursor of the page before.
///
///     /v1/issues?limit=100                    next: "17.4"
///     /v1/issues?limit=100&after=17.4         once the user scrolls to the end of the first page
///
/// When a page changes so that it ends elsewhere, the pages behind it are sent again with the new cursors.
struct PagedQuery<Content: PageContent>: Sendable {
    private let first: DaemonQuery<Content>
    private let smaller: DaemonQuery<Content>?
    private let id: @Sendable (Content.Item) -> String

    /// - Parameters:
    ///   - smaller: The same list in small pages. One takes the place of each further page that is too large.
    ///   - id: Identifies an item that moved to another page while pages were loaded.
    init(_ first: DaemonQuery<Content>, smaller: DaemonQuery<Content>? = nil, id: @escaping @Sendable (Content.Item) -> String) {
        (self.first, self.smaller, self.id) = (first, smaller, id)
    }

    /// Each page is sent less often the more there are, so that long lists do not load the daemon more than short ones.
    private func paced(_ query: DaemonQuery<Content>, _ pages: LoadedPages) -> DaemonQuery<Content> {
        query.every(query.everySeconds * Int64(pages.wanted))
    }

    func first(_ pages: LoadedPages) -> PolledQuery { paced(first, pages).polled }

    /// The queries for further pages whose cursor is known. Those that are too large stay, as the small ones follow from their errors.
    func further(_ pages: LoadedPages, _ view: PaneView) -> [PolledQuery] {
        let found = loaded(pages, view)
        return (found.queries.dropFirst() + found.refused).map { paced($0, pages).polled }
    }

    // MARK: Results

    /// The first page, for titles and errors.
    var query: DaemonQuery<Content> { first }

    func items(_ pages: LoadedPages, _ view: PaneView) -> [Content.Item] {
        let loaded = loaded(pages, view).contents
        guard loaded.count > 1 else { return loaded.first?.items ?? [] }
        var seen: Set<String> = []
        return loaded.flatMap(\.items).filter { seen.insert(id($0)).inserted }
    }

    /// The loaded pages as received.
    func bodies(_ pages: LoadedPages, _ view: PaneView) -> [[UInt8]] {
        loaded(pages, view).queries.compactMap { view.results[$0.request].body }
    }

    /// Whether the list goes on behind the loaded pages.
    func isCut(_ pages: LoadedPages, _ view: PaneView) -> Bool { loaded(pages, view).contents.last?.next != nil }

    /// Returns the part of a longer list that the loaded rows are: `newest 100, loading`; nil if all are loaded.
    func part(_ pages: LoadedPages, _ which: String, _ view: PaneView) -> String? {
        isCut(pages, view) ? "\(which) \(Numbers.short(items(pages, view).count))\(progress(pages, view))" : nil
    }

    /// Whether the list goes on and its next page may be loaded now.
    func hasMore(_ pages: LoadedPages, _ view: PaneView) -> Bool {
        let loaded = loaded(pages, view).contents
        return loaded.count == pages.wanted && loaded.last?.next != nil && pages.wanted < LoadedPages.most
    }

    /// A note behind the number of rows: `, loading`, or the error of a page that could not be loaded.
    func progress(_ pages: LoadedPages, _ view: PaneView) -> String {
        let (queries, contents, _) = loaded(pages, view)
        guard contents.count < queries.count, queries.count > 1, let last = queries.last else { return "" }
        return ", \(view.results.error(last)?.what ?? "loading")"
    }

    /// The queries of the wanted pages whose cursor is known, those of their results that have arrived, and the queries that small ones replace.
    private func loaded(
        _ pages: LoadedPages, _ view: PaneView
    ) -> (queries: [DaemonQuery<Content>], contents: [Content], refused: [DaemonQuery<Content>]) {
        var (queries, contents, refused) = ([first], [Content](), [DaemonQuery<Content>]())
        while let query = queries.last, let content = view.results.value(query) {
            contents.append(content)
            guard queries.count < pages.wanted, let cursor = content.next else { break }
            let next = PagedQuery.page(queries.count + 1, after: cursor, of: first)
            if let smaller, view.results.error(next)?.kind == .tooLarge {
                refused.append(next)
                queries.append(PagedQuery.page(queries.count + 1, after: cursor, of: smaller))
            } else {
                queries.append(next)
            }
        }
        return (queries, contents, refused)
    }

    private static func page(_ number: Int, after cursor: String, of list: DaemonQuery<Content>) -> DaemonQuery<Content> {
        list.with(list.request.page(number, after: cursor), named: "\(list.name)_\(number)")
    }

    // MARK: Export

    /// All pages for a CSV export, with a number of rows each; nil for pages as they are on the screen.
    func sheets(of rows: Int? = SheetPages.rowsPerPage, _ sheet: @escaping @Sendable ([Content.Item]) -> Sheet) -> SheetPages {
        let request = rows.map { first.request.pages(of: $0) } ?? first.request
        return SheetPages(
            query: PagedQuery.sheet(of: first, request), next: { ($0.value as? Content)?.next },
            sheet: { sheet(($0.value as? Content)?.items ?? []) }, smaller: smaller.map { PagedQuery.sheet(of: $0, $0.request) })
    }

    private static func sheet(of list: DaemonQuery<Content>, _ request: ReadRequest) -> @Sendable (String?) -> PolledQuery {
        { cursor in list.with(cursor.map { request.page(2, after: $0) } ?? request, named: list.name).polled }
    }
}
