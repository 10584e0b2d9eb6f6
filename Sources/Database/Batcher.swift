// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The state of a write queue, a value without locks: it admits jobs, forms groups and decides when to wake the writer.
///
/// With a high mark of 3 and groups of 2:
///
///     add a, add b, add c   → queued (a wakes the writer)
///     add d                 → full
///     take                  → [a, b];  d is still rejected, because a and b are outstanding
///     completed a           → d is queued
///
/// Functions on the path of a request are inlinable, so that the compiler specializes them for the job type of the store.
package struct Batcher<Job: WriteJob>: Sendable {
    package struct Waiting {
        /// The job's sequence number, in order of arrival.
        package let place: Int
        package let app: AppID?
        package let weight: JobWeight
        package var job: Job

        @inlinable package init(place: Int, app: AppID?, weight: JobWeight, job: Job) {
            self.place = place
            self.app = app
            self.weight = weight
            self.job = job
        }
    }

    package enum Admission: Sendable, Equatable {
        case queued(wake: Bool)
        /// The high mark is reached. The job was not queued.
        case full
        case closed
    }

    package let group: JobWeight
    package var capacity: QueueCapacity
    package var waiting: [Waiting] = []
    package var nextPlace = 0
    /// The place of the first job whose dedupe keys were not prefetched.
    private var firstToPrefetch = 0
    package var writerWaits = false
    package private(set) var isClosed = false

    package init(_ limits: QueueLimits) {
        group = limits.group
        capacity = QueueCapacity(limits.highMark)
    }

    /// The weight of the jobs that are queued or with the writer.
    package var outstanding: JobWeight { capacity.outstanding }

    /// Returns whether the queue would reject even an empty job of this app.
    @inlinable package func isFull(for app: AppID?) -> Bool { capacity.isUsedUp(by: app) }

    @inlinable package mutating func add(_ job: Job) -> Admission {
        if isClosed { return .closed }
        let (app, weight) = (job.app, job.weight)
        guard capacity.take(weight, for: app) else { return .full }
        waiting.append(Waiting(place: nextPlace, app: app, weight: weight, job: job))
        nextPlace += 1
        defer { writerWaits = false }
        return .queued(wake: writerWaits)
    }

    /// Returns the next group: in order of arrival, or by fair shares if not all jobs of several apps fit.
    ///
    /// After an empty group the writer waits for a wake-up.
    @inlinable package mutating func take() -> [Job] {
        let end = endOfGroup
        if end == waiting.count {
            writerWaits = waiting.isEmpty
            defer { waiting = [] }
            return waiting.map { $0.job }
        }
        return takePart(end)
    }

    /// The number of waiting jobs that fit into a group.
    @inlinable package var endOfGroup: Int {
        var sum = JobWeight()
        for index in waiting.indices {
            sum = sum + waiting[index].weight
            if index > 0, sum.items > group.items || sum.bytes > group.bytes { return index }
        }
        return waiting.count
    }

    /// Takes the first jobs, or a fair group.
    package mutating func takePart(_ end: Int) -> [Job] {
        guard let places = fairPlaces() else {
            defer { waiting.removeFirst(end) }
            return waiting[..<end].map(\.job)
        }
        let isTaken = Set(places)
        defer { waiting = waiting.indices.lazy.filter { !isTaken.contains($0) }.map { waiting[$0] } }
        return places.map { waiting[$0].job }
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
        return FairGroup(group).places(in: submissions)
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
    @inlinable package mutating func completed(_ job: Job) { capacity.free(job.weight, of: job.app) }

    /// Rejects further jobs. Waiting jobs can still be taken. Returns whether the writer must be woken.
    package mutating func close() -> Bool {
        isClosed = true
        defer { writerWaits = false }
        return writerWaits
    }
}
