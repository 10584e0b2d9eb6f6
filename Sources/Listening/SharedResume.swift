// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// One pass over the log of changes for many targets that resume, each from a commit of its own.
///
///     log            10: m1 room b → c     11: m2 (none) → room a     12: m1 room c → a
///     room a, 9      m1 b → a, m2 none → a
///     room b, 9      m1 b → a
///     room b, 10     nothing: at 10 m1 was in c
///     room c, 10     m1 c → a
///
/// The changes that are found take a limited number of bytes. A read that exceeds them alone has no result, and of several reads the last ones
/// are left for another pass.
package struct SharedResume {
    /// The finding of a pass for one read.
    package enum Finding: Equatable {
        /// The net changes of documents that the target may be about.
        case changes([DocumentChange])
        case tooMany
        /// Another pass must find them.
        case left
    }

    private struct Reading {
        let since: Int64
        /// The places of its changes among all that are kept.
        var found: [Int] = []
        var bytes = 0
        var dropped: Finding?
    }

    private struct Kept {
        let change: DocumentChange
        var readers: Int
    }

    private let mostBytes: Int
    private var index = ListenIndex()
    private var readings: [Reading]
    /// Changes that reads have in common are kept once; nil if all of these were dropped.
    private var kept: [Kept?] = []
    private var bytes = 0
    /// The stamp of the last change of each document in the pass.
    private var lastChanges: [DocumentPath: Int64] = [:]

    /// - Parameter reads: Of changes, in the same collections.
    package init(_ reads: [ListenRead], mostBytes: Int) {
        self.mostBytes = mostBytes
        readings = reads.map { read in
            if case .changes(let since) = read.what { Reading(since: since) } else { Reading(since: .max) }
        }
        for (place, read) in reads.enumerated() { index.insert(read.target, as: ListenEntry.ID(number: place)) }
    }

    /// The commit after which the pass begins.
    package var start: Int64 { readings.map(\.since).min() ?? .max }

    /// Takes a row of the log, in the order of stamps: the document before that commit, and now.
    package mutating func add(_ change: DocumentChange, at stamp: Int64) {
        let previous = lastChanges.updateValue(stamp, forKey: change.path) ?? .min
        let readers = index.candidates(change).map(\.number).filter { number in
            let reading = readings[number]
            return reading.dropped == nil && reading.since < stamp && previous <= reading.since
        }
        if readers.isEmpty { return }
        for number in readers {
            readings[number].found.append(kept.count)
            readings[number].bytes += change.bytes
        }
        kept.append(Kept(change: change, readers: readers.count))
        bytes += change.bytes
        for number in readers where readings[number].bytes > mostBytes { drop(number, as: .tooMany) }
        while bytes > mostBytes, let last = readings.lastIndex(where: { !$0.found.isEmpty }) { drop(last, as: .left) }
    }

    /// The findings for all reads, in their order.
    package var findings: [Finding] {
        readings.map { reading in reading.dropped ?? .changes(reading.found.compactMap { kept[$0]?.change }) }
    }

    private mutating func drop(_ number: Int, as finding: Finding) {
        for place in readings[number].found {
            kept[place]?.readers -= 1
            guard let change = kept[place], change.readers == 0 else { continue }
            bytes -= change.change.bytes
            kept[place] = nil
        }
        (readings[number].found, readings[number].bytes, readings[number].dropped) = ([], 0, finding)
    }
}
