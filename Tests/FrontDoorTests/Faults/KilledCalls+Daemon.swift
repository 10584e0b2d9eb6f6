// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

extension KilledCalls {
    /// With this variable of `scripts/faults` every call is tried.
    private static let isWhole = ProcessInfo.processInfo.environment["SIGNALBOX_FAULT_ROUNDS"] != nil

    /// Returns the calls before which a daemon is killed during a request or a start.
    static func some(of calls: Int, about count: Int = 4) -> StrideThrough<Int> {
        KilledCalls.some(of: calls, about: count, isWhole: isWhole)
    }
}
