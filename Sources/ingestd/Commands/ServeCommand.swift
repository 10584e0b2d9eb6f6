import Platform

enum ServeCommand {
    static let command = Command(
        words: ["serve"],
        options: Configuration.options + [.init(name: "listen", value: "HOST:PORT", help: "Where to listen, instead of server.listen.")],
        summary: "Runs the daemon; the default command."
    ) { arguments in
        let configuration = try Configuration(arguments)
        let log = Log(level: configuration.log.level, format: configuration.log.format)
        Process.raiseDescriptorLimit()
        try await Serve.run(try Daemon(configuration, log: log)) { try Configuration(arguments) }
    }
}

enum CheckCommand {
    static let command = Command(
        words: ["check"], options: Configuration.options, summary: "Says what is wrong with a configuration: key, line, hint."
    ) { arguments in
        let configuration = try Configuration(arguments)
        for warning in warnings(configuration) { print("warning: \(warning)") }
        print("ok")
    }

    /// What is allowed but deserves a second look.
    private static func warnings(_ configuration: Configuration) -> [String] {
        var out: [String] = []
        let open = !configuration.server.listen.address.isLoopback
        if open { out.append("server.listen: reachable from outside without TLS; a proxy in front should be the only one to reach it") }
        if open && configuration.mode == .development {
            out.append("mode: development prints keys at every start; use production where others can reach it")
        }
        if configuration.storage.dedupeDays < 7 { out.append("storage.dedupe_days: clients retry for up to a week; ids may count twice") }
        return out
    }
}
