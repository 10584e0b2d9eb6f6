// SPDX-License-Identifier: Apache-2.0

import Database
import EventStore
import Events
import Platform
import SQLite

extension QueryContext {
    /// Who was there in which bucket; the buckets' edges lie on quarter-hours.
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
        // What is folded in between is read twice rather than not at all.
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
                    try table.mark(installation: installation, user: user, bucket: mask.bucket, at: day * Day.milliseconds + Int64(quarter) * 900_000)
                }
            }
        }
        return table
    }

    /// When users and installations were there for the first time: what was folded into the main file, and what waits to be.
    func firstSeen(_ who: some Sequence<UInt64>) throws -> KeyTimes {
        let unseen = KeyTimes(of: who)
        // Nobody can leave `presence` for the main file unseen: it is read first.
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
            let time = row.integer(0) * Day.milliseconds + Int64(quarter) * 900_000
            for key in [row.key(1), row.key(2)] where key != 0 { first.note(key, at: time) }
        }
        return first
    }
}

/// The earliest time noted for each of some keys, none of which is 0.
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

    /// Adds what was noted for the same keys.
    mutating func add(_ other: KeyTimes) {
        guard other.hasNotes else { return }
        hasNotes = true
        for place in times.indices { times[place] = min(times[place], other.times[place]) }
    }

    /// The greatest there is where nothing was noted.
    func time(of key: UInt64) -> Int64 {
        places[key].map { times[Int($0)] } ?? .max
    }
}

/// Which quarter-hours of each UTC day belong to which bucket.
private struct QuarterMasks: Sendable {
    struct Mask: Sendable {
        var bucket: Int
        var early: UInt64 = 0
        var late: UInt64 = 0
    }

    let first: Int32
    let last: Int32
    /// The quarter-hours of any day that belong to any bucket.
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
            let quarters = Int((max(from, start) - start) / 900_000)..<Int((min(to, start + Day.milliseconds) - start) / 900_000)
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
