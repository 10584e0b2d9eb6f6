// SPDX-License-Identifier: Apache-2.0

package import Events
package import Platform

/// A session that was found.
package struct FoundSession: Sendable {
    package var bucket: Int
    package var person: UInt64
    var length: Int64
    var isEngaged: Bool
    package var hasCrash: Bool
    /// The number of its value.
    package var value: UInt32?
}

extension QueryContext {
    package func sessions(_ query: SessionsQuery) throws -> QueryAnswer<SessionsAnswer> {
        let buckets = query.range.buckets
        let found = try sessions(in: buckets, timeout: query.timeout, names: nil, filters: query.filters, field: nil).found
        let byBucket = Dictionary(grouping: found, by: \.bucket)
        let points = (0..<buckets.count).map { bucket in
            SessionsAnswer.Point(t: Moment(buckets.edges[bucket]), figures: figures(byBucket[bucket] ?? []))
        }
        return QueryAnswer(AnswerRange(query.range, source: .raw), SessionsAnswer(points: points, total: figures(found)))
    }

    private func figures(_ sessions: [FoundSession]) -> SessionsAnswer.Figures {
        .init(lengths: sessions.map(\.length), users: Set(sessions.map(\.person)).count, engaged: sessions.count(where: \.isEngaged))
    }

    /// The sessions whose first event lies in a range and that hold an event of some names and filters; `values` are the texts behind
    /// their numbers. Events up to a day before and behind the range are looked at to see where its sessions begin and end. Crashes are
    /// part of the sessions they name or fall into, and where there is none make one.
    package func sessions(
        in buckets: TimeBuckets, timeout: Timestamp.Span, names: [String]?, filters: [Filter], field: FieldPath?, crashes: [ScannedEvent] = []
    ) throws -> (found: [FoundSession], values: [[UInt8]]) {
        var identity = try identity(from: buckets.from, to: buckets.to, askedBeyond: true)
        var named = Identity()
        for crash in crashes where buckets.index(of: Timestamp(milliseconds: crash.time)) != nil {
            named.claim(crash.installation, for: crash.user, at: crash.time, exact: true)
        }
        identity.fill(from: named)
        var scan = EventScan(TimeBuckets(edges: [buckets.from - .days(1), buckets.to + .days(1)]), field: field)
        scan.tests = [
            EventTest(names: names, filters: filters), EventTest(names: [EventKind.screenView.name]),
            EventTest(names: [EventKind.purchase.name, EventKind.inAppPurchase.name]), EventTest(names: [SessionCut.crashEvent]),
        ]
        var found: [FoundSession] = []
        var all = ValueTable()
        let seen = crashes.map { crash in
            var crash = crash
            crash.passed = SessionCut.Session.crash | (names == nil && filters.isEmpty ? 1 : 0)
            return crash
        }
        try eachPerson(scan, identity, beside: seen) { events, values in
            for session in SessionCut(events, timeout: timeout).sessions {
                guard let bucket = buckets.index(of: Timestamp(milliseconds: session.first)), session.passes else { continue }
                let text = session.value(values.texts)
                found.append(
                    FoundSession(
                        bucket: bucket, person: events[events.startIndex].person, length: session.last - session.first, isEngaged: session.isEngaged,
                        hasCrash: session.hasCrash, value: try text.map { try all.number($0) }))
            }
        }
        return (found, all.texts)
    }
}

/// Cuts one person's events, which are in the order of their times, into sessions: by the session they name, else where there was none
/// for as long as the timeout. A crash that names none and follows no such event is of the named session it falls into.
struct SessionCut {
    /// The event by which a client says that its session ended in a crash.
    static let crashEvent = "session_crash"

    struct Session {
        var first: Int64
        var last: Int64
        var screens = 0
        var hasPurchase = false
        var hasCrash = false
        /// What a crash is marked with: as an event of a crashed session that passes the last of the tests.
        static let crash: UInt32 = 8
        /// Whether one of its events is what is asked for, and the values of the first such.
        var passes = false
        private var passedAt: Int64 = .max
        private var values: [UInt32] = []

        init(_ event: PersonEvent) {
            (first, last) = (event.time, event.time)
        }

        mutating func add(_ event: PersonEvent) {
            last = event.time
            if event.passed & 2 != 0 { screens += 1 }
            if event.passed & 4 != 0 { hasPurchase = true }
            if event.passed & Session.crash != 0 { hasCrash = true }
            guard event.passed & 1 != 0 else { return }
            passes = true
            if event.time < passedAt { (passedAt, values) = (event.time, []) }
            if event.time == passedAt { values.append(event.value) }
        }

        var isEngaged: Bool { last - first > 10_000 || screens >= 2 || hasPurchase }

        /// The value of its first event that is asked for; of several at the same moment the least.
        func value(_ texts: [[UInt8]]) -> [UInt8]? {
            values.filter { $0 != 0 }.map { texts[Int($0) - 1] }.min { $0.lexicographicallyPrecedes($1) }
        }
    }

    private(set) var sessions: [Session] = []

    init(_ events: ArraySlice<PersonEvent>, timeout: Timestamp.Span) {
        var named: [UInt64: Int] = [:]
        var open: Int?
        let spans = SessionCut.spans(ofNamedIn: events)
        for event in events {
            var place = open
            if let open, event.time - sessions[open].last >= timeout.milliseconds { place = nil }
            var name = event.session
            if name == 0, place == nil, event.isCrash { name = SessionCut.session(around: event.time, spans, timeout) }
            if name != 0 { place = named[name] }
            let session = place ?? sessions.count
            if place == nil { sessions.append(Session(event)) }
            sessions[session].add(event)
            if name == 0 { open = session } else { named[name] = session }
        }
    }

    /// When the sessions that are named began and ended; looked up only where a crash may fall into one.
    private static func spans(ofNamedIn events: ArraySlice<PersonEvent>) -> [UInt64: (first: Int64, last: Int64)] {
        guard events.contains(where: { $0.session == 0 && $0.isCrash }) else { return [:] }
        var spans: [UInt64: (first: Int64, last: Int64)] = [:]
        for event in events where event.session != 0 { spans[event.session] = (spans[event.session]?.first ?? event.time, event.time) }
        return spans
    }

    /// The named session that began last before a time and ended less than the timeout before it, if any; 0 where there is none, or two.
    private static func session(around time: Int64, _ spans: [UInt64: (first: Int64, last: Int64)], _ timeout: Timestamp.Span) -> UInt64 {
        let around = spans.filter { $0.value.first <= time && time - $0.value.last < timeout.milliseconds }
        let newest = around.map(\.value.first).max()
        let found = around.filter { $0.value.first == newest }
        return found.count == 1 ? found.keys.first ?? 0 : 0
    }
}

extension PersonEvent {
    fileprivate var isCrash: Bool { passed & SessionCut.Session.crash != 0 }
}
