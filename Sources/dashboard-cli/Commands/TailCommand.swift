import JSON
import Platform
import Synchronization
import Terminal

/// What comes in, as it comes in.
enum TailCommand {
    private static let filter = Option(
        "--filter", .text("CONDITION"), "What must hold, such as name=purchase or context.platform=ios|android; given more than once, all must."
    ).repeatable
    private static let after = Option("--after", .number("SEQ", 0...Int64.max), "Begins behind this seq instead of now.")

    static let command = Command(
        "tail", "Shows events as they come in, until it is ended.", options: [filter, after, .json, .plain, .profile],
        details: "With --json, each is a line of JSON. When the daemon goes away it is waited for, and what was missed meanwhile follows."
    ) { arguments in
        let connection = Connection(try Profiles.chosen(arguments))
        let app = try JSONValue(try await connection.ask(Question("/v1/app")))
        let zone = ZoneOffsets(app["settings"]?.text("tz") ?? "UTC")
        let output = TailOutput(
            format: arguments.has(.json) ? .json : .lines(TailLines(zone, isPlain: arguments.has(.plain))), after: arguments.one(after.name) ?? "")
        try await follow(Question("/v1/tail", arguments.all(filter.name).map { ("filter", $0) }), connection, output)
    }

    /// The daemon says something at least every 45 seconds.
    private static let patience = Duration.seconds(100)

    private static func follow(_ question: Question, _ connection: Connection, _ output: TailOutput) async throws {
        var backoff = Backoff()
        while true {
            var reason = "The daemon ended the stream"
            do {
                try await connection.stream(question, headers: output.beginAgain(), patience: patience) { try output.take($0) }
            } catch let trouble as Trouble where output.hasBegun && (trouble.kind == .unreachable || trouble.kind == .busy) {
                reason = trouble.what
            }
            if output.takeProgress() { backoff.reset() }
            let wait = backoff.next()
            Console.complain("\(reason); trying again in \(Numbers.decimals(wait, 1)) s.", of: "dashboard-cli")
            try await Task.sleep(for: .seconds(wait))
        }
    }
}

/// Writes each event when all of it is there; the daemon waits while it writes.
private final class TailOutput: Sendable {
    enum Format: Sendable {
        case json
        case lines(TailLines)
    }

    private struct State {
        var events = ServerSentEvents()
        var lastID: String
        var hasBegun = false
        var hasProgress = false
    }

    private let format: Format
    private let state: Mutex<State>

    init(format: Format, after: String) {
        self.format = format
        state = Mutex(State(lastID: after))
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
        for event in events {
            switch format {
            case .json: try Console.print(event.data)
            case .lines(let lines): try Console.write(lines.line(event))
            }
        }
    }
}
