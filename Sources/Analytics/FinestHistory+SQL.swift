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
            .invalid, "Of days whose events are gone quarter-hours are kept, and this asks for less.",
            hint: "Minutes are kept from \(start.rfc3339): begin there, or ask for hours.",
            fields: [.init("interval", "too_fine", "too fine for the time before \(start.rfc3339)")])
    }
}
