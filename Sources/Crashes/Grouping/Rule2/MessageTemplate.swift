// SPDX-License-Identifier: Apache-2.0

import Platform

/// A message with its data replaced by `<*>`. Only the first four non-empty lines count.
///
///     user 17 not found                            →  user <*> not found
///     no route to db-1.example.com:5432, 10.0.0.1  →  no route to <*>
///     open '/srv/a b.json': permission denied      →  open <*>: permission denied
///     Cannot read 'map' of undefined               →  Cannot read 'map' of undefined
///     HTTP status 404, took 12 ms                  →  HTTP status 404, took <*> ms
struct MessageTemplate {
    private static let lines = 4
    private static let longest = 4_096
    /// The length of a template. Later differences do not count.
    static let longestTemplate = 400
    /// The length of a quotation whose end is searched.
    static let longestQuote = 512
    /// The length of an address in angle brackets whose end is searched.
    static let longestAddress = 256
    /// The length of a key that is searched behind a value.
    static let longestKey = 80
    /// The number of blanks in the last parts of a path.
    static let mostBlanksOfPath = 4

    let text: ArraySlice<UInt8>
    var at: Int
    var out: [UInt8] = []
    /// The last words, in lower case: the newest last. They tell what a number or quotation means.
    var words: [ArraySlice<UInt8>] = []
    /// Whether only spaces and punctuation that announces data came after the last word.
    var isAnnounced = false
    var behindColon = false
    /// The number of lines that still count.
    var left = lines
    /// The brackets around the current place, the outermost first. The first entry is the message itself.
    var levels = [Level(start: 0)]

    static func of(_ message: String) -> [UInt8] {
        var reader = MessageTemplate(MessageWords.plain(message.utf8.prefix(longest)))
        reader.run()
        return Array(reader.out.prefix(longestTemplate))
    }

    private init(_ text: ArraySlice<UInt8>) {
        self.text = text
        at = text.startIndex
    }

    mutating func run() {
        var line = 0
        while at < text.endIndex, out.count < MessageTemplate.longestTemplate {
            if text[at] == 0x0a, out.count > line {
                line = out.count + 1
                left -= 1
                if left == 0 { break }
            }
            step()
        }
        while out.last == 0x20 { out.removeLast() }
        endEntry()
        // The value at the end may be empty: `not in the list: `.
        if out.last == UInt8(ascii: ":"), text.last?.isSpace == true { out += [0x20] + MessageWords.placeholder }
    }

    mutating func step() {
        let byte = text[at]
        if byte.isSpace { return takeSpace() }
        if byte == UInt8(ascii: "$"), MessageWords.isPlaceInDocument(text[at...]) { return takePlaceInDocument() }
        if byte == 0x1b { return takeEscape() }
        if MessageWords.quotes.contains(byte), let end = quoteEnd() { return takeQuoted(end) }
        switch byte {
        case UInt8(ascii: "{"): takeBraces()
        case UInt8(ascii: "["): takeBracket()
        case UInt8(ascii: "("): takeParenthesis()
        case UInt8(ascii: "="): takeAssigned()
        case UInt8(ascii: "<"): takeAngle()
        case _ where isTokenByte(byte): takeToken()
        default: takePunctuation(byte)
        }
    }

    // MARK: - Output

    /// Writes a placeholder. Data in a row, as in a list, becomes one.
    mutating func mask() {
        var end = out.count
        while end > 0, MessageWords.joins.contains(out[end - 1]) { end -= 1 }
        if end < out.count, out[..<end].suffix(4).elementsEqual(MessageWords.joiningWord) {
            end -= 4
            while end > 0, MessageWords.joins.contains(out[end - 1]) { end -= 1 }
        }
        if end < out.count { end = entryBetweenData(before: end) ?? end }
        if out[..<end].suffix(3).elementsEqual(MessageWords.placeholder) {
            out.removeSubrange(end...)
            forgetSeparators(from: end)
        } else {
            out += MessageWords.placeholder
        }
        isAnnounced = false
    }

    var endsWithMask: Bool {
        out.last == 0x20 && out.dropLast().suffix(3).elementsEqual(MessageWords.placeholder)
    }

    mutating func write(word: ArraySlice<UInt8>) {
        if MessageWords.isOfNumber(word), endsWithMask || isNumberNext { return mask() }
        // `1 result` and `2 results` are one template.
        let isPlural = endsWithMask && word.count > 3 && word.last == UInt8(ascii: "s")
        out += isPlural ? word.dropLast() : word
        words.append(ArraySlice(word.map(\.lowercased)))
        if words.count > 3 { words.removeFirst() }
        (isAnnounced, behindColon) = (true, false)
    }

    /// Whether a number, or another word of a date, follows.
    var isNumberNext: Bool {
        let rest = text[at...].drop { $0 == 0x20 || $0 == UInt8(ascii: ",") }
        return rest.first?.isDigit == true || MessageWords.isOfDate(rest.prefix { $0.isLetter })
    }

    // MARK: - Spaces and punctuation

    mutating func takeSpace() {
        if let last = out.last, last != 0x20 { out.append(0x20) }
        at += 1
    }

    /// Skips a terminal's control sequence, as in `ESC[31m`.
    mutating func takeEscape() {
        at += 1
        guard at < text.endIndex, text[at] == UInt8(ascii: "[") else { return }
        at += 1
        while at < text.endIndex, !text[at].isLetter { at += 1 }
        if at < text.endIndex { at += 1 }
    }

    mutating func takePunctuation(_ byte: UInt8) {
        // A list may be empty: `[]`, `RequestID: , HostID: 7`.
        if byte == UInt8(ascii: "]"), out.last == UInt8(ascii: "[") { mask() }
        if byte == UInt8(ascii: ","), behindColon, out.last == 0x20, let word = words.last, MessageWords.isIdentifierKey(word) { mask() }
        // `(5,)` and `(5, 6)` are both lists.
        if byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]"), out.last == UInt8(ascii: ","),
            out.dropLast().suffix(3).elementsEqual(MessageWords.placeholder)
        {
            out.removeLast()
        }
        if byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") { endEntry() }
        if byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]") { endLevel() }
        out.append(byte)
        at += 1
        switch byte {
        case UInt8(ascii: ":"): behindColon = true
        case UInt8(ascii: "("), UInt8(ascii: "["): levels.append(Level(start: out.count))
        case UInt8(ascii: "#"), UInt8(ascii: "<"): break
        default: isAnnounced = false
        }
    }
}
