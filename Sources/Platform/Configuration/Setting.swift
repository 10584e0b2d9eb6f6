// SPDX-License-Identifier: Apache-2.0

/// A setting of an option type: its name, accepted values, unit and meaning. The default is the field's initial value.
///
/// The module that owns an option type lists its settings beside the fields; the daemon composes the lists under section names:
///
///     struct RelayOptions {
///         var threads = 2
///         static let settings = [Setting("threads", .count(1...64, "threads"), \.threads, "Threads that send")]
///     }
///     let all = RelayOptions.settings.map { $0.within("relay", \Configuration.relay) }
///
/// The file then accepts `relay: { threads: 4 }` and the environment `INGESTD_RELAY_THREADS=4`. A section may have sections of its own.
package struct Setting<Root>: Sendable {
    /// The name, or `section.name` once composed.
    package let key: String
    /// The meaning in one phrase, which the files in `config/` and the reference page repeat.
    package let meaning: String
    /// Whether a reload applies it; the others need a restart.
    package let isLive: Bool
    /// The accepted values, for error messages.
    package let expects: String
    /// The unit of a bare number, such as `bytes` or `days`; empty for texts, lists and flags.
    package let unit: String

    let textForm: SettingTextForm
    let assign: @Sendable (JSON5Value, inout Root) throws(SettingError) -> Void
    fileprivate let print: @Sendable (Root) -> String
    fileprivate let isEqual: @Sendable (Root, Root) -> Bool
    fileprivate let copy: @Sendable (Root, inout Root) -> Void

    package init<Value: Equatable>(
        _ key: String, _ type: SettingType<Value>, _ path: any WritableKeyPath<Root, Value> & Sendable, _ meaning: String, live: Bool = false
    ) {
        self.key = key
        self.meaning = meaning
        isLive = live
        expects = type.expects
        unit = type.unit
        textForm = type.textForm
        assign = { (value: JSON5Value, root: inout Root) throws(SettingError) in root[keyPath: path] = try type.read(value) }
        print = { type.print($0[keyPath: path]) }
        isEqual = { $0[keyPath: path] == $1[keyPath: path] }
        copy = { $1[keyPath: path] = $0[keyPath: path] }
    }

    private init<Part>(_ part: Setting<Part>, _ section: String, _ path: any WritableKeyPath<Root, Part> & Sendable) {
        key = "\(section).\(part.key)"
        meaning = part.meaning
        isLive = part.isLive
        expects = part.expects
        unit = part.unit
        textForm = part.textForm
        assign = { (value: JSON5Value, root: inout Root) throws(SettingError) in try part.assign(value, &root[keyPath: path]) }
        print = { part.print($0[keyPath: path]) }
        isEqual = { part.isEqual($0[keyPath: path], $1[keyPath: path]) }
        copy = { part.copy($0[keyPath: path], &$1[keyPath: path]) }
    }

    /// The same setting as a part of a larger configuration: `threads` within `relay` is `relay.threads`.
    package func within<Whole>(_ section: String, _ path: any WritableKeyPath<Whole, Root> & Sendable) -> Setting<Whole> {
        Setting<Whole>(self, section, path)
    }

    /// The environment variable that overrides the key: `INGESTD_RELAY_THREADS` for `relay.threads`.
    package var environmentName: String {
        "INGESTD_" + String(key.uppercased().map { $0 == "." ? "_" : $0 })
    }

    /// The section's name with the sections around it, empty at the top level.
    package var section: Substring { key.lastIndex(of: ".").map { key[..<$0] } ?? "" }
    /// The name inside its section.
    package var leaf: Substring { section.isEmpty ? key[...] : key[section.endIndex...].dropFirst() }

    /// Returns the value in a configuration as JSON5.
    package func text(in root: Root) -> String {
        print(root)
    }
}

extension Array {
    /// Returns the settings in which two configurations differ.
    package func changed<Root>(from old: Root, to new: Root) -> [Setting<Root>] where Element == Setting<Root> {
        filter { !$0.isEqual(old, new) }
    }

    /// Returns the running configuration with the live settings of a new one.
    package func reloaded<Root>(_ old: Root, with new: Root) -> Root where Element == Setting<Root> {
        reduce(into: old) { result, setting in
            if setting.isLive { setting.copy(new, &result) }
        }
    }
}
