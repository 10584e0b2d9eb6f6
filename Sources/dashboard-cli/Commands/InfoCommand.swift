// SPDX-License-Identifier: Apache-2.0

import API
import JSON
import Panes
import Platform

/// `info`: the daemon and key in use, and where they come from.
enum InfoCommand {
    static let command = Command(
        "info", "Shows the daemon, app and role in use and their source, but never the key.", options: [.json] + Option.connection,
        details: "Without a login or a response it prints what it knows, and exits with the code of the error."
    ) { arguments in
        let (facts, failure) = try await facts(arguments)
        if arguments.has(.json) {
            try Console.put(json(facts) + [0x0a])
        } else {
            try Console.print(TextTable.lines(facts.map { [$0.name.split(separator: "_").joined(separator: " "), $0.value] }))
        }
        if let failure { throw failure }
    }

    private typealias Fact = (name: String, value: String)

    /// The facts, and the error that ended the search.
    private static func facts(_ arguments: Arguments) async throws -> ([Fact], Failure?) {
        var facts: [Fact] = [("version", Version.current)]
        do {
            let profiles = try Profiles(ProcessEnvironment.variables)
            facts += [("config_file", profiles.path), ("config_mode", SmallFile.mode(profiles.path).map { String($0, radix: 8) } ?? "not there")]
            facts.append(("profiles", profiles.names.isEmpty ? "none" : profiles.names.joined(separator: " ")))
        } catch {
            facts.append(("config_file", Failure(error).what))
        }
        do {
            let login = try Login(arguments)
            facts += [("url", login.profile.url), ("url_from", login.urlSource), ("key_from", login.keySource)]
            facts += try await daemonFacts(DaemonClient(login.profile))
        } catch let usage as UsageError {
            throw usage
        } catch {
            return (facts, Failure(error))
        }
        return (facts, nil)
    }

    /// The facts of the daemon; its version is not for every role.
    private static func daemonFacts(_ client: DaemonClient) async throws -> [Fact] {
        let app = try await client.get(AppResponse.query)
        let facts = [("app", app.name), ("app_id", String(app.app)), ("role", app.role?.name ?? ""), ("tz", app.zone ?? "")]
        do {
            return facts + [("daemon_version", try await client.get(SystemResponse.query).version)]
        } catch let error as RequestError where error.kind == .denied {
            return facts + [("daemon_version", "not visible to a key of this role")]
        }
    }

    private static func json(_ facts: [Fact]) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        for (name, value) in facts { json.field(name, value) }
        json.endObject()
        return json.bytes
    }
}
