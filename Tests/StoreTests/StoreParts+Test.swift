// SPDX-License-Identifier: Apache-2.0

import Database
import Platform

extension StoreParts {
    /// Returns the shared parts of a store that a test opens alone.
    static func ofTest(_ folder: String, _ clock: WallClock = .system, _ log: Log = Log()) -> StoreParts {
        let paths = StorePaths(root: folder)
        return StoreParts(
            paths: paths, readers: ReaderPool(paths), clock: clock, clockWatch: ClockWatch(clock, newest: nil), failStop: FailStop { fatalError($0) },
            troubles: TroubleLog(log, clock: clock))
    }
}
