// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import Platform

extension EventWriter {
    /// The parts that the writer shares with the rest of the store.
    struct Parts {
        var paths: StorePaths
        var options: EventStoreOptions
        var directory: DirectoryCache
        var gauges: EventGauges
        var clock: WallClock
        var clockWatch: ClockWatch
        var sealedDays: SealedDays
        var tail: Tail
        var presence: PresenceFeed
        var failStop: FailStop
        var sealed: SealedBoard
        var troubles: TroubleLog
    }
}
