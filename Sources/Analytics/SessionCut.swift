// SPDX-License-Identifier: Apache-2.0

import EventStore
import Platform

/// The division of one person's events into sessions by the session timeout, the app setting `session_timeout_seconds`.
///
/// An event that names a session belongs to that session. The others belong together until there was no such event for the timeout. A crash
/// report that names no session and follows no open unnamed one belongs to the named session around its time. With a timeout of 30 minutes:
///
///     10:00  view               session 1
///     10:20  view               session 1
///     10:55  view               session 2: 35 minutes without an event
///     11:00  view, session s    session s
///     11:10  view               session 2: 15 minutes; session s does not end it
///     12:00  view, session s    session s: names count, not silence
///     12:05  crash              session s: session 2 timed out, and s is around this time
///
/// Invariant: the events are in order of time.
struct SessionCut {
    /// The event by which a client reports that a session ended in a crash.
    static let crashEvent = "session_crash"

    struct Session {
        var first: Int64
        var last: Int64
        var screens = 0
        var hasPurchase = false
        var hasCrash = false
        var isOnlyCrash = true
        /// The test bit of crashes, the fourth of the scan's tests.
        static let crash: UInt32 = 8
        /// Whether an event of the session matches the query. `values` are those of the first that does.
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
            if event.passed & Session.crash != 0 { hasCrash = true } else { isOnlyCrash = false }
            guard event.passed & 1 != 0 else { return }
            passes = true
            if event.time < passedAt { (passedAt, values) = (event.time, []) }
            if event.time == passedAt { values.append(event.value) }
        }

        var isEngaged: Bool { last - first > 10_000 || screens >= 2 || hasPurchase }

        /// Returns the value of the first matching event; the least one if several have the same time.
        func value(_ table: ValueTable) -> [UInt8]? {
            values.compactMap { table[$0] }.min { $0.lexicographicallyPrecedes($1) }
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

    /// Returns the start and end of named sessions. They are needed only if there is a crash without a session.
    private static func spans(ofNamedIn events: ArraySlice<PersonEvent>) -> [UInt64: (first: Int64, last: Int64)] {
        guard events.contains(where: { $0.session == 0 && $0.isCrash }) else { return [:] }
        var spans: [UInt64: (first: Int64, last: Int64)] = [:]
        for event in events where event.session != 0 { spans[event.session] = (spans[event.session]?.first ?? event.time, event.time) }
        return spans
    }

    /// Returns the named session around a time: the one that began last before it and ended less than the timeout ago; 0 if there is none,
    /// or more than one that began at the same time.
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
