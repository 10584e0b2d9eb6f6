// SPDX-License-Identifier: Apache-2.0

import Crashes
import Database
import Platform
import SQLite

/// The sums of changes to counters, written once per change.
///
///     count(facts of a report by ann in 2.1 on iOS 18, issue: 7)
///         groupings[12]                     count +1, first and last seen
///         days[12, "2.1", 20418]            +1
///         values[12, os, "iOS 18"]          +1
///         people[7, ann]                    +1
///     count(the same, by: -1)               the inverse, except for first and last seen
///
/// Texts stand here for their numbers in `words`.
struct CrashSums {
    struct DayPlace: Hashable {
        var grouping: Int64
        var release: Int64
        var day: Int64
    }

    struct ValuePlace: Hashable {
        var grouping: Int64
        var kind: Int64
        var word: Int64
    }

    struct PersonPlace: Hashable {
        var issue: Int64
        var person: UInt64
    }

    struct Documents {
        var count = 0
        var bytes = 0
        var attachmentBytes = 0
    }

    /// The number and the first and last times of a grouping's reports. They only extend the stored range.
    struct Sightings {
        var count = 0
        var first = (time: Int64.max, release: Int64(0))
        var last = (time: Int64.min, release: Int64(0))
    }

    private(set) var groupings: [Int64: Sightings] = [:]
    private(set) var days: [DayPlace: Int] = [:]
    private(set) var values: [ValuePlace: Int] = [:]
    private(set) var people: [PersonPlace: Int] = [:]
    private(set) var documents: [Int64: Documents] = [:]

    /// Adds a report to all counters, or removes it with -1.
    mutating func count(_ facts: CrashFacts, issue: Int64, by number: Int = 1) {
        precondition(number == 1 || number == -1, "a report is counted or removed once")
        var sightings = groupings[facts.grouping] ?? Sightings()
        sightings.count += number
        if number > 0 {
            if facts.time < sightings.first.time { sightings.first = (facts.time, facts.release) }
            if facts.time >= sightings.last.time { sightings.last = (facts.time, facts.release) }
        }
        groupings[facts.grouping] = sightings
        let day = facts.time.flooredQuotient(by: Day.milliseconds)
        days[DayPlace(grouping: facts.grouping, release: facts.release, day: day), default: 0] += number
        for (kind, word) in [(CrashWord.Kind.os, facts.os), (.device, facts.device)] where word != 0 {
            values[ValuePlace(grouping: facts.grouping, kind: kind.rawValue, word: word), default: 0] += number
        }
        countPerson(facts, issue: issue, by: number)
    }

    /// Changes only the number of affected people, which covers stored reports alone.
    mutating func countPerson(_ facts: CrashFacts, issue: Int64, by number: Int) {
        guard facts.person != 0 else { return }
        people[PersonPlace(issue: issue, person: facts.person), default: 0] += number
    }

    mutating func countDocument(app: Int64, bytes: Int, by number: Int) {
        documents[app, default: Documents()].count += number
        documents[app, default: Documents()].bytes += number * bytes
    }

    mutating func countAttachment(app: Int64, bytes: Int, by number: Int) {
        documents[app, default: Documents()].attachmentBytes += number * bytes
    }
}

/// The properties of a report that counters depend on.
struct CrashFacts: Sendable {
    var grouping: Int64
    var time: Int64
    var user: UInt64
    var installation: UInt64
    var release: Int64
    var os: Int64
    var device: Int64

    var person: UInt64 { user == 0 ? installation : user }

    static let columns = "grouping, time, user, installation, release, os, device"

    init(_ row: Row, from column: Int32 = 0) {
        grouping = row.integer(column)
        time = row.integer(column + 1)
        user = row.key(column + 2)
        installation = row.key(column + 3)
        release = row.integer(column + 4)
        os = row.integer(column + 5)
        device = row.integer(column + 6)
    }

    init(_ crash: NewCrash, grouping: Int64, release: Int64, os: Int64, device: Int64) {
        self.grouping = grouping
        time = crash.time.milliseconds
        user = crash.user
        installation = crash.installation
        self.release = release
        self.os = os
        self.device = device
    }
}

extension CrashFileContext {
    func write(_ sums: CrashSums) throws {
        try write(sums.groupings)
        let days = try file.statement(
            "INSERT INTO issue_days (grouping, release, day, count) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count")
        for (place, count) in sums.days where count != 0 {
            try days.run(integers: [place.grouping, place.release, place.day, Int64(count)])
        }
        let values = try file.statement(
            "INSERT INTO issue_values (grouping, kind, word, count) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count")
        for (place, count) in sums.values where count != 0 {
            try values.run(integers: [place.grouping, place.kind, place.word, Int64(count)])
        }
        for (place, count) in sums.people where count != 0 { try write(place, count) }
        let documents = try file.statement(
            """
            INSERT INTO stored (app, payloads, bytes, attachment_bytes) VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET payloads = payloads + excluded.payloads, bytes = bytes + excluded.bytes,
                attachment_bytes = attachment_bytes + excluded.attachment_bytes
            RETURNING payloads > ?5 OR bytes > ?6 OR attachment_bytes > ?7
            """)
        for (app, sum) in sums.documents {
            let isAbove = try documents.first(
                .integer(app), .integer(sum.count), .integer(sum.bytes), .integer(sum.attachmentBytes), .integer(limits.payloadsOfApp),
                .integer(limits.bytesOfApp), .integer(limits.attachmentBytesOfApp)
            ) { $0.int(0) != 0 }
            if isAbove == true { leavesWork = true }
        }
    }

    private func write(_ groupings: [Int64: CrashSums.Sightings]) throws {
        let update = try file.statement(
            """
            UPDATE groupings SET count = count + ?2,
                first_release = CASE WHEN count = 0 OR ?3 < first_seen THEN ?4 ELSE first_release END,
                first_seen = CASE WHEN count = 0 OR ?3 < first_seen THEN ?3 ELSE first_seen END,
                last_release = CASE WHEN count = 0 OR ?5 >= last_seen THEN ?6 ELSE last_release END,
                last_seen = CASE WHEN count = 0 OR ?5 >= last_seen THEN ?5 ELSE last_seen END
            WHERE id = ?1
            """)
        let lessen = try file.statement("UPDATE groupings SET count = count + ?2 WHERE id = ?1")
        for (id, sightings) in groupings {
            let (first, last) = (sightings.first, sightings.last)
            if first.time == .max {
                try lessen.run(integers: [id, Int64(sightings.count)])
            } else {
                try update.run(integers: [id, Int64(sightings.count), first.time, first.release, last.time, last.release])
            }
        }
    }

    private func write(_ place: CrashSums.PersonPlace, _ count: Int) throws {
        let sum =
            try file.statement(
                "INSERT INTO issue_people (issue, person, count) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count RETURNING count"
            ).first(.integer(place.issue), .key(place.person), .integer(count)) { $0.int(0) } ?? 0
        if sum == count { try change(issue: place.issue) { $0.users += 1 } }
        guard sum <= 0 else { return }
        try file.statement("DELETE FROM issue_people WHERE issue = ? AND person = ?").run(.integer(place.issue), .key(place.person))
        try change(issue: place.issue) { $0.users -= 1 }
    }
}
