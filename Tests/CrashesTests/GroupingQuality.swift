// SPDX-License-Identifier: Apache-2.0

/// The quality of a grouping rule on labelled reports, counted in pairs.
struct GroupingQuality: CustomStringConvertible {
    private(set) var split: [(String, String)] = []
    private(set) var merged: [(String, String)] = []
    private(set) var samePairs = 0
    private(set) var otherPairs = 0

    /// The name, the label and the hash of each report.
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
