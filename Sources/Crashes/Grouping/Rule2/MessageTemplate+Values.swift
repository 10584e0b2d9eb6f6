// SPDX-License-Identifier: Apache-2.0

import Platform

/// Quotations, objects, brackets and assigned values.
extension MessageTemplate {
    /// Returns the end of the quotation that begins here. An apostrophe inside a word begins none.
    func quoteEnd() -> Int? {
        let quote = text[at]
        if at > text.startIndex, text[at - 1].isLetter || text[at - 1].isDigit { return nil }
        if let end = structureEnd() { return end }
        return text[(at + 1)...].prefix(MessageTemplate.longestQuote).indices.first { i in
            text[i] == quote && !(quote == UInt8(ascii: "'") && i + 1 < text.endIndex && (text[i + 1].isLetter || text[i + 1].isDigit))
        }
    }

    /// Returns the end of a quoted structure with quotations of its own: `'{'id': None}'`, `"[\"a\"]"`.
    private func structureEnd() -> Int? {
        guard let open = text[(at + 1)...].first, let close = MessageWords.closing(open) else { return nil }
        var depth = 0
        for i in text[(at + 1)...].prefix(MessageTemplate.longestQuote).indices {
            if text[i] == open { depth += 1 }
            if text[i] == close { depth -= 1 }
            if depth == 0 { return i + 1 < text.endIndex && text[i + 1] == text[at] ? i + 1 : nil }
        }
        return nil
    }

    mutating func takeQuoted(_ end: Int) {
        let (quote, inside) = (text[at], text[(at + 1)..<end])
        let isData =
            behindColon && !MessageWords.isSentence(inside)
            || MessageWords.rejects(text[(end + 1)...]) || isBeforeAddress(end + 1)
            || isAnnounced
                && (MessageWords.announces(words)
                    || words.suffix(2).contains { $0.suffix(4).elementsEqual("host".utf8) || $0.elementsEqual("server".utf8) })
        if !isData, MessageWords.isSentence(inside) {
            // The quotation is a message itself. Its own quotation marks are read on their own.
            at += 1
            return out.append(quote)
        }
        at = end + 1
        if isData || !MessageWords.isFixed(inside) { return mask() }
        out.append(quote)
        out += inside
        out.append(quote)
        words.append(inside)
        isAnnounced = true
    }

    /// Whether an address in angle brackets is next: the quotation in `"Ana" <ana@example.com>` is a name.
    private func isBeforeAddress(_ start: Int) -> Bool {
        let rest = text[start...].drop { $0 == 0x20 }.prefix(MessageTemplate.longestAddress)
        guard rest.first == UInt8(ascii: "<"), let close = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
        return MessageWords.isAddress(text[(rest.startIndex + 1)..<close])
    }

    mutating func takeBraces() {
        var (depth, end) = (0, at)
        while end < text.endIndex {
            if text[end] == UInt8(ascii: "{") { depth += 1 }
            if text[end] == UInt8(ascii: "}") { depth -= 1 }
            end += 1
            if depth == 0 { break }
        }
        at = end
        while let last = out.last, last == UInt8(ascii: "%") || last == UInt8(ascii: "$") || last == UInt8(ascii: "#") { out.removeLast() }
        mask()
    }

    /// Takes `$.items[17].name`, a place in a JSON document.
    mutating func takePlaceInDocument() {
        while at < text.endIndex, !text[at].isSpace, !MessageWords.endOfPlace.contains(text[at]) { at += 1 }
        mask()
    }

    /// Takes an address in brackets with its port, as in `[::1]:5432`. Other brackets are punctuation.
    mutating func takeBracket() {
        if isAnnounced, MessageWords.announces(words), let end = text[at...].prefix(128).firstIndex(of: UInt8(ascii: "]")) {
            at = end + 1
            return mask()
        }
        guard let end = endOfBracketedAddress() else { return takePunctuation(UInt8(ascii: "[")) }
        at = end
        mask()
    }

    /// Takes the arguments of a call, as in `open(/tmp/a b)`. Other parentheses are punctuation.
    mutating func takeParenthesis() {
        // `process 7 (java)` names the same thing twice.
        if endsWithMask, MessageWords.announces(words), let end = text[at...].prefix(64).firstIndex(of: UInt8(ascii: ")")),
            !text[at..<end].contains(0x20)
        {
            at = end + 1
            return mask()
        }
        // `bucket (logs)` names it as `bucket logs` does.
        if isAnnounced, out.last == 0x20, let word = words.last, MessageWords.announcesBareName(word),
            let end = text[at...].prefix(64).firstIndex(of: UInt8(ascii: ")")), end > at + 1, !text[at..<end].contains(0x20)
        {
            return takeInside(to: end)
        }
        guard out.last?.isWord == true, let close = text[at...].prefix(MessageTemplate.longestQuote).firstIndex(of: UInt8(ascii: ")")),
            case let inside = text[(at + 1)..<close], inside.contains(where: MessageWords.insideArguments.contains), !MessageWords.isSentence(inside)
        else { return takePunctuation(UInt8(ascii: "(")) }
        takeInside(to: close)
    }

    /// Writes a parenthesis with a placeholder, up to its end.
    private mutating func takeInside(to close: Int) {
        out.append(UInt8(ascii: "("))
        levels.append(Level(start: out.count))
        mask()
        at = close
    }

    /// Takes an address or an absent value in angle brackets: `Ana <ana@example.com>`, `<NULL>`.
    mutating func takeAngle() {
        guard let end = text[at...].prefix(MessageTemplate.longestAddress).firstIndex(of: UInt8(ascii: ">")),
            MessageWords.isAddress(text[(at + 1)..<end])
        else { return takePunctuation(UInt8(ascii: "<")) }
        at = end + 1
        mask()
    }

    /// Takes `=value`. Some keys, such as `code`, have values that identify the message.
    mutating func takeAssigned() {
        at += 1
        let isEmpty = at == text.endIndex || text[at].isSpace || text[at] == UInt8(ascii: "=") || MessageWords.endOfValue.contains(text[at])
        // Encoded data ends in `=` or `==`.
        if isEmpty, out.suffix(3).elementsEqual(MessageWords.placeholder) { return }
        let isField = out.last?.isWord == true
        out.append(UInt8(ascii: "="))
        // The value of a field may be empty: `name= age=3`.
        if isEmpty, isField, at == text.endIndex || MessageWords.behindEmptyValue.contains(text[at]) { return mask() }
        if isEmpty || text[at] == UInt8(ascii: "{") { return }
        if let key = words.last, MessageWords.identifyingKeys.contains(key) { return }
        if MessageWords.quotes.contains(text[at]), let end = text[(at + 1)...].firstIndex(of: text[at]) {
            at = end + 1
        } else if text[at] == UInt8(ascii: "[") {
            at = text[at...].firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 } ?? text.endIndex
            while at < text.endIndex, text[at].isDigit || text[at] == UInt8(ascii: ":") && at + 1 < text.endIndex && text[at + 1].isDigit { at += 1 }
        } else if text[at] == UInt8(ascii: "(") {
            at = text[at...].firstIndex(of: UInt8(ascii: ")")).map { $0 + 1 } ?? text.endIndex
        } else {
            while at < text.endIndex, !text[at].isSpace, !MessageWords.endOfValue.contains(text[at]) { at += 1 }
        }
        mask()
    }
}
