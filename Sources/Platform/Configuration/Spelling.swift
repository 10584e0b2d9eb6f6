// SPDX-License-Identifier: Apache-2.0

/// Suggests the nearest known word for a misspelled one.
package enum Spelling {
    /// Returns the candidate with the fewest edits, if they are few enough for a typo; of several the first in alphabetical order.
    package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        // A very long word is not a typo, and comparing it would be slow.
        guard word.count <= 100 else { return nil }
        let ranked = candidates.map { (word: $0, edits: edits(from: word, to: $0)) }
        let best = ranked.min { ($0.edits, $0.word) < ($1.edits, $1.word) }
        return best.flatMap { $0.edits <= max(2, $0.word.count / 3) ? $0.word : nil }
    }

    /// Returns the number of insertions, deletions, replacements and swaps of neighbours.
    package static func edits(from a: String, to b: String) -> Int {
        let a = Array(a.lowercased())
        let b = Array(b.lowercased())
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in 1...a.count {
            var row = [i]
            for j in 1...b.count {
                var cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { cost = min(cost, beforeLast[j - 2] + 1) }
                row.append(cost)
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
