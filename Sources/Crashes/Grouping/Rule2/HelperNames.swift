// SPDX-License-Identifier: Apache-2.0

import Platform

/// Names of functions that check or run something for their caller. They belong to rule 2: a change here changes stored groups.
enum HelperNames {
    /// Whether the last part of a name, up to its first capital letter or underscore, is such a word: `Shop.Cart.requireItem` → `require`.
    static func contains(_ name: ArraySlice<UInt8>) -> Bool {
        let end = name.lastIndex { !$0.isWord }.map { $0 + 1 } ?? name.startIndex
        let last = name[end...].drop { $0 == UInt8(ascii: "_") }
        guard let first = last.first else { return false }
        let word = [first.lowercased] + last.dropFirst().prefix { $0.isLetter && $0 >= 0x60 }
        return words.contains(word[...])
    }

    private static let words = WordList([
        "assert", "require", "ensure", "expect", "invariant", "fail", "throw", "raise", "panic", "die", "abort", "unwrap", "must", "with",
        "retry",
        "timeout", "reject", "fatal", "enforce", "precondition", "bail", "report", "rethrow", "notify", "error", "capture", "log", "warn",
        "not", "reducer",
    ])
}
