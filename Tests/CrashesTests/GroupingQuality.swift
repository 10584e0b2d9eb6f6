// SPDX-License-Identifier: Apache-2.0

/// How well a rule tells labelled reports apart, counted in pairs.
struct GroupingQuality: CustomStringConvertible {
    private(set) var split: [(String, String)] = []
    private(set) var merged: [(String, String)] = []
    private(set) var samePairs = 0
    private(set) var otherPairs = 0

    /// Of each report its name, what it ought to be with, and what the rule said.
    init(_ reports: [(name: String, label: String, hash: [UInt8])]) {
        for (i, a) in reports.enumerated() {
            for b in reports[(i + 1)...] {
                let isSame = a.label == b.label
                samePairs += isSame ? 1 : 0
                otherPairs += isSame ? 0 : 1
                if isSame, a.hash != b.hash { split.append((a.name, b.name)) }
                if !isSame, a.hash == b.hash { merged.append((a.name, b.name)) }
            }
        }
    }

    var description: String {
        "\(split.count) of \(samePairs) pairs of one group split, \(merged.count) of \(otherPairs) other pairs merged"
    }
}
