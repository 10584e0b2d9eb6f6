// SPDX-License-Identifier: Apache-2.0

import Accounts
import Delivery
import HTTPServer
import Platform

/// `ingestd check`: validates a configuration before a daemon is started with it.
enum Check {
    static let command = Command(
        "check", "Validates a configuration and warns about risky settings.", options: [.config],
        details: "It includes settings from the environment, as `serve` does."
    ) { arguments in
        do {
            let file = arguments.one(Option.config.name)
            let configuration = try Configuration.load(file: file)
            _ = try configuration.mail.prepared()
            for warning in warnings(configuration) + [file.flatMap(warningOfSecrets)].compactMap(\.self) { try Console.print("warning: \(warning)") }
            try Console.print("ok")
        } catch let error as ConfigurationError {
            for problem in error.problems { try Console.print(problem.description) }
            let count = error.problems.count
            throw Failure(
                "The configuration has \(count == 1 ? "a problem" : "\(count) problems").", hint: "Correct the listed settings and check again.")
        }
    }

    /// Settings that work but may not be intended.
    private static func warnings(_ configuration: Configuration) -> [String] {
        var warnings: [String] = []
        let listen = configuration.server.listen
        if !listen.isLocal {
            let advice =
                switch configuration.mode {
                case .production: "Listen on loopback behind a proxy with TLS."
                case .development: "Development mode is for a local machine."
                }
            warnings.append("server.listen: \(listen) is reachable from outside, without TLS. \(advice)")
        }
        let files = OwnProcess.raiseFileLimit()
        if configuration.http.caps.connections > files {
            let most = configuration.http.caps.connections
            warnings.append("server.max_connections: \(most) need as many open files, but this user may have \(files). Raise the limit (ulimit -Hn).")
        }
        if configuration.metrics.hasShortToken {
            warnings.append("metrics.token: a token of fewer than \(MetricsOptions.shortestToken) characters can be guessed. Replace it.")
        }
        if configuration.accounts.emulator, configuration.mode == .production {
            warnings.append("accounts.emulator: it has no effect in production. Remove the setting.")
        } else if configuration.accounts.emulator {
            warnings.append(
                "accounts.emulator: every client on this machine may act as any user, read and write all documents and files, and add tasks. Use it for tests only."
            )
        }
        for provider in configuration.accounts.providers where configuration.mode == .production {
            guard provider.issuer.flatMap({ ProviderURL($0) })?.isPlain == true else { continue }
            warnings.append("accounts.providers: the issuer of \(provider.id) is http, which works in development only. Use https.")
        }
        if let proxy = configuration.delivery.proxy, proxy.exposesLogin {
            warnings.append("delivery.proxy: user name and password go to \(proxy.host) without TLS. Use a proxy with https.")
        }
        return warnings
    }

    /// Warns of a file with a secret that every user of the machine may read.
    private static func warningOfSecrets(in file: String) -> String? {
        guard let mode = SmallFile.mode(file), mode & 0o004 != 0 else { return nil }
        guard let own = try? Configuration.load(file: file, environment: [:]) else { return nil }
        let secrets = [own.metrics.token == nil ? nil : "metrics.token", own.delivery.proxy?.hasLogin == true ? "delivery.proxy" : nil]
        guard let secret = secrets.compactMap(\.self).first else { return nil }
        return "\(secret): every user may read \(file). Allow its owner and the daemon's group only (chmod 0640)."
    }
}
