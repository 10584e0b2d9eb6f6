// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The bounds of a write queue.
package struct QueueLimits: Sendable {
    /// The limit of unanswered work, waiting or with the writer. More is rejected.
    package var highMark: JobWeight
    /// The maximal size of a group, and therefore of a transaction.
    package var group: JobWeight

    package init(highMark: JobWeight, group: JobWeight) {
        self.highMark = highMark
        self.group = group
    }

    /// Returns the bounds of a store whose jobs are changes.
    package static func changes(_ number: Int, bytes: Int = .max) -> QueueLimits {
        QueueLimits(highMark: .init(items: number, bytes: bytes), group: .init(items: 512, bytes: 8 << 20))
    }
}

/// The state of a write queue, a value without locks: it admits jobs, forms groups and decides when to wake the writer.
///
/// With a high mark of 3 and groups of 2:
///
///     add a, add b, add c   → queued (a wakes the writer)
///     add d                 → full
///     take                  → [a, b];  d is still rejected, because a and b are unanswered
///     answered a            → d is queued
///
/// Invariant: `unanswered` is the weight of all jobs in the queue and with the writer. A job's weight does not change while it is in there.
package struct Batcher<Job: WriteJob>: Sendable {
    private struct Waiting {
        /// The job's sequence number, in order of arrival.
        let place: Int
        let app: AppID?
        let weight: JobWeight
        var job: Job
    }

    package enum Admission: Sendable, Equatable {
        case queued(wake: Bool)
        /// The high mark is reached. The job was not queued.
        case full
        case closed
    }

    private let limits: QueueLimits
    /// The weight of the jobs that are queued or with the writer.
    package private(set) var unanswered = JobWeight()
    private var unansweredByApp: [AppID: JobWeight] = [:]
    private var waiting: [Waiting] = []
    private var nextPlace = 0
    /// The place of the first job whose dedupe keys were not prefetched.
    private var firstToPrefetch = 0
    private var writerWaits = false
    package private(set) var isClosed = false

    package init(_ limits: QueueLimits) {
        self.limits = limits
    }

    /// Returns whether the queue would reject even an empty job of this app.
    package func isFull(for app: AppID?) -> Bool {
        unanswered.items >= limits.highMark.items || unanswered.bytes >= limits.highMark.bytes
            || app.map { exceedsPart($0, adding: JobWeight()) } ?? false
    }

    package mutating func add(_ job: Job) -> Admission {
        if isClosed { return .closed }
        let weight = job.weight
        // A single request larger than the mark is accepted by an empty queue.
        let after = unanswered + weight
        if unanswered.items > 0
            && (after.items > limits.highMark.items || after.bytes > limits.highMark.bytes
                || job.app.map { exceedsPart($0, adding: weight) } ?? false)
        {
            return .full
        }
        unanswered = after
        if let app = job.app { unansweredByApp[app, default: JobWeight()] = unansweredByApp[app, default: JobWeight()] + weight }
        waiting.append(Waiting(place: nextPlace, app: job.app, weight: weight, job: job))
        nextPlace += 1
        defer { writerWaits = false }
        return .queued(wake: writerWaits)
    }

    /// Returns whether an app with unanswered work would exceed its share of the queue, seven times the capacity left free.
    ///
    /// The rest is reserved for other apps.
    private func exceedsPart(_ app: AppID, adding weight: JobWeight) -> Bool {
        guard let own = unansweredByApp[app] else { return false }
        let (ofApp, free) = (own + weight, limits.highMark - unanswered - weight)
        return ofApp.items > 7 * free.items || ofApp.bytes > 7 * free.bytes
    }

    /// Returns the next group: in order of arrival, or by fair shares if not all jobs of several apps fit.
    ///
    /// After an empty group the writer waits for a wake-up.
    package mutating func take() -> [Job] {
        let end = endOfGroup
        if end == waiting.count {
            writerWaits = waiting.isEmpty
            defer { waiting = [] }
            return waiting.map(\.job)
        }
        guard let places = fairPlaces() else {
            defer { waiting.removeFirst(end) }
            return waiting[..<end].map(\.job)
        }
        let isTaken = Set(places)
        defer { waiting = waiting.indices.lazy.filter { !isTaken.contains($0) }.map { waiting[$0] } }
        return places.map { waiting[$0].job }
    }

    /// The number of waiting jobs that fit into a group.
    private var endOfGroup: Int {
        var group = JobWeight()
        for (index, entry) in waiting.enumerated() {
            group = group + entry.weight
            if index > 0, group.items > limits.group.items || group.bytes > limits.group.bytes { return index }
        }
        return waiting.count
    }

    /// Returns the places of a fair group; nil if only one app has waiting jobs or the next job has no app.
    ///
    /// Jobs behind one without an app stay behind it, because such a change must see everything queued before it.
    private func fairPlaces() -> [Int]? {
        var submissions: [(app: AppID, weight: JobWeight)] = []
        for entry in waiting {
            guard let app = entry.app else { break }
            submissions.append((app, entry.weight))
        }
        guard let first = submissions.first, submissions.contains(where: { $0.app != first.app }) else { return nil }
        return FairGroup(limits.group).places(in: submissions)
    }

    /// Returns the next job whose dedupe keys were not prefetched, with its place; nil if there is none.
    package mutating func nextToPrefetch() -> (place: Int, job: Job)? {
        guard let entry = waiting[index(of: firstToPrefetch)...].first else { return nil }
        firstToPrefetch = entry.place + 1
        return (entry.place, entry.job)
    }

    /// Replaces the job in a place by one of the same weight, unless the writer has taken it.
    package mutating func replace(_ place: Int, by job: Job) {
        let index = index(of: place)
        if index < waiting.count, waiting[index].place == place { waiting[index].job = job }
    }

    /// Returns the index of the first waiting job at or after a place, by binary search.
    private func index(of place: Int) -> Int {
        var (low, high) = (0, waiting.count)
        while low < high {
            let middle = (low + high) / 2
            if waiting[middle].place < place { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Frees the capacity of a job that the writer has finished.
    package mutating func answered(_ job: Job) {
        unanswered = unanswered - job.weight
        precondition(unanswered.items >= 0 && unanswered.bytes >= 0, "a job was completed twice, or its weight changed in the queue")
        guard let app = job.app else { return }
        let left = unansweredByApp[app, default: JobWeight()] - job.weight
        unansweredByApp[app] = left == JobWeight() ? nil : left
    }

    /// Rejects further jobs. Waiting jobs can still be taken. Returns whether the writer must be woken.
    package mutating func close() -> Bool {
        isClosed = true
        defer { writerWaits = false }
        return writerWaits
    }
}
