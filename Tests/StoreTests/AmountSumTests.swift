// SPDX-License-Identifier: Apache-2.0

import SQLite
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

@Suite struct AmountSumTests {
    @Test(
        arguments: [
            ([7], 7), ([-1], -1), ([-1, -1], -2), ([.max], .max), ([.min], .min), ([1 << 32, 5], 1 << 32 + 5), ([.max, -1, 1], .max),
            ([9_000_000_000_000_000_000, 9_000_000_000_000_000_000], .max), ([.min, -1], .min), ([.max, .max, .min, .min], -2),
            ([.max, .max, -.max], .max),
        ] as [([Int64], Int64)])
    func `sums are exact and saturate at the limits of Int64`(amounts: [Int64], sum: Int64) throws {
        let folder = TemporaryFolder()
        let file = try Connection(folder.path + "/sums.db", .write)
        try file.execute("CREATE TABLE t (amount INTEGER)")
        for amount in amounts { try file.statement("INSERT INTO t VALUES (?)").run(.integer(amount)) }
        let read = try file.statement("SELECT 0, \(AmountSum.columns("amount")) FROM t").first { AmountSum.read($0, at: 1) }
        #expect(read == sum)
    }
}
