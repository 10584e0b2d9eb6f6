import Platform
import TestSupport
import Testing

@testable import Store

@Suite struct FilterMemoryTests {
    @Test func `runs of old days are asked without a filter when memory is short, and answer the same`() throws {
        let folder = TemporaryFolder()
        var seen = SeenKeys()
        for number in 1...4 {
            let keys = (1...5_000).map { UInt64($0 * 7 + number) &* 0x9e37_79b9_7f4a_7c15 }.sorted()
            let path = "\(folder.path)/\(number).run"
            try KeyRun.write(keys, rows: 1...1, to: path)
            seen.add(try #require(try KeyRun(path)), of: Day(number: Int32(number)))
        }
        func answers() throws -> [Bool] {
            try (1...40_000).map { number in
                let key = UInt64(number) &* 0x9e37_79b9_7f4a_7c15
                defer { seen.remove(key) }
                return try seen.insert(key)
            }
        }
        let before = try answers()
        #expect(before.count { !$0 } == 20_000)
        seen.keepFilters(within: 13_000)
        #expect(try answers() == before)
        #expect(seen.filterBytes <= 13_000)
    }
}
