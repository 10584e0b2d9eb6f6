// SPDX-License-Identifier: Apache-2.0

/// A problem in a configuration source.
package struct ConfigurationProblem: Equatable, Sendable, CustomStringConvertible {
    /// The file, the variable or the flag.
    package var source: String
    /// The position in a file; `nil` for variables and flags.
    package var position: SourcePosition?
    /// The setting's key; empty if the whole source is unreadable.
    package var key: String
    package var message: String
    package var hint: String?

    package var line: Int? { position?.line }
    package var column: Int? { position?.column }

    package init(source: String, position: SourcePosition? = nil, key: String = "", message: String, hint: String? = nil) {
        self.source = source
        self.position = position
        self.key = key
        self.message = message
        self.hint = hint
    }

    /// `file:line:column: key: message hint`, as editors and terminals link it.
    package var description: String {
        let place = position.map { "\(source):\($0.line):\($0.column)" } ?? source
        return [place, key, [message, hint].compactMap(\.self).joined(separator: " ")].filter { !$0.isEmpty }.joined(separator: ": ")
    }
}

/// All problems of a configuration.
package struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    package var problems: [ConfigurationProblem]

    package init(problems: [ConfigurationProblem]) {
        self.problems = problems
    }

    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
