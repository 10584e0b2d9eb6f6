// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import Platform

/// The count of one query over the sessions in memory.
///
/// Sessions are read row by row. Subjects whose sessions are cut per query, and those that crash reports may concern, are apart: their rows
/// on the days around the range are cut as stored parts are.
struct SessionPass {
    private let index: SessionIndex
    private let scan: SessionScan
    private var owners: RangeOwners
    private var isApart: [Bool] = []
    private var apart: [UInt32] = []

    /// - Parameter others: Returns owners for subjects whose rows do not tell them.
    init(_ index: SessionIndex, _ scan: SessionScan, others: @escaping () throws -> SubjectOwners) {
        (self.index, self.scan) = (index, scan)
        owners = RangeOwners(index, scan.buckets, others: others)
        apart = Array(index.cutPerQuery)
        if scan.crashes.count > 0 { setApart() }
    }

    /// Counts all sessions. Returns the table of their values.
    mutating func count<Sums: SessionSums>(into sums: inout Sums) throws -> ValueTable {
        sums.expectNumbers()
        try countRows(into: &sums)
        return try countApart(into: &sums)
    }

    // MARK: Rows

    private mutating func countRows<Sums: SessionSums>(into sums: inout Sums) throws {
        let (from, to) = (scan.buckets.from.milliseconds, scan.buckets.to.milliseconds)
        let finder = BucketFinder(scan.buckets)
        let (hasValue, someAreApart) = (scan.field != nil, !isApart.isEmpty)
        for (number, block) in index.rows.blocks.enumerated() where block.least < to && block.greatest >= from {
            for place in block.rows.indices {
                let row = block.rows[place]
                guard row.first >= from, row.first < to, row.state.isDisjoint(with: .uncounted) else { continue }
                if someAreApart, isApart[Int(row.subject)] { continue }
                if row.state.contains(.hasLater) {
                    try count(SessionRows.number(number, place), finder, into: &sums)
                    continue
                }
                var person = row.user != 0 ? row.user : row.subject
                if row.user == 0, index.isNaming[Int(row.subject)] { person = try owners.person(of: row.subject) }
                sums.add(
                    FoundSession(
                        bucket: finder.bucket(of: row.first), person: UInt64(person), length: Int64(row.length), isEngaged: row.isEngaged,
                        hasCrash: row.state.contains(.crash), isOnlyCrash: !row.state.contains(.activity), value: hasValue ? row.value : 0))
            }
        }
    }

    /// Counts a session of several rows.
    private mutating func count<Sums: SessionSums>(_ number: UInt32, _ finder: BucketFinder, into sums: inout Sums) throws {
        var sum = SessionSum()
        for row in [number] + (index.later[number] ?? []) { index.piece(at: row).add(to: &sum) }
        let person = try sum.namedUser == 0 ? owners.person(of: index.rows[number].subject) : owners.number(of: sum.namedUser)
        sums.add(
            FoundSession(
                bucket: finder.bucket(of: sum.first), person: UInt64(person), length: sum.last - sum.first, isEngaged: sum.isEngaged,
                hasCrash: sum.hasCrash, isOnlyCrash: sum.isOnlyCrash, value: scan.field == nil ? 0 : sum.value(index.values)))
    }

    // MARK: Subjects apart

    /// Finds the subjects that crash reports may concern: their own, and those that named one of their users.
    private mutating func setApart() {
        let crashes = scan.crashes
        isApart = [Bool](repeating: false, count: index.people.count)
        var isUser = isApart
        for subject in apart { isApart[Int(subject)] = true }
        for row in crashes.rows {
            if let user = index.known(crashes.users[row]) { isUser[Int(user)] = true }
            let subject = SessionSubject.key(user: crashes.users[row], installation: crashes.installations[row])
            if let subject = index.known(subject) { setApart(subject) }
        }
        for block in index.rows.blocks {
            for row in block.rows where row.user != 0 && isUser[Int(row.user)] { setApart(row.subject) }
        }
        for (installation, namings) in index.namings where namings.contains(where: { isUser[Int($0.user)] }) { setApart(installation) }
    }

    private mutating func setApart(_ subject: UInt32) {
        if isApart[Int(subject)] { return }
        isApart[Int(subject)] = true
        apart.append(subject)
    }

    private mutating func countApart<Sums: SessionSums>(into sums: inout Sums) throws -> ValueTable {
        var values = index.values
        if apart.isEmpty && scan.crashes.count == 0 { return values }
        let subjects = try owners.owners(of: apart, scan)
        var (cut, reported) = (SessionsOfSubject<StoredPiece>(scan), ReportedCrashes<StoredPiece>(scan.crashes))
        func count(_ pieces: ArraySlice<StoredPiece>) {
            cut.cut(pieces)
            cut.each(subjects, values) { session in
                var session = session
                session.person = UInt64(owners.number(of: session.person))
                sums.add(session)
            }
        }
        let days = SessionScan.days(around: scan.buckets)
        for subject in apart {
            let pieces = pieces(of: subject, days)[...]
            if !pieces.isEmpty, !reported.take(pieces, subjects) { count(pieces) }
        }
        for group in try reported.placed(scan, subjects, { try scan.crashPiece($0, $1, &values) }) { count(group[...]) }
        return values
    }

    /// Returns the parts of a subject on some days in the order of time.
    private func pieces(of subject: UInt32, _ days: ClosedRange<Day>) -> [StoredPiece] {
        var pieces: [StoredPiece] = []
        index.eachRow(of: subject) { number in
            var piece = index.piece(at: number)
            if scan.field == nil { piece.value = 0 }
            if days.contains(piece.part.day) { pieces.append(piece) }
        }
        return pieces.sorted()
    }
}

/// The bucket of a time, guessed from the mean length of buckets.
private struct BucketFinder {
    private let edges: [Int64]
    private let perMillisecond: Double

    init(_ buckets: TimeBuckets) {
        edges = buckets.edges.map(\.milliseconds)
        perMillisecond = Double(buckets.count) / Double((buckets.to - buckets.from).milliseconds)
    }

    /// Returns the bucket of a time in the range.
    func bucket(of time: Int64) -> Int {
        var bucket = min(Int(Double(time - edges[0]) * perMillisecond), edges.count - 2)
        while edges[bucket] > time { bucket -= 1 }
        while edges[bucket + 1] <= time { bucket += 1 }
        return bucket
    }
}
