// SPDX-License-Identifier: Apache-2.0

import Platform

/// Words, paths, addresses and numbers.
extension MessageTemplate {
    func isTokenByte(_ byte: UInt8) -> Bool { byte.isWord || MessageWords.insideTokens.contains(byte) }

    mutating func takeToken() {
        let start = at
        while at < text.endIndex, isTokenByte(text[at]) { at += 1 }
        if text[start] == UInt8(ascii: "/") || text[start..<at].contains(UInt8(ascii: ":")) && isURL(text[start..<at]) {
            takeURL()
        }
        if text[start] == UInt8(ascii: "/") || text[(start + 1)...].begins(with: MessageWords.behindDrive) { takeNamesWithBlanks() }
        if text[at - 1] == UInt8(ascii: "@"), let end = endOfBracketedAddress() {
            at = end
            return mask()
        }
        var token = text[start..<at]
        while let last = token.last, MessageWords.behindTokens.contains(last), token.count > 1 || last != UInt8(ascii: "/") {
            token = token.dropLast()
        }
        at = token.endIndex
        if token.isEmpty { return takePunctuation(text[start]) }
        write(token)
    }

    /// Moves behind a URL. A bracket that was not opened in it does not belong to it.
    mutating func takeURL() {
        var (round, square) = (0, 0)
        while at < text.endIndex, !text[at].isSpace, !MessageWords.endOfURL.contains(text[at]) {
            switch text[at] {
            case UInt8(ascii: "("): round += 1
            case UInt8(ascii: ")"): round -= 1
            case UInt8(ascii: "["): square += 1
            case UInt8(ascii: "]"): square -= 1
            default: break
            }
            if round < 0 || square < 0 { return }
            at += 1
        }
    }

    /// Moves behind a path whose last parts contain blanks and end as a file does: `/tmp/Ferien Film 12.mov`.
    private mutating func takeNamesWithBlanks() {
        guard !MessageWords.endOfPath.contains(text[at - 1]) else { return }
        var end = at
        for _ in 0..<MessageTemplate.mostBlanksOfPath where end < text.endIndex && text[end] == 0x20 {
            let word = text[(end + 1)...].prefix { $0.isWord || MessageWords.insidePaths.contains($0) }
            if word.isEmpty || word.first == UInt8(ascii: "/") || MessageWords.common.contains(lowercased: word) { return }
            end = word.endIndex
            if MessageWords.endsAsFile(word) { return at = end }
        }
    }

    /// Returns the end of an address in brackets, and its port, as in `app@[2001:db8::1]:5432`.
    func endOfBracketedAddress() -> Int? {
        guard at < text.endIndex, text[at] == UInt8(ascii: "[") else { return nil }
        let inside = text[(at + 1)...].prefix(64).prefix { $0.isHexDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
        let (colons, dots) = (inside.count { $0 == UInt8(ascii: ":") }, inside.count { $0 == UInt8(ascii: ".") })
        guard colons >= 2 || dots == 3, inside.endIndex < text.endIndex, text[inside.endIndex] == UInt8(ascii: "]") else { return nil }
        var end = inside.endIndex + 1
        while end < text.endIndex, text[end].isDigit || text[end] == UInt8(ascii: ":") && end + 1 < text.endIndex && text[end + 1].isDigit {
            end += 1
        }
        return end
    }

    mutating func write(_ token: ArraySlice<UInt8>) {
        if let end = endOfJoinedList(behind: token) {
            at = end
            return mask()
        }
        let rest = text[token.endIndex...]
        if MessageWords.isUnit(token), rest.begins(with: MessageWords.behindUnit) { return mask() }
        if MessageWords.isOfCode(rest), !token.contains(where: { $0.isDigit || $0 == UInt8(ascii: "/") }) { return write(word: token) }
        if isURL(token) || MessageWords.isData(token) || MessageWords.isAbsent(token) && isWholeValue(token) { return mask() }
        if isAnnouncedData(token) {
            takeVersion()
            return mask()
        }
        if let name = MessageWords.key(ofHost: token) {
            write(word: name)
            out += [UInt8(ascii: ":")] + MessageWords.placeholder
            isAnnounced = false
            return
        }
        guard token.contains(where: \.isDigit) || MessageWords.isIdentity(token) else { return write(word: token) }
        if MessageWords.isFixedNumber(token, behind: words, isBehindColon: behindColon) { return write(word: token) }
        // `Cart.swift:42` and `RequestID:5C` keep what stands before the colon.
        guard let colon = token.firstIndex(of: UInt8(ascii: ":")), case let name = token[..<colon],
            MessageWords.keepsName(name, before: token[colon...])
        else { return mask() }
        write(word: name)
        out.append(UInt8(ascii: ":"))
        mask()
    }

    func isURL(_ token: ArraySlice<UInt8>) -> Bool {
        guard let colon = token.firstIndex(of: UInt8(ascii: ":")), colon > token.startIndex else { return false }
        return text[colon...].starts(with: "://".utf8) && token[..<colon].allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "+") }
    }

    /// Whether the words before announce a name as data: `Topic orders`, `No such container: web`.
    func isAnnouncedData(_ token: ArraySlice<UInt8>) -> Bool {
        guard isAnnounced, let word = words.last else { return false }
        if token.count == 1, MessageWords.announcesLetter(word) { return true }
        let isName = MessageWords.announcesBareName(word) || behindColon && MessageWords.isIdentifierKey(word)
        return isName && !MessageWords.common.contains(lowercased: token)
    }

    /// Moves behind the version that a requirement names: `numpy==9`, `leftpad>=3.1`.
    private mutating func takeVersion() {
        let version = text[at...].drop { MessageWords.comparisons.contains($0) }
        guard version.startIndex > at, version.first?.isDigit == true else { return }
        at = version.drop { $0.isWord || MessageWords.insideVersions.contains($0) }.startIndex
    }

    /// Whether the token is all of a value: from a colon or parenthesis to the end, a separator or the next key.
    ///
    ///     CAfile: none CRLfile: none      (null)      rack: null)
    private func isWholeValue(_ token: ArraySlice<UInt8>) -> Bool {
        guard let before = out.last(where: { $0 != 0x20 }), before == UInt8(ascii: ":") || before == UInt8(ascii: "(") else { return false }
        guard let next = text[token.endIndex...].first else { return true }
        if MessageWords.behindWholeValue.contains(next) { return true }
        let key = text[token.endIndex...].prefix(MessageTemplate.longestKey).dropFirst().prefix(while: \.isWord)
        guard next == 0x20, !key.isEmpty, let mark = text[key.endIndex...].first else { return false }
        return mark == UInt8(ascii: ":") || mark == UInt8(ascii: "=")
    }
}
