// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// A target with everybody who listens to it.
struct ListenEntry {
    struct ID: Hashable {
        let number: Int
    }

    struct Subscriber: Hashable {
        let stream: ListenStreamID
        let target: Int
    }

    let target: ListenTarget
    var subscribers: Set<Subscriber> = []
    /// Reads that have been asked for and not handled.
    private(set) var reads = 0
    /// Changes during the reads. A read returns an older commit's result, and these bring it up to now.
    private var recent: [(stamp: Int64, change: DocumentChange)] = []
    /// The size of these changes.
    private(set) var backlog = Backlog()
    /// The newest commit of which a change could not be kept.
    private var lost = Int64.min
    /// The rows of a limited result.
    var window: LimitWindow?
    /// The result that current subscribers know, while the rows of a limited result are being read again. Their streams wait meanwhile.
    var announced: [DocumentPath: Int64]?

    init(_ target: ListenTarget) {
        self.target = target
    }

    mutating func beginRead() { reads += 1 }

    mutating func endRead() {
        reads -= 1
        if reads == 0 { (recent, backlog, lost) = ([], Backlog(), .min) }
    }

    mutating func keep(_ change: DocumentChange, at stamp: Int64, limit: Backlog) {
        guard reads > 0 else { return }
        let grown = backlog + Backlog(changes: 1, bytes: change.bytes)
        if grown.exceeds(limit) { return forgetChanges(through: stamp) }
        backlog = grown
        recent.append((stamp, change))
    }

    /// Lets reads of earlier commits be repeated. The rows were forgotten, and are read again.
    mutating func loseChanges(through stamp: Int64) {
        announced = nil
        forgetChanges(through: stamp)
    }

    private mutating func forgetChanges(through stamp: Int64) {
        (recent, backlog) = ([], Backlog())
        if reads > 0 { lost = stamp }
    }

    /// The changes after a commit; nil if they were not all kept.
    func changes(after stamp: Int64) -> [DocumentChange]? {
        stamp < lost ? nil : recent.filter { $0.stamp > stamp }.map(\.change)
    }

    /// Applies a change to the rows of a limited result. Returns nil if rows are missing now.
    mutating func changeWindow(_ change: DocumentChange) -> [DocumentPath: TargetChange]? {
        guard announced == nil, var window else { return [:] }
        let before = window.versions
        window.apply(change, target)
        let changes = window.changes(since: before)
        if changes == nil { announced = before }
        window.dropDocuments()
        self.window = window
        return changes
    }
}
