// SPDX-License-Identifier: Apache-2.0

import EventStore
import Platform

/// The parts of one subject, joined as far as they belong to the same session and UTC day, and the sessions that they make.
///
///     parts of i       10:00–10:10, 14:00, 10:20, and 23:50–23:59, 00:05 of the next day       timeout 30 minutes
///     joined           10:00–10:20, 14:00, 23:50–23:59, 00:05
///     sessions         10:00–10:20, 14:00, 23:50–00:05
///
/// A session shorter than a day is the same for every query that asks for its start, because a query reads the days before and after its
/// range. Others depend on the days that are read, and so do sessions with crashes that name none. A subject with such a session is cut for
/// each query.
struct SubjectSessions: Sendable {
    /// The parts in the order of sessions and time.
    private(set) var pieces: [StoredPiece] = []
    /// The place of the first part of each session.
    private(set) var starts: [Int] = []
    private(set) var isCutPerQuery = false

    mutating func removeAll() {
        pieces.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        isCutPerQuery = false
    }

    mutating func add(_ piece: StoredPiece) { pieces.append(piece) }

    /// Joins what was added. Parts may have been added twice.
    mutating func join(timeout: Int64, _ values: ValueTable) {
        pieces.sort(by: SubjectSessions.isBefore)
        // The number of joined parts, which are first in the array, and the times of the last session.
        var (kept, first, last) = (0, Int64(0), Int64(0))
        for place in pieces.indices {
            let piece = pieces[place]
            if piece.part.isLooseCrash {
                isCutPerQuery = true
                if kept > 0, pieces[kept - 1] == piece { continue }
                starts.append(kept)
            } else if kept > 0, let before = starts.last, pieces[before].continues(with: piece, last, timeout) {
                last = max(last, piece.last)
                if last - first >= Day.milliseconds { isCutPerQuery = true }
                if pieces[kept - 1].part.day == piece.part.day {
                    pieces[kept - 1].join(piece, values)
                    continue
                }
            } else {
                starts.append(kept)
                (first, last) = (piece.first, piece.last)
            }
            pieces[kept] = piece
            kept += 1
        }
        pieces.removeLast(pieces.count - kept)
    }

    /// Orders parts by session and time. Crashes without a session are apart.
    private static func isBefore(_ a: StoredPiece, _ b: StoredPiece) -> Bool {
        if a.session != b.session { return a.session < b.session }
        let (isLoose, isOtherLoose) = (a.part.isLooseCrash, b.part.isLooseCrash)
        if isLoose != isOtherLoose { return isOtherLoose }
        return (a.first, a.user, a.value) < (b.first, b.user, b.value)
    }
}

extension StoredPiece {
    /// Whether a later part belongs to the session of this one, whose last event so far was at a time.
    fileprivate func continues(with later: StoredPiece, _ last: Int64, _ timeout: Int64) -> Bool {
        session == later.session && !part.isLooseCrash && (session != 0 || later.first - last < timeout)
    }

    /// Adds a part that does not begin before this one.
    fileprivate mutating func join(_ later: StoredPiece, _ values: ValueTable) {
        if later.first == first, later.value != value { value = values.least(value, later.value) }
        part.join(later.part)
    }
}

extension ValueTable {
    /// Returns the code of the lesser of two values; no value is greater than any.
    fileprivate func least(_ one: UInt32, _ other: UInt32) -> UInt32 {
        guard let first = self[one] else { return other }
        guard let second = self[other] else { return one }
        return second.lexicographicallyPrecedes(first) ? other : one
    }
}
