// SPDX-License-Identifier: Apache-2.0

import Database
import EventStore
import Platform
import SQLite

extension Backup {
    /// Skips the numbers that may have been assigned after the backup was made.
    ///
    /// Endpoints identify deliveries by number, and readers of streams, exports and tails their position. A number that was used twice
    /// would be dropped as a duplicate or skipped.
    static func skipNumbers(main: String) throws {
        try MainDB.change(main) { try $0.skipNumbers() }
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
