// SPDX-License-Identifier: Apache-2.0

import Platform

/// A key's denied requests in one hour: what one row of the log counts.
struct Denial: Hashable {
    let app: AppID
    /// With the address of the first request of the hour that the daemon remembers.
    let caller: AuditCaller
    let hour: Timestamp
}

/// Denied requests that are not in the file yet, by key and hour.
///
/// An ingest key is public, and anyone may send it to every route. Counting in memory keeps such requests from writing, and a row per key
/// and hour keeps them from filling the log:
///
///     10:05 key 7, 10:20 key 7, 11:01 key 7    →  10:00 key 7: 2,  11:00 key 7: 1
struct DenialTally {
    private struct Slot: Hashable {
        let key: Int64
        let hour: Timestamp
    }

    private static let hour: Int64 = 3_600_000

    private var counts: [Slot: (denial: Denial, count: Int)] = [:]

    var isEmpty: Bool { counts.isEmpty }

    /// Counts a request. The number of slots is bounded by the number of keys, as the tally is written every minute.
    mutating func add(app: AppID, _ caller: AuditCaller, at now: Timestamp) {
        let hour = Timestamp(milliseconds: now.milliseconds.flooredQuotient(by: DenialTally.hour) * DenialTally.hour)
        let slot = Slot(key: caller.key, hour: hour)
        counts[slot, default: (Denial(app: app, caller: caller, hour: hour), 0)].count += 1
    }

    /// Returns the counts and begins anew.
    mutating func take() -> [(denial: Denial, count: Int)] {
        defer { counts = [:] }
        return Array(counts.values)
    }

    /// Adds counts again that could not be written.
    mutating func putBack(_ taken: [(denial: Denial, count: Int)]) {
        for (denial, count) in taken {
            counts[Slot(key: denial.caller.key, hour: denial.hour), default: (denial, 0)].count += count
        }
    }
}
