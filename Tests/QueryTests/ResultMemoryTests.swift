// SPDX-License-Identifier: Apache-2.0

import Events
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

    /// Adds batches of numbers, each event in the next bucket of a breakdown value. Returns how many were taken.
    private func taken<Cell: NumberCell>(_ total: Int, by _: Cell.Type, values: Int, buckets: Int) throws -> Int {
        let times = TimeBuckets(edges: (0...buckets).map { Timestamp(milliseconds: Int64($0) * 1_000) })
        var cells = NumberCells<Cell>()
        var batch = EventBatch()
        var number = 0
        do {
            while number < total {
                let numbers = number..<min(number + EventBatch.capacity, total)
                batch.count = numbers.count
                batch.numbers = numbers.map(Double.init)
                batch.times = numbers.map { Int64($0 / values % buckets) * 1_000 }
                batch.codes = numbers.map { UInt32($0 % values + 1) }
                try cells.add(batch, in: times)
                number = numbers.upperBound
            }
        } catch {
            #expect(error == .tooManyCells)
        }
        return number
    }

    @Test func `numbers in too many buckets and values are rejected`() throws {
        // 500,000 cells are four million units.
        #expect(try taken(500_000, by: NumberSum.self, values: 100, buckets: 10_000) == 500_000)
        #expect(try taken(600_000, by: NumberSum.self, values: 100, buckets: 10_000) < 500_000 + EventBatch.capacity)
        // Numbers that share a cell take no more.
        #expect(try taken(700_000, by: NumberSum.self, values: 10, buckets: 100) == 700_000)
    }

    @Test func `too many different numbers are rejected`() throws {
        let count = try taken(4_100_000, by: NumberCounts.self, values: 1, buckets: 1)
        #expect((3_999_000 - EventBatch.capacity..<4_000_000).contains(count))
    }
}
