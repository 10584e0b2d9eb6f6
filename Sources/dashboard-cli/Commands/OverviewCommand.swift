import JSON
import Platform
import Terminal

/// The live dashboard, or one look at it.
enum OverviewCommand {
    static let command = Command(
        "overview", "Shows how it is going, live on the whole terminal; what is done where no command is named.",
        options: [.plain, .json, .profile, Display.mouse] + Display.options,
        details: """
            Without a terminal, or with --plain, it prints one snapshot; with --json, the answers it is made from.

            \(TextTable.lines(Binding.all.map { ["  " + $0.names, $0.meaning] }))
            """
    ) { arguments in
        let display = Display(arguments)
        let shell = DashboardShell(Connection(try Profiles.chosen(arguments)), display)
        if arguments.has(.json) { return try await printJSON(shell) }
        if arguments.has(.plain) || !TerminalStream.isInteractive { return try await printFrame(shell, display) }
        do {
            try await shell.run(Look(), at: "overview")
        } catch is Screen.Unavailable {
            throw Failure("The terminal cannot be taken over.", hint: "Use --plain for a snapshot.")
        }
    }

    private static func printFrame(_ shell: DashboardShell, _ display: Display) async throws {
        let width = TerminalStream.size()?.width ?? 100
        let dashboard = try await shell.snapshot(Size(max(DashboardView.smallest.width, width), 34), Look(), at: "overview")
        try Console.write(DashboardView(dashboard).snapshot().printed(.none, display.alphabet))
    }

    private static func printJSON(_ shell: DashboardShell) async throws {
        let dashboard = try await shell.snapshot(DashboardView.smallest, Look(), at: "overview")
        try Console.write(Export(dashboard).answers + [0x0a])
    }
}
