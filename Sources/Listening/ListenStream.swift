// SPDX-License-Identifier: Apache-2.0

package import SignalboxDocumentModel

/// One client's stream: its targets, and what has not been sent yet.
///
/// Changes that were not sent yet are kept as net changes, so a document takes one place however often it changes. A stream with too many changes,
/// or too many bytes of them, forgets them and catches up from the change log.
struct ListenStream {
    struct Target {
        let entry: ListenEntry.ID
        var state: State
    }

    enum State: Hashable {
        /// Its first result is read once those before it have been sent, so that at most one waits for a slow client.
        case queued
        /// Its first result is being read.
        case reading
        case current
        /// The changes that it missed are being read. The stream waits meanwhile.
        case catchingUp
    }

    let client: ListenClient
    var targets: [Int: Target] = [:]
    /// Targets that were removed as their rows take too much memory, of which the owner of the stream does not know yet.
    private(set) var refused: Set<Int> = []
    /// The stamp up to which all changes were sent.
    var sent: Int64
    private(set) var pending: [Int: [DocumentPath: TargetChange]] = [:]
    /// The changes of commits that have been added since something was sent.
    private(set) var backlog = Backlog()
    /// The bytes of each document among them. A document counts once, however many targets it concerns.
    private var changed: [DocumentPath: Int] = [:]
    /// The bytes of what was read for each target and has not been sent.
    private(set) var loaded: [Int: Int] = [:]
    /// The targets that are queued, in order, with where they begin.
    var queue: [(target: Int, start: ListenStart)] = []
    /// Targets whose result is whole for the first time with the next event.
    var newlyCurrent: Set<Int> = []
    /// Targets whose result begins anew with the next event.
    var resets: Set<Int> = []
    private(set) var isBehind = false

    init(at stamp: Int64, for client: ListenClient) {
        (sent, self.client) = (stamp, client)
    }

    var hasNews: Bool { isBehind || !pending.isEmpty || !newlyCurrent.isEmpty || !resets.isEmpty }

    /// Adds what a commit changed.
    mutating func add(_ change: TargetChange, of path: DocumentPath, to target: Int, limit: Backlog) {
        if isBehind { return }
        let earlier = pending[target]?[path]
        let net = earlier.map { $0.followed(by: change) } ?? change
        pending[target, default: [:]][path] = net
        if earlier == nil { backlog.changes += 1 }
        // A result that was read does not count, so more may be removed than was added.
        if net == nil { backlog.changes = max(0, backlog.changes - 1) }
        backlog.bytes += change.bytes - (changed.updateValue(change.bytes, forKey: path) ?? 0)
        if backlog.exceeds(limit) { fallBehind() }
    }

    /// Adds what was read: a target's first result, or what it missed. It does not count as waiting, because the reader bounds it.
    mutating func load(_ changes: [DocumentPath: TargetChange], to target: Int) {
        targets[target]?.state = .current
        if isBehind {
            loaded[target] = nil
            return
        }
        pending[target] = changes.isEmpty ? nil : changes
    }

    /// Notes the bytes of what was read for a target; nil if it is read again.
    mutating func hold(_ bytes: Int?, for target: Int) { loaded[target] = bytes }

    /// The bytes of everything that was read and has not been sent.
    var loadedBytes: Int { loaded.values.reduce(0, +) }

    /// Takes the next queued target, unless a first result is being read or has not been sent.
    mutating func nextQueued() -> (target: Int, start: ListenStart)? {
        if queue.isEmpty || !newlyCurrent.isEmpty || targets.values.contains(where: { $0.state == .reading }) { return nil }
        let next = queue.removeFirst()
        targets[next.target]?.state = .reading
        return next
    }

    mutating func refuse(_ target: Int) { refused.insert(target) }

    mutating func acceptAgain(_ target: Int) { refused.remove(target) }

    mutating func forget(_ target: Int) {
        queue.removeAll { $0.target == target }
        (pending[target], loaded[target]) = (nil, nil)
        if pending.isEmpty { (backlog, changed) = (Backlog(), [:]) }
        newlyCurrent.remove(target)
        resets.remove(target)
    }

    /// Returns what is pending, in the order of targets and paths.
    mutating func take(at stamp: Int64) -> ListenEvent {
        var changes: [ListenEvent.Change] = []
        for (target, byPath) in pending {
            for (path, change) in byPath { changes.append(ListenEvent.Change(target: target, path: path, change: change)) }
        }
        changes.sort { ($0.target, $0.path) < ($1.target, $1.path) }
        let current = targets.filter { $0.value.state == .current }.keys.sorted()
        let event = ListenEvent(stamp: stamp, resets: resets.sorted(), changes: changes, newlyCurrent: newlyCurrent.sorted(), current: current)
        forgetChanges()
        (newlyCurrent, resets, sent) = ([], [], stamp)
        return event
    }

    /// Returns the targets to read again: those in `unsent` from the beginning, the others from `sent`.
    mutating func beginCatchingUp() -> (again: [Int], unsent: Set<Int>) {
        isBehind = false
        let again = targets.filter { $0.value.state == .current }.keys.sorted()
        for target in again { targets[target]?.state = .catchingUp }
        defer { (newlyCurrent, resets) = ([], []) }
        return (again, newlyCurrent.union(resets))
    }

    mutating func fallBehind() {
        forgetChanges()
        isBehind = true
    }

    private mutating func forgetChanges() {
        (pending, backlog, changed, loaded) = ([:], Backlog(), [:], [:])
    }
}

/// The part of a stream that is sent at once: the net changes of all its targets up to a commit. Afterwards all current targets show this commit.
package struct ListenEvent: Hashable, Sendable {
    package struct Change: Hashable, Sendable {
        package let target: Int
        package let path: DocumentPath
        package let change: TargetChange
    }

    package let stamp: Int64
    /// Targets whose result so far is void.
    package let resets: [Int]
    package let changes: [Change]
    package let newlyCurrent: [Int]
    /// All targets that show this commit afterwards.
    package let current: [Int]

    /// The event without what it has about some targets.
    package func without(_ gone: Set<Int>) -> ListenEvent {
        if gone.isEmpty { return self }
        return ListenEvent(
            stamp: stamp, resets: resets.filter { !gone.contains($0) }, changes: changes.filter { !gone.contains($0.target) },
            newlyCurrent: newlyCurrent.filter { !gone.contains($0) }, current: current.filter { !gone.contains($0) })
    }
}
