// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The numbers of the calls that fail: a few, or with `scripts/faults` every call up to a number.
enum FailingWrites {
    private static let last = ProcessInfo.processInfo.environment["SIGNALBOX_FAULT_WRITES"].flatMap(Int.init)

    static let writes = last.map { Array(1...max(1, $0)) } ?? [1, 2, 30]
    static let syncs = last.map { Array(1...max(1, $0 / 10)) } ?? [1, 3]
}
