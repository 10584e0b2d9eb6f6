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

    mutating func write(_ token: ArraySlice<UInt8>) {
        if isURL(token) || MessageWords.isData(token) || isAnnouncedData(token) { return mask() }
        guard token.contains(where: \.isDigit) else { return write(word: token) }
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
        let isName = MessageWords.announcesBareName(word) || behindColon && MessageWords.isIdentifierKey(word)
        return isName && !MessageWords.common.contains(lowercased: token)
    }
}
