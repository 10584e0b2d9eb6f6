// SPDX-License-Identifier: Apache-2.0

import Platform

/// The newest commits, for those who watch: as many as fit into so many bytes, and always the last one.
struct TailRing: Sendable {
    /// Where a watcher stands.
    struct Place: Sendable, Equatable {
        /// The last number it was told of.
        var seq: Int64
        /// How many of its app's records had ever been in the ring up to that; nil while it still reads from the disk.
        var seen: Int?
    }

    enum Step: Sendable {
        case commit(TailCommit)
        /// The watcher was too slow: so many of its app's records have gone by, up to a number.
        case gap(missed: Int, after: Int64)
        /// What comes next is older than the ring: it is on the disk, up to a number.
        case stored(through: Int64)
        case nothing
    }

    private let capacity: Int
    private var commits: [TailCommit] = []
    private var bytes = 0
    /// Everything after this number is here …
    private var start: Int64
    /// … up to this one.
    private(set) var last: Int64
    private var added: [AppID: Int] = [:]
    private var dropped: [AppID: Int] = [:]

    init(bytes capacity: Int, after seq: Int64) {
        self.capacity = capacity
        start = seq
        last = seq
    }

    mutating func append(_ commit: TailCommit) {
        commits.append(commit)
        bytes += commit.bytes
        last = commit.lastSeq
        for (app, count) in commit.counts { added[app, default: 0] += count }
        while bytes > capacity, commits.count > 1 { dropFirst() }
    }

    private mutating func dropFirst() {
        let commit = commits.removeFirst()
        bytes -= commit.bytes
        start = commit.lastSeq
        for (app, count) in commit.counts { dropped[app, default: 0] += count }
    }

    /// Lets go of what it holds; who had not seen it yet hears of a gap.
    mutating func forget() {
        while !commits.isEmpty { dropFirst() }
    }

    /// Holds nothing, for as long as nobody watches.
    mutating func empty(after seq: Int64) {
        self = TailRing(bytes: capacity, after: seq)
    }

    /// What comes after a watcher's place; moves the place where that is known at once.
    func next(for app: AppID, _ place: inout Place) -> Step {
        if let seen = place.seen, dropped[app] ?? 0 > seen {
            let all = added[app] ?? 0
            place = Place(seq: last, seen: all)
            return .gap(missed: all - seen, after: last)
        }
        if place.seen == nil, place.seq < start { return .stored(through: start) }
        let ahead = commits[(commits.firstIndex { $0.lastSeq > place.seq } ?? commits.endIndex)...]
        let seen = place.seen ?? (added[app] ?? 0) - ahead.reduce(0) { $0 + ($1.counts[app] ?? 0) }
        guard let commit = ahead.first(where: { $0.counts[app] != nil }) else {
            place.seen = seen
            return .nothing
        }
        place.seen = seen + (commit.counts[app] ?? 0)
        return .commit(commit)
    }
}
