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

    @Test func `of one day one run is asked without a filter, seldom a second, and large ones are not made of keys that wait`() throws {
        var day = ManyKeys(room: 1_000)
        var asked: [Int] = []
        for _ in 0..<150 {
            let (sealed, merged) = try day.seal(100)
            #expect(sealed <= 256)
            if let merged { #expect(merged > 256) }
            asked.append(day.seen.sealed.runs.count { $0.filterBytes == 0 })
        }
        #expect(day.seen.sealed.runs.map(\.count).reduce(0, +) == 15_000 && day.seen.sealed.runs.count < 12)
        #expect(asked.max() == 2 && asked.count { $0 == 2 } < 50)
        for key in day.keys { #expect(try day.seen.contains(key)) }
    }

    @Test func `while runs become one newer keys are sealed, and leave those alone`() throws {
        var day = ManyKeys(room: 1_000)
        var merging: [KeyRun]?
        while merging == nil {
            _ = try day.sealOnly(100)
            merging = day.seen.startMerging(of: ManyKeys.day)
        }
        let older = try #require(merging)
        for _ in 0..<10 {
            _ = try day.sealOnly(100)
            let another = day.seen.startMerging(of: ManyKeys.day)
            #expect(another == nil)
        }
        let replaced = day.seen.finishMerging(try day.write([], older), of: ManyKeys.day)
        #expect(replaced.map(\.path).sorted() == older.map(\.path).sorted())
        #expect(day.seen.covered(ManyKeys.day) == day.row)
        for key in day.keys { #expect(try day.seen.contains(key)) }
        // None could be written: all is as before, and tried again.
        for _ in 0..<2 {
            merging = day.seen.startMerging(of: ManyKeys.day)
            #expect(merging != nil)
            #expect(day.seen.finishMerging(nil, of: ManyKeys.day).isEmpty)
        }
        // The day is over for good before they are one.
        let last = try day.write([], try #require(merging))
        day.seen.forget(ManyKeys.day)
        #expect(day.seen.finishMerging(last, of: ManyKeys.day).map(\.path) == [last.path])
        #expect(day.seen.sealed.runs.isEmpty)
    }
}

/// A day into which keys come by the hundred.
private struct ManyKeys {
    static let day = Day(number: 1)
    private let folder = TemporaryFolder()
    private var random = SeededGenerator(3)
    private var files = 0
    private(set) var row: Int64 = 0
    private(set) var keys: [UInt64] = []
    var seen = SeenKeys()

    init(room: Int) {
        seen.filterMemory = KeyFilter.size(for: room) * 8
    }

    /// How many keys the run has that new ones went into, and the one that runs became.
    mutating func seal(_ count: Int) throws -> (sealed: Int, merged: Int?) {
        let sealed = try sealOnly(count)
        guard let older = seen.startMerging(of: Self.day) else { return (sealed, nil) }
        let run = try write([], older)
        _ = seen.finishMerging(run, of: Self.day)
        return (sealed, run.count)
    }

    mutating func sealOnly(_ count: Int) throws -> Int {
        for _ in 0..<count {
            keys.append(random.next())
            #expect(try seen.insert(keys[keys.count - 1]))
        }
        row += 1
        let sealing = seen.startSealing(atLeast: 1, of: Self.day)
        let (frozen, small) = try #require(sealing)
        let run = try write(frozen.sorted(), small)
        _ = seen.finishSealing(run, of: Self.day)
        return run.count
    }

    mutating func write(_ keys: [UInt64], _ older: [KeyRun]) throws -> KeyRun {
        files += 1
        let path = "\(folder.path)/\(files).run"
        let newest = keys.isEmpty ? older.map(\.rows.upperBound).max() ?? 0 : row
        try KeyRun.write(keys, rows: newest...newest, merging: older, to: path)
        return try #require(try KeyRun(path))
    }
}
