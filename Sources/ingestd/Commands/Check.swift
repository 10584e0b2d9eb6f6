// SPDX-License-Identifier: Apache-2.0

import Platform

/// Says what is wrong with a configuration, before it stops a daemon from starting.
enum Check {
    static let command = Command(
        "check", "Says what is wrong with a configuration, and what is only unwise.", options: [.config],
        details: "The environment counts, as for `serve`."
    ) { arguments in
        do {
            let configuration = try Configuration.load(file: arguments.one(Option.config.name))
            for warning in warnings(configuration) { try Console.print("warning: \(warning)") }
            try Console.print("ok")
        } catch let error as ConfigurationError {
            for problem in error.problems { try Console.print(problem.description) }
            let count = error.problems.count
            throw Failure(
                "The configuration has \(count == 1 ? "a problem" : "\(count) problems").", hint: "Put right what is listed and check again.")
        }
    }

    /// What works and may still not be meant.
    private static func warnings(_ configuration: Configuration) -> [String] {
        var warnings: [String] = []
        let listen = configuration.server.listen
        if !listen.isLocal {
            let advice =
                switch configuration.mode {
                case .production: "Listen on loopback behind a proxy that speaks TLS."
                case .development: "The mode development is for one's own machine."
                }
            warnings.append("server.listen: \(listen) is reachable from outside, without TLS. \(advice)")
        }
        let files = OwnProcess.raiseFileLimit()
        if configuration.server.maxConnections > files {
            let most = configuration.server.maxConnections
            warnings.append("server.max_connections: \(most) need as many open files, but this user may have \(files). Raise the limit (ulimit -Hn).")
        }
        return warnings
    }
}
