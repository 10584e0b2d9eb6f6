// SPDX-License-Identifier: Apache-2.0

/// A closed set of words: their numbers are stored, their names are spoken.
package protocol StoredWord: RawRepresentable, CaseIterable, Sendable where RawValue == Int {}

extension StoredWord {
    package init?(name: String) {
        guard let word = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = word
    }

    package var name: String { String(describing: self) }

    /// All of them, for those who are told that there is no such word.
    package static var names: String { allCases.map(\.name).joined(separator: ", ") }
}
