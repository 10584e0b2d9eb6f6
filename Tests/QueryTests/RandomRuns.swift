// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The number and the seeds of random runs, which variables of the environment set.
enum RandomRuns {
    private static let environment = ProcessInfo.processInfo.environment
    /// The number of event logs, if `SIGNALBOX_QUERY_LOGS` sets it.
    static let logs = environment["SIGNALBOX_QUERY_LOGS"].flatMap { UInt64($0) }
    /// The only seed, if `SIGNALBOX_QUERY_SEED` sets it.
    static let only = environment["SIGNALBOX_QUERY_SEED"].flatMap { UInt64($0) }

    /// Returns the seeds of a test that runs a few times, or once for each so many event logs if their number is set.
    static func seeds(few: UInt64, logsPerSeed: UInt64) -> ClosedRange<UInt64> {
        if let only { return only...only }
        return 1...max(1, logs.map { $0 / logsPerSeed } ?? few)
    }
}
