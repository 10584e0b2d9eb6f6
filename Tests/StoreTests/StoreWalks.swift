// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The seeds of random walks over the operations of stores.
enum StoreWalks {
    /// Returns a few seeds, or as many as `SIGNALBOX_STORE_WALKS` says.
    static func seeds(few: UInt64) -> ClosedRange<UInt64> {
        let wanted = ProcessInfo.processInfo.environment["SIGNALBOX_STORE_WALKS"].flatMap { UInt64($0) }
        return 1...max(1, wanted ?? few)
    }
}
