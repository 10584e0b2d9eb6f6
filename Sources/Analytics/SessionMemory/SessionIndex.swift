// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import Platform

/// The sessions of an app's files in memory, which each new part corrects.
///
/// Nearly every row is a session, so a query passes over rows and joins nothing:
///
///     files                  i 10:00–10:10, j 10:05, i 10:20                rows: i 10:00–10:20, j 10:05
///     news                   i 10:25–10:30 (grown from 10:25 meanwhile)     rows: i 10:00–10:30, j 10:05
///     a late event           j 10:20                                        rows: i 10:00–10:30, j 10:05–10:20
///
/// Invariant: the rows of a subject are its parts, joined as `SubjectSessions` does, and linked.
struct SessionIndex: Sendable {
    /// The time at which an installation named a user without an event.
    struct Naming: Sendable {
        var user: UInt32
        var time: Int64
    }

    /// Numbers of subjects and users.
    private(set) var people = KeyNumbers(isOrdered: false)
    private(set) var rows = SessionRows()
    /// The first row of each subject plus one; 0 for none.
    private var heads: [UInt32] = [0]
    /// Whether each subject named a user, in an event or an alias.
    private(set) var isNaming = [false]
    /// The later rows of sessions, by their first row.
    private(set) var later: [UInt32: [UInt32]] = [:]
    /// The subjects whose sessions are cut for each query.
    private(set) var cutPerQuery: Set<UInt32> = []
    /// The aliases of installations.
    private(set) var namings: [UInt32: [Naming]] = [:]
    /// The versions.
    var values = ValueTable()
    private var scratch = SubjectSessions()
    private var numbers: [UInt32] = []

    var bytes: Int { rows.bytes + people.bytes + heads.count * 5 + (later.count + cutPerQuery.count + namings.count) * 64 }

    private mutating func number(of key: UInt64) -> UInt32 {
        let number = people.number(of: key)
        while heads.count < people.count {
            heads.append(0)
            isNaming.append(false)
        }
        return number
    }

    /// Adds parts of one subject, with their versions as codes of `values`.
    mutating func add(_ news: ArraySlice<StoredPiece>, timeout: Int64) {
        guard let first = news.first else { return }
        let subject = number(of: first.person)
        if heads[Int(subject)] == 0, news.count == 1, !first.part.isLooseCrash {
            let row = rows.take()
            set(row, first, subject, .init(first.part), next: 0)
            heads[Int(subject)] = row + 1
            return
        }
        scratch.removeAll()
        numbers.removeAll(keepingCapacity: true)
        var next = heads[Int(subject)]
        while next != 0 {
            let number = next - 1
            numbers.append(number)
            if rows[number].state.contains(.hasLater) { later[number] = nil }
            scratch.add(piece(at: number))
            next = rows.rest(of: number).next
        }
        for piece in news { scratch.add(piece) }
        scratch.join(timeout: timeout, values)
        storeScratch(of: subject)
    }

    mutating func add(_ naming: SessionFeed.News.Naming) {
        let (installation, user) = (number(of: naming.installation), number(of: naming.user))
        isNaming[Int(installation)] = true
        namings[installation, default: []].append(Naming(user: user, time: naming.time))
    }

    /// Returns the number of a person; nil if it is not here.
    func known(_ key: UInt64) -> UInt32? { people.known(key) }

    /// Calls a closure with the numbers of a subject's rows.
    func eachRow(of subject: UInt32, _ body: (UInt32) -> Void) {
        var next = heads[Int(subject)]
        while next != 0 {
            body(next - 1)
            next = rows.rest(of: next - 1).next
        }
    }

    /// Returns a row as a part.
    func piece(at number: UInt32) -> StoredPiece {
        let (row, rest) = (rows[number], rows.rest(of: number))
        var part = SessionPart(subject: people.keys[Int(row.subject)], session: rest.session, time: row.first)
        part.last = row.first + Int64(row.length)
        if row.user != 0 { (part.user, part.userTime) = (people.keys[Int(row.user)], row.first + Int64(rest.userOffset)) }
        (part.flags, part.views) = (row.state.flags, rest.views)
        return StoredPiece(part: part, value: row.value)
    }

    // MARK: Storing

    /// Replaces the rows of a subject, whose numbers are in `numbers`.
    private mutating func storeScratch(of subject: UInt32) {
        while numbers.count > scratch.pieces.count { rows.remove(numbers.removeLast()) }
        while numbers.count < scratch.pieces.count { numbers.append(rows.take()) }
        for (place, start) in scratch.starts.enumerated() {
            let end = place + 1 < scratch.starts.count ? scratch.starts[place + 1] : scratch.pieces.count
            storeSession(start..<end, of: subject)
        }
        heads[Int(subject)] = numbers.first.map { $0 + 1 } ?? 0
        if scratch.isCutPerQuery { cutPerQuery.insert(subject) }
    }

    private mutating func storeSession(_ places: Range<Int>, of subject: UInt32) {
        for place in places {
            let piece = scratch.pieces[place]
            var state = SessionRow.State(piece.part)
            if scratch.isCutPerQuery { state.insert(.isCutPerQuery) }
            if place > places.lowerBound { state.insert(.isLater) } else if places.count > 1 { state.insert(.hasLater) }
            set(numbers[place], piece, subject, state, next: place + 1 < numbers.count ? numbers[place + 1] + 1 : 0)
        }
        if places.count > 1 { later[numbers[places.lowerBound]] = Array(numbers[places.dropFirst()]) }
    }

    private mutating func set(_ number: UInt32, _ piece: StoredPiece, _ subject: UInt32, _ state: SessionRow.State, next: UInt32) {
        let part = piece.part
        let user = part.user == 0 ? 0 : self.number(of: part.user)
        if user != 0 { isNaming[Int(subject)] = true }
        let row = SessionRow(
            first: part.first, length: UInt32(truncatingIfNeeded: part.last - part.first), subject: subject, user: user, value: piece.value, state)
        let offset = user == 0 ? 0 : UInt32(truncatingIfNeeded: part.userTime - part.first)
        rows.set(number, row, SessionRest(session: part.session, views: part.views, userOffset: offset, next: next))
    }
}
