// SPDX-License-Identifier: Apache-2.0

import CRE2

/// A regular expression of RE2, which takes time linear in the text whatever the pattern is.
///
/// `@unchecked` because the pointer is to an object that RE2 lets several threads use, and that is freed with the last reference.
package final class Pattern: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// Returns nil for a pattern that is invalid or needs more memory.
    package init?(_ text: String, memory: Int64 = 1 << 20) {
        guard let pointer = text.withCString({ sbre_compile($0, text.utf8.count, memory) }) else { return nil }
        self.pointer = pointer
    }

    deinit { sbre_free(pointer) }

    /// Whether the whole text matches.
    package func matches(_ text: String) -> Bool { text.withCString { sbre_matches(pointer, $0, text.utf8.count) != 0 } }

    /// Replaces every match. In the replacement `$1` is the first group, `$0` the match, and a backslash takes the next character as it is.
    ///
    /// Returns nil if the replacement names a group that the pattern does not have.
    package func replace(_ text: String, with replacement: String) -> String? {
        let (bytes, template) = (Array(text.utf8), Array(replacement.utf8))
        var (result, end) = ([UInt8](), 0)
        for groups in matches(in: text) {
            guard let match = groups[0], let filled = Pattern.filled(template, groups, bytes) else { return nil }
            result += bytes[end..<match.lowerBound] + filled
            end = match.upperBound
        }
        return String(decoding: result + bytes[end...], as: UTF8.self)
    }

    private static func filled(_ template: [UInt8], _ groups: [Range<Int>?], _ bytes: [UInt8]) -> [UInt8]? {
        var (result, rest) = ([UInt8](), template[...])
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), let next = rest.popFirst() {
                result.append(next)
            } else if byte == UInt8(ascii: "$"), let digit = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) {
                rest.removeFirst()
                let number = Int(digit - UInt8(ascii: "0"))
                guard number < groups.count else { return nil }
                if let group = groups[number] { result += bytes[group] }
            } else {
                result.append(byte)
            }
        }
        return result
    }

    /// Splits a text at the matches. Empty parts at the end are left out, but for the only one.
    package func split(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        var (parts, end) = ([ArraySlice<UInt8>](), 0)
        for match in matches(in: text).compactMap({ $0[0] }) {
            parts.append(bytes[end..<match.lowerBound])
            end = match.upperBound
        }
        parts.append(bytes[end...])
        while parts.count > 1, parts.last?.isEmpty == true { parts.removeLast() }
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The groups of all matches from left to right, the whole match first. A group that took no part is nil.
    private func matches(in text: String) -> [[Range<Int>?]] {
        let count = Int(sbre_groups(pointer)) + 1
        return text.withCString { bytes in
            var (matches, start) = ([[Range<Int>?]](), 0)
            var bounds = [Int](repeating: 0, count: 2 * count)
            while start <= text.utf8.count, sbre_find(pointer, bytes, text.utf8.count, start, &bounds, Int32(count)) != 0 {
                matches.append((0..<count).map { bounds[2 * $0] < 0 ? nil : bounds[2 * $0]..<bounds[2 * $0 + 1] })
                start = bounds[1] > bounds[0] ? bounds[1] : Pattern.next(text, bounds[1])
            }
            return matches
        }
    }

    /// The start of the next character, so that no match begins within one.
    private static func next(_ text: String, _ position: Int) -> Int {
        let index = text.utf8.index(text.startIndex, offsetBy: position)
        guard index < text.endIndex else { return position + 1 }
        return position + UTF8.width(text.unicodeScalars[index])
    }
}
