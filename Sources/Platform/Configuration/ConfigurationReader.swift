// SPDX-License-Identifier: Apache-2.0

/// Applies file, environment and flags to the defaults, and collects all problems. The last source wins.
package struct ConfigurationReader<Root> {
    private var configuration: Root
    private var problems: [ConfigurationProblem] = []
    private let settings: [String: Setting<Root>]

    /// - Parameter settings: All settings of the configuration, with unique keys.
    package init(_ defaults: Root, _ settings: [Setting<Root>]) {
        configuration = defaults
        self.settings = Dictionary(uniqueKeysWithValues: settings.map { ($0.key, $0) })
    }

    /// Returns the configuration, or throws all problems found so far.
    package func result() throws(ConfigurationError) -> Root {
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        return configuration
    }

    private mutating func apply(_ setting: Setting<Root>, _ value: JSON5Value, source: String, inFile: Bool) {
        do {
            try setting.assign(value, &configuration)
        } catch {
            let position = inFile ? error.position : nil
            problems.append(
                ConfigurationProblem(
                    source: source, position: position, key: setting.key, message: error.message, hint: "Write \(setting.expects)."))
        }
    }
}

// MARK: - File

extension ConfigurationReader {
    /// Applies a file's contents.
    package mutating func read(file name: String, _ contents: [UInt8]) {
        do {
            let document = try JSON5Reader.read(contents)
            guard case .object(let members) = document.kind else {
                let message = "Expected an object, found \(document.kindName)."
                return problems.append(
                    ConfigurationProblem(source: name, position: document.position, message: message, hint: "Enclose the settings in braces."))
            }
            read(members, section: "", file: name)
        } catch {
            problems.append(ConfigurationProblem(source: name, position: error.position, message: error.message, hint: error.hint))
        }
    }

    private mutating func read(_ members: [JSON5Member], section: String, file: String) {
        var seen: [String: SourcePosition] = [:]
        for member in members {
            let key = section.isEmpty ? member.name : "\(section).\(member.name)"
            if let first = seen.updateValue(member.position, forKey: member.name) {
                report(file, member, key, "Duplicate key.", "It is already set in line \(first.line); remove one of them.")
            } else if let setting = settings[key] {
                apply(setting, member.value, source: file, inFile: true)
            } else if isSection(key) {
                readSection(member, key, file: file)
            } else {
                report(file, member, key, "Unknown setting.", nearest(to: key).map { "Did you mean \($0)?" })
            }
        }
    }

    private mutating func readSection(_ member: JSON5Member, _ key: String, file: String) {
        if case .object(let members) = member.value.kind {
            read(members, section: key, file: file)
        } else {
            report(file, member, key, "Expected a section.", "Write \(member.name): { … }.")
        }
    }

    private mutating func report(_ file: String, _ member: JSON5Member, _ key: String, _ message: String, _ hint: String?) {
        problems.append(ConfigurationProblem(source: file, position: member.position, key: key, message: message, hint: hint))
    }

    private func isSection(_ key: String) -> Bool {
        settings.values.contains { $0.section == key || $0.section.hasPrefix("\(key).") }
    }

    private func nearest(to key: String) -> String? {
        let known = settings.keys + Set(settings.values.map { String($0.section) }).filter { !$0.isEmpty }
        return Spelling.nearest(to: key, among: known)
    }
}

// MARK: - Environment and flags

extension ConfigurationReader {
    /// Applies the variables that begin with `INGESTD_`.
    package mutating func read(environment: [String: String]) {
        let byName = Dictionary(uniqueKeysWithValues: settings.values.map { ($0.environmentName, $0) })
        for (name, text) in environment.filter({ $0.key.hasPrefix("INGESTD_") }).sorted(by: { $0.key < $1.key }) {
            if let setting = byName[name] {
                apply(setting, value(of: text, for: setting), source: name, inFile: false)
            } else {
                let hint = Spelling.nearest(to: name, among: byName.keys).map { "Did you mean \($0)?" }
                problems.append(ConfigurationProblem(source: name, message: "Unknown setting.", hint: hint))
            }
        }
    }

    /// Applies the value of a flag to a setting.
    package mutating func read(flag: String, key: String, value text: String) {
        guard let setting = settings[key] else {
            return problems.append(ConfigurationProblem(source: flag, key: key, message: "Unknown setting."))
        }
        apply(setting, value(of: text, for: setting), source: flag, inFile: false)
    }

    private func value(of text: String, for setting: Setting<Root>) -> JSON5Value {
        switch setting.textForm {
        case .text: text.asText
        case .textOrNull: text == "null" ? text.asScalar : text.asText
        case .scalar: text.asScalar
        case .texts: text.asList(of: \.asText)
        case .scalars: text.asList(of: \.asScalar)
        }
    }
}

/// Texts of the environment or of a flag as values.
extension String {
    private static let start = SourcePosition(line: 1, column: 1)

    fileprivate var asText: JSON5Value { JSON5Value(.string(self), at: String.start) }

    fileprivate var asScalar: JSON5Value { (try? JSON5Reader.read(Array(utf8))) ?? asText }

    fileprivate func asList(of element: (String) -> JSON5Value) -> JSON5Value {
        if self[...].trimmingBlanks.hasPrefix("["), let list = try? JSON5Reader.read(Array(utf8)) { return list }
        return JSON5Value(.array(split(separator: ",").map { element(String($0.trimmingBlanks)) }), at: String.start)
    }
}

extension Substring {
    fileprivate var trimmingBlanks: Substring {
        var text = drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }
}
