// SPDX-License-Identifier: Apache-2.0

import SQLite

/// The numbers of a queue's claims, which are never used twice. The table `meta` of its file has the last one, stored with each commit.
///
/// A number is the fence of a claim: an outcome counts only if it has the number of the newest claim.
package final class ClaimNumbers<File: TypedDatabase> {
    private let file: File
    private var last: Int64

    package init(of file: File) throws {
        self.file = file
        last = try file.statement("SELECT value FROM meta WHERE key = 'claims'").first { $0.integer(0) } ?? 0
    }

    package func next() -> Int64 {
        last += 1
        return last
    }

    /// Stores the last number, at the end of a transaction.
    package func store() throws {
        try file.statement("INSERT OR REPLACE INTO meta (key, value) VALUES ('claims', ?)").run(.integer(last))
    }

    /// Stores the last number as that of the last claim of an earlier process, at the start: whether its deliveries were sent is unknown.
    package func endEarlier() throws {
        try file.statement("INSERT OR REPLACE INTO meta (key, value) VALUES ('ended_claims', ?)").run(.integer(last))
    }
}
