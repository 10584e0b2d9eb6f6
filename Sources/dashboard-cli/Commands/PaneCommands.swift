// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform
import Terminal

/// A command for each pane: the live dashboard on a terminal, its contents for programs.
enum PaneCommands {
    static let all = PaneList.tabs.map { type(of: $0) }.map { $0 == LivePane.self ? LiveCommand.command : command(for: $0) }
    /// The default command.
    static let overview = command(for: OverviewPane.self)

    private static func command(for pane: any Pane.Type) -> Command {
        let title = pane.name
        let target = PaneList.targets.first { $0.pane == title }
        let operands = target.map { ["[\($0.word.uppercased())]"] } ?? []
        let one = target.map { " With an ID, it shows that \($0.word) alone." } ?? ""
        return Command(
            title.lowercased(), pane.summary, operands: operands,
            options: ranges(of: pane) + Format.options + [.watch] + PanePicture.options + Display.options + [Display.mouse] + Option.connection,
            details: "\(forms)\(one)\(title == OverviewPane.name ? "\n\n" + keys : "")"
        ) { arguments in
            let place = target.flatMap { target in arguments.operands.first.map { "\(target.word) \($0)" } } ?? title.lowercased()
            guard arguments.operands.first?.isEmpty != true else { throw UsageError(what: "The ID is empty.", hint: "Omit it to show the list.") }
            let item = arguments.operands.first.flatMap { id in target.map { (word: $0.word, pane: type(of: $0.open(id))) } }
            let (name, shown) = item.map { ("one \($0.word)", $0.pane) } ?? (title.lowercased(), pane)
            try refuse(.since, of: name, unless: shown.takesSince, { $0.takesSince }, arguments)
            try refuse(.compare, of: name, unless: shown.takesComparison, { $0.takesComparison }, arguments)
            try await show(place, arguments, seenWithin: shown.listsSince ? try arguments.since() : nil)
        }
    }

    /// `--since` and `--compare`, which are hidden if the pane would ignore them.
    private static func ranges(of pane: any Pane.Type) -> [Option] {
        let since = pane.listsSince ? seenWithin : pane.takesSince ? .since : Option.since.hidden
        return [since, pane.takesComparison ? .compare : Option.compare.hidden]
    }

    private static let seenWithin = Option("--since", .text("SPAN"), "Only issues last seen within 24h, 7d or any other time; default: all.")

    /// An option that the pane would ignore is an error.
    private static func refuse(
        _ option: Option, of name: String, unless isTaken: Bool, _ takes: (any Pane.Type) -> Bool, _ arguments: Arguments
    ) throws(UsageError) {
        guard arguments.has(option), !isTaken else { return }
        throw UsageError(what: "\(option.name) does not apply to \(name).", hint: "It works with \(names(takes)).")
    }

    /// The commands of some panes: `overview, live and events`.
    private static func names(_ isMeant: (any Pane.Type) -> Bool) -> String {
        let names = PaneList.tabs.map { type(of: $0) }.filter(isMeant).map { $0.name.lowercased() }
        return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    }

    private static let forms = """
        On a terminal it opens the live dashboard. Otherwise, or with --plain, it prints a snapshot as text, with --json one object with the \
        API responses it is drawn from, and with --csv its rows. The key ? of the live dashboard lists its keys.
        """

    private static var keys: String {
        KeyReference.sections.map { section in
            "\(section.title):\n" + TextTable.lines(section.rows.map { ["  " + $0.names] + (section.hasPanes ? [$0.panes] : []) + [$0.help] })
        }.joined(separator: "\n\n")
    }

    // MARK: Output

    static func show(_ place: String, _ arguments: Arguments, seenWithin: ViewRange? = nil) async throws {
        let format = try Format(arguments)
        let options = ViewOptions(range: try arguments.since() ?? .hour, compares: arguments.has(.compare), seenWithin: seenWithin)
        let display = Display(arguments)
        let shell = DashboardShell(DaemonClient(try Profiles.chosen(arguments)), display)
        let seconds = arguments.seconds(.watch)
        if let picture = try PanePicture(arguments) { return try await picture.write(shell, options, at: place) }
        if format == nil, seconds == nil, isLive { return try await open(shell, options, at: place) }
        let session = PaneSession(shell, display, format ?? .plain, options, place)
        guard let seconds else { return try await session.printOnce() }
        try await session.watch(every: seconds)
    }

    /// Whether the terminal can show the dashboard; warns for `TERM=dumb`.
    static var isLive: Bool {
        guard TerminalStream.isInteractive else { return false }
        guard ProcessEnvironment.variables["TERM"] != "dumb" else {
            Console.complain("A terminal with TERM=dumb cannot show the live dashboard; printing a snapshot.", of: "dashboard-cli")
            return false
        }
        return true
    }

    static func open(_ shell: DashboardShell, _ options: ViewOptions, at place: String) async throws {
        do {
            try await shell.run(options, at: place)
        } catch is Screen.UnavailableError {
            throw Failure("The terminal does not support the live dashboard.", hint: "Use --plain for a snapshot.")
        }
    }
}

extension Pane {
    /// Whether the pane has a time range, or lists items since a time.
    fileprivate static var takesSince: Bool {
        self == LivePane.self || bindings.contains(.range) || listsSince
    }

    fileprivate static var listsSince: Bool { bindings.contains(.seenWithin) }

    fileprivate static var takesComparison: Bool { bindings.contains(.compare) }
}
