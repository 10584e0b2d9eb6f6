// SPDX-License-Identifier: Apache-2.0

import Platform

/// The newest commits, for tails: as many as fit into a number of bytes, and always the last one.
///
/// A reader counts the app's records that it has passed (`seen`). If more have been dropped from the ring, it has missed some:
///
///     append commits 1…10, 11…20       added 20, dropped 0; a reader has read the first: seen 10
///     append 21…30; 1…20 are dropped   added 30, dropped 20
///     next                             20 > 10: gap, missed 30 - 10 = 20, after 30
struct TailRing: Sendable {
    /// The position of a reader.
    struct Place: Sendable, Equatable {
        /// The last number that was read.
        var seq: Int64
        /// The number of the app's records that were ever in the ring up to `seq`; nil while the reader reads from files.
        var seen: Int?
    }

    enum Step: Sendable {
        case commit(TailCommit)
        /// The reader was too slow: records of its app were skipped, up to a number.
        case gap(missed: Int, after: Int64)
        /// The next records are older than the ring and must be read from files, up to a number.
        case stored(through: Int64)
        case nothing
    }

    private let capacity: Int
    private var commits: [TailCommit] = []
    private var bytes = 0
    /// The number before the first record in the ring.
    private var start: Int64
    /// The number of the last commit's last record.
    private(set) var last: Int64
    private var added: [AppID: Int] = [:]
    private var dropped: [AppID: Int] = [:]

    init(bytes capacity: Int, after seq: Int64) {
        self.capacity = capacity
        start = seq
        last = seq
    }

    mutating func append(_ commit: TailCommit) {
        assert(commit.firstSeq > last, "commits must be appended in the order of their numbers")
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

    /// Drops all commits.
    ///
    /// A reader that has not read them gets a gap.
    mutating func forget() {
        while !commits.isEmpty { dropFirst() }
    }

    /// Empties the ring without a gap, while there are no readers.
    mutating func empty(after seq: Int64) {
        self = TailRing(bytes: capacity, after: seq)
    }

    /// Returns the next step of a reader.
    ///
    /// Moves its position if that is known at once.
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
