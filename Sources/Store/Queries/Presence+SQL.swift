import Events
import Platform
import SQLite

extension Asking {
    /// Who was there in which bucket; the buckets' edges lie on quarter-hours.
    func presence(_ buckets: TimeBuckets) throws -> PresenceTable {
        let masks = QuarterMasks(buckets)
        var table = PresenceTable(buckets: buckets.count)
        let days = try days(from: buckets.from, to: buckets.to)
        for part in try session.each(of: days, { file, _ in try presence(masks, buckets.count, in: file) }) { table.add(part) }
        return table
    }

    private func presence(_ masks: QuarterMasks, _ buckets: Int, in file: Connection) throws -> PresenceTable {
        var table = PresenceTable(buckets: buckets)
        // What is folded in between is read twice rather than not at all.
        for source in ["presence", "actives"] {
            let sql = "SELECT day, installation, user, early, late FROM \(source) WHERE app = ? AND day BETWEEN ? AND ?"
            try file.statement(sql).each([.integer(app.rawValue), .integer(Int64(masks.first)), .integer(Int64(masks.last))]) { row in
                let pair = PresenceTable.Pair(installation: row.key(1), user: row.key(2))
                let day = row.integer(0)
                for mask in masks[day] {
                    let (early, late) = (row.key(3) & mask.early, row.key(4) & mask.late)
                    guard early != 0 || late != 0 else { continue }
                    let quarter = early != 0 ? early.trailingZeroBitCount : 48 + late.trailingZeroBitCount
                    table.mark(pair, bucket: mask.bucket, at: day * Day.milliseconds + Int64(quarter) * 900_000)
                }
            }
        }
        return table
    }

    /// When each user and installation that is known was there for the first time: what was folded into the main file, and what waits
    /// to be.
    func firstSeen() throws -> [UInt64: Int64] {
        var first: [UInt64: Int64] = [:]
        // Nobody can leave `presence` for the main file unseen: it is read first.
        for part in try session.each(of: session.days(), { file, _ in try unfolded(in: file) }) {
            first.merge(part) { min($0, $1) }
        }
        try session.withMain { main in
            try main.statement("SELECT key, first_seen FROM people WHERE app = ?").each([.integer(app.rawValue)]) { row in
                let key = row.key(0)
                first[key] = min(first[key] ?? .max, row.integer(1))
            }
        }
        return first
    }

    private func unfolded(in file: Connection) throws -> [UInt64: Int64] {
        var first: [UInt64: Int64] = [:]
        try file.statement("SELECT day, installation, user, early, late FROM presence WHERE app = ?").each([.integer(app.rawValue)]) { row in
            let (early, late) = (row.key(3), row.key(4))
            let quarter = early != 0 ? early.trailingZeroBitCount : 48 + late.trailingZeroBitCount
            let time = row.integer(0) * Day.milliseconds + Int64(quarter) * 900_000
            for key in [row.key(1), row.key(2)] where key != 0 { first[key] = min(first[key] ?? .max, time) }
        }
        return first
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
    private var masks: [[Mask]]

    init(_ buckets: TimeBuckets) {
        first = Day(of: buckets.from).number
        last = Day(of: buckets.to - .init(milliseconds: 1)).number
        masks = Array(repeating: [], count: Int(last - first) + 1)
        for bucket in 0..<buckets.count { add(bucket, buckets.edges[bucket].milliseconds, buckets.edges[bucket + 1].milliseconds) }
    }

    subscript(day: Int64) -> [Mask] { masks[Int(day) - Int(first)] }

    private mutating func add(_ bucket: Int, _ from: Int64, _ to: Int64) {
        var day = from.flooredQuotient(by: Day.milliseconds)
        while day * Day.milliseconds < to {
            let start = day * Day.milliseconds
            let quarters = Int((max(from, start) - start) / 900_000)..<Int((min(to, start + Day.milliseconds) - start) / 900_000)
            let early = QuarterMasks.bits(quarters.clamped(to: 0..<48))
            let late = QuarterMasks.bits(quarters.clamped(to: 48..<96).shifted(by: -48))
            masks[Int(day) - Int(first)].append(Mask(bucket: bucket, early: early, late: late))
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
