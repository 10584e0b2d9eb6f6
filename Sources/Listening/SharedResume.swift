// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// One pass over the log of changes for many targets that resume, each from a commit of its own.
///
///     log            10: m1 room b → c     11: m2 (none) → room a     12: m1 room c → a
///     room a, 9      m1 b → a, m2 none → a
///     room b, 9      m1 b → a
///     room b, 10     nothing: at 10 m1 was in c
///     room c, 10     m1 c → a
package struct SharedResume {
    private var index = ListenIndex()
    private let since: [Int64]
    private var found: [[DocumentChange]]
    /// The stamp of the last change of each document in the pass.
    private var lastChanges: [DocumentPath: Int64] = [:]

    /// - Parameter reads: Of changes, in the same collections.
    package init(_ reads: [ListenRead]) {
        since = reads.map { read in
            if case .changes(let since) = read.what { since } else { Int64.max }
        }
        found = Array(repeating: [], count: reads.count)
        for (place, read) in reads.enumerated() { index.insert(read.target, as: ListenEntry.ID(number: place)) }
    }

    /// The commit after which the pass begins.
    package var start: Int64 { since.min() ?? .max }

    /// Takes a row of the log, in the order of stamps: the document before that commit, and now.
    package mutating func add(_ change: DocumentChange, at stamp: Int64) {
        let previous = lastChanges.updateValue(stamp, forKey: change.path) ?? .min
        for entry in index.candidates(change) where since[entry.number] < stamp && previous <= since[entry.number] {
            found[entry.number].append(change)
        }
    }

    /// The net changes of documents that each target may be about, in the order of the reads.
    package var changes: [[DocumentChange]] { found }
}
