// SPDX-License-Identifier: Apache-2.0

import Platform

/// Lists and the brackets around them. The number of entries is data, and so are names among other data.
///
///     a:1: refused, b:2: refused, timeout   →  <*>: refused, timeout
///     valid for <*>, proxy, <*>             →  valid for <*>
///     Cart{1} (<*> id=<*> tag=<*>)          →  Cart<*> (<*>)
///     found 2: systemClock,testClock        →  found <*>
extension MessageTemplate {
    /// A bracket and what stands inside it.
    struct Level {
        /// The place in the template behind the bracket.
        var start: Int
        /// The place in the template of the last comma or semicolon.
        var separator: Int?
        /// The place of the one before it.
        var previous: Int?
    }

    /// The number of entries of a joined list that are read in one step.
    private static let entriesAtOnce = 32

    /// Drops the last entry of a list if the one before it is equal. Only entries with data count.
    mutating func endEntry() {
        let level = levels[levels.count - 1]
        if let separator = level.separator, separator < out.count, level.start <= separator {
            let entry = MessageTemplate.trimmed(out[(separator + 1)...])
            let before = MessageTemplate.trimmed(out[level.start..<separator])
            let hasData = entry.count > 3 && entry.indices.contains { entry[$0...].begins(with: MessageWords.placeholder) }
            if hasData, before.suffix(entry.count).elementsEqual(entry) {
                out.removeSubrange(separator...)
            } else {
                levels[levels.count - 1].previous = separator
            }
        }
        levels[levels.count - 1].separator = out.count
    }

    /// Leaves the innermost bracket. One that holds only data and fields with data becomes one placeholder.
    mutating func endLevel() {
        endEntry()
        guard levels.count > 1 else { return }
        let start = levels.removeLast().start
        guard start < out.count else { return }
        let entries = out[start...].split { MessageWords.betweenFields.contains($0) }
        guard entries.allSatisfy(MessageTemplate.isData(field:)) else { return }
        out.removeSubrange(start...)
        out += MessageWords.placeholder
    }

    /// Returns the place of the comma before a name that stands between data in a list; nil for other text.
    func entryBetweenData(before end: Int) -> Int? {
        let level = levels[levels.count - 1]
        guard let separator = level.separator, separator >= end, let previous = level.previous, previous < end,
            out[..<previous].suffix(3).elementsEqual(MessageWords.placeholder)
        else { return nil }
        let name = out[(previous + 1)..<end].drop { $0 == 0x20 }
        return !name.isEmpty && name.allSatisfy(MessageTemplate.isOfName) ? previous : nil
    }

    /// Forgets separators that were removed with the end of the template.
    mutating func forgetSeparators(from end: Int) {
        var level = levels.removeLast()
        if let separator = level.separator, separator >= end { level.separator = nil }
        if let previous = level.previous, previous >= end { level.previous = nil }
        levels.append(level)
    }

    /// Returns the end of a list that is joined by commas alone and begins with the token; nil if it is not one.
    func endOfJoinedList(behind token: ArraySlice<UInt8>) -> Int? {
        var (end, left) = (token.endIndex, MessageTemplate.entriesAtOnce)
        while left > 0, end + 1 < text.endIndex, text[end] == UInt8(ascii: ","), text[end + 1].isWord {
            (end, left) = (end + 1, left - 1)
            while end < text.endIndex, MessageTemplate.isOfName(text[end]) { end += 1 }
        }
        guard end > token.endIndex else { return nil }
        // The last word of `a:1: refused,b:2` is no entry.
        if end < text.endIndex, text[end] == UInt8(ascii: ":") || text[end] == UInt8(ascii: "=") { return nil }
        while !text[end - 1].isWord { end -= 1 }
        return end
    }

    /// Whether text is data or a field with data: `<*>`, `id=<*>`, `offset:<*>`.
    private static func isData(field: ArraySlice<UInt8>) -> Bool {
        guard field.suffix(3).elementsEqual(MessageWords.placeholder) else { return false }
        let key = field.dropLast(3)
        guard let last = key.last else { return true }
        return (last == UInt8(ascii: "=") || last == UInt8(ascii: ":")) && key.count > 1 && key.dropLast().allSatisfy(isOfName)
    }

    private static func isOfName(_ byte: UInt8) -> Bool { byte.isWord || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") }

    private static func trimmed(_ entry: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var entry = entry.drop { $0 == 0x20 }
        while let last = entry.last, last == 0x20 || last == UInt8(ascii: ".") { entry = entry.dropLast() }
        return entry
    }
}
