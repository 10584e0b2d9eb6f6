// SPDX-License-Identifier: Apache-2.0

import Analytics
import EventStore
import Events
import Platform

/// The stored parts of sessions. Those of a damaged chunk are left out, and the others make the same sessions whether they are cut at once or
/// kept in memory while they arrive.
///
/// The first word has the session timeout, the first day and the number of days of the query; the others are parts of eight words.
enum SessionChunks {
    static func run(_ bytes: [UInt8]) {
        let words = bytes.indices.dropLast(7).lazy.filter { $0 % 8 == 0 }.map { start in
            (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[start + $1]) << UInt64(8 * $1) }
        }
        guard let head = words.first else { return }
        let parts = SessionPart.all(in: Array(words.dropFirst()))
        if !parts.isEmpty { accepted() }
        checkParts(parts)
        let first = Day(number: Int32(truncatingIfNeeded: head >> 16 & 0xffff)).start
        let edges = (0...Int64(1 + head >> 32 & 7)).map { first + .days($0) }
        let sessions = SessionsOfParts(parts, in: TimeBuckets(edges: edges), timeout: .seconds(Int64(1 + head & 0xffff)))
        let (cut, kept) = (sessions.cut(), sessions.kept(in: 3))
        require(cut.sessions == kept.sessions, "sessions in memory that differ: \(kept.sessions) instead of \(cut.sessions)")
        require(cut.people == kept.people, "people of sessions in memory that differ: \(kept.people) instead of \(cut.people)")
    }

    private static func checkParts(_ parts: [SessionPart]) {
        for part in parts {
            require(part.first <= part.last && part.last - part.first < Day.milliseconds, "a part longer than a day")
            var twice = part
            twice.join(part)
            require(twice == part, "a part that joining itself changes")
        }
        for (one, other) in zip(parts, parts.dropFirst()) {
            var (forth, back) = (one, other)
            forth.join(other)
            back.join(one)
            require(
                (forth.first, forth.last, forth.user, forth.userTime) == (back.first, back.last, back.user, back.userTime), "an order that matters")
            require(forth.flags == back.flags && forth.views == back.views, "an order that matters")
        }
    }
}
