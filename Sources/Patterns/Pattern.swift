// SPDX-License-Identifier: Apache-2.0

import CRE2

/// A regular expression of RE2, whose time for a text is at most linear in it and in `size`, whatever the pattern is.
///
/// `@unchecked` because the pointer is to an object that RE2 lets several threads use, and that is freed with the last reference.
package final class Pattern: @unchecked Sendable {
    /// The instructions of the compiled pattern.
    package let size: Int
    /// The number of groups in parentheses.
    package let groups: Int
    private let mayReadOn: Bool
    private let pointer: OpaquePointer

    /// Returns nil for a pattern that is invalid or needs more memory.
    package init?(_ text: String, memory: Int64 = 1 << 20) {
        guard let pointer = text.withCString({ sbre_compile($0, text.utf8.count, memory) }) else { return nil }
        self.pointer = pointer
        (size, groups) = (Int(sbre_size(pointer)), Int(sbre_groups(pointer)))
        mayReadOn = Pattern.mayReadOn(Array(text.utf8))
    }

    deinit { sbre_free(pointer) }

    /// Whether the whole text matches.
    package func matches(_ text: String) -> Bool { text.withCString { sbre_matches(pointer, $0, text.utf8.count) != 0 } }

    /// A search for the matches in a text.
    package func search(_ text: String, groups: Int = 0) -> PatternSearch { PatternSearch(self, text, groups: groups) }

    /// The most bytes that the search for one match reads behind its end, if that many are left.
    ///
    /// RE2 reads on while a longer match is possible: `a|[ab]*c` reads a text of `a` to its end for each match of one letter.
    func bytesReadOn(_ left: Int) -> Int { mayReadOn ? left : min(left, size) }

    /// Whether a match may need a text of any length behind it. A repetition at the end of a pattern without alternatives only reads the match.
    private static func mayReadOn(_ pattern: [UInt8]) -> Bool {
        let repetitions = Array("*+".utf8)
        guard let last = pattern.last else { return false }
        let rest = repetitions.contains(last) ? pattern.dropLast() : pattern[...]
        if rest.count < pattern.count, rest.contains(where: Array("|?(".utf8).contains) { return true }
        return rest.contains(where: repetitions.contains)
            || zip(rest, rest.dropFirst()).contains { $0 == UInt8(ascii: ",") && $1 == UInt8(ascii: "}") }
    }

    /// Finds the first match at or behind a byte: the bounds of the match and of its groups, -1 for a group that took no part.
    func find(_ bytes: [UInt8], from start: Int, into bounds: inout [Int]) -> Bool {
        let count = Int32(bounds.count / 2)
        return bytes.withUnsafeBytes { buffer in
            withUnsafePointer(to: UInt8(0)) { empty in
                let first = buffer.baseAddress ?? UnsafeRawPointer(empty)
                return sbre_find(pointer, first.assumingMemoryBound(to: CChar.self), bytes.count, start, &bounds, count) != 0
            }
        }
    }
}
