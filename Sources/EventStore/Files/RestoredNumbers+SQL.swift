// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite

extension EventStore {
    /// Skips the numbers that may have been assigned after a backup was made. `path` is the restored main file.
    ///
    /// Readers of exports and tails identify their position by number. A number that was used twice would be dropped as a duplicate or
    /// skipped.
    package static func prepareRestored(_ path: String) throws {
        try MainDB.change(path) { try $0.skipNumbers() }
    }
}

extension MainDB {
    /// More events than any store accepts between a backup and its restoration. The numbers suffice for eight million restorations.
    private static let skippedNumbers: Int64 = 1 << 40

    /// The main file's last number is that of an earlier day, less than a day's events behind.
    fileprivate func skipNumbers() throws {
        try statement("INSERT INTO meta (key, value) VALUES ('last_seq', ?1) ON CONFLICT DO UPDATE SET value = value + ?1").run(
            .integer(Self.skippedNumbers))
    }
}
