// SPDX-License-Identifier: Apache-2.0

import Platform

/// Recognizes dates that consist of several words: `Wed Apr 17 22:31:45 2019`, `17 April 2019 10:00 UTC`.
enum MessageDate {
    private static let names = Set([
        "mon", "tue", "wed", "thu", "fri", "sat", "sun", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ])
    private static let zones = Set(["utc", "gmt", "am", "pm", "z"])

    /// Whether a date begins at the word. The name of a day or month counts only next to a number or another such name, since `may` and
    /// `sun` are words too.
    static func begins(_ word: ArraySlice<UInt8>, _ rest: ArraySlice<UInt8>) -> Bool {
        guard let next = firstWord(of: rest) else { return false }
        return isName(word) && (isName(next) || isNumber(next)) || isNumber(word) && isName(next)
    }

    static func end(of rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = rest
        while let word = firstWord(of: rest), isName(word) || isNumber(word) || zones.contains(text(word)) { rest = rest[word.endIndex...] }
        return rest
    }

    private static func firstWord(of rest: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let word = rest.drop(while: \.isSpace).prefix { !$0.isSpace }
        return word.isEmpty ? nil : word
    }

    private static func isName(_ word: ArraySlice<UInt8>) -> Bool {
        guard (3...10).contains(word.count), word.dropLast().allSatisfy(\.isLetter) else { return false }
        return names.contains(text(word.prefix(3)))
    }

    /// Whether the word is a number as in dates: digits, colons and dashes, with an optional comma at the end.
    private static func isNumber(_ word: ArraySlice<UInt8>) -> Bool {
        guard word.count <= 20, word.contains(where: \.isDigit) else { return false }
        return word.allSatisfy {
            $0.isDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: ",")
                || $0 == UInt8(ascii: ".")
        }
    }

    private static func text(_ word: ArraySlice<UInt8>) -> String {
        String(decoding: word.map(\.lowercased), as: UTF8.self)
    }
}
