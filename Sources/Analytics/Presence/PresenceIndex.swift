// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import Platform

/// The presence of an app's files in memory, by numbers of pairs, from which tables for any buckets are made.
///
/// A row takes 20 bytes. A sealed day's file is read once. The open day's file is read once too, and then grows by what commits add:
///
///     25 Nov (sealed)    day 25: pairs 0, 1, 7     day 24: pair 3, a late event
///     26 Nov (open)      day 26: pairs 1, 9        add(u 08:15) → pair 1, one more bit
///
/// The lines of the sealed files are kept for the last few ranges, so that a query marks only the open file's rows.
struct PresenceIndex: Sendable {
    private(set) var people = PeopleNumbers()
    /// The first sightings by number; nil until a query needs them.
    var firstSeen: FirstSeen?
    private var files: [Day: [Int32: DayRows]] = [:]
    /// The open day; earlier files are sealed.
    private var open = Day(number: .min)
    /// The lines of sealed files, the last used range at the end.
    private var sealed: [(edges: [Timestamp], lines: PairLines)] = []
    private static let rangesLimit = 8

    /// Whether a file's rows are here.
    func holds(_ file: Day) -> Bool { files[file] != nil }

    var bytes: Int {
        people.bytes + (firstSeen?.bytes ?? 0) + files.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.bytes } }
            + sealed.reduce(0) { $0 + $1.lines.bytes }
    }

    /// Adds rows that were read from a file. More rows may follow for an open one.
    mutating func add(_ rows: StoredPresence, of file: Day, isOpen: Bool) {
        var days = files[file] ?? [:]
        files[file] = nil
        for part in rows.days {
            var day = days[part.day] ?? DayRows(merges: isOpen)
            days[part.day] = nil
            for i in part.early.indices {
                let pair = people.pair(installation: part.installations[i], user: part.users[i])
                day.add(UInt32(truncatingIfNeeded: pair), part.early[i], part.late[i])
            }
            days[part.day] = day
        }
        files[file] = days
        sealed = []
    }

    /// Adds the news of the open file.
    mutating func add(_ sightings: [PresenceFeed.Sighting]) {
        var start = 0
        while start < sightings.count {
            let (file, day) = (sightings[start].file, sightings[start].day)
            let end = sightings[start...].firstIndex { $0.file != file || $0.day != day } ?? sightings.count
            if file < open.number { sealed = [] }
            var rows = files[Day(number: file)]?.removeValue(forKey: day) ?? DayRows(merges: true)
            rows.startMerging()
            for sighting in sightings[start..<end] {
                let pair = people.pair(installation: sighting.installation, user: sighting.user)
                let (early, late) = sighting.bits
                rows.add(UInt32(truncatingIfNeeded: pair), early, late)
            }
            files[Day(number: file), default: [:]][day] = rows
            start = end
        }
    }

    /// Drops what is only needed to add rows to files before a day, and the files that no longer exist.
    mutating func settle(_ existing: Set<Day>, open: Day) {
        let removed = files.keys.filter { !existing.contains($0) }
        for file in removed { files[file] = nil }
        if removed.isEmpty && open == self.open { return }
        (self.open, sealed) = (open, [])
        for file in files.keys where file < open {
            for day in (files[file] ?? [:]).keys { files[file]?[day]?.stopMerging() }
        }
    }

    /// Returns the table of some buckets.
    mutating func table(_ masks: QuarterMasks, _ buckets: TimeBuckets) -> PresenceTable {
        var lines = sealedLines(masks, buckets)
        lines.grow(to: people.pairs.count)
        mark(&lines, masks) { $0 >= open }
        return PresenceTable(people, lines)
    }

    private mutating func sealedLines(_ masks: QuarterMasks, _ buckets: TimeBuckets) -> PairLines {
        var lines: PairLines
        if let known = sealed.firstIndex(where: { $0.edges == buckets.edges }) {
            lines = sealed.remove(at: known).lines
        } else {
            lines = PairLines(buckets: buckets.count, count: people.pairs.count)
            mark(&lines, masks) { $0 < open }
            if sealed.count >= PresenceIndex.rangesLimit { sealed.removeFirst() }
        }
        sealed.append((buckets.edges, lines))
        return lines
    }

    private func mark(_ lines: inout PairLines, _ masks: QuarterMasks, where isWanted: (Day) -> Bool) {
        for (file, days) in files where isWanted(file) {
            for (day, rows) in days {
                for mask in masks.of(day) { lines.mark(rows, mask, day: day) }
            }
        }
    }

    /// Returns whether the index is within a limit of bytes, if need be after dropping the kept lines.
    mutating func fits(_ limit: Int) -> Bool {
        if bytes > limit { sealed = [] }
        return bytes <= limit
    }
}

