// SPDX-License-Identifier: Apache-2.0

package import Platform
package import SignalboxDocumentModel

/// The documents that repeated transactions hold from their reads to their commits, and the queues of those that wait for them.
///
///     A holds d          B, C wait for d; so does commit D of a client that read d without a hold
///     A commits          B holds d and reads it
///     B disappears       C holds d after 2 s
///
/// A hold joins the queues of all its documents at once and has them when it is first in each. Commits wait for the holds before them, not for
/// each other. As all queues have the order of arrival, nothing waits for something that waits for it. Holds are advice: a commit that does not
/// wait may still be made, and the hold's commit then conflicts.
package struct DocumentHolds: Sendable {
    package typealias Instant = ContinuousClock.Instant

    package struct Bounds: Sendable {
        /// The longest hold.
        package var held = Duration.seconds(2)
        /// The longest wait of a commit.
        package var commitWait = Duration.seconds(2)
        /// The longest wait of a read.
        package var readWait = Duration.seconds(10)
        /// The most documents of a hold.
        package var documents = 100
        /// The most documents in queues of one group.
        package var documentsOfGroup = 10_000
        /// The most holds and waiting commits of a user or an address, and of a document. Further ones neither wait nor hold anything.
        package var holdsOfClient = 10
        package var queue = 100
        /// The time that a client may have held documents, or a document may have been held by clients, without a change. It grows by a tenth of
        /// the time that passes.
        package var unused = Duration.seconds(4)

        package init() {}
    }

    /// Clients that share bounds: an app's servers, its users, or its clients without a token. None can use up what others need.
    package struct Group: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            case server, user, anyone
        }

        package let app: AppID
        package let kind: Kind

        package init(app: AppID, kind: Kind) {
            (self.app, self.kind) = (app, kind)
        }
    }

    package struct Holder: Hashable, Sendable {
        package let group: Group
        /// The user or the address; nil for servers.
        package let client: ExactName?

        package init(_ group: Group, client: ExactName?) {
            (self.group, self.client) = (group, client)
        }
    }

    /// The random name of a hold, or of a commit that waits.
    package struct ID: Hashable, Sendable {
        package let bytes: [UInt8]

        package init(_ bytes: [UInt8]) {
            self.bytes = bytes
        }
    }

    private struct Place: Hashable {
        let app: AppID
        let path: DocumentPath
    }

    private struct Entry {
        let holder: Holder
        let isCommit: Bool
        var paths: Set<DocumentPath>
        /// The end of the wait, then that of the hold.
        var until: Instant
        /// The beginning of the hold; nil while it waits.
        var since: Instant?
        /// The holds that a commit waits for, counted once for each document.
        var holdsBefore = 0
    }

    /// Those that hold a document or wait for it, in the order of their arrival.
    private struct Queue {
        var order: [ID] = []
        var holds = 0
    }

    /// The client or document that has a time of holds without a change.
    private enum Timed: Hashable {
        case client(Holder)
        case document(Place)
    }

    /// The time of holds without a change.
    private struct Unused {
        var time = Duration.zero
        var at: Instant

        mutating func settle(at now: Instant) { (time, at) = (max(.zero, time - (now - at) / 10), now) }
    }

    /// Beyond this number all are forgotten, which only lets each hold documents again.
    private static let mostUnused = 10_000

    private let bounds: Bounds
    private var entries: [ID: Entry] = [:]
    private var queues: [Place: Queue] = [:]
    /// The holds of users and addresses, and their commits that wait or have waited.
    private var holdsOfClients: [Holder: Int] = [:]
    private var unused: [Timed: Unused] = [:]
    /// The documents in queues, by group.
    private var counts: [Group: Int] = [:]
    /// The ends of waits since `takeSettled`.
    private var settled: [(id: ID, isHeld: Bool)] = []

    package init(_ bounds: Bounds = Bounds()) {
        self.bounds = bounds
    }

    package var isEmpty: Bool { entries.isEmpty }
    /// The next time at which `expire` has something to do.
    package var next: Instant? { entries.values.map(\.until).min() }

    /// Returns the waits that ended, each with whether its documents are held now.
    package mutating func takeSettled() -> [(id: ID, isHeld: Bool)] {
        defer { settled = [] }
        return settled
    }

    /// Joins the queues of documents for a repeated transaction.
    package mutating func join(_ id: ID, _ paths: [DocumentPath], as holder: Holder, at now: Instant) {
        let paths = Set(paths)
        guard mayHold(paths, holder, at: now), enter(id, paths, as: holder, isCommit: false, until: now + bounds.readWait) else {
            return settled.append((id, false))
        }
        grantIfFirst(id, at: now)
    }

    /// Joins the queues of the documents of a commit that others hold or wait to hold.
    package mutating func join(commit id: ID, _ paths: [DocumentPath], as holder: Holder, at now: Instant) {
        let contended = Set(paths.filter { queues[Place(app: holder.group.app, path: $0)].map { $0.holds > 0 } ?? false })
        guard enter(id, contended, as: holder, isCommit: true, until: now + bounds.commitWait) else { return settled.append((id, false)) }
    }

    /// Adds documents to a hold that nobody holds or waits for. Returns whether the hold is there.
    package mutating func extend(_ id: ID, _ paths: [DocumentPath], as holder: Holder) -> Bool {
        guard isHeld(id, by: holder) else { return false }
        let group = holder.group
        for path in paths {
            let place = Place(app: group.app, path: path)
            guard queues[place] == nil, entries[id].map({ $0.paths.count < bounds.documents }) == true,
                counts[group, default: 0] < bounds.documentsOfGroup
            else { continue }
            entries[id]?.paths.insert(path)
            queues[place] = Queue(order: [id], holds: 1)
            counts[group, default: 0] += 1
        }
        return true
    }

    /// Begins the commit of a hold, which lasts until its end. Returns whether the hold is there.
    package mutating func commit(_ id: ID, as holder: Holder, at now: Instant) -> Bool {
        guard isHeld(id, by: holder) else { return false }
        entries[id]?.until = now + bounds.held
        return true
    }

    private func isHeld(_ id: ID, by holder: Holder) -> Bool { entries[id].map { $0.holder == holder && $0.since != nil } ?? false }

    /// Ends a hold or a wait; those behind it go on.
    ///
    /// - Parameter changed: The documents that a commit with the hold has changed.
    package mutating func end(_ id: ID, changed: [DocumentPath] = [], at now: Instant) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        let group = entry.holder.group
        if let count = holdsOfClients[entry.holder] { holdsOfClients[entry.holder] = count > 1 ? count - 1 : nil }
        let isUsed = entry.isCommit || changed.contains { entry.paths.contains($0) }
        if let since = entry.since, !isUsed { note(now - since, of: entry, at: now) }
        if entry.since == nil { settled.append((id, false)) }
        counts[group, default: 0] -= entry.paths.count
        if counts[group] == 0 { counts[group] = nil }
        for path in entry.paths { leave(Place(app: group.app, path: path), id, isCommit: entry.isCommit, at: now) }
        for path in entry.paths {
            if let first = queues[Place(app: group.app, path: path)]?.order.first { grantIfFirst(first, at: now) }
        }
    }

    private mutating func leave(_ place: Place, _ id: ID, isCommit: Bool, at now: Instant) {
        guard var queue = queues.removeValue(forKey: place), let index = queue.order.firstIndex(of: id) else { return }
        queue.order.remove(at: index)
        if !isCommit {
            queue.holds -= 1
            for later in queue.order[index...] where entries[later]?.isCommit == true {
                entries[later]?.holdsBefore -= 1
                if entries[later]?.holdsBefore == 0 { grant(later, at: now) }
            }
        }
        if !queue.order.isEmpty { queues[place] = queue }
    }

    /// Ends the holds and waits whose time is over.
    package mutating func expire(at now: Instant) {
        for id in entries.filter({ $0.value.until <= now }).map(\.key) { end(id, at: now) }
    }

    private mutating func enter(_ id: ID, _ paths: Set<DocumentPath>, as holder: Holder, isCommit: Bool, until: Instant) -> Bool {
        let (count, places) = (counts[holder.group, default: 0] + paths.count, paths.map { Place(app: holder.group.app, path: $0) })
        guard (1...bounds.documents).contains(paths.count), count <= bounds.documentsOfGroup, entries[id] == nil,
            holdsOfClients[holder, default: 0] < bounds.holdsOfClient,
            places.allSatisfy({ queues[$0].map { $0.order.count < bounds.queue } ?? true })
        else { return false }
        counts[holder.group] = count
        var entry = Entry(holder: holder, isCommit: isCommit, paths: paths, until: until)
        for place in places {
            entry.holdsBefore += queues[place]?.holds ?? 0
            queues[place, default: Queue()].order.append(id)
            if !isCommit { queues[place]?.holds += 1 }
        }
        entries[id] = entry
        if holder.client != nil { holdsOfClients[holder, default: 0] += 1 }
        return true
    }

    /// Begins a hold that is first in each of its queues.
    private mutating func grantIfFirst(_ id: ID, at now: Instant) {
        guard let entry = entries[id], !entry.isCommit, entry.since == nil else { return }
        if entry.paths.allSatisfy({ queues[Place(app: entry.holder.group.app, path: $0)]?.order.first == id }) { grant(id, at: now) }
    }

    private mutating func grant(_ id: ID, at now: Instant) {
        entries[id]?.since = now
        entries[id]?.until = now + bounds.held
        settled.append((id, true))
    }

    // MARK: Holds without a change

    private mutating func mayHold(_ paths: Set<DocumentPath>, _ holder: Holder, at now: Instant) -> Bool {
        if holder.client == nil { return true }
        return timed(paths, holder).allSatisfy { isWithinBound($0, at: now) }
    }

    private func timed(_ paths: Set<DocumentPath>, _ holder: Holder) -> [Timed] {
        [.client(holder)] + paths.map { .document(Place(app: holder.group.app, path: $0)) }
    }

    private mutating func isWithinBound(_ timed: Timed, at now: Instant) -> Bool {
        guard var known = unused[timed] else { return true }
        known.settle(at: now)
        unused[timed] = known.time == .zero ? nil : known
        return known.time < bounds.unused
    }

    private mutating func note(_ time: Duration, of entry: Entry, at now: Instant) {
        if entry.holder.client == nil { return }
        for timed in timed(entry.paths, entry.holder) {
            if unused.count >= Self.mostUnused, unused[timed] == nil { unused = [:] }
            unused[timed, default: Unused(at: now)].settle(at: now)
            unused[timed]?.time += time
        }
    }
}
