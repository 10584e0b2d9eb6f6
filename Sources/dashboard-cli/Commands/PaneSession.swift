// SPDX-License-Identifier: Apache-2.0

import Platform
import Terminal

/// One look at a pane for programs and files, or one after the other.
struct PaneSession {
    private let shell: DashboardShell
    private let display: Display
    private let format: Format
    private let look: Look
    private let place: String
    private static let height = 34

    init(_ shell: DashboardShell, _ display: Display, _ format: Format, _ look: Look, _ place: String) {
        (self.shell, self.display, self.format, self.look, self.place) = (shell, display, format, look, place)
    }

    func printOnce() async throws {
        var headings: [String]?
        try await printNext(after: &headings)
    }

    /// A daemon that goes away is waited for, if it was ever there.
    func watch(every seconds: Int64) async throws {
        try await Endless.run {
            var headings: [String]?
            var backoff = Backoff()
            var hasBegun = false
            while true {
                do {
                    if hasBegun, format == .plain { try Console.print("") }
                    try await printNext(after: &headings)
                    (hasBegun, backoff) = (true, Backoff())
                    try await Task.sleep(for: .seconds(seconds))
                } catch let trouble as Trouble where hasBegun && [.unreachable, .busy].contains(trouble.kind) {
                    let wait = backoff.next()
                    Console.complain("\(trouble.what); trying again in \(Numbers.decimals(wait, 1)) s.", of: "dashboard-cli")
                    try await Task.sleep(for: .seconds(wait))
                }
            }
        }
    }

    /// Headings that stand there already are not written again.
    private func printNext(after headings: inout [String]?) async throws {
        let dashboard = try await answered()
        switch format {
        case .json: try Console.put(Export(dashboard).answers + [0x0a])
        case .csv:
            let sheet = try Export(dashboard).sheet()
            try Console.put(Array((sheet.headings == headings ? sheet.rowsCSV : sheet.csv).utf8))
            headings = sheet.headings
        case .plain, .drawn:
            let printed = DashboardView(dashboard, display.printedDepth).snapshot().printed(display.printedDepth, display.alphabet)
            // A short list leaves room below it, which is nothing to print.
            let end = printed.lastIndex { $0 != 0x0a } ?? -1
            try Console.write(printed[...end] + [0x0a])
        }
    }

    /// A dashboard that has something to show: where nothing of it was answered, why is the answer.
    private func answered() async throws -> Dashboard {
        let width = TerminalStream.size()?.width ?? 100
        let dashboard = try await shell.snapshot(Size(max(DashboardView.smallest.width, width), PaneSession.height), look, at: place)
        let questions = dashboard.pane.asks(look).map(\.question)
        let troubles = questions.compactMap { dashboard.answers[$0].trouble }
        let isMissing = dashboard.stacks[dashboard.paneIndex].hasOpened && troubles.first?.kind == .unknown
        let hasNoRows = format == .csv && questions.first.map { dashboard.answers[$0].trouble != nil } ?? false
        if let trouble = troubles.first, troubles.count == questions.count || isMissing || hasNoRows { throw trouble }
        return dashboard
    }
}
