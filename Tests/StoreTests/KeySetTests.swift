// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

@Suite struct KeySetTests {
    /// Keys that differ only in their low bits share a slot, so that probes collide and wrap around the end.
    private static let families: [(name: String, key: @Sendable (UInt64) -> UInt64)] = [
        ("spread", { $0 &* 0x9e37_79b9_7f4a_7c15 | 1 }), ("one home", { $0 + 1 }), ("the last home", { UInt64.max - $0 }),
        ("two homes", { $0 % 2 == 0 ? $0 + 1 : UInt64.max - $0 }),
    ]

    @Test(arguments: families.indices)
    func `a key set matches a Set after random insertions and removals`(family: Int) {
        let key = Self.families[family].key
        var random = SeededGenerator(UInt64(family))
        var keys = KeySet(capacityBits: 4)
        var model: Set<UInt64> = []
        for _ in 0..<4_000 {
            let candidate = key(UInt64.random(in: 0..<300, using: &random))
            if Bool.random(using: &random) {
                #expect(keys.insert(candidate) == model.insert(candidate).inserted)
            } else {
                keys.remove(candidate)
                model.remove(candidate)
            }
            #expect(keys.count == model.count)
        }
        #expect(keys.sorted() == model.sorted())
        for number in 0..<300 as Range<UInt64> { #expect(keys.contains(key(number)) == model.contains(key(number))) }
    }

    @Test func `a growing key set keeps all keys`() {
        var keys = KeySet(capacityBits: 2)
        var random = SeededGenerator(1)
        let all = (0..<20_000).map { _ in random.next() | 1 }
        for key in all { _ = keys.insert(key) }
        #expect(all.allSatisfy(keys.contains))
        #expect(keys.sorted() == Set(all).sorted())
        for key in all.prefix(10_000) { keys.remove(key) }
        #expect(all.suffix(10_000).allSatisfy(keys.contains))
        #expect(!all.prefix(10_000).contains(where: keys.contains))
    }

    @Test func `a table returns the last value set, and nil for unknown keys`() {
        var table = KeyTable(capacityBits: 2)
        var model: [UInt64: UInt32] = [:]
        var random = SeededGenerator(2)
        for number in 0..<5_000 as Range<UInt32> {
            let key = UInt64.random(in: 1...2_000, using: &random) &* 0x9e37_79b9_7f4a_7c15
            table.set(key, number)
            model[key] = number
        }
        #expect(table.count == model.count)
        #expect(model.allSatisfy { table[$0.key] == $0.value })
        #expect(table[0xdead_beef] == nil)
    }

    @Test func `an ordered table matches a dictionary, for ascending keys without room, too`() {
        for isReserved in [false, true] {
            for step in [1, 1 << 40] as [UInt64] {
                var table = KeyTable(capacityBits: 4, isOrdered: true)
                if isReserved { table.reserve(6_000) }
                for number in 1...6_000 as ClosedRange<UInt32> {
                    let key = UInt64(number) &* step
                    #expect(table[key] == nil)
                    table.set(key, number)
                }
                #expect((1...6_000 as ClosedRange<UInt32>).allSatisfy { table[UInt64($0) &* step] == $0 })
                #expect(table.count == 6_000 && table[6_001 &* step] == nil)
            }
        }
    }

    @Test func `a filter passes all its keys and about one in a hundred others`() {
        var random = SeededGenerator(3)
        for count in [1, 50, 20_000] {
            let keys = (0..<count).map { _ in random.next() }
            var words = [UInt64](repeating: 0, count: KeyFilter.size(for: count))
            for key in keys { KeyFilter.insert(key, into: &words, at: KeyFilter.block(of: key, in: words.count)) }
            let filter = KeyFilter(words: words)
            #expect(keys.allSatisfy(filter.mayContain))
            let passed = (0..<20_000).count { _ in filter.mayContain(random.next()) }
            #expect(passed < 600, "\(passed) of 20,000 other keys at \(count) keys")
        }
    }
}
