// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import Platform

/// An event or a stored part of a session, as `SessionCut` sees it.
protocol SessionPiece: OfPerson, Sendable {
    var first: Int64 { get }
    var last: Int64 { get }
    /// The key of the session ID; 0 for none.
    var session: UInt64 { get }
    /// The user it names; 0 for none.
    var user: UInt64 { get }
    /// Whether it is only a crash.
    var isCrash: Bool { get }
    /// Adds it to its session.
    func add(to sum: inout SessionSum)
}

/// The division of one subject's events into sessions by the session timeout, the app setting `session_timeout_seconds`.
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
/// Stored parts give the same sessions as their events: within a part without a session ID no gap is as long as the timeout.
///
/// Invariant: the pieces are in order of their first time.
struct SessionCut {
    /// The number of sessions whose names are searched without an index.
    private static let searched = 16

    /// The session of each piece, by its place among the pieces.
    private(set) var places: [Int] = []
    /// The name of each session; 0 for none.
    private(set) var names: [UInt64] = []
    private var named: [UInt64: Int] = [:]

    /// Cuts the pieces of the next subject.
    mutating func cut<Piece: SessionPiece>(_ pieces: ArraySlice<Piece>, timeout: Timestamp.Span) {
        clear()
        var open: (session: Int, last: Int64)?
        var spans = NamedSpans(pieces, timeout: timeout.milliseconds)
        for piece in pieces {
            if let now = open, piece.first - now.last >= timeout.milliseconds { open = nil }
            var name = piece.session
            if name == 0, open == nil, piece.isCrash { name = spans.session(around: piece.first) }
            let place = (name == 0 ? open?.session : place(of: name)) ?? begin(name)
            places.append(place)
            if name == 0 { open = (place, max(open?.last ?? piece.last, piece.last)) }
        }
    }

    private mutating func clear() {
        places.removeAll(keepingCapacity: true)
        names.removeAll(keepingCapacity: true)
        if !named.isEmpty { named = [:] }
    }

    private func place(of name: UInt64) -> Int? {
        named.isEmpty ? names.lastIndex(of: name) : named[name]
    }

    private mutating func begin(_ name: UInt64) -> Int {
        names.append(name)
        if names.count == SessionCut.searched {
            for (place, name) in names.enumerated() where name != 0 { named[name] = place }
            // An index that is not empty, even if no session has a name.
            named[0] = 0
        } else if names.count > SessionCut.searched, name != 0 {
            named[name] = names.count - 1
        }
        return names.count - 1
    }
}

/// The start and end of a subject's named sessions, for crashes without a session.
private struct NamedSpans {
    private struct Span {
        var name: UInt64
        var first: Int64
        var last: Int64
    }

    /// The sessions that begin later than the time asked for last, the next one at the end.
    private var later: [Span] = []
    /// Those that began before, without ones that are over.
    private var begun: [Span] = []
    private let timeout: Int64

    init<Piece: SessionPiece>(_ pieces: ArraySlice<Piece>, timeout: Int64) {
        self.timeout = timeout
        guard pieces.contains(where: { $0.session == 0 && $0.isCrash }) else { return }
        var spans: [UInt64: Span] = [:]
        for piece in pieces where piece.session != 0 {
            let first = spans[piece.session]?.first ?? piece.first
            spans[piece.session] = Span(name: piece.session, first: first, last: max(spans[piece.session]?.last ?? piece.last, piece.last))
        }
        later = spans.values.sorted { $0.first > $1.first }
    }

    /// Returns the named session around a time: the one that began last before it and ended less than the timeout ago; 0 if there is none,
    /// or more than one that began at the same time.
    ///
    /// Times may only rise, so a session that is over is dropped.
    mutating func session(around time: Int64) -> UInt64 {
        while let next = later.last, next.first <= time { begun.append(later.removeLast()) }
        while let last = begun.last, isOver(last, time) { begun.removeLast() }
        guard let newest = begun.last else { return 0 }
        while begun.count > 1, begun[begun.count - 2].first == newest.first {
            guard isOver(begun[begun.count - 2], time) else { return 0 }
            begun.remove(at: begun.count - 2)
        }
        return newest.name
    }

    private func isOver(_ span: Span, _ time: Int64) -> Bool { time - span.last >= timeout }
}

/// The sessions of one subject after the other.
struct SessionsOfSubject<Piece: SessionPiece> {
    private var cut = SessionCut()
    private(set) var sums: [SessionSum] = []
    private(set) var subject: UInt64 = 0
    private let scan: SessionScan

    init(_ scan: SessionScan) {
        self.scan = scan
    }

    /// The name of each session; 0 for none.
    var names: [UInt64] { cut.names }

    mutating func cut(_ pieces: ArraySlice<Piece>) {
        subject = pieces.first?.person ?? 0
        cut.cut(pieces, timeout: scan.timeout)
        sums.removeAll(keepingCapacity: true)
        for _ in cut.names { sums.append(SessionSum()) }
        for (piece, place) in zip(pieces, cut.places) { piece.add(to: &sums[place]) }
    }

    /// Calls a closure with the sessions that begin in the range and match the query.
    func each(_ owners: SubjectOwners, _ values: ValueTable, _ body: (FoundSession) -> Void) {
        for sum in sums where sum.passes {
            guard let bucket = scan.buckets.index(of: Timestamp(milliseconds: sum.first)) else { continue }
            body(
                FoundSession(
                    bucket: bucket, person: sum.person(of: subject, owners), length: sum.last - sum.first, isEngaged: sum.isEngaged,
                    hasCrash: sum.hasCrash, isOnlyCrash: sum.isOnlyCrash, value: sum.value(values)))
        }
    }
}
