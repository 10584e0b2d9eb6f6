// SPDX-License-Identifier: Apache-2.0

/// A closed set of values with numbers for storage and names for the API.
package protocol StoredWord: RawRepresentable, CaseIterable, Sendable where RawValue == Int {}

extension StoredWord {
    package init?(name: String) {
        guard let word = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = word
    }

    package var name: String { String(describing: self) }

    /// All names, for error messages.
    package static var names: String { allCases.map(\.name).joined(separator: ", ") }
}
