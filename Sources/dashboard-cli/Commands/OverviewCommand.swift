import JSON
import Platform
import Terminal

/// The live dashboard, or one look at it.
enum OverviewCommand {
    static let command = Command(
        "overview", "Shows how it is going, live on the whole terminal; what is done where no command is named.",
        options: [.plain, .json, .profile],
        details: """
            Without a terminal, or with --plain, it prints one snapshot; with --json, the answers it is made from.

            \(TextTable.lines(Binding.all.map { ["  " + $0.names, $0.meaning] }))
            """
    ) { arguments in
        let shell = DashboardShell(Connection(try Profiles.chosen(arguments)))
        if arguments.has(.json) { return try await printJSON(shell) }
        if arguments.has(.plain) || !TerminalStream.isInteractive { return try await printFrame(shell) }
        do {
            try await shell.run()
        } catch is Screen.Unavailable {
            throw Failure("The terminal cannot be taken over.", hint: "Use --plain for a snapshot.")
        }
    }

    private static func printFrame(_ shell: DashboardShell) async throws {
        let width = TerminalStream.size()?.width ?? 100
        let (dashboard, _) = try await shell.snapshot(Size(max(DashboardView.smallest.width, width), 34))
        try Console.write(DashboardView(dashboard).snapshot().printed(.none, Alphabet(ProcessEnvironment.variables)))
    }

    private static func printJSON(_ shell: DashboardShell) async throws {
        var json = JSONWriter()
        json.beginObject()
        for (name, body) in try await shell.snapshot(DashboardView.smallest).bodies {
            json.key(name)
            if let body { json.raw(body[...]) } else { json.null() }
        }
        json.endObject()
        try Console.write(json.bytes + [0x0a])
    }
}
