// SPDX-License-Identifier: Apache-2.0

/// One key of the configuration: its name, its meaning, and how its value gets into the struct.
package struct Setting: Sendable {
    /// `section.key`, or a lone key of the top level.
    package let key: String
    /// What the value means, in a few words; the files in `config/` carry the same.
    package let meaning: String
    /// Whether a reload takes it over; the others need a restart.
    package let isLive: Bool
    /// What a fitting value looks like.
    package let expects: String

    let textForm: SettingTextForm
    let assign: @Sendable (JSON5Value, inout Configuration) throws(SettingMismatch) -> Void
    private let print: @Sendable (Configuration) -> String
    private let differs: @Sendable (Configuration, Configuration) -> Bool
    private let copy: @Sendable (Configuration, inout Configuration) -> Void

    init<Value: Equatable>(
        _ key: String, _ type: SettingType<Value>, _ path: any WritableKeyPath<Configuration, Value> & Sendable, _ meaning: String, live: Bool = false
    ) {
        self.key = key
        self.meaning = meaning
        isLive = live
        expects = type.expects
        textForm = type.textForm
        assign = { (value: JSON5Value, configuration: inout Configuration) throws(SettingMismatch) in
            configuration[keyPath: path] = try type.read(value)
        }
        print = { type.print($0[keyPath: path]) }
        differs = { $0[keyPath: path] != $1[keyPath: path] }
        copy = { $1[keyPath: path] = $0[keyPath: path] }
    }

    /// The variable that overrides the key.
    package var environmentName: String {
        "INGESTD_" + String(key.uppercased().map { $0 == "." ? "_" : $0 })
    }

    /// The section's name, empty at the top level.
    package var section: Substring { key.firstIndex(of: ".").map { key[..<$0] } ?? "" }
    /// The name inside its section.
    package var leaf: Substring { section.isEmpty ? key[...] : key[section.endIndex...].dropFirst() }

    /// The value in a configuration, written as JSON5.
    package func text(in configuration: Configuration) -> String {
        print(configuration)
    }

    /// A running configuration with what a reload may take over from a new one.
    package static func reloaded(_ old: Configuration, with new: Configuration) -> Configuration {
        var result = old
        for setting in all where setting.isLive { setting.copy(new, &result) }
        return result
    }

    /// The settings in which two configurations differ, so that a reload can say which wait for a restart.
    package static func changed(from old: Configuration, to new: Configuration) -> [Setting] {
        all.filter { $0.differs(old, new) }
    }
}
