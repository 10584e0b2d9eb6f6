// SPDX-License-Identifier: Apache-2.0

/// A position in a text, counted from 1; columns are Unicode scalars.
package struct SourcePosition: Hashable, Sendable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// A parsed JSON5 value with its position.
package struct JSON5Value: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case null
        case bool(Bool)
        /// May be infinite or NaN, which JSON5 allows.
        case number(Double)
        case string(String)
        case array([JSON5Value])
        /// Members as written; duplicates are reported by the caller.
        case object([JSON5Member])
    }

    package var kind: Kind
    package var position: SourcePosition

    package init(_ kind: Kind, at position: SourcePosition) {
        self.kind = kind
        self.position = position
    }

    /// The name of the kind in error messages.
    var kindName: String {
        switch kind {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "a section"
        }
    }
}

/// A member of an object; `position` is that of the name.
package struct JSON5Member: Equatable, Sendable {
    package var name: String
    package var position: SourcePosition
    package var value: JSON5Value

    package init(name: String, position: SourcePosition, value: JSON5Value) {
        self.name = name
        self.position = position
        self.value = value
    }
}

/// The position and reason of a syntax error.
package struct JSON5SyntaxError: Error, Equatable, Sendable {
    package var position: SourcePosition
    package var message: String
    package var hint: String?

    package init(at position: SourcePosition, _ message: String, hint: String? = nil) {
        self.position = position
        self.message = message
        self.hint = hint
    }
}
