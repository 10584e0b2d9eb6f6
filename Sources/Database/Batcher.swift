// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The bounds of a write queue.
package struct QueueLimits: Sendable {
    /// Unanswered work beyond which more is rejected, in the queue or with the writer.
    package var highMark: JobWeight
    /// The size of one group, and so of one transaction.
    package var group: JobWeight

    package init(highMark: JobWeight, group: JobWeight) {
        self.highMark = highMark
        self.group = group
    }

    /// The bounds of a store whose jobs are changes.
    package static func changes(_ number: Int, bytes: Int = .max) -> QueueLimits {
        QueueLimits(highMark: .init(items: number, bytes: bytes), group: .init(items: 512, bytes: 8 << 20))
    }
}

/// The jobs that wait for a writer, as a value: says when to wake the writer, which jobs make the next group, and when to reject.
///
/// With a high mark of 3 and groups of 2:
///
///     add a, add b, add c   → queued (the first wakes the writer)
///     add d                 → full
///     take                  → [a, b];  d is still rejected, because a and b are not answered yet
///     answered a            → d is queued
package struct Batcher<Job: WriteJob>: Sendable {
    private struct Waiting {
        /// Rises with every job.
        let place: Int
        let app: AppID?
        let weight: JobWeight
        var job: Job
    }

    package enum Admission: Sendable, Equatable {
        case queued(wake: Bool)
        /// Past the high mark: nothing was taken.
        case full
        case closed
    }

    private let limits: QueueLimits
    /// Everything taken and not yet answered, in the queue or with the writer.
    package private(set) var unanswered = JobWeight()
    private var unansweredByApp: [AppID: JobWeight] = [:]
    private var waiting: [Waiting] = []
    private var nextPlace = 0
    /// The place of the first job that was not prefetched for.
    private var firstToPrefetch = 0
    private var writerWaits = false
    package private(set) var isClosed = false

    package init(_ limits: QueueLimits) {
        self.limits = limits
    }

    /// Whether the mark is reached already, whatever comes next.
    package func isFull(for app: AppID?) -> Bool {
        unanswered.items >= limits.highMark.items || unanswered.bytes >= limits.highMark.bytes
            || app.map { exceedsPart($0, adding: JobWeight()) } ?? false
    }

    package mutating func add(_ job: Job) -> Admission {
        if isClosed { return .closed }
        let weight = job.weight
        // A single request larger than the mark still gets through an empty queue.
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

    /// Whether an app that has work here would have more than seven times of what is still free: some of it is always left for the others.
    private func exceedsPart(_ app: AppID, adding weight: JobWeight) -> Bool {
        guard let own = unansweredByApp[app] else { return false }
        let (ofApp, free) = (own + weight, limits.highMark - unanswered - weight)
        return ofApp.items > 7 * free.items || ofApp.bytes > 7 * free.bytes
    }

    /// The next group in order of arrival, or in equal parts where not all apps' events fit; empty tells the writer to wait until it is woken.
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

    /// How much of what waits fits into a group.
    private var endOfGroup: Int {
        var group = JobWeight()
        for (index, entry) in waiting.enumerated() {
            group = group + entry.weight
            if index > 0, group.items > limits.group.items || group.bytes > limits.group.bytes { return index }
        }
        return waiting.count
    }

    /// Nil where one app alone waits, or a change of no app is next: it finds what was there when it was asked for.
    private func fairPlaces() -> [Int]? {
        var submissions: [(app: AppID, weight: JobWeight)] = []
        for entry in waiting {
            guard let app = entry.app else { break }
            submissions.append((app, entry.weight))
        }
        guard let first = submissions.first, submissions.contains(where: { $0.app != first.app }) else { return nil }
        return FairGroup(limits.group).places(in: submissions)
    }

    /// The next job that was not prefetched for, and its place; nil where there is none.
    package mutating func nextToPrefetch() -> (place: Int, job: Job)? {
        guard let entry = waiting[index(of: firstToPrefetch)...].first else { return nil }
        firstToPrefetch = entry.place + 1
        return (entry.place, entry.job)
    }

    /// Puts a job of the same weight in a place, unless that was taken meanwhile.
    package mutating func replace(_ place: Int, by job: Job) {
        let index = index(of: place)
        if index < waiting.count, waiting[index].place == place { waiting[index].job = job }
    }

    /// Where a place is among what waits, or would be: places rise.
    private func index(of place: Int) -> Int {
        var (low, high) = (0, waiting.count)
        while low < high {
            let middle = (low + high) / 2
            if waiting[middle].place < place { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Frees the room of a job that the writer has finished.
    package mutating func answered(_ job: Job) {
        unanswered = unanswered - job.weight
        precondition(unanswered.items >= 0 && unanswered.bytes >= 0, "a job was answered twice, or its weight changed in the queue")
        guard let app = job.app else { return }
        let left = unansweredByApp[app, default: JobWeight()] - job.weight
        unansweredByApp[app] = left == JobWeight() ? nil : left
    }

    /// Lets no further job in; those that wait are still taken. Returns whether the writer waits to be woken.
    package mutating func close() -> Bool {
        isClosed = true
        defer { writerWaits = false }
        return writerWaits
    }
}
