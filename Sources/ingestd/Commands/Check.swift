// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform

/// Validates a configuration.
enum Check {
    static let command = Command(
        "check", "Validates a configuration and prints problems and warnings.", options: [.config],
        details: "Environment variables apply, as for `serve`."
    ) { arguments in
        do {
            let configuration = try Configuration.load(file: arguments.one(Option.config.name))
            for warning in warnings(configuration) { try Console.print("warning: \(warning)") }
            try Console.print("ok")
        } catch let error as ConfigurationError {
            for problem in error.problems { try Console.print(problem.description) }
            let count = error.problems.count
            throw Failure(
                "The configuration has \(count == 1 ? "a problem" : "\(count) problems").", hint: "Fix the problems listed above and check again.")
        }
    }

    /// Returns warnings about settings that are valid and probably unintended.
    private static func warnings(_ configuration: Configuration) -> [String] {
        var warnings: [String] = []
        let listen = configuration.server.listen
        if !listen.isLocal {
            let advice =
                switch configuration.mode {
                case .production: "Listen on loopback behind a proxy that speaks TLS."
                case .development: "The mode development is for local use."
                }
            warnings.append("server.listen: \(listen) is reachable from outside, without TLS. \(advice)")
        }
        let files = OwnProcess.raiseFileLimit()
        if configuration.http.caps.connections > files {
            let most = configuration.http.caps.connections
            warnings.append("server.max_connections: \(most) need as many open files, but this user may have \(files). Raise the limit (ulimit -Hn).")
        }
        return warnings
    }
}
