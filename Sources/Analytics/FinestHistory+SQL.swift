// SPDX-License-Identifier: Apache-2.0

import Database
import EventStore
import Events
import Platform
import SQLite

extension QueryContext {
    /// Rejects buckets finer than the counts that are kept of deleted days.
    ///
    /// Such counts would be missing from the result unnoticed. Called after counting, so that a day deleted meanwhile is detected.
    func requireKept(_ buckets: TimeBuckets) throws {
        if buckets.isOfQuarters { return }
        let unit = Grain.quarter.milliseconds
        let last = try session.withMain { main in
            try main.statement("SELECT max(bucket) FROM history WHERE app = ? AND metric = ? AND grain = ?").first(
                .integer(app.rawValue), .integer(RollupMetric.events.rawValue), .integer(Grain.quarter.rawValue)
            ) { $0.optionalInteger(0) } ?? nil
        }
        guard let last, buckets.from.milliseconds < (last + 1) * unit else { return }
        let start = Timestamp(milliseconds: (last + 1) * unit)
        throw Refusal(
            .invalid, "Days past data retention are kept by quarter-hour; the interval is finer.",
            hint: "Use the interval hour, or a range that starts at \(start.rfc3339) or later.",
            fields: [.init("interval", "too_fine", "too fine for the time before \(start.rfc3339)")])
    }
}
