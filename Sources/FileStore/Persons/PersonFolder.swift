// SPDX-License-Identifier: Apache-2.0

package import Files
import Platform

/// A folder whose files belong to the person whose user ID is a segment of its path.
///
///     users/{uid}/              users/ann/photo.jpg, users/ann/a/b is Ann's
///     teams/1/people/{uid}/     teams/1/people/ann/cv.pdf is Ann's
package struct PersonFolder: Hashable, Sendable, CustomStringConvertible {
    private static let mark = "{uid}"
    /// The folder that apps of Firebase use.
    static let usual = PersonFolder(before: "users/")

    private let before: String

    private init(before: String) { self.before = before }

    /// Parses a path that ends with `{uid}/` and has the mark nowhere else.
    package init?(_ text: String) {
        let end = PersonFolder.mark + "/"
        guard text.utf8.suffix(end.utf8.count).elementsEqual(end.utf8) else { return nil }
        let before = String(decoding: text.utf8.dropLast(end.utf8.count), as: UTF8.self)
        guard FilePath(before + "x") != nil, before.isEmpty || before.utf8.last == UInt8(ascii: "/"), !before.utf8.contains(UInt8(ascii: "{")) else {
            return nil
        }
        self.before = before
    }

    /// Whether a segment looks like a wildcard and is none, as in `teams/*/{uid}/`, which matches no files.
    package var hasWildcard: Bool { before.utf8.contains(UInt8(ascii: "*")) }

    package var description: String { "\(before)\(PersonFolder.mark)/" }

    /// Returns the person whom a file belongs to by its path; nil for a file elsewhere.
    package func person(of path: FilePath) -> String? {
        guard path.text.utf8.starts(with: before.utf8) else { return nil }
        let rest = path.text.utf8.dropFirst(before.utf8.count)
        return rest.firstIndex(of: UInt8(ascii: "/")).map { String(Substring(rest[..<$0])) }
    }

    /// Returns the prefix of a person's files; nil for an ID that is no segment of a path.
    package func prefix(of person: String) -> String? {
        guard !person.utf8.contains(UInt8(ascii: "/")), FilePath("\(before)\(person)/x") != nil else { return nil }
        return "\(before)\(person)/"
    }
}

extension [PersonFolder] {
    /// Returns the person of the first folder that a file is in.
    package func person(of path: FilePath) -> String? { lazy.compactMap { $0.person(of: path) }.first }
}
