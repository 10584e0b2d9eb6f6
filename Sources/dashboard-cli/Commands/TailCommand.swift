// SPDX-License-Identifier: Apache-2.0

import JSON
import Panes
import Platform
import Terminal

/// What comes in, as it comes in.
enum TailCommand {
    private static let kind = Option(
        "--kind", .choice(["events", "quarantine", "crashes"]), "Only stored events, only quarantined events, or only crashes.")
    private static let event = Option("--event", .text("NAME"), "Only events of this name; given more than once, of any of them.").repeatable
    private static let user = Option("--user", .text("ID"), "Only events, or with --kind crashes crashes, of this user.")
    private static let installation = Option("--installation", .text("ID"), "The same of an installation.")
    private static let filter = Option(
        "--filter", .text("CONDITION"), "A condition, such as params.value>=10 or context.platform=ios|android; repeated conditions must all hold."
    ).repeatable
    private static let after = Option("--after", .number("SEQ", 0...Int64.max), "Starts after this sequence number instead of now.")

    static let command = Command(
        "tail", "Prints events and crashes as they arrive, until interrupted.",
        options: [event, kind, user, installation, filter, after] + Format.options + Option.connection,
        details: """
            With --json, each is a line of JSON: an event as the export has it, a refused one with its reason, a gap with the number that was missed.
            When the daemon goes away it is waited for, and what was missed meanwhile follows, but for crashes. Ctrl-C ends it with exit code 0.
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
            let app = try JSONValue(try await client.get(GetRequest("/v1/app")))
            return TailOutput(.lines(TailLinePrinter(ZoneOffsets(app["settings"]?.text("tz") ?? "UTC"), isPlain: arguments.has(.plain))))
        }
    }

    private static func request(_ arguments: Arguments) -> GetRequest {
        let asked = [kind, event, user, installation, filter].flatMap { option in
            arguments.all(option.name).map { (String(option.name.dropFirst(2)), $0) }
        }
        return GetRequest("/v1/tail", asked)
    }

    /// The sequence number to begin after. It is known before the stream opens, so that no event is missed.
    private static func start(_ arguments: Arguments, _ client: DaemonClient) async throws -> String {
        if let after = arguments.one(after.name) { return after }
        return try await newest(client)
    }

    /// The sequence number of the newest event.
    static func newest(_ client: DaemonClient) async throws -> String {
        try JSONValue(try await client.get(GetRequest("/v1/system")))["events"]?.text("last_seq") ?? ""
    }

    /// The daemon sends a keep-alive every 15 seconds unless configured otherwise.
    private static let patience = Duration.seconds(100)

    static func follow(_ request: GetRequest, _ client: DaemonClient, _ output: TailOutput) async throws {
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