/// The rows of one UTC day in one file: 96 bits of quarter-hours for each pair. A pair may have several rows unless they are merged.
struct DayRows: Sendable {
    private(set) var pairs: [UInt32] = []
    private(set) var early: [UInt64] = []
    private(set) var late: [UInt64] = []
    /// The row of each pair, by its number plus one; nil if rows are not merged.
    private var places: KeyTable?

    init(merges: Bool) {
        places = merges ? KeyTable() : nil
    }

    var bytes: Int { pairs.count * 20 + (places?.bytes ?? 0) }

    mutating func add(_ pair: UInt32, _ early: UInt64, _ late: UInt64) {
        if let known = places?[UInt64(pair) + 1].map(Int.init) {
            self.early[known] |= early
            self.late[known] |= late
            return
        }
        places?.set(UInt64(pair) + 1, UInt32(truncatingIfNeeded: pairs.count))
        pairs.append(pair)
        self.early.append(early)
        self.late.append(late)
    }

    mutating func startMerging() {
        if places != nil { return }
        var rows = DayRows(merges: true)
        for i in pairs.indices { rows.add(pairs[i], early[i], late[i]) }
        self = rows
    }

    mutating func stopMerging() { places = nil }
}

/// The times at which users and installations were first seen, by number; the largest integer if unknown.
struct FirstSeen: Sendable {
    private(set) var users: [Int64]
    private(set) var installations: [Int64]

    init(_ people: PeopleNumbers) {
        users = [Int64](repeating: .max, count: people.users.count)
        installations = [Int64](repeating: .max, count: people.installations.count)
    }

    var bytes: Int { (users.count + installations.count) * 8 }

    /// Adds the numbers that people have got since, with unknown times.
    mutating func grow(_ people: PeopleNumbers) {
        while users.count < people.users.count { users.append(.max) }
        while installations.count < people.installations.count { installations.append(.max) }
    }

    /// Notes a sighting of a key. Others than those of the people are ignored.
    mutating func note(_ key: UInt64, at time: Int64, _ people: PeopleNumbers) {
        for isUser in [true, false] { note(key, isUser: isUser, at: time, people) }
    }

    mutating func note(_ key: UInt64, isUser: Bool, at time: Int64, _ people: PeopleNumbers) {
        if isUser, let number = people.users.known(key).map(Int.init) {
            users[number] = min(users[number], time)
        } else if !isUser, let number = people.installations.known(key).map(Int.init) {
            installations[number] = min(installations[number], time)
        }
    }

    mutating func add(_ other: FirstSeen) {
        for i in users.indices { users[i] = min(users[i], other.users[i]) }
        for i in installations.indices { installations[i] = min(installations[i], other.installations[i]) }
    }
}

extension PresenceFeed.Sighting {
    /// The UTC day.
    var day: Int32 { Int32(truncatingIfNeeded: Int64(quarter).flooredQuotient(by: 96)) }

    fileprivate var bits: (early: UInt64, late: UInt64) {
        let place = Int(quarter) - Int(day) * 96
        return place < 48 ? (1 << UInt64(place), 0) : (0, 1 << UInt64(place - 48))
    }
}
