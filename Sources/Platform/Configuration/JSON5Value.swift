// SPDX-License-Identifier: Apache-2.0

/// A place in a text, counted from 1; columns are Unicode scalars.
package struct SourcePosition: Hashable, Sendable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// A parsed JSON5 value that remembers where it stood.
package struct JSON5Value: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case null
        case bool(Bool)
        /// May be infinite or not a number: JSON5 has words for both.
        case number(Double)
        case string(String)
        case array([JSON5Value])
        /// Members as written: a name may stand in it twice, and whoever reads the object says so.
        case object([JSON5Member])
    }

    package var kind: Kind
    package var position: SourcePosition

    package init(_ kind: Kind, at position: SourcePosition) {
        self.kind = kind
        self.position = position
    }

    /// What a person would call this kind of value.
    package var kindName: String {
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

/// A name and its value inside an object; `position` is the name's.
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

/// Where and why a text is not JSON5.
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
