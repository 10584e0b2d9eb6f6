// SPDX-License-Identifier: Apache-2.0

package import EventStore
package import Events
package import Platform

/// A question for sessions: those that begin in a range and contain an event with some name and filters.
package struct SessionScan {
    package var buckets: TimeBuckets
    package var timeout: Timestamp.Span
    var names: [String]?
    var filters: [Filter]
    var field: FieldPath?
    /// Fatal crashes, which belong to the session that they name or fall into.
    package var crashes: EventBatch

    package init(
        _ buckets: TimeBuckets, timeout: Timestamp.Span, names: [String]? = nil, filters: [Filter] = [], field: FieldPath? = nil,
        crashes: EventBatch = EventBatch()
    ) {
        (self.buckets, self.timeout, self.names, self.filters, self.field) = (buckets, timeout, names, filters, field)
        self.crashes = crashes
    }

    /// The UTC days whose events are read: those of a day before and after the range, because a session may begin before it or end after it.
    package static func days(around buckets: TimeBuckets) -> ClosedRange<Day> {
        Day(of: buckets.from - .days(1))...Day(of: buckets.to + .days(1) - .init(milliseconds: 1))
    }

    /// The days' start and end.
    package static func times(around buckets: TimeBuckets) -> (from: Timestamp, to: Timestamp) {
        let days = days(around: buckets)
        return (days.lowerBound.start, days.upperBound.start + .days(1))
    }

    /// Whether all sessions count.
    var isOfAll: Bool { names == nil && filters.isEmpty }
}

extension QueryContext {
    package func sessions(_ query: SessionsQuery) throws -> RangedResult<SessionsResult> {
        let buckets = query.range.buckets
        let scan = SessionScan(buckets, timeout: query.timeout, filters: query.filters)
        var (found, _) = try foldSessions(scan, into: SessionsByBucket(buckets.count))
        let points = buckets.edges.indices.dropLast().map { place in
            SessionsResult.Point(t: Moment(buckets.edges[place]), figures: found.figures(place...place))
        }
        return RangedResult(ResultRange(query.range, source: .raw), SessionsResult(points: points, total: found.figures(0...buckets.count - 1)))
    }

    /// Counts the sessions of a scan. Returns what was counted and the table of their values.
    ///
    /// Sessions come from memory or stored parts if these show all that is asked, and otherwise from the events.
    package func foldSessions<Sums: SessionSums>(_ scan: SessionScan, into start: Sums) throws -> (sums: Sums, values: ValueTable) {
        guard scan.showsInParts else { return try foldEvents(scan, into: start) }
        if let found = try memory?.sessions.fold(self, scan, into: start) { return found }
        // Taken before any stored part is read, because parts are stored and then dropped from memory.
        let open = openSessions.now
        if let stored = try storedSessions(scan, open) { return try foldStored(stored, scan, into: start) }
        return try foldEvents(scan, into: start)
    }

    private func foldEvents<Sums: SessionSums>(_ asked: SessionScan, into start: Sums) throws -> (Sums, ValueTable) {
        let (from, to) = SessionScan.times(around: asked.buckets)
        var scan = EventScan(TimeBuckets(edges: [from, to]), field: asked.field)
        scan.includesWithdrawn = true
        scan.tests = [
            EventTest(names: asked.names, filters: asked.filters), EventTest(names: [EventKind.screenView.name]),
            EventTest(names: [EventKind.purchase.name, EventKind.inAppPurchase.name]), EventTest(names: [PersonEvent.crashName]),
        ]
        let identity = try eventIdentity(asked)
        var owners = SubjectOwners(identity)
        owners.add(asked)
        var (sums, sessions, reported) = (start, SessionsOfSubject<PersonEvent>(asked), ReportedCrashes<PersonEvent>(asked.crashes))
        var values = try eachPerson(scan, identity, bySubject: true) { events, values in
            if reported.take(events, owners) { return }
            sessions.cut(events)
            sessions.each(owners, values) { sums.add($0) }
        }
        let passed = PersonEvent.crash | (asked.isOfAll ? 1 : 0)
        let groups = try reported.placed(asked, owners) { row, subject in
            PersonEvent(
                person: subject, user: asked.crashes.users[row], time: asked.crashes.times[row], session: asked.crashes.sessions[row],
                passed: passed, value: try asked.crashes.value(of: row, &values))
        }
        for group in groups {
            sessions.cut(group[...])
            sessions.each(owners, values) { sums.add($0) }
        }
        return (sums, values)
    }

    /// Returns the identity by which filters on users find them.
    private func eventIdentity(_ scan: SessionScan) throws -> Identity {
        var identity = try identity(from: scan.buckets.from, to: scan.buckets.to, askedBeyond: true)
        var named = Identity()
        for row in scan.crashes.rows where scan.buckets.index(of: Timestamp(milliseconds: scan.crashes.times[row])) != nil {
            named.claim(scan.crashes.installations[row], for: scan.crashes.users[row], at: scan.crashes.times[row])
        }
        identity.fill(from: named)
        return identity
    }
}

extension EventBatch {
    /// Returns the code of a row's value in another table.
    func value(of row: Int, _ values: inout ValueTable) throws(Refusal) -> UInt32 {
        try values.code(of: codes.isEmpty ? nil : self.values[codes[row]])
    }
}

/// Sessions by bucket.
private struct SessionsByBucket: SessionSums {
    private var tallies: [SessionTally]
    private var people = PersonNumbers()

    init(_ buckets: Int) {
        tallies = Array(repeating: SessionTally(), count: buckets)
    }

    mutating func expectNumbers() { people.expectNumbers() }

    mutating func add(_ session: FoundSession) {
        tallies[session.bucket].add(session, people.number(of: session.person))
    }

    mutating func join(_ other: Self) {
        let numbers = people.add(other.people)
        for (place, tally) in other.tallies.enumerated() { tallies[place].join(tally, numbers) }
    }

    mutating func figures(_ buckets: ClosedRange<Int>) -> SessionsResult.Figures {
        let tallies = tallies[buckets]
        return .init(
            lengths: tallies.flatMap(\.lengths), users: people.different(in: tallies.map(\.people)),
            engaged: tallies.reduce(0) { $0 + $1.engaged })
    }
}

/// The sessions of a bucket.
private struct SessionTally {
    private(set) var lengths: [Int64] = []
    private(set) var people: [UInt32] = []
    private(set) var engaged = 0

    mutating func add(_ session: FoundSession, _ person: UInt32) {
        lengths.append(session.length)
        people.append(person)
        if session.isEngaged { engaged += 1 }
    }

    mutating func join(_ other: SessionTally, _ numbers: [UInt32]) {
        lengths += other.lengths
        people += other.people.lazy.map { numbers[Int($0)] }
        engaged += other.engaged
    }
}

extension PersonEvent: SessionPiece {
    /// The event by which a client reports that a session ended in a crash.
    static let crashName = "session_crash"
    /// The test bit of crashes, the fourth of the scan's tests.
    static let crash: UInt32 = 8

    var first: Int64 { time }
    var last: Int64 { time }
    var isCrash: Bool { passed & PersonEvent.crash != 0 }

    func add(to sum: inout SessionSum) {
        sum.extend(time, time)
        if passed & 2 != 0 { sum.screens += 1 }
        if passed & 4 != 0 { sum.hasPurchase = true }
        if isCrash { sum.hasCrash = true } else { sum.isOnlyCrash = false }
        sum.name(user, at: time)
        if passed & 1 != 0 { sum.pass(value, at: time) }
    }
}
