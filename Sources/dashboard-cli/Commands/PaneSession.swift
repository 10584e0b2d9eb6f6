// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform
import Terminal

/// Prints a pane once or repeatedly.
struct PaneSession {
    private let shell: DashboardShell
    private let display: Display
    private let format: Format
    private let options: ViewOptions
    private let place: String
    private static let height = 34

    init(_ shell: DashboardShell, _ display: Display, _ format: Format, _ options: ViewOptions, _ place: String) {
        (self.shell, self.display, self.format, self.options, self.place) = (shell, display, format, options, place)
    }

    func printOnce() async throws {
        var headings: [String]?
        try await printNext(after: &headings)
    }

    /// Waits for a daemon that became unreachable, but not for the first response.
    func watch(every seconds: Int64) async throws {
        try await UntilInterrupted.run {
            var headings: [String]?
            var backoff = Backoff()
            var hasBegun = false
            while true {
                do {
                    if hasBegun, format == .plain { try Console.print("") }
                    try await printNext(after: &headings)
                    (hasBegun, backoff) = (true, Backoff())
                    try await Task.sleep(for: .seconds(seconds))
                } catch let error as RequestError where hasBegun && [.unreachable, .busy].contains(error.kind) {
                    let wait = backoff.next()
                    Console.complain("\(error.what); retrying in \(Numbers.decimals(wait, 1)) s.", of: "dashboard-cli")
                    try await Task.sleep(for: .seconds(wait))
                }
            }
        }
    }

    /// Prints the headings only when they change.
    private func printNext(after headings: inout [String]?) async throws {
        let dashboard = try await loaded()
        switch format {
        case .json: try Console.put(Export(dashboard).results + [0x0a])
        case .csv:
            if let pages = dashboard.pane.sheetPages(dashboard.view) { return try await printAll(pages, after: &headings) }
            try print(try Export(dashboard).sheet(), after: &headings)
        case .plain, .drawn:
            let printed = DashboardView(dashboard, display.printedDepth).snapshot().printed(display.printedDepth, display.alphabet)
            // Empty lines at the end are left out.
            let end = printed.lastIndex { $0 != 0x0a } ?? -1
            try Console.write(printed[...end] + [0x0a])
        }
    }

    private func print(_ sheet: Sheet, after headings: inout [String]?) throws {
        try Console.put(Array((sheet.headings == headings ? sheet.rowsCSV : sheet.csv).utf8))
        headings = sheet.headings
    }

    /// Prints all pages of a list. One page at a time is in memory.
    private func printAll(_ pages: SheetPages, after headings: inout [String]?) async throws {
        var (cursor, rows): (String?, Int) = (nil, 0)
        // Pages are counted too: a daemon could return empty ones without end.
        for _ in 0..<pages.most where rows < SheetPages.mostRows {
            let page = try await page(of: pages, after: cursor)
            let sheet = pages.sheet(page)
            try print(sheet, after: &headings)
            rows += sheet.rows.count
            cursor = pages.next(page)
            guard cursor != nil else { return }
        }
        Console.complain("The list goes on: only the first \(Numbers.grouped(Double(rows))) rows are printed.", of: "dashboard-cli")
    }

    private func page(of pages: SheetPages, after cursor: String?) async throws -> QueryResult {
        do {
            return try await shell.load(pages.query(cursor))
        } catch let error as RequestError where error.kind == .tooLarge {
            guard let smaller = pages.smaller else { throw error }
            return try await shell.load(smaller(cursor))
        }
    }

    /// Loads the dashboard; throws if no query of the pane succeeded.
    private func loaded() async throws -> Dashboard {
        let width = TerminalStream.size()?.width ?? 100
        let dashboard = try await shell.snapshot(Size(max(DashboardView.smallest.width, width), PaneSession.height), options, at: place)
        let first = dashboard.pane.queries(options).map(\.request)
        let further = dashboard.pane.followUps(dashboard.view).map(\.request)
        let requests = first + further
        let errors = requests.compactMap { dashboard.results[$0].error }
        let isMissing = dashboard.stacks[dashboard.paneIndex].hasOpened && errors.first?.kind == .unknown
        // Another query may have taken the place of the main one.
        let hasRows = further.contains { dashboard.results[$0].result != nil }
        let hasNoRows = format == .csv && !hasRows && first.first.map { dashboard.results[$0].error != nil } ?? false
        if let error = errors.first, errors.count == requests.count || isMissing || hasNoRows { throw error }
        return dashboard
    }
}
