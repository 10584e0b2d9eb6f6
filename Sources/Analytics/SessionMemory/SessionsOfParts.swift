// SPDX-License-Identifier: Apache-2.0

package import EventStore
package import Events
package import Platform

/// The sessions of parts without a store, for fuzz targets: cut from all parts at once, and kept in memory while they arrive.
package struct SessionsOfParts: Sendable {
    /// A session without its person, whose key or number depends on the way.
    package struct Session: Sendable, Equatable {
        package var bucket: Int
        var length: Int64
        var isEngaged: Bool
        var hasCrash: Bool
        var isOnlyCrash: Bool

        fileprivate var order: (Int, Int64, Int) {
            (bucket, length, (isEngaged ? 1 : 0) + (hasCrash ? 2 : 0) + (isOnlyCrash ? 4 : 0))
        }
    }

    private let scan: SessionScan
    private let parts: [SessionPart]

    /// - Parameter buckets: A range from midnight to midnight in UTC, so that no part begins before it and ends in it.
    package init(_ parts: [SessionPart], in buckets: TimeBuckets, timeout: Timestamp.Span) {
        self.parts = parts
        scan = SessionScan(buckets, timeout: timeout)
    }

    /// Returns the sessions and the number of their people as a query over stored parts finds them.
    package func cut() -> (sessions: [Session], people: Int) {
        var (found, sessions) = (FoundSessions(), SessionsOfSubject<StoredPiece>(scan))
        let days = SessionScan.days(around: scan.buckets)
        var subjects = BySubject(parts.filter { days.contains($0.day) }.map { VersionCodes().piece($0) }, in: .min...(.max))
        let owners = owners
        subjects.each { pieces in
            sessions.cut(pieces)
            sessions.each(owners, ValueTable()) { found.add($0) }
        }
        return found.all
    }

    /// Returns the same as a query over sessions in memory finds them. The parts arrive in some pieces.
    package func kept(in pieces: Int) -> (sessions: [Session], people: Int) {
        var (index, found) = (SessionIndex(), FoundSessions())
        let length = max(1, (parts.count + pieces - 1) / pieces)
        for start in stride(from: 0, to: parts.count, by: length) {
            let news = parts[start..<min(start + length, parts.count)].map { VersionCodes().piece($0) }
            var subjects = BySubject(news, in: .min...(.max))
            subjects.each { index.add($0, timeout: scan.timeout.milliseconds) }
        }
        var pass = SessionPass(index, scan) { owners }
        _ = try? pass.count(into: &found)
        return found.all
    }

    private var owners: SubjectOwners {
        var identity = Identity()
        let (from, to) = (scan.buckets.from.milliseconds, scan.buckets.to.milliseconds)
        for part in parts where part.userTime >= from && part.userTime < to { identity.claim(part.subject, for: part.user, at: part.userTime) }
        return SubjectOwners(identity)
    }
}

private struct FoundSessions: SessionSums {
    private var sessions: [SessionsOfParts.Session] = []
    private var people = PersonNumbers()
    private var numbers: [UInt32] = []

    mutating func expectNumbers() { people.expectNumbers() }

    mutating func add(_ session: FoundSession) {
        sessions.append(
            .init(
                bucket: session.bucket, length: session.length, isEngaged: session.isEngaged, hasCrash: session.hasCrash,
                isOnlyCrash: session.isOnlyCrash))
        numbers.append(people.number(of: session.person))
    }

    mutating func join(_ other: Self) {}

    var all: (sessions: [SessionsOfParts.Session], people: Int) {
        var people = people
        return (sessions.sorted { $0.order < $1.order }, people.different(in: [numbers]))
    }
}
