// SPDX-License-Identifier: Apache-2.0

/// The value that a command line flag gives to a setting, such as `--listen` to `server.listen`.
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

extension ConfigurationReader {
    /// Applies a file, the environment and flags, in this order.
    package mutating func read(
        file: String?, environment: [String: String] = ProcessEnvironment.variables, flags: [ConfigurationFlag] = []
    ) throws(ConfigurationError) {
        if let file { read(file: file, try ConfigurationReader.contents(of: file)) }
        read(environment: environment)
        for flag in flags { read(flag: flag.name, key: flag.key, value: flag.value) }
    }

    private static func contents(of file: String) throws(ConfigurationError) -> [UInt8] {
        do {
            // One byte above the limit, so that the reader detects a file that is too large.
            return try SmallFile.read(file, limit: JSON5Reader.maximumBytes + 1)
        } catch {
            let problem = ConfigurationProblem(
                source: file, message: "The file cannot be read: \(error.reason).", hint: "Check that it exists and that this user may read it.")
            throw ConfigurationError(problems: [problem])
        }
    }
}
