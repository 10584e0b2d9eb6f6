// SPDX-License-Identifier: Apache-2.0

/// Requests of concurrent clients and their answers, checked against a single copy of the documents.
///
/// The commits are applied to dictionaries in the order of their stamps. The history is strictly serializable if every answer is the one of
/// this order, and the order has no commit before one that was answered before it was sent.
struct DocumentHistory: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// A document of a program: a number, and the stamp of its last change.
    struct Document: Sendable, Equatable {
        var n: Int
        var version: Int
        var created: Int
    }

    typealias State = [String: Document]

    enum Write: Sendable {
        case set(String, Int)
        case add(String, Int)
        case delete(String)

        var path: String {
            switch self {
            case .set(let path, _), .add(let path, _), .delete(let path): path
            }
        }

        var json: String {
            switch self {
            case .set(let path, let n): #"{"set": "\#(path)", "fields": {"n": \#(n)}}"#
            case .add(let path, let n): #"{"set": "\#(path)", "fields": {"n": {"$increment": \#(n)}}, "merge": true}"#
            case .delete(let path): #"{"delete": "\#(path)"}"#
            }
        }

        /// - Parameter before: The state before the commit. A document that is at the end as it was then keeps its version.
        func apply(to state: inout State, at stamp: Int, before: State) {
            let old = state[path]
            let n: Int
            switch self {
            case .set(_, let value): n = value
            case .add(_, let value): n = (old?.n ?? 0) + value
            case .delete:
                state[path] = nil
                return
            }
            if let first = before[path], first.n == n, first.created == old?.created {
                state[path] = first
            } else if old?.n != n {
                state[path] = Document(n: n, version: stamp, created: old?.created ?? stamp)
            }
        }
    }

    /// The result of a read: the versions of documents, 0 for none, or the documents whose number is at least a bound.
    struct Reading: Sendable {
        var versions: [String: Int] = [:]
        var bound: Int?
        var found: [String: Int] = [:]

        func holds(in state: State) -> Bool {
            guard versions.allSatisfy({ (state[$0]?.version ?? 0) == $1 }) else { return false }
            guard let bound else { return true }
            return state.filter { $1.n >= bound }.mapValues(\.version) == found
        }
    }

    struct Commit: Sendable {
        var stamp = 0
        let began: Instant
        var ended: Instant
        let writes: [Write]
        let reading: Reading
    }

    struct Read: Sendable {
        let stamp: Int
        let began: Instant
        let reading: Reading
    }

    /// The results of a listener's targets after a change.
    struct Snapshot: Sendable {
        let stamp: Int
        let results: [Int: [String: Int]]
    }

    var commits: [Commit] = []
    /// Reads of the newest state.
    var reads: [Read] = []
    /// Reads of an earlier state.
    var pastReads: [Read] = []
    var snapshots: [Snapshot] = []
    var problems: [String] = []

    mutating func add(_ other: DocumentHistory) {
        commits += other.commits
        reads += other.reads
        pastReads += other.pastReads
        snapshots += other.snapshots
        problems += other.problems
    }
}

/// The states of a history, in the order of stamps.
struct DocumentReplay {
    private(set) var states: [(stamp: Int, state: DocumentHistory.State)] = [(0, [:])]
    private(set) var problems: [String]

    /// Applies the commits, and checks what each of them had read.
    init(_ history: DocumentHistory) {
        problems = history.problems
        for commit in history.commits.sorted(by: { $0.stamp < $1.stamp }) {
            var state = now
            if commit.stamp <= states[states.count - 1].stamp { problems.append("two commits have the stamp \(commit.stamp)") }
            if !commit.reading.holds(in: state) { problems.append("what the commit at \(commit.stamp) read was another then: \(commit.reading)") }
            let before = state
            for write in commit.writes { write.apply(to: &state, at: commit.stamp, before: before) }
            states.append((commit.stamp, state))
        }
        checkOrder(of: history.commits)
        check(history.reads, after: history.commits)
        for read in history.pastReads { check(read) }
    }

    var now: DocumentHistory.State { states[states.count - 1].state }

    func state(at stamp: Int) -> DocumentHistory.State {
        var (low, high) = (0, states.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if states[middle].stamp <= stamp { low = middle } else { high = middle }
        }
        return states[low].state
    }

    /// Checks that no commit was answered before one with a lower stamp was sent.
    private mutating func checkOrder(of commits: [DocumentHistory.Commit]) {
        var firstEnd: DocumentHistory.Instant?
        for commit in commits.sorted(by: { $0.stamp > $1.stamp }) {
            if let firstEnd, firstEnd < commit.began { problems.append("the commit at \(commit.stamp) is before one that was answered already") }
            firstEnd = min(firstEnd ?? commit.ended, commit.ended)
        }
    }

    /// Checks reads, which see every commit that was answered before they were sent.
    private mutating func check(_ reads: [DocumentHistory.Read], after commits: [DocumentHistory.Commit]) {
        let ended = commits.sorted { $0.ended < $1.ended }
        var (place, newest) = (0, 0)
        for read in reads.sorted(by: { $0.began < $1.began }) {
            while place < ended.count, ended[place].ended < read.began {
                newest = max(newest, ended[place].stamp)
                place += 1
            }
            if read.stamp < newest { problems.append("a read at \(read.stamp) was sent after the answer of \(newest)") }
            check(read)
        }
    }

    private mutating func check(_ read: DocumentHistory.Read) {
        if !read.reading.holds(in: state(at: read.stamp)) { problems.append("a read at \(read.stamp) saw another state: \(read.reading)") }
    }
}
