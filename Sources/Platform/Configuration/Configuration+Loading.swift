// SPDX-License-Identifier: Apache-2.0

/// What a flag gives to a setting, as in `--listen` for `server.listen`.
package struct ConfigurationFlag: Sendable {
    package var name: String
    package var key: String
    package var value: String

    package init(_ name: String, sets key: String, to value: String) {
        self.name = name
        self.key = key
        self.value = value
    }
}

extension Configuration {
    /// Default, then file, then environment, then flags: the later wins.
    package static func load(
        file: String?, environment: [String: String] = ProcessEnvironment.variables, flags: [ConfigurationFlag] = []
    ) throws(ConfigurationError) -> Configuration {
        var reader = ConfigurationReader()
        if let file {
            reader.read(file: file, try contents(of: file))
        }
        reader.read(environment: environment)
        for flag in flags {
            reader.read(flag: flag.name, key: flag.key, value: flag.value)
        }
        return try reader.result()
    }

    private static func contents(of file: String) throws(ConfigurationError) -> [UInt8] {
        do {
            // One byte more than fits, so that the reader can tell a file that is too large.
            return try SmallFile.read(file, limit: JSON5Reader.maximumBytes + 1)
        } catch {
            let problem = ConfigurationProblem(
                source: file, message: "The file cannot be read: \(error.reason).", hint: "Does it exist, and may this user read it?")
            throw ConfigurationError(problems: [problem])
        }
    }
}
