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
/// The lines of the sealed files, or their people with figures, are kept for the last few ranges, so that a query reads only the open
/// file's rows.
struct PresenceIndex: Sendable {
    private(set) var people = PeopleNumbers(isOrdered: true)
    /// The first sightings by number; nil until a query needs them.
    private(set) var firstSeen: FirstSeen?
    private var files: [Day: [Int32: DayRows]] = [:]
    /// The open day; earlier files are sealed.
    private var open = Day(number: .min)
    /// The lines of sealed files, the last used range at the end.
    private var sealed: [(edges: [Timestamp], lines: PairLines)] = []
    /// The people of sealed files, the last used range at the end.
    private var ranges: [SealedPeople] = []
    private var openPeople = OpenPeople()
    private static let rangesLimit = 8

    /// Whether a file's rows are here.
    func holds(_ file: Day) -> Bool { files[file] != nil }

    var bytes: Int {
        people.bytes + (firstSeen?.bytes ?? 0) + files.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.bytes } }
            + sealed.reduce(0) { $0 + $1.lines.bytes } + ranges.reduce(openPeople.bytes) { $0 + $1.bytes }
    }

    /// Adds rows that were read from a file. More rows may follow for an open one.
    mutating func add(_ rows: StoredPresence, of file: Day, isOpen: Bool) {
        var days = files[file] ?? [:]
        files[file] = nil
        people.reserve(rows.rows)
        for part in rows.days {
            var day = days[part.day] ?? DayRows(merges: isOpen)
            days[part.day] = nil
            day.reserve(part.early.count)
            for i in part.early.indices {
                let pair = people.pair(installation: part.installations[i], user: part.users[i])
                day.add(UInt32(truncatingIfNeeded: pair), part.early[i], part.late[i])
            }
            days[part.day] = day
        }
        files[file] = days
        forgetSealed()
    }

    private mutating func forgetSealed() {
        (sealed, ranges, openPeople) = ([], [], OpenPeople())
    }

    /// Adds the news of the open file.
    mutating func add(_ sightings: [PresenceFeed.Sighting]) {
        var start = 0
        while start < sightings.count {
            let (file, day) = (sightings[start].file, sightings[start].day)
            let end = sightings[start...].firstIndex { $0.file != file || $0.day != day } ?? sightings.count
            if file < open.number { forgetSealed() }
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
        self.open = open
        forgetSealed()
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
        if bytes > limit { forgetSealed() }
        return bytes <= limit
    }
}

// MARK: First sightings

extension PresenceIndex {
    /// Sets the first sightings of all people, or drops them.
    mutating func setFirstSeen(_ first: FirstSeen?) {
        (firstSeen, ranges) = (first, [])
    }

    /// Changes the first sightings, and the figures of those who were seen earlier than was known.
    mutating func changeFirstSeen(_ body: (inout FirstSeen, PeopleNumbers) throws -> Void) rethrows {
        guard var first = firstSeen else { return }
        firstSeen = nil
        try body(&first, people)
        let lowered = first.takeLowered()
        for range in ranges.indices {
            for person in lowered { ranges[range].lower(person, first) }
        }
        firstSeen = first
    }
}

// MARK: Sums over people

extension PresenceIndex {
    /// Returns the sums of a figure over the people of some buckets; nil if first sightings are missing or an owner depends on the open day.
    ///
    /// - Parameter owners: Determines the owners of a table's installations.
    mutating func sums(
        of figure: PersonFigure, _ masks: QuarterMasks, _ buckets: TimeBuckets, owners: (PresenceTable) throws -> Owners
    ) rethrows -> PeopleSums? {
        guard let firstSeen else { return nil }
        var range: SealedPeople
        if let known = ranges.firstIndex(where: { $0.buckets.edges == buckets.edges }) {
            range = ranges.remove(at: known)
        } else {
            var lines = PairLines(buckets: buckets.count, count: people.pairs.count)
            mark(&lines, masks) { $0 < open }
            let table = PresenceTable(people, lines)
            range = SealedPeople(table, try owners(table), firstSeen, buckets)
            if ranges.count >= PresenceIndex.rangesLimit { ranges.removeFirst() }
        }
        var isCertain = true
        openPeople.start(people)
        for (file, days) in files where file >= open {
            for (day, rows) in days {
                for mask in masks.of(day) where isCertain { isCertain = openPeople.add(rows, mask, day: day, people, range) }
            }
        }
        let sums = isCertain ? openPeople.sums(of: figure, with: &range, firstSeen) : nil
        ranges.append(range)
        return sums
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
