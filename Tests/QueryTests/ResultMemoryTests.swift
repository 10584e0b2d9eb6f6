// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

/// Results that would exceed the memory of a small machine are rejected.
@Suite struct ResultMemoryTests {
    @Test func `people in too many buckets are rejected`() throws {
        func mark(_ people: UInt64, buckets: Int) throws -> Int {
            var table = PresenceTable(buckets: buckets)
            for person in 1...people { try table.mark(installation: person, user: 0, bucket: buckets - 1, at: 0) }
            return table.count
        }
        #expect(try mark(100_000, buckets: 24) == 100_000)
        #expect(throws: Refusal.tooManyPeople) { try mark(20_000, buckets: 110_000) }
    }

    @Test func `values that are too large in total are rejected`() throws {
        var table = ValueTable()
        var value = [UInt8](repeating: 0, count: 8_192)
        for number in 0..<8_192 {
            (value[0], value[1]) = (UInt8(number & 0xff), UInt8(number >> 8))
            #expect(try table.number(value) == UInt32(number))
        }
        value[2] = 1
        #expect(throws: Refusal.self) { try table.number(value) }
    }
}
