// SPDX-License-Identifier: Apache-2.0

import Platform

/// One word of a message. Addresses, URLs and identifiers become placeholders as a whole; in other words only the numbers do.
///
///     0xfeedbeef  →  <n>        https://shop.example/a?b=1:  →  <url>:        [0  →  [<n>
enum MessageWord {
    static func write(_ word: ArraySlice<UInt8>, to pattern: inout [UInt8]) {
        let inner = trimmed(word)
        guard let placeholder = placeholder(inner) else { return writePieces(word, to: &pattern) }
        pattern += word[..<inner.startIndex]
        pattern += placeholder.utf8
        pattern += word[inner.endIndex...]
    }

    /// Returns the word without surrounding punctuation.
    private static func trimmed(_ word: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var inner = word
        while let first = inner.first, !first.isWord, first != UInt8(ascii: ":") { inner = inner.dropFirst() }
        while let last = inner.last, !last.isWord, last != UInt8(ascii: "/") { inner = inner.dropLast() }
        return inner
    }

    private static func placeholder(_ word: ArraySlice<UInt8>) -> String? {
        if isURL(word) { return "<url>" }
        if isEmail(word) { return "<email>" }
        if isUUID(word) { return "<uuid>" }
        if isDate(word) { return "<date>" }
        if isAddress(word) { return "<ip>" }
        return nil
    }

    private static func isURL(_ word: ArraySlice<UInt8>) -> Bool {
        guard let colon = word.firstIndex(of: UInt8(ascii: ":")), colon > word.startIndex else { return false }
        return word[colon...].starts(with: "://".utf8) && word[..<colon].allSatisfy { $0.isLetter || $0.isDigit }
    }

    private static func isEmail(_ word: ArraySlice<UInt8>) -> Bool {
        guard let at = word.firstIndex(of: UInt8(ascii: "@")), at > word.startIndex, let dot = word[at...].lastIndex(of: UInt8(ascii: ".")) else {
            return false
        }
        return dot > at + 1 && dot < word.endIndex - 1 && word[(dot + 1)...].allSatisfy(\.isLetter)
    }

    private static func isUUID(_ word: ArraySlice<UInt8>) -> Bool {
        guard word.count == 36 else { return false }
        return word.enumerated().allSatisfy { i, byte in [8, 13, 18, 23].contains(i) ? byte == UInt8(ascii: "-") : byte.isHexDigit }
    }

    /// Whether the word is `2019-04-17`, with or without a time, or a time alone.
    private static func isDate(_ word: ArraySlice<UInt8>) -> Bool {
        let shape = word.prefix(10).map { $0.isDigit ? UInt8(ascii: "0") : $0 }
        if shape.elementsEqual("0000-00-00".utf8) || shape.elementsEqual("0000/00/00".utf8) || shape.elementsEqual("00/00/0000".utf8) { return true }
        return word.count >= 5 && shape.starts(with: "00:00".utf8)
            && word.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
    }

    /// Whether the word is an IPv4 or IPv6 address, with or without a port.
    private static func isAddress(_ word: ArraySlice<UInt8>) -> Bool {
        let host = word.prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
        if host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(\.count).allSatisfy({ (1...3).contains($0) }),
            host.count(where: { $0 == UInt8(ascii: ".") }) == 3
        {
            return word[host.endIndex...].allSatisfy { $0.isDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
        }
        return word.count(where: { $0 == UInt8(ascii: ":") }) >= 2 && word.allSatisfy { $0.isHexDigit || $0 == UInt8(ascii: ":") }
    }

    // MARK: - Pieces

    /// Replaces the numbers, hashes and identifiers inside a word.
    private static func writePieces(_ word: ArraySlice<UInt8>, to pattern: inout [UInt8]) {
        var rest = word
        while let first = rest.first {
            let piece = rest.prefix(while: \.isWord)
            if piece.isEmpty {
                if let value = assigned(rest) {
                    pattern += "=<value>".utf8
                    rest = rest[value.endIndex...]
                } else {
                    pattern.append(first)
                    rest = rest.dropFirst()
                }
                continue
            }
            rest = rest[piece.endIndex...]
            guard isNumber(piece) else {
                pattern += isIdentifier(piece) ? ArraySlice("<id>".utf8) : piece
                continue
            }
            takeSign(&pattern)
            rest = behindFraction(rest)
            pattern += "<n>".utf8
        }
    }

    /// Returns the end of an assigned value: quoted text, `true` or `false` after `=`, as in `name='x'`.
    private static func assigned(_ rest: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard rest.first == UInt8(ascii: "="), let next = rest.dropFirst().first else { return nil }
        if next == UInt8(ascii: "'") || next == UInt8(ascii: "\"") {
            guard let end = rest.dropFirst(2).firstIndex(of: next) else { return nil }
            return rest[...end]
        }
        let word = rest.dropFirst().prefix(while: \.isWord)
        return ["true", "false"].contains(String(decoding: word.map(\.lowercased), as: UTF8.self)) ? rest[..<word.endIndex] : nil
    }

    /// Whether the piece is digits with an optional unit of time, or hexadecimal after `0x`.
    private static func isNumber(_ piece: ArraySlice<UInt8>) -> Bool {
        let unit = piece.drop(while: \.isDigit)
        if unit.isEmpty { return true }
        guard unit.startIndex > piece.startIndex else { return false }
        if piece.count > 2, piece.first == UInt8(ascii: "0"), unit.first.map(\.lowercased) == UInt8(ascii: "x") {
            return unit.dropFirst().allSatisfy(\.isHexDigit)
        }
        return ["ms", "s", "m", "h", "d", "ns", "us", "min", "sec", "kb", "mb", "gb", "b"].contains(
            String(decoding: unit.map(\.lowercased), as: UTF8.self))
    }

    /// Whether the piece is a hash or another mixture of letters and digits that is unlikely to be a name.
    private static func isIdentifier(_ piece: ArraySlice<UInt8>) -> Bool {
        let digits = piece.count(where: \.isDigit)
        guard digits > 0 else { return false }
        return piece.count >= 8 && piece.allSatisfy(\.isHexDigit)
            || piece.count >= 16 && digits >= 3 && piece.allSatisfy { $0.isLetter || $0.isDigit }
    }

    /// Consumes a dash in front of a number as its sign, unless it joins two words.
    private static func takeSign(_ pattern: inout [UInt8]) {
        guard pattern.last == UInt8(ascii: "-"), let before = pattern.dropLast().last, !before.isWord, before != UInt8(ascii: ">") else { return }
        pattern.removeLast()
    }

    private static func behindFraction(_ rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard rest.first == UInt8(ascii: "."), case let digits = rest.dropFirst().prefix(while: \.isWord), !digits.isEmpty, isNumber(digits) else {
            return rest
        }
        return rest[digits.endIndex...]
    }
}
