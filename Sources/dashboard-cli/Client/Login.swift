// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform

/// The daemon and key of a command, and where each was configured.
///
/// Options precede the environment, which precedes the profiles. A key is only sent to the daemon that it was given for.
struct Login {
    let profile: Profile
    let urlSource: String
    let keySource: String

    init(_ arguments: Arguments, _ environment: [String: String] = ProcessEnvironment.variables) throws {
        self = try LoginSearch(arguments, environment).login()
    }

    fileprivate init(_ profile: Profile, url: String, key: String) {
        (self.profile, urlSource, keySource) = (profile, url, key)
    }
}

extension Profiles {
    /// The profile of a command.
    static func chosen(_ arguments: Arguments, _ environment: [String: String] = ProcessEnvironment.variables) throws -> Profile {
        try Login(arguments, environment).profile
    }
}

extension Option {
    /// The options of every command that needs a daemon.
    static let connection = [url, key, keyFile, profile]
    static let url = Option("--url", .text("URL"), "The daemon's address; needs a key, or a login for that address.")
    static let key = Option("--key", .text("KEY"), "The key; other users can see command lines, so prefer --key-file.")
    static let keyFile = Option("--key-file", .text("FILE"), "The file whose first line is the key.")
    static let controlSocket = Option(
        "--control-socket", .text("PATH"), "The daemon's control socket (DIR/control.sock), for limits of the machine.")
    static let profile = Option("--profile", .text("NAME"), "The login to use; default: default.")

    static let connectionEnvironment = [
        Term("SIGNALBOX_URL", "The daemon's address, as --url."),
        Term("SIGNALBOX_KEY", "The key, as --key; without an address for \(Profile.usualURL)."),
        Term("SIGNALBOX_KEY_FILE", "The file whose first line is the key, as --key-file."),
        Term("SIGNALBOX_CONTROL_SOCKET", "The daemon's control socket, as --control-socket of `check`."),
        Term("XDG_CONFIG_HOME", "The folder of the logins; default: ~/.config."),
    ]
}

/// Searches options, environment and profiles.
private struct LoginSearch {
    private let arguments: Arguments
    private let environment: [String: String]

    init(_ arguments: Arguments, _ environment: [String: String]) {
        (self.arguments, self.environment) = (arguments, environment)
    }

    func login() throws -> Login {
        let url = arguments.one(Option.url.name)
        if let key = try keyOfOptions() {
            let (address, source) = try url.map { ($0, Option.url.name) } ?? addressBesideKey()
            return Login(try Profile(url: address, key: key.secret), url: source, key: key.source)
        }
        if let url { return try known(for: url, from: Option.url.name) }
        if let name = arguments.one(Option.profile.name) { return try profile(name) }
        if let login = try environmentLogin() { return login }
        if let url = environment["SIGNALBOX_URL"].nonEmpty { return try known(for: url, from: "SIGNALBOX_URL") }
        return try profile(Profiles.usualName)
    }

    // MARK: Options

    private typealias Key = (secret: Secret, source: String)

    private func keyOfOptions() throws -> Key? {
        let (key, file) = (arguments.one(Option.key.name), arguments.one(Option.keyFile.name))
        guard key == nil || file == nil else { throw UsageError(what: "--key and --key-file cannot be combined.", hint: "Choose one.") }
        if let file { return (try KeyFile.read(file), "--key-file \(file)") }
        return key.map { (Secret($0), Option.key.name) }
    }

    /// A key without an address is for the daemon that is configured otherwise.
    private func addressBesideKey() throws -> (address: String, source: String) {
        if let name = arguments.one(Option.profile.name) { return (try profile(name).profile.url, "profile \(name)") }
        if let url = environment["SIGNALBOX_URL"].nonEmpty { return (url, "SIGNALBOX_URL") }
        if let profile = try? Profiles(environment)[Profiles.usualName] { return (profile.url, "profile \(Profiles.usualName)") }
        return (Profile.usualURL, "the usual address")
    }

    /// An address without a key needs a stored key for exactly that address.
    private func known(for url: String, from source: String) throws -> Login {
        let wanted = try Profile(url: url, key: Secret("")).url
        let name = arguments.one(Option.profile.name)
        let logins = name == nil ? [try environmentLogin(), try? profile(Profiles.usualName)] : [try profile(name ?? "")]
        guard let login = logins.compactMap(\.self).first(where: { $0.profile.url == wanted }) else {
            let hint =
                source == Option.url.name ? "Name it with --key-file, or log in there." : "Set SIGNALBOX_KEY or SIGNALBOX_KEY_FILE too, or log in."
            throw Failure("\(source) names \(wanted), but no key is stored for it.", hint: hint, exitCode: ExitCode.denied)
        }
        return Login(login.profile, url: source, key: login.keySource)
    }

    // MARK: Environment and profiles

    private func environmentLogin() throws -> Login? {
        let key: Key
        if let text = environment["SIGNALBOX_KEY"].nonEmpty {
            key = (Secret(text), "SIGNALBOX_KEY")
        } else if let file = environment["SIGNALBOX_KEY_FILE"].nonEmpty {
            key = (try KeyFile.read(file), "SIGNALBOX_KEY_FILE \(file)")
        } else {
            return nil
        }
        let url = environment["SIGNALBOX_URL"].nonEmpty
        return Login(
            try Profile(url: url ?? Profile.usualURL, key: key.secret), url: url == nil ? "the usual address" : "SIGNALBOX_URL", key: key.source)
    }

    private func profile(_ name: String) throws -> Login {
        let profiles = try Profiles(environment)
        if let profile = profiles[name] { return Login(profile, url: "profile \(name)", key: "profile \(name)") }
        let isUsual = name == Profiles.usualName
        throw Failure(
            isUsual ? "Not logged in.\(profiles.known)" : "Profile «\(name)» not found.\(profiles.known)",
            hint: "Run `dashboard-cli login\(isUsual ? "" : " --profile \(name)")`, or set SIGNALBOX_URL and SIGNALBOX_KEY.",
            exitCode: ExitCode.denied)
    }
}
