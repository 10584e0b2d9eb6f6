// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The parts that all stores of a data folder share.
package struct StoreParts: Sendable {
    package let paths: StorePaths
    package let readers: ReaderPool
    package let clock: WallClock
    package let clockWatch: ClockWatch
    package let failStop: FailStop
    package let troubles: TroubleLog
    package let spare: SpareSpace
    /// The precedence of events over documents.
    package let precedence = Precedence()

    package init(
        paths: StorePaths, readers: ReaderPool, clock: WallClock, clockWatch: ClockWatch, failStop: FailStop, troubles: TroubleLog
    ) {
        self.paths = paths
        self.readers = readers
        self.clock = clock
        self.clockWatch = clockWatch
        self.failStop = failStop
        self.troubles = troubles
        spare = SpareSpace(paths)
    }
}
