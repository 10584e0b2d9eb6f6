// SPDX-License-Identifier: Apache-2.0

import Database
import EventStore
import Events
import Platform
import SQLite

extension QueryContext {
    /// Returns the presence of people in buckets whose edges are on quarter-hours.
    ///
    /// Rows have a UTC day and 96 bits, one for each quarter-hour: `early` holds 48, `late` the others. A bucket is a mask of bits per day:
    ///
    ///     bucket 11:30–12:30 of a day    early 0b11 << 46, late 0b11
    ///     row early 1 << 46              present at 11:30
    func presence(_ buckets: TimeBuckets) throws -> PresenceTable {
        let masks = QuarterMasks(buckets)
        return try session.fold(of: days(from: buckets.from, to: buckets.to), into: PresenceTable(buckets: buckets.count)) { file, _ in
            try presence(masks, buckets.count, in: file)
        } joining: {
            try $0.add($1)
        }
    }

    private func presence(_ masks: QuarterMasks, _ buckets: Int, in file: DayDB) throws -> PresenceTable {
        var table = PresenceTable(buckets: buckets)
        // Read in this order, a row that is folded meanwhile is read twice rather than missed.
        for source in ["presence", "actives"] {
            let sql = """
                SELECT day, installation, user, early, late FROM \(source)
                WHERE app = ? AND day BETWEEN ? AND ? AND (early & ? OR late & ?)
                """
            let values: [Value] = [
                .integer(app.rawValue), .integer(Int64(masks.first)), .integer(Int64(masks.last)), .key(masks.all.early), .key(masks.all.late),
            ]
            try file.statement(sql).each(values) { row in
                let (day, installation, user) = (row.integer(0), row.key(1), row.key(2))
                let (early, late) = (row.key(3), row.key(4))
                try masks.each(of: day) { mask in
                    let (early, late) = (early & mask.early, late & mask.late)
                    guard early != 0 || late != 0 else { return }
                    let quarter = early != 0 ? early.trailingZeroBitCount : 48 + late.trailingZeroBitCount
                    try table.mark(
                        installation: installation, user: user, bucket: mask.bucket,
                        at: day * Day.milliseconds + Int64(quarter) * QuarterHour.milliseconds)
                }
            }
        }
        return table
    }

    /// Returns the times at which users and installations were first seen.
    ///
    /// First sightings are in the main file once folded, and until then in the `presence` rows of their day.
    func firstSeen(_ who: some Sequence<UInt64>) throws -> KeyTimes {
        let unseen = KeyTimes(of: who)
        // Read before the main file, so that a row that is folded meanwhile is not missed.
        var first = try session.fold(of: session.days(), into: unseen) { file, _ in
            try unfolded(in: file, unseen)
        } joining: {
            $0.add($1)
        }
        try session.withMain { main in
            try main.statement("SELECT key, first_seen FROM people WHERE app = ?").each([.integer(app.rawValue)]) { row in
                first.note(row.key(0), at: row.integer(1))
            }
        }
        return first
    }

    private func unfolded(in file: DayDB, _ unseen: KeyTimes) throws -> KeyTimes {
        var first = unseen
        try file.statement("SELECT day, installation, user, early, late FROM presence WHERE app = ?").each([.integer(app.rawValue)]) { row in
            let (early, late) = (row.key(3), row.key(4))
            let quarter = early != 0 ? early.trailingZeroBitCount : 48 + late.trailingZeroBitCount
            let time = row.integer(0) * Day.milliseconds + Int64(quarter) * QuarterHour.milliseconds
            for key in [row.key(1), row.key(2)] where key != 0 { first.note(key, at: time) }
        }
        return first
    }
}

/// The earliest time noted for each of some keys. No key is 0.
struct KeyTimes: Sendable {
    private var times: [Int64] = []
    private var places = KeyTable()
    private var hasNotes = false

    init(of keys: some Sequence<UInt64>) {
        for key in keys where places[key] == nil {
            places.set(key, UInt32(truncatingIfNeeded: times.count))
            times.append(.max)
        }
    }

    mutating func note(_ key: UInt64, at time: Int64) {
        guard let place = places[key].map(Int.init) else { return }
        times[place] = min(times[place], time)
        hasNotes = true
    }

    /// Adds the times noted for the same keys.
    mutating func add(_ other: KeyTimes) {
        guard other.hasNotes else { return }
        hasNotes = true
        for place in times.indices { times[place] = min(times[place], other.times[place]) }
    }

    /// Returns the earliest time of a key; the largest integer if none was noted.
    func time(of key: UInt64) -> Int64 {
        places[key].map { times[Int($0)] } ?? .max
    }
}

/// The quarter-hours of each UTC day that belong to each bucket.
private struct QuarterMasks: Sendable {
    struct Mask: Sendable {
        var bucket: Int
        var early: UInt64 = 0
        var late: UInt64 = 0
    }

    let first: Int32
    let last: Int32
    /// The quarter-hours that belong to a bucket on any day, to skip rows in SQL.
    private(set) var all: (early: UInt64, late: UInt64) = (0, 0)
    private var masks: [[Mask]]

    init(_ buckets: TimeBuckets) {
        first = Day(of: buckets.from).number
        last = Day(of: buckets.to - .init(milliseconds: 1)).number
        masks = Array(repeating: [], count: Int(last - first) + 1)
        for bucket in 0..<buckets.count { add(bucket, buckets.edges[bucket].milliseconds, buckets.edges[bucket + 1].milliseconds) }
    }

    func each(of day: Int64, _ body: (Mask) throws -> Void) rethrows {
        for mask in masks[Int(day) - Int(first)] { try body(mask) }
    }

    private mutating func add(_ bucket: Int, _ from: Int64, _ to: Int64) {
        var day = from.flooredQuotient(by: Day.milliseconds)
        while day * Day.milliseconds < to {
            let start = day * Day.milliseconds
            let (begin, end) = (max(from, start) - start, min(to, start + Day.milliseconds) - start)
            let quarters = Int(begin / QuarterHour.milliseconds)..<Int(end / QuarterHour.milliseconds)
            let early = QuarterMasks.bits(quarters.clamped(to: 0..<48))
            let late = QuarterMasks.bits(quarters.clamped(to: 48..<96).shifted(by: -48))
            masks[Int(day) - Int(first)].append(Mask(bucket: bucket, early: early, late: late))
            all = (all.early | early, all.late | late)
            day += 1
        }
    }

    private static func bits(_ range: Range<Int>) -> UInt64 {
        range.isEmpty ? 0 : (UInt64.max >> UInt64(64 - range.count)) << UInt64(range.lowerBound)
    }
}

extension Range<Int> {
    fileprivate func shifted(by offset: Int) -> Range<Int> { lowerBound + offset..<upperBound + offset }
}
