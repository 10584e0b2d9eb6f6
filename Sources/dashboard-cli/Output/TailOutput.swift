import Platform
import Synchronization

/// Writes each event when all of it is there; the daemon waits while it writes.
final class TailOutput: Sendable {
    enum Format: Sendable {
        case json
        case csv
        case lines(TailLines)
    }

    private struct State {
        var events = ServerSentEvents()
        var lastID = ""
        var hasHeading = false
        var hasBegun = false
        var hasProgress = false
    }

    private let format: Format
    private let state: Mutex<State>

    init(_ format: Format) {
        self.format = format
        state = Mutex(State())
    }

    /// What was told before that is not told again.
    func goOn(behind id: String) {
        state.withLock { $0.lastID = id }
    }

    var hasBegun: Bool { state.withLock { $0.hasBegun } }

    /// Whether anything came since this was asked last.
    func takeProgress() -> Bool {
        state.withLock { state in
            defer { state.hasProgress = false }
            return state.hasProgress
        }
    }

    /// Forgets half an event; answers with the fields that ask for what follows the last whole one.
    func beginAgain() -> [(name: String, value: String)] {
        state.withLock { state in
            state.events.beginAgain()
            return state.lastID.isEmpty ? [] : [("Last-Event-ID", state.lastID)]
        }
    }

    func take(_ bytes: [UInt8]) throws {
        let events = try state.withLock { state in
            (state.hasBegun, state.hasProgress) = (true, true)
            let events = try state.events.take(bytes)
            if let id = events.last?.id, !id.isEmpty { state.lastID = id }
            return events
        }
        try put(events)
    }

    func put(_ events: [ServerSentEvents.Event]) throws {
        for event in events {
            switch format {
            case .json: try Console.print(event.data)
            case .csv: try Console.write(Array(row(event).utf8))
            case .lines(let lines): try Console.write(lines.line(event))
            }
        }
    }

    /// The first one stands below the headings.
    private func row(_ event: ServerSentEvents.Event) -> String {
        let isFirst = state.withLock { state in
            defer { state.hasHeading = true }
            return !state.hasHeading
        }
        let sheet = TailSheet.sheet(of: event)
        return isFirst ? sheet.csv : sheet.rowsCSV
    }
}
