// SPDX-License-Identifier: Apache-2.0

import API
import Panes
import Platform
import Terminal

/// `login` and `logout`.
enum LoginCommands {
    static let all = [login, logout]

    private static let url = Option("--url", .text("URL"), "The daemon's address; default: \(Profile.usualURL).")
    private static let key = Option("--key", .text("KEY"), "The key; other users can see command lines, so prefer to type or pipe it.")

    private static let login = Command(
        "login", "Stores a daemon and a key for the other commands.", options: [url, key, .keyFile, .profile, .json],
        details: """
            The key is read from the terminal without echo, or from the first line of standard input.
            It must be a read, send or admin key. It is stored in ~/.config/signalbox, which only you may read.
            SIGNALBOX_URL and SIGNALBOX_KEY in the environment override a login.
            """
    ) { arguments in
        var profiles = try Profiles(ProcessEnvironment.variables)
        let name = arguments.one(Option.profile.name) ?? Profiles.usualName
        let url = try askURL(arguments, suggested: profiles[name]?.url ?? Profile.usualURL)
        let profile = try Profile(url: url, key: try askKey(arguments))
        if profile.isUnencrypted { Console.complain("The key is sent to \(profile.host) unencrypted; use https.", of: "dashboard-cli") }
        let (app, body) = try await check(profile)
        try profiles.set(name, profile)
        if arguments.has(.json) { return try Console.put(body + [0x0a]) }
        try Console.print("Logged in to «\(app.name)» at \(profile.host) with \(article(app.role?.name ?? "")) key, as the profile «\(name)».")
    }

    private static let logout = Command("logout", "Forgets a login.", options: [.profile]) { arguments in
        let name = arguments.one(Option.profile.name) ?? Profiles.usualName
        var profiles = try Profiles(ProcessEnvironment.variables)
        guard try profiles.remove(name) else {
            throw Failure(
                "Profile «\(name)» not found.\(profiles.known)",
                hint: profiles.names.isEmpty ? "Not logged in." : "Name one of them with --profile.")
        }
        try Console.print("Forgot the profile «\(name)».")
    }

    private static func askURL(_ arguments: Arguments, suggested: String) throws -> String {
        if let url = arguments.one(url.name) { return url }
        guard OwnProcess.hasPerson else { return suggested }
        Console.ask("Address of the daemon [\(suggested)]: ")
        guard let line = readLine() else { throw Failure("No address was given.", hint: "Use --url.") }
        return line.isEmpty ? suggested : line
    }

    private static func askKey(_ arguments: Arguments) throws -> Secret {
        if let key = arguments.one(key.name) { return Secret(key) }
        if let file = arguments.one(Option.keyFile.name) { return try KeyFile.read(file) }
        if OwnProcess.hasPerson { Console.ask("Key (not shown): ") }
        let line = TerminalStream.readSecret()
        if OwnProcess.hasPerson { Console.ask("\n") }
        let key = (line ?? "").split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
        guard !key.isEmpty else { throw Failure("No key was given.", hint: "Type it, or pipe it in from a file.") }
        return Secret(key)
    }

    /// Returns the app of the key, and the response as it was received.
    private static func check(_ profile: Profile) async throws -> (AppResponse, body: [UInt8]) {
        let body: [UInt8]
        do {
            body = try await DaemonClient(profile).get(AppResponse.query.request)
        } catch let error as RequestError where error.kind == .unknownKey {
            throw Failure(error.what, hint: "Is it a key of the daemon at \(profile.host)?", exitCode: ExitCode.denied)
        }
        guard let app = try? AppResponse(response: body) else {
            throw Failure("The response of \(profile.host) is not from a Signalbox daemon.", hint: "Is the address right?")
        }
        guard let role = app.role?.word, role != .ingest else {
            throw Failure("A key with the role \(app.role?.name ?? "") cannot query anything.", hint: "Use a read key of the app «\(app.name)».")
        }
        return (app, body)
    }

    private static func article(_ role: String) -> String { ("aeiou".contains(role.prefix(1)) ? "an " : "a ") + role }
}
