// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import Platform

/// The set of distinct combinations of a person's keys, a bucket and a value.
struct Sightings: Sendable {
    private struct Sighting: Hashable, Sendable {
        var installation: UInt64
        var user: UInt64
        var bucket: UInt32
        /// The value's code; 0 for no value.
        var value: UInt32
    }

    private var seen: Set<Sighting> = []
    private var values = ValueTable()
    private static let limit = 4_000_000

    mutating func add(_ other: Sightings) throws(Refusal) {
        for sighting in other.seen {
            var sighting = sighting
            sighting.value = try values.code(of: other.values[sighting.value])
            try insert(sighting)
        }
    }

    /// Adds a user's presence that no event shows.
    mutating func add(_ user: UInt64, in bucket: Int) throws(Refusal) {
        try insert(Sighting(installation: 0, user: user, bucket: UInt32(bucket), value: 0))
    }

    /// Adds the events that happened in one of the buckets.
    mutating func add(_ batch: EventBatch, in buckets: TimeBuckets) throws(Refusal) {
        values.follow(batch)
        for row in batch.rows {
            let (user, installation) = (batch.users[row], batch.installations[row])
            guard user != 0 || installation != 0, let bucket = buckets.index(of: Timestamp(milliseconds: batch.times[row])) else { continue }
            let value = batch.codes.isEmpty ? 0 : batch.codes[row]
            // The installation matters only for events without a user.
            try insert(Sighting(installation: user == 0 ? installation : 0, user: user, bucket: UInt32(bucket), value: value))
        }
    }

    private mutating func insert(_ sighting: Sighting) throws(Refusal) {
        guard seen.count < Sightings.limit else { throw .tooManyPeople }
        seen.insert(sighting)
    }

    var hasAnonymous: Bool { seen.contains { $0.user == 0 } }

    /// The keys of the different people, with all buckets as one period.
    func persons(_ whole: Identity) -> Set<UInt64> {
        Set(seen.map { whole.person(user: $0.user, installation: $0.installation) })
    }

    private struct Person: Hashable {
        var person: UInt64
        var bucket: UInt32
    }

    /// Returns the number of different people by value and bucket.
    ///
    /// The values with the largest totals have their own lines, and the others share one.
    ///
    /// - Parameter each: The identity of each bucket; empty if all sightings have a user.
    /// - Parameter whole: The identity of the range.
    func lines(like query: SeriesQuery, _ buckets: Int, each: [Identity], whole: Identity) -> [CountedLine] {
        let totals = totals(whole)
        guard query.breakdown != nil else { return [line(nil, buckets, each, total: totals[0] ?? 0) { _ in true }] }
        let ranked = totals.keys.sorted { (totals[$1] ?? 0, ExactText(name($0))) < (totals[$0] ?? 0, ExactText(name($1))) }
        let shown = Set(ranked.prefix(query.limit))
        var lines = ranked.prefix(query.limit).map { value in line(name(value), buckets, each, total: totals[value] ?? 0) { $0 == value } }
        if ranked.count > query.limit {
            let others = Set(seen.filter { !shown.contains($0.value) }.map { whole.person(user: $0.user, installation: $0.installation) })
            lines.append(line(BreakdownName.other, buckets, each, total: others.count) { !shown.contains($0) })
        }
        return lines
    }

    private func totals(_ whole: Identity) -> [UInt32: Int] {
        var people: [UInt32: Set<UInt64>] = [:]
        for sighting in seen {
            people[sighting.value, default: []].insert(whole.person(user: sighting.user, installation: sighting.installation))
        }
        return people.mapValues(\.count)
    }

    private func line(_ name: String?, _ buckets: Int, _ each: [Identity], total: Int, where isWanted: (UInt32) -> Bool) -> CountedLine {
        var people: Set<Person> = []
        for sighting in seen where isWanted(sighting.value) {
            let person =
                each.isEmpty
                ? sighting.user : each[Int(sighting.bucket)].person(user: sighting.user, installation: sighting.installation)
            people.insert(Person(person: person, bucket: sighting.bucket))
        }
        var counts = [Int64](repeating: 0, count: buckets)
        for person in people { counts[Int(person.bucket)] += 1 }
        return CountedLine(name: name, counts: counts, total: Int64(total))
    }

    private func name(_ value: UInt32) -> String {
        values[value].map { String(decoding: $0, as: UTF8.self) } ?? BreakdownName.none
    }
}

extension Refusal {
    /// The rejection of queries whose intermediate result exceeds the memory limit.
    static var tooManyPeople: Refusal {
        Refusal(
            .invalid, "The query has too many combinations of people, buckets and values.", hint: "Use a shorter range or a coarser interval.",
            fields: [.init("from", "too_much", "too long for this query")])
    }
}
