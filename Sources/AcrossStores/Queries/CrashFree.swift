// SPDX-License-Identifier: Apache-2.0

import Analytics
import CrashStore
import Crashes
import EventStore
package import Events
import Platform

extension QueryContext {
    package func crashFree(_ query: CrashFreeQuery) throws -> RangedResult<CrashFreeResult> {
        let buckets = query.range.buckets
        let filters = query.filters.map(\.acceptingReleases)
        let (from, to) = SessionScan.times(around: buckets)
        let crashes = try fatalCrashes(from: from, to: to)
        let scan = SessionScan(buckets, timeout: query.timeout, filters: filters, field: .appVersion, crashes: crashes)
        var (found, versions) = try foldSessions(scan, into: SessionsByRelease(buckets.count))
        var cells: [Cell: Tally] = [:]
        for (cell, tally) in zip(found.numbers.cells, found.tallies) {
            cells[Cell(release: versions[cell.value].map { ExactText($0) }, bucket: cell.bucket)] = tally
        }
        for counted in try countedSessions(filters, buckets) {
            guard let bucket = buckets.index(of: counted.start) else { continue }
            cells[Cell(release: counted.release.map { ExactText($0) }, bucket: bucket), default: Tally()].add(counted)
        }
        let total = CrashFreeResult.Figures(cells.values, &found.people)
        let byRelease = Dictionary(grouping: cells, by: \.key.release).mapValues { cells in
            (figures: CrashFreeResult.Figures(cells.map(\.value), &found.people), points: points(cells, buckets, &found.people))
        }
        let ranked = byRelease.sorted { rank(($0.key, $0.value.figures.sessions), ($1.key, $1.value.figures.sessions)) }
        // Filters select sessions, not issues.
        let newIssues = query.filters.isEmpty ? try newIssues(in: buckets) : nil
        let releases: [CrashFreeResult.Release] = ranked.prefix(query.limit).map { release, part in
            var figures = CrashFreeResult.Release(release: release?.text, total: part.figures, points: part.points, of: total)
            figures.newIssues = newIssues.map { $0[release] ?? 0 }
            return figures
        }
        let result = CrashFreeResult(points: points(cells.map { ($0.key, $0.value) }, buckets, &found.people), total: total, releases: releases)
        return RangedResult(ResultRange(query.range, source: .raw), result)
    }

    /// Orders releases by number of sessions, descending. Among equals, no release is last.
    private func rank(_ a: (release: ExactText?, sessions: Int), _ b: (release: ExactText?, sessions: Int)) -> Bool {
        if a.sessions != b.sessions { return a.sessions > b.sessions }
        guard let first = a.release, let second = b.release else { return a.release != nil && b.release == nil }
        return first < second
    }

    private func points(_ cells: [(key: Cell, value: Tally)], _ buckets: TimeBuckets, _ people: inout PersonNumbers) -> [CrashFreeResult.Point] {
        let byBucket = Dictionary(grouping: cells, by: \.key.bucket)
        return (0..<buckets.count).map { .init(t: Moment(buckets.edges[$0]), figures: .init(byBucket[$0]?.map(\.value) ?? [], &people)) }
    }

    /// Returns the sessions that servers reported as counts. Only filters on release and environment can be applied to them; with others
    /// they are left out.
    private func countedSessions(_ filters: [Filter], _ buckets: TimeBuckets) throws -> [CountedSessions] {
        guard filters.allSatisfy({ CountedSessions.fields.contains($0.path) }) else { return [] }
        return try session.withCrashes { try $0.countedSessions(app: app, between: buckets.edges) }.filter { sessions in
            filters.allSatisfy { filter in filter.holds(sessions[filter.path].map { Array($0.utf8) }) }
        }
    }

    private func newIssues(in buckets: TimeBuckets) throws -> [ExactText?: Int] {
        let counts = try session.withCrashes { try $0.newIssues(app: app, from: buckets.from, to: buckets.to) }
        return Dictionary(counts.map { ($0.release.map { ExactText($0) }, $0.count) }, uniquingKeysWith: +)
    }

    /// Returns the fatal crashes of a time range as events, with their release as the value.
    private func fatalCrashes(from: Timestamp, to: Timestamp) throws -> EventBatch {
        try session.withCrashes { file in
            var found = EventBatch()
            try file.eachFatalMark(app: app, from: from, to: to) { mark in
                try found.add(
                    time: mark.time, user: mark.user, installation: mark.installation, session: mark.session,
                    value: mark.release.map { Array($0.utf8) })
            }
            return found
        }
    }
}

extension CountedSessions {
    fileprivate static let fields: [FieldPath] = [.appVersion, .environment]

