// SPDX-License-Identifier: Apache-2.0

import API
import Panes
import Platform
import Terminal

/// `tail`: prints events, quarantined events and crashes as they arrive.
enum TailCommand {
    private static let kind = Option(
        "--kind", .choice(["events", "quarantine", "crashes"]), "Only stored events, only quarantined events, or only crashes.")
    private static let event = Option("--event", .text("NAME"), "Only events of this name; repeat it for several names.").repeatable
    private static let user = Option("--user", .text("ID"), "Only events of this user; with --kind crashes, only their crashes.")
    private static let installation = Option(
        "--installation", .text("ID"), "Only events of this installation; with --kind crashes, only its crashes.")
    private static let filter = Option(
        "--filter", .text("CONDITION"), "A condition, such as params.value>=10 or context.platform=ios|android; repeated conditions must all hold."
    ).repeatable
    private static let after = Option("--after", .number("SEQ", 0...Int64.max), "Starts after this sequence number instead of now.")

    static let command = Command(
        "tail", "Prints events and crashes as they arrive, until interrupted.",
        options: [event, kind, user, installation, filter, after] + Format.options + Option.connection,
        details: """
            With --json, each line is an object: an event as in the export, a quarantined event with its reason, or a gap with the number missed.
            After a lost connection it reconnects and prints missed events, but not missed crashes. Ctrl-C ends it with exit code 0.
            """
    ) { arguments in
        let client = DaemonClient(try Profiles.chosen(arguments))
        let output = try await output(arguments, client)
        output.goOn(behind: try await start(arguments, client))
        try await UntilInterrupted.run { try await follow(request(arguments), client, output) }
    }

    /// The output in the requested format.
    static func output(_ arguments: Arguments, _ client: DaemonClient) async throws -> TailOutput {
        switch try Format(arguments) {
        case .json: return TailOutput(.json)
        case .csv: return TailOutput(.csv)
        case .plain, .drawn, nil:
            let app = try await client.get(AppResponse.query)
            return TailOutput(.lines(TailLinePrinter(ZoneOffsets(app.zone ?? "UTC"), isPlain: arguments.has(.plain))))
        }
    }

    private static func request(_ arguments: Arguments) -> ReadRequest {
        let parameters = [kind, event, user, installation, filter].flatMap { option in
            arguments.all(option.name).map { (String(option.name.dropFirst(2)), $0) }
        }
        return ReadRequest("/v1/tail", parameters)
    }

    /// The sequence number to begin after. It is known before the stream opens, so that no event is missed.
    private static func start(_ arguments: Arguments, _ client: DaemonClient) async throws -> String {
        if let after = arguments.one(after.name) { return after }
        return try await newest(client)
    }

    /// The sequence number of the newest event.
    static func newest(_ client: DaemonClient) async throws -> String {
        String(try await client.get(SystemResponse.query).events.lastSeq)
    }

    /// The daemon sends a keep-alive every 15 seconds unless configured otherwise.
    private static let patience = Duration.seconds(100)

    static func follow(_ request: ReadRequest, _ client: DaemonClient, _ output: TailOutput) async throws {
        var backoff = Backoff()
        while true {
            var reason = "The daemon ended the stream"
            do {
                try await client.stream(request, headers: output.beginAgain(), patience: patience) { try output.take($0) }
            } catch let error as RequestError where error.kind == .unreachable || (error.kind == .busy && output.hasBegun) {
                // The daemon responded before, so it is worth waiting for.
                reason = error.what
            }
            if output.takeProgress() { backoff.reset() }
            let wait = backoff.next()
            Console.complain("\(reason); retrying in \(Numbers.decimals(wait, 1)) s.", of: "dashboard-cli")
            try await Task.sleep(for: .seconds(wait))
        }
    }
}
