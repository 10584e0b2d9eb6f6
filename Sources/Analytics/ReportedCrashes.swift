// SPDX-License-Identifier: Apache-2.0

import EventStore
import Platform

/// Fatal crash reports and the subjects whose sessions they may belong to, set aside until all sessions are known.
///
/// A report belongs to a session of its installation if that has any. Crashes often come from another SDK than events, with its own
/// installation ID or none, so a report belongs else to a session that counts for its user: to the one it names, or to the one that began
/// before it and ended last, less than the timeout ago. Otherwise it is a session of its own:
///
///     events    phone, user u   10:00–10:20 (session s), 11:00–11:10
///     reports   user u, 11:15                 the session at 11:00
///               user u, session s, 11:20      session s
///               phone, 10:25                  a session of the phone, as if it were an event
///               tablet, user u, 10:10         session s, if the tablet sent no events
///               user u, 14:00                 a session of its own
struct ReportedCrashes<Piece: SessionPiece>: Sendable {
    private struct Name: Hashable {
        var user: UInt64
        var session: UInt64
    }

    private let crashes: EventBatch
    private let subjects: KeySet
    private let users: KeySet
    private var groups: [[Piece]] = []

    init(_ crashes: EventBatch) {
        self.crashes = crashes
        let rows = crashes.rows
        subjects = KeySet(rows.map { SessionSubject.key(user: crashes.users[$0], installation: crashes.installations[$0]) }.filter { $0 != 0 })
        users = KeySet(rows.map { crashes.users[$0] }.filter { $0 != 0 })
    }

    /// Sets the pieces of a subject aside if a report may belong to its sessions.
    mutating func take(_ pieces: ArraySlice<Piece>, _ owners: SubjectOwners) -> Bool {
        guard crashes.count > 0, let subject = pieces.first?.person, concerns(subject, pieces, owners) else { return false }
        groups.append(Array(pieces))
        return true
    }

    private func concerns(_ subject: UInt64, _ pieces: ArraySlice<Piece>, _ owners: SubjectOwners) -> Bool {
        if subjects.contains(subject) { return true }
        if users.count == 0 { return false }
        var last: UInt64 = 0
        for piece in pieces where piece.user != last {
            last = piece.user
            if users.contains(last == 0 ? owners.person(of: subject) : last) { return true }
        }
        return last == 0 && users.contains(owners.person(of: subject))
    }

    mutating func join(_ other: Self) { groups += other.groups }

    /// Returns the pieces that were set aside with the reports among them, in the order of each subject.
    ///
    /// - Parameter piece: Makes a piece of a report, for its subject.
    func placed(_ scan: SessionScan, _ owners: SubjectOwners, _ piece: (_ row: Int, _ subject: UInt64) throws -> Piece) rethrows -> [[Piece]] {
        if crashes.count == 0 { return [] }
        let targets = targets(scan, owners)
        var groups = groups
        var places: [UInt64: Int] = [:]
        for (place, group) in groups.enumerated() { places[group[0].person] = place }
        var changed: Set<Int> = []
        for row in crashes.rows where targets[row] != 0 {
            let place = places[targets[row], default: groups.count]
            if place == groups.count {
                groups.append([])
                places[targets[row]] = place
            }
            groups[place].append(try piece(row, targets[row]))
            changed.insert(place)
        }
        for place in changed { groups[place].sort() }
        return groups
    }

    /// Returns the subject of each report; 0 for none.
    private func targets(_ scan: SessionScan, _ owners: SubjectOwners) -> [UInt64] {
        let present = KeySet(groups.map { $0[0].person })
        let (named, newest) = sessions(scan, owners)
        return crashes.rows.map { row in
            let (user, installation, time) = (crashes.users[row], crashes.installations[row], crashes.times[row])
            let own = SessionSubject.key(user: user, installation: installation)
            if user == 0 || (installation != 0 && present.contains(installation)) { return own }
            if crashes.sessions[row] != 0 { return named[Name(user: user, session: crashes.sessions[row])] ?? own }
            guard let sessions = newest[user], let session = SessionEnd.last(of: sessions, startingBy: time) else { return own }
            return time - session.last < scan.timeout.milliseconds ? session.subject : own
        }
    }

    /// Returns the sessions of the reports' users: those with names, and all in the order of their start, each with the one that ended last
    /// until then.
    private func sessions(_ scan: SessionScan, _ owners: SubjectOwners) -> (named: [Name: UInt64], newest: [UInt64: [SessionEnd]]) {
        var named: [Name: UInt64] = [:]
        var newest: [UInt64: [SessionEnd]] = [:]
        var cut = SessionsOfSubject<Piece>(scan)
        for group in groups {
            cut.cut(group[...])
            for (sum, name) in zip(cut.sums, cut.names) {
                let user = sum.person(of: cut.subject, owners)
                guard users.contains(user) else { continue }
                newest[user, default: []].append(SessionEnd(first: sum.first, last: sum.last, subject: cut.subject))
                if name != 0 { named[Name(user: user, session: name), default: .max].lower(to: cut.subject) }
            }
        }
        return (named, newest.mapValues(SessionEnd.newest))
    }
}

/// The span of a session.
private struct SessionEnd: Sendable {
    var first: Int64
    var last: Int64
    var subject: UInt64

    /// Returns sessions in the order of their start, each with the end and the subject of the one that ended last until then.
    static func newest(_ sessions: [SessionEnd]) -> [SessionEnd] {
        var ordered = sessions.sorted { ($0.first, $0.subject) < ($1.first, $1.subject) }
        for place in ordered.indices.dropFirst() {
            let (one, other) = (ordered[place - 1], ordered[place])
            if (one.last, other.subject) > (other.last, one.subject) { (ordered[place].last, ordered[place].subject) = (one.last, one.subject) }
        }
        return ordered
    }

    /// Returns the last of ordered sessions that starts by a time.
    static func last(of sessions: [SessionEnd], startingBy time: Int64) -> SessionEnd? {
        var (lower, upper) = (0, sessions.count)
        while lower < upper {
            let middle = (lower + upper) / 2
            if sessions[middle].first <= time { lower = middle + 1 } else { upper = middle }
        }
        return lower == 0 ? nil : sessions[lower - 1]
    }
}

extension UInt64 {
    fileprivate mutating func lower(to other: UInt64) { self = Swift.min(self, other) }
}