    fileprivate subscript(field: FieldPath) -> String? { field == .appVersion ? release : environment }
}

extension FieldPath {
    fileprivate static let appVersion = FieldPath.context(1)
    fileprivate static let environment = FieldPath.context(7)
}

extension Filter {
    /// A filter of crashes that accepts whole releases, as SDKs name them: `context.app_version = shop@2.2+57` also means `2.2`.
    var acceptingReleases: Filter {
        guard path == .appVersion, comparison == .equal || comparison == .notEqual else { return self }
        let keys = values.compactMap { ReleaseKey.of(release: $0, appVersion: nil) }
        return Filter(path: path, comparison: comparison, values: values + keys)
    }
}

/// A release in a bucket.
private struct Cell: Hashable {
    var release: ExactText?
    var bucket: Int
}

/// The sessions of a scan by release, a code of its values, and bucket.
private struct SessionsByRelease: SessionSums {
    private(set) var numbers: CellNumbers
    private(set) var tallies: [Tally] = []
    var people = PersonNumbers()

    init(_ buckets: Int) {
        numbers = CellNumbers(buckets: buckets)
    }

    mutating func expectNumbers() { people.expectNumbers() }

    mutating func add(_ session: FoundSession) {
        let person = people.number(of: session.person)
        tallies[number(session.value, session.bucket)].add(session, person)
    }

    private mutating func number(_ value: UInt32, _ bucket: Int) -> Int {
        let number = numbers.number(value, bucket)
        if number == tallies.count { tallies.append(Tally()) }
        return number
    }

    mutating func join(_ other: Self) {
        let people = people.add(other.people)
        for (cell, tally) in zip(other.numbers.cells, other.tallies) { tallies[number(cell.value, cell.bucket)].join(tally, people) }
    }
}

/// The sessions of a cell: those found in events and crashes, and those that arrived as counts.
private struct Tally {
    private(set) var counted = 0
    private var countedCrashes = 0
    private var found = 0
    private var foundCrashed = 0
    private var onlyCrashes = 0
    /// The people of sessions, of crashed ones, and of crashes outside of any session, by number.
    private var people: [UInt32] = []
    private var crashedPeople: [UInt32] = []
    private var peopleOfOnlyCrashes: [UInt32] = []

    mutating func add(_ session: FoundSession, _ person: UInt32) {
        found += 1
        if session.hasCrash { foundCrashed += 1 }
        if session.isOnlyCrash {
            onlyCrashes += 1
            peopleOfOnlyCrashes.append(person)
        } else {
            people.append(person)
            if session.hasCrash { crashedPeople.append(person) }
        }
    }

    mutating func join(_ other: Tally, _ numbers: [UInt32]) {
        (found, foundCrashed, onlyCrashes) = (found + other.found, foundCrashed + other.foundCrashed, onlyCrashes + other.onlyCrashes)
        people += other.people.lazy.map { numbers[Int($0)] }
        crashedPeople += other.crashedPeople.lazy.map { numbers[Int($0)] }
        peopleOfOnlyCrashes += other.peopleOfOnlyCrashes.lazy.map { numbers[Int($0)] }
    }

    /// The lists of people. Those known only by a crash of a server that counts its sessions are left out, as all of them would be crashed.
    var users: [[UInt32]] { counted > 0 ? [people] : [people, peopleOfOnlyCrashes] }
    var crashedUsers: [[UInt32]] { counted > 0 ? [crashedPeople] : [crashedPeople, peopleOfOnlyCrashes] }

    mutating func add(_ sessions: CountedSessions) {
        counted += sessions.sessions
        countedCrashes += sessions.crashed
    }

    /// The number of crashes outside of any session that are among the counted ones. A server's crash names no session, and its session is
    /// in the count.
    ///
    ///     2 crashes of release 2.1 without a session; its server counted 40 sessions, 1 of them crashed   →   41 sessions, 2 crashed
    private var doubled: Int { min(onlyCrashes, countedCrashes) }

    var sessions: Int { found + counted - doubled }
    var crashed: Int { foundCrashed + countedCrashes - doubled }
}

extension CrashFreeResult.Figures {
    /// Users of counted sessions are unknown.
    fileprivate init(_ cells: some Collection<Tally>, _ people: inout PersonNumbers) {
        self.init(
            sessions: cells.reduce(0) { $0 + $1.sessions }, crashedSessions: cells.reduce(0) { $0 + $1.crashed },
            users: people.different(in: cells.flatMap(\.users)), crashedUsers: people.different(in: cells.flatMap(\.crashedUsers)),
            countedSessions: cells.reduce(0) { $0 + $1.counted })
    }
}
