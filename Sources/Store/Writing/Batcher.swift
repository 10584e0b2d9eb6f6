// SPDX-License-Identifier: Apache-2.0

import Platform

/// Work waiting for the writer: adds, and says when to wake it, when to take a group, and when to refuse.
struct Batcher: Sendable {
    struct Weight: Sendable, Equatable {
        var events = 0
        var bytes = 0

        static func + (a: Weight, b: Weight) -> Weight { Weight(events: a.events + b.events, bytes: a.bytes + b.bytes) }
        static func - (a: Weight, b: Weight) -> Weight { Weight(events: a.events - b.events, bytes: a.bytes - b.bytes) }
    }

    private struct Waiting {
        /// Rises with every work that is added.
        let place: Int
        let app: AppID?
        let weight: Weight
        var work: Work
    }

    enum Admission: Sendable, Equatable {
        case queued(wake: Bool)
        /// Past the high mark: nothing was taken.
        case full
        case closed
    }

    /// Beyond this much unanswered work more is refused.
    let highMark: Weight
    /// A group ends once it holds this many events …
    let groupEvents: Int
    /// … or as much as this: what watches a commit may hold it for a while.
    static let groupBytes = 8 << 20
    /// Everything taken and not yet answered, in the queue or behind it.
    private(set) var unanswered = Weight()
    private var unansweredByApp: [AppID: Weight] = [:]
    private var waiting: [Waiting] = []
    private var nextPlace = 0
    /// The place of the first work that nobody has looked at.
    private var unasked = 0
    private var writerWaits = false
    private(set) var closed = false

    init(highMark: Weight, groupEvents: Int) {
        self.highMark = highMark
        self.groupEvents = groupEvents
    }

    /// Whether the mark is reached already, whatever comes next.
    func isFull(for app: AppID?) -> Bool {
        unanswered.events >= highMark.events || unanswered.bytes >= highMark.bytes
            || app.map { exceedsPart($0, adding: Weight()) } ?? false
    }

    mutating func add(_ work: Work) -> Admission {
        if closed { return .closed }
        let weight = work.weight
        // A single request larger than the mark still gets through an empty queue.
        let after = unanswered + weight
        if unanswered.events > 0
            && (after.events > highMark.events || after.bytes > highMark.bytes || work.app.map { exceedsPart($0, adding: weight) } ?? false)
        {
            return .full
        }
        unanswered = after
        if let app = work.app { unansweredByApp[app, default: Weight()] = unansweredByApp[app, default: Weight()] + weight }
        waiting.append(Waiting(place: nextPlace, app: work.app, weight: weight, work: work))
        nextPlace += 1
        defer { writerWaits = false }
        return .queued(wake: writerWaits)
    }

    /// Whether an app that has work here would have more than seven times of what is still free: some of it is always left for the others.
    private func exceedsPart(_ app: AppID, adding weight: Weight) -> Bool {
        guard let own = unansweredByApp[app] else { return false }
        let (ofApp, free) = (own + weight, highMark - unanswered - weight)
        return ofApp.events > 7 * free.events || ofApp.bytes > 7 * free.bytes
    }

    /// The next group in order of arrival, or in equal parts where not all apps' events fit; empty tells the writer to wait until it is woken.
    mutating func take() -> [Work] {
        let end = endOfGroup
        if end == waiting.count {
            writerWaits = waiting.isEmpty
            defer { waiting = [] }
            return waiting.map(\.work)
        }
        guard let places = fairPlaces() else {
            defer { waiting.removeFirst(end) }
            return waiting[..<end].map(\.work)
        }
        let isTaken = Set(places)
        defer { waiting = waiting.indices.lazy.filter { !isTaken.contains($0) }.map { waiting[$0] } }
        return places.map { waiting[$0].work }
    }

    /// How much of what waits fits into a group.
    private var endOfGroup: Int {
        var group = Weight()
        for (index, entry) in waiting.enumerated() {
            group = group + entry.weight
            if index > 0, group.events > groupEvents || group.bytes > Batcher.groupBytes { return index }
        }
        return waiting.count
    }

    /// Nil where one app alone waits, or a change of no app is next: it finds what was there when it was asked for.
    private func fairPlaces() -> [Int]? {
        var submissions: [(app: AppID, weight: Weight)] = []
        for entry in waiting {
            guard let app = entry.app else { break }
            submissions.append((app, entry.weight))
        }
        guard let first = submissions.first, submissions.contains(where: { $0.app != first.app }) else { return nil }
        return FairGroup(events: groupEvents, bytes: Batcher.groupBytes).places(in: submissions)
    }

    /// The next work that nobody has looked at, and its place; nil where there is none.
    mutating func nextToAskAbout() -> (place: Int, work: Work)? {
        guard let entry = waiting[index(of: unasked)...].first else { return nil }
        unasked = entry.place + 1
        return (entry.place, entry.work)
    }

    /// Puts something of the same weight in a place, unless that was taken meanwhile.
    mutating func replace(_ place: Int, by work: Work) {
        let index = index(of: place)
        if index < waiting.count, waiting[index].place == place { waiting[index].work = work }
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

    mutating func answered(_ work: Work) {
        unanswered = unanswered - work.weight
        guard let app = work.app else { return }
        let left = unansweredByApp[app, default: Weight()] - work.weight
        unansweredByApp[app] = left == Weight() ? nil : left
    }

    /// Lets nothing more in; what waits is still taken.
    mutating func close() -> Bool {
        closed = true
        defer { writerWaits = false }
        return writerWaits
    }
}
