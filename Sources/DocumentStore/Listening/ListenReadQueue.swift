// SPDX-License-Identifier: Apache-2.0

import Listening
import Platform
import Synchronization

/// The reads that wait for a reader, in order. There is at most one for each target of a stream, so the limits of these bound the queue.
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

    private struct State {
        var waiting: [Waiting] = []
        /// The place of the first that has not been taken.
        var first = 0
        var readers: [CheckedContinuation<Group?, Never>] = []
        var isOver = false

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

    /// The reads among which those of a group are looked for.
    private static let together = 500

    private let state = Mutex(State())

    func add(_ read: ListenRead, _ app: AppID) {
        let reader = state.withLock { state -> CheckedContinuation<Group?, Never>? in
            if let reader = state.readers.popLast() { return reader }
            if !state.isOver { state.waiting.append(Waiting(read, app)) }
            return nil
        }
        reader?.resume(returning: Group(app: app, reads: [read]))
    }

    /// Returns the next reads; nil after `end`.
    func next() async -> Group? {
        await withCheckedContinuation { continuation in
            let next: Group?? = state.withLock { state in
                if state.isOver { return .some(nil) }
                if let group = state.take() { return group }
                state.readers.append(continuation)
                return nil
            }
            if let next { continuation.resume(returning: next) }
        }
    }

    func end() {
        let readers = state.withLock { state in
            state.isOver = true
            defer { (state.waiting, state.first, state.readers) = ([], 0, []) }
            return state.readers
        }
        for reader in readers { reader.resume(returning: nil) }
    }
}
