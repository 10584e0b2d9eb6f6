// SPDX-License-Identifier: Apache-2.0

import Events
import Platform

/// The presence that the open day's file adds to the people of sealed files. Its memory is used again by each query.
///
///     open      (i, ann) 09:00    for ann; i belongs to ann if it named nobody in the sealed files
///     open      (i, nobody)       for the owner of i
///     sealed    (i, nobody)       moves to ann, if i belongs to ann only now
struct OpenPeople: Sendable {
    /// The new buckets of each line of `SealedPeople`.
    private var words: [UInt64] = []
    /// The first bucket of the installations that a line gains.
    private var firsts: [Int16] = []
    private var touched: [Int] = []
    /// The user that each installation without an owner named first, and when.
    private var claims: [Claim] = []
    private var claimed: [Int] = []
    private var anonymous: [Anonymous] = []

    private struct Claim: Sendable {
        var user: UInt32 = 0
        /// Whether another user was named in the same quarter-hour.
        var isTied = false
        var time: Int64 = 0
    }

    private struct Anonymous: Sendable {
        var installation: Int
        var word: UInt64
    }

    var bytes: Int { words.count * 10 + claims.count * 16 }

    /// Forgets everything, and makes room for people.
    mutating func start(_ people: PeopleNumbers) {
        for line in touched { (words[line], firsts[line]) = (0, .max) }
        for installation in claimed { claims[installation] = Claim() }
        touched.removeAll(keepingCapacity: true)
        claimed.removeAll(keepingCapacity: true)
        anonymous.removeAll(keepingCapacity: true)
        let (users, installations) = (people.users.count, people.installations.count)
        while words.count < 2 * max(users, installations) {
            words.append(0)
            firsts.append(.max)
        }
        while claims.count < installations { claims.append(Claim()) }
    }

    /// Adds rows of a day. Returns false if they might give an installation that already has an owner another one.
    mutating func add(_ rows: DayRows, _ mask: QuarterMasks.Mask, day: Int32, _ people: PeopleNumbers, _ sealed: SealedPeople) -> Bool {
        let (start, word) = (Int64(day) * Day.milliseconds, UInt64(1) << UInt64(mask.bucket))
        let pairs = people.pairs
        for i in rows.pairs.indices {
            let (early, late) = (rows.early[i] & mask.early, rows.late[i] & mask.late)
            if early | late == 0 { continue }
            let pair = pairs[Int(rows.pairs[i])]
            let installation = Int(pair.installation)
            if pair.user == 0 {
                anonymous.append(Anonymous(installation: installation, word: word))
                continue
            }
            touch(SealedPeople.line(user: Int(pair.user)), word)
            if installation == 0 { continue }
            let quarter = early != 0 ? early.trailingZeroBitCount : 48 + late.trailingZeroBitCount
            let time = start + Int64(quarter) * QuarterHour.milliseconds
            let owner = sealed.owner(of: installation)
            if owner == 0 {
                claim(installation, pair.user, at: time)
            } else if owner != Int(pair.user), time <= sealed.owners.times[installation] {
                return false
            }
        }
        return true
    }

    private mutating func touch(_ line: Int, _ word: UInt64) {
        if words[line] == 0 { touched.append(line) }
        words[line] |= word
    }

    private mutating func claim(_ installation: Int, _ user: UInt32, at time: Int64) {
        let known = claims[installation]
        if known.user == 0 { claimed.append(installation) }
        if known.user == 0 || time < known.time {
            claims[installation] = Claim(user: user, time: time)
        } else if time == known.time, user != known.user {
            claims[installation].isTied = true
        }
    }

    // MARK: Sums

    /// Returns the sums of a figure over all people; nil if an installation's owner is uncertain.
    mutating func sums(of figure: PersonFigure, with sealed: inout SealedPeople, _ seen: FirstSeen) -> PeopleSums? {
        guard addAnonymous(sealed, seen) else { return nil }
        let buckets = sealed.buckets.count
        var (sums, people) = (sealed.sums(of: figure), sealed.count)
        for line in touched {
            let (before, first) = (sealed.word(at: line), sealed.first(at: line))
            let own = line & 1 == 0 ? seen.users[line >> 1] : seen.installations[line >> 1]
            let (after, newFirst) = (before | words[line], min(first, firsts[line], sealed.firstBuckets.place(of: own)))
            if before == after && first == newFirst { continue }
            if before != 0 { figure.add(before, first: first, times: -1, to: &sums, buckets) } else { people += 1 }
            figure.add(after, first: newFirst, to: &sums, buckets)
        }
        for installation in claimed {
            let line = SealedPeople.line(installation: installation)
            let before = sealed.word(at: line)
            if before == 0 { continue }
            figure.add(before, first: sealed.first(at: line), times: -1, to: &sums, buckets)
            people -= 1
        }
        return PeopleSums(sums: sums, people: people)
    }

    /// Adds presence without a user to the owners of its installations.
    private mutating func addAnonymous(_ sealed: SealedPeople, _ seen: FirstSeen) -> Bool {
        for one in anonymous {
            if claims[one.installation].isTied || sealed.owners.unclear.contains(one.installation) { return false }
            let owner = max(sealed.owner(of: one.installation), Int(claims[one.installation].user))
            give(one.word, of: one.installation, to: owner, sealed, seen)
        }
        for installation in claimed {
            let word = sealed.word(at: SealedPeople.line(installation: installation))
            if word == 0 { continue }
            if claims[installation].isTied { return false }
            give(word, of: installation, to: Int(claims[installation].user), sealed, seen)
        }
        return true
    }

    private mutating func give(_ word: UInt64, of installation: Int, to owner: Int, _ sealed: SealedPeople, _ seen: FirstSeen) {
        if owner == 0 { return touch(SealedPeople.line(installation: installation), word) }
        let line = SealedPeople.line(user: owner)
        touch(line, word)
        firsts[line] = min(firsts[line], sealed.firstBuckets.place(of: seen.installations[installation]))
    }
}
