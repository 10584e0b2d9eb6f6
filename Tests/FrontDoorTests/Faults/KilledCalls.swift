// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The calls before which a daemon is killed during a request.
enum KilledCalls {
    /// With this variable of `scripts/faults` every call is tried.
    static let isWhole = ProcessInfo.processInfo.environment["SIGNALBOX_FAULT_ROUNDS"] != nil
    private static let quickKills = 6

    /// Returns some calls at equal distances, others in each run, or every call. The last ones may not occur again, as a daemon also works
    /// after its answer.
    static func some(of calls: Int) -> StrideThrough<Int> {
        let step = isWhole ? 1 : max(1, (calls + quickKills - 1) / quickKills)
        return stride(from: Int.random(in: 1...step), through: calls, by: step)
    }
}
