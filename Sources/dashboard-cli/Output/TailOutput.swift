// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform
import Synchronization

/// Writes each complete event. Slow output applies backpressure to the daemon.
final class TailOutput: Sendable {
    enum Format: Sendable {
        case json
        case csv
        case lines(TailLinePrinter)
    }

    private struct State {
        var stream = ResumableEvents()
        var hasHeading = false
        var hasBegun = false
    }

    private let format: Format
    private let state: Mutex<State>

    init(_ format: Format) {
        self.format = format
        state = Mutex(State())
    }

    func goOn(behind id: String) {
        state.withLock { $0.stream.goOn(behind: id) }
    }

    var hasBegun: Bool { state.withLock { $0.hasBegun } }

    func takeProgress() -> Bool { state.withLock { $0.stream.takeProgress() } }
    func beginAgain() -> [(name: String, value: String)] { state.withLock { $0.stream.beginAgain() } }

    func take(_ bytes: [UInt8]) throws {
        let events = try state.withLock { state in
            state.hasBegun = true
            return try state.stream.take(bytes)
        }
        try put(events)
    }

    func put(_ events: [StreamEvent]) throws {
        for event in events {
            switch format {
            case .json: try Console.print(event.data)
            case .csv: try Console.put(Array(row(event).utf8))
            case .lines(let lines): try Console.write(lines.line(event))
            }
        }
    }

    /// The first row comes with the headings.
    private func row(_ event: StreamEvent) -> String {
        let isFirst = state.withLock { state in
            defer { state.hasHeading = true }
            return !state.hasHeading
        }
        let sheet = TailCSV.sheet(of: event)
        return isFirst ? sheet.csv : sheet.rowsCSV
    }
}
