// SPDX-License-Identifier: Apache-2.0

package import Platform
import Synchronization

/// The calls and attempts of a function in the last hour.
package struct FunctionFigures: Sendable {
    /// Calls and attempts by minute, oldest first.
    package var perMinute: [Int64]
    package var failures: Int64
    /// Quantiles of their durations in milliseconds; nil without any in the last minutes.
    package var median: Double?
    package var slow: Double?

    package var count: Int64 { perMinute.reduce(0, +) }
}

/// The calls and attempts of functions since the start of the daemon, in memory.
package final class FunctionActivity: Sendable {
    private struct Record {
        var sums = MinuteSums()
        var failures = MinuteSums()
        var durations: RecentDurations
    }

    /// Beyond this number of functions, those that were idle for an hour are forgotten.
    private static let most = 10_000

    private let records = Mutex<[Int64: Record]>([:])

    package func note(_ function: Int64, after duration: Duration, failed: Bool, at now: Timestamp) {
        records.withLock { records in
            if records.count >= Self.most, records[function] == nil {
                records = records.filter { $0.value.sums.total(at: now) > 0 }
                guard records.count < Self.most else { return }
            }
            var record = records.removeValue(forKey: function) ?? Record(durations: RecentDurations(at: now))
            record.sums.add(1, at: now)
            if failed { record.failures.add(1, at: now) }
            record.durations.add(duration, at: now)
            records[function] = record
        }
    }

    package func figures(of function: Int64, at now: Timestamp) -> FunctionFigures {
        records.withLock { records in
            guard records[function] != nil else { return FunctionFigures(perMinute: MinuteSums().values(at: now), failures: 0) }
            let record = records[function]
            return FunctionFigures(
                perMinute: record?.sums.values(at: now) ?? [], failures: record?.failures.total(at: now) ?? 0,
                median: records[function]?.durations.milliseconds(of: 0.5, at: now),
                slow: records[function]?.durations.milliseconds(of: 0.99, at: now))
        }
    }
}
