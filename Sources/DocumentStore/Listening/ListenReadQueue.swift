// SPDX-License-Identifier: Apache-2.0

import Listening
import Platform
import Synchronization

/// The reads that wait for a reader, in order. There is at most one for each target of a stream, so the limits of these bound the queue.
///
/// Short reads wait in a line of their own, which some readers serve alone, as large results may wait for room.
final class ListenReadQueue: Sendable {
    /// Reads for one reader, of one group.
    struct Group {
        let app: AppID
        var reads: [ListenRead]
    }

    private struct Waiting {
        let read: ListenRead
        let app: AppID
        /// The hash of the app and the group. Most reads that wait are in no group, which must be told fast.
        let hash: Int

        init(_ read: ListenRead, _ app: AppID) {
            (self.read, self.app) = (read, app)
            var hasher = Hasher()
            hasher.combine(app)
            hasher.combine(read.group)
            hash = hasher.finalize()
        }

        func isMade(with other: Waiting) -> Bool { hash == other.hash && app == other.app && read.group == other.read.group }
    }

    private struct Line {
        var waiting: [Waiting] = []
        /// The place of the first that has not been taken.
        var first = 0

        /// Takes the first read, with those that are made together with it.
        mutating func take() -> Group? {
            guard first < waiting.count else { return nil }
            let next = waiting[first]
            let near = first + 1..<min(first + ListenReadQueue.together, waiting.count)
            var group = Group(app: next.app, reads: [next.read])
            if waiting[near].contains(where: { $0.hash == next.hash }) {
                group.reads += waiting[near].filter(next.isMade(with:)).map(\.read)
                let others = waiting[near].filter { !next.isMade(with: $0) }
                waiting.replaceSubrange(near.upperBound - others.count..<near.upperBound, with: others)
            }
            advance(group.reads.count)
            return group
        }

        private mutating func advance(_ count: Int) {
            first += count
            if first > 64, first * 2 > waiting.count {
                waiting.removeFirst(first)
                first = 0
            }
        }
    }

    private typealias Reader = CheckedContinuation<Group?, Never>

    private struct State {
        var short = Line()
        var long = Line()
        /// Readers that serve short reads alone.
        var readersOfShort: [Reader] = []
        var readersOfAny: [Reader] = []
        var isOver = false
    }

    /// The reads among which those of a group are looked for.
    private static let together = 500

    private let state = Mutex(State())

    func add(_ read: ListenRead, _ app: AppID) {
        let reader = state.withLock { state -> Reader? in
            if state.isOver { return nil }
            if read.isShort, let reader = state.readersOfShort.popLast() { return reader }
            if let reader = state.readersOfAny.popLast() { return reader }
            if read.isShort { state.short.waiting.append(Waiting(read, app)) } else { state.long.waiting.append(Waiting(read, app)) }
            return nil
        }
        reader?.resume(returning: Group(app: app, reads: [read]))
    }

    /// Returns the next reads, for a reader of short ones alone or of any; nil after `end`.
    func next(onlyShort: Bool) async -> Group? {
        await withCheckedContinuation { reader in
            let next: Group?? = state.withLock { state in
                if state.isOver { return .some(nil) }
                if !onlyShort, let group = state.long.take() { return group }
                if let group = state.short.take() { return group }
                if onlyShort { state.readersOfShort.append(reader) } else { state.readersOfAny.append(reader) }
                return nil
            }
            if let next { reader.resume(returning: next) }
        }
    }

    func end() {
        let readers = state.withLock { state in
            defer { state = State(isOver: true) }
            return state.readersOfShort + state.readersOfAny
        }
        for reader in readers { reader.resume(returning: nil) }
    }
}
