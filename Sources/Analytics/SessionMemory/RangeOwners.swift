// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import Platform

/// The persons that subjects of sessions in memory belong to in a query's range, as numbers.
///
/// A subject belongs to the user that it named earliest in the range. A row knows only the first user that it named, so for a row that began
/// before the range and named its user there, the presence of people decides:
///
///     rows of i           23:50–00:20 user a since 23:55, 09:00–09:10     range from 00:00
///     a named again, or another user by 00:20?                            not known here
struct RangeOwners {
    private let index: SessionIndex
    private let from: Int64
    private let to: Int64
    private let others: () throws -> SubjectOwners
    private var read: SubjectOwners?
    /// The person of each subject plus one; 0 if nobody asked.
    private var known: [UInt32] = []
    /// Numbers of people who are not in the index.
    private var added: [UInt64: UInt32] = [:]
    private var addedKeys: [UInt64] = []

    init(_ index: SessionIndex, _ buckets: TimeBuckets, others: @escaping () throws -> SubjectOwners) {
        (self.index, self.others) = (index, others)
        (from, to) = (buckets.from.milliseconds, buckets.to.milliseconds)
    }

    /// Returns the number of any person.
    mutating func number(of key: UInt64) -> UInt32 {
        if let known = index.known(key) ?? added[key] { return known }
        let number = UInt32(truncatingIfNeeded: index.people.count + added.count)
        added[key] = number
        addedKeys.append(key)
        return number
    }

    /// Returns the number of a subject's person.
    mutating func person(of subject: UInt32) throws -> UInt32 {
        if known.isEmpty { known = [UInt32](repeating: 0, count: index.people.count) }
        if known[Int(subject)] == 0 { known[Int(subject)] = try find(subject) + 1 }
        return known[Int(subject)] - 1
    }

    private mutating func find(_ subject: UInt32) throws -> UInt32 {
        guard index.isNaming[Int(subject)] else { return subject }
        var earliest: (time: Int64, user: UInt32)?
        var isUnclear = false
        func note(_ user: UInt32, at time: Int64) {
            guard time >= from, time < to else { return }
            if let known = earliest, (known.time, index.people.keys[Int(known.user)]) <= (time, index.people.keys[Int(user)]) { return }
            earliest = (time, user)
        }
        index.eachRow(of: subject) { number in
            let row = index.rows[number]
            guard row.user != 0 else { return }
            let named = row.first + Int64(index.rows.rest(of: number).userOffset)
            if named < from, row.first + Int64(row.length) >= from { isUnclear = true }
            note(row.user, at: named)
        }
        for naming in index.namings[subject] ?? [] { note(naming.user, at: naming.time) }
        if isUnclear { return number(of: try allOwners().person(of: index.people.keys[Int(subject)])) }
        return earliest?.user ?? subject
    }

    private mutating func allOwners() throws -> SubjectOwners {
        if let read { return read }
        let owners = try others()
        read = owners
        return owners
    }

    /// Returns the owners of some subjects, and of those that crash reports name.
    mutating func owners(of subjects: [UInt32], _ scan: SessionScan) throws -> SubjectOwners {
        var identity = Identity()
        for subject in subjects {
            let person = try person(of: subject)
            if person == subject { continue }
            identity.claim(index.people.keys[Int(subject)], for: key(of: person), at: 0)
        }
        var owners = SubjectOwners(identity)
        owners.add(scan)
        return owners
    }

    private func key(of person: UInt32) -> UInt64 {
        let count = index.people.count
        return Int(person) < count ? index.people.keys[Int(person)] : addedKeys[Int(person) - count]
    }
}
