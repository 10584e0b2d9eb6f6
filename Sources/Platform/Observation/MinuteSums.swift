// SPDX-License-Identifier: Apache-2.0

/// Sums of the last 60 minutes, one for each.
///
///     add 3 at 10:00:05, 2 at 10:00:50, 1 at 10:02:00
///     at 10:02:30    [0, …, 0, 5, 0, 1]
package struct MinuteSums: Sendable, Equatable {
    package static let minutes = 60

    private var sums = [Int64](repeating: 0, count: MinuteSums.minutes)
    /// The newest minute with a sum.
    private var last: Int64 = 0

    package init() {}

    package mutating func add(_ amount: Int64, at time: Timestamp) {
        let minute = MinuteSums.minute(of: time)
        guard minute > last - Int64(MinuteSums.minutes) else { return }
        if minute > last {
            for passed in max(last + 1, minute - Int64(MinuteSums.minutes) + 1)...minute { sums[MinuteSums.place(of: passed)] = 0 }
            last = minute
        }
        sums[MinuteSums.place(of: minute)] += amount
    }

    /// Returns the sums, oldest first. The last one is of the minute of `now`.
    package func values(at now: Timestamp) -> [Int64] {
        let end = MinuteSums.minute(of: now)
        return (0..<Int64(MinuteSums.minutes)).reversed().map { back in
            let minute = end - back
            return minute <= last && minute > last - Int64(MinuteSums.minutes) ? sums[MinuteSums.place(of: minute)] : 0
        }
    }

    package func total(at now: Timestamp) -> Int64 { values(at: now).reduce(0, +) }

    private static func minute(of time: Timestamp) -> Int64 { max(0, time.milliseconds / 60_000) }

    private static func place(of minute: Int64) -> Int { Int(minute % Int64(minutes)) }
}
