// SPDX-License-Identifier: Apache-2.0

import JSON
import Panes
import Platform

/// The stored logins, in a file that only the user may read.
struct Profiles: Sendable {
    static let usualName = "default"
    private static let limit = 1 << 20
    private let folder: String
    private var entries: [(name: String, profile: Profile)] = []

    var path: String { folder + "/profiles.json" }

    var names: [String] { entries.map(\.name) }

    /// The known names, for an error message; empty if there are none.
    var known: String { entries.isEmpty ? "" : " Known profiles: \(names.joined(separator: ", "))." }

    /// Reads `$XDG_CONFIG_HOME/signalbox` or `~/.config/signalbox`; a missing file is empty.
    init(_ environment: [String: String]) throws(Failure) {
        guard let base = environment["XDG_CONFIG_HOME"].nonEmpty ?? environment["HOME"].nonEmpty.map({ $0 + "/.config" }) else {
            throw Failure(
                "No folder for profiles: neither HOME nor XDG_CONFIG_HOME is set.", hint: "Use SIGNALBOX_URL and SIGNALBOX_KEY.",
                exitCode: ExitCode.denied)
        }
        folder = base + "/signalbox"
        entries = try read()
    }

    subscript(name: String) -> Profile? { entries.first { $0.name == name }?.profile }

    mutating func set(_ name: String, _ profile: Profile) throws {
        entries = entries.filter { $0.name != name } + [(name, profile)]
        try write()
    }

    /// Returns whether the profile existed.
    mutating func remove(_ name: String) throws -> Bool {
        guard self[name] != nil else { return false }
        entries.removeAll { $0.name == name }
        try write()
        return true
    }

    // MARK: File

    private func read() throws(Failure) -> [(name: String, profile: Profile)] {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try SmallFile.read(path, limit: Profiles.limit)
        } catch {
            if error.isMissing { return [] }
            throw Failure("\(path) cannot be read: \(error.reason).", hint: "It must belong to you.")
        }
        guard let file = try? JSONValue(bytes), let profiles = file["profiles"] else {
            throw Failure("\(path) is not a file of `dashboard-cli login`.", hint: "Remove it and log in again.")
        }
        var found: [(name: String, profile: Profile)] = []
        for (name, value) in profiles.fields { found.append((name, try Profile(url: value.text("url"), key: Secret(value.text("key"))))) }
        return found
    }

    /// Writes a new file and renames it, so that the file is never incomplete.
    private func write() throws {
        try Folder.makeAll(folder)
        var json = JSONWriter()
        json.beginObject()
        json.key("profiles")
        json.beginObject()
        for (name, profile) in entries {
            json.key(name)
            json.beginObject()
            json.field("url", profile.url)
            json.field("key", profile.key.revealed)
            json.endObject()
        }
        json.endObject()
        json.endObject()
        let file = try File(path + ".new", .create)
        try file.write(json.bytes + [0x0a])
        try file.sync()
        try Folder.rename(path + ".new", to: path)
    }
}

extension String? {
    /// Nil for a variable that is empty.
    var nonEmpty: String? { self?.isEmpty == false ? self : nil }
}
