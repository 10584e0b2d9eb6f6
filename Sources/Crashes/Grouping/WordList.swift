// SPDX-License-Identifier: Apache-2.0

import Platform

/// Words to find in texts, by their first byte. Most texts differ there from most words.
struct WordList: Sendable {
    private let words: [[[UInt8]]]

    init(_ texts: [String]) {
        var words = [[[UInt8]]](repeating: [], count: 256)
        for text in texts.map({ Array($0.utf8) }) where !text.isEmpty { words[Int(text[0])].append(text) }
        self.words = words
    }

    /// Whether the text begins with a word of the list.
    func begins(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first else { return false }
        return words[Int(first)].contains { text.begins(with: $0) }
    }

    /// Whether the text is a word of the list.
    func contains(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first else { return false }
        return words[Int(first)].contains { $0.count == text.count && text.begins(with: $0) }
    }

    /// Whether the text in lower case is a word of the list.
    func contains(lowercased text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first else { return false }
        return words[Int(first.lowercased)].contains { word in
            guard word.count == text.count else { return false }
            for i in word.indices where text[text.startIndex + i].lowercased != word[i] { return false }
            return true
        }
    }
}
