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

@Suite struct FilterMemoryTests {
    @Test func `with little memory old runs lose their filters and give the same results`() throws {
        let folder = TemporaryFolder()
        var seen = DedupeIndex()
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

    @Test func `at most two runs of a day have no filter, and large merges contain no pending keys`() throws {
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

    @Test func `keys are sealed during a merge without touching its runs`() throws {
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
        merging = day.seen.startMerging(of: ManyKeys.day)
        // The day is sealed before the merge ends.
        let last = try day.write([], try #require(merging))
        day.seen.forget(ManyKeys.day)
        #expect(day.seen.finishMerging(last, of: ManyKeys.day).map(\.path) == [last.path])
        #expect(day.seen.sealed.runs.isEmpty)
    }

    @Test func `a failed merge is retried when the day has half as many runs more`() throws {
        var day = ManyKeys(room: 1_000)
        var tries: [Int] = []
        while tries.count < 4 {
            _ = try day.sealOnly(100)
            guard day.seen.startMerging(of: ManyKeys.day) != nil else { continue }
            tries.append(day.seen.sealed.runs.count)
            #expect(day.seen.finishMerging(nil, of: ManyKeys.day).isEmpty)
        }
        #expect(zip(tries, tries.dropFirst()).allSatisfy { $1 > $0 * 3 / 2 })
        var older: [KeyRun]?
        while older == nil {
            _ = try day.sealOnly(100)
            older = day.seen.startMerging(of: ManyKeys.day)
        }
        _ = day.seen.finishMerging(try day.write([], try #require(older)), of: ManyKeys.day)
        #expect(day.seen.sealed.runs.count == 1)
        for key in day.keys { #expect(try day.seen.contains(key)) }
    }

    @Test func `keys whose sealing failed are frozen again after growing, without older runs`() throws {
        var day = ManyKeys(room: 1_000)
        _ = try day.sealOnly(100)
        var random = SeededGenerator(9)
        func freeze() -> (keys: Int, merging: Int)? {
            day.seen.startSealing(atLeast: 80, of: ManyKeys.day).map { ($0.keys.count, $0.merging.count) }
        }
        for _ in 0..<80 { _ = try day.seen.insert(random.next()) }
        let first = try #require(freeze())
        #expect(first == (80, 1))
        day.seen.abandonSealing()
        var count = 80
        while true {
            if let again = freeze() {
                #expect(again == (count, 0) && count == 91)
                break
            }
            _ = try day.seen.insert(random.next())
            count += 1
        }
    }

    @Test func `a failed write leaves no file`() throws {
        let folder = TemporaryFolder()
        // A folder at the path makes the rename fail.
        try Folder.make(folder.path + "/1.run")
        try Folder.make(folder.path + "/1.run/inside")
        #expect(throws: FileError.self) { try KeyRun.write([1, 2, 3], rows: 1...1, to: folder.path + "/1.run") }
        #expect(try Folder.names(in: folder.path) == ["1.run"])
    }
}

/// A day that gets keys by the hundred.
private struct ManyKeys {
    static let day = Day(number: 1)
    private let folder = TemporaryFolder()
    private var random = SeededGenerator(3)
    private var files = 0
    private(set) var row: Int64 = 0
    private(set) var keys: [UInt64] = []
    var seen = DedupeIndex()

    init(room: Int) {
        seen.filterMemory = KeyFilter.size(for: room) * 8
    }

    /// Seals keys into a run. Returns the sizes of the run and of the merged one.
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
