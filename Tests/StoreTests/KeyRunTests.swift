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

struct KeyRunTests {
    private let folder = TemporaryFolder()

    private func run(_ keys: [UInt64], merging older: [KeyRun] = [], _ name: String, filterUpTo bytes: Int = 0) throws -> KeyRun {
        let path = "\(folder.path)/\(name).run"
        try KeyRun.write(keys.sorted(), rows: 1...1, merging: older, to: path)
        return try #require(try KeyRun(path, filterUpTo: bytes))
    }

    private static func keys(_ count: Int, _ seed: UInt64) -> [UInt64] {
        var random = SeededGenerator(seed)
        return (0..<count).map { _ in random.next() }
    }

    /// Enough keys that the filter is written in pieces.
    @Test(arguments: [0, 1 << 21]) func `a run finds exactly its keys, with the filter in memory or on disk`(bytes: Int) throws {
        let (first, second, third) = (Self.keys(250_000, 1), Self.keys(3, 2), Self.keys(250_000, 3))
        let older = [try run(first, "1"), try run(second, "2")]
        let merged = try run(third, merging: older, "3", filterUpTo: bytes)
        #expect(merged.count == 500_003 && (merged.filterBytes > 0) == (bytes > 0))
        #expect(try (first + second + third).allSatisfy { try merged.contains($0) })
        #expect(try Self.keys(30_000, 4).allSatisfy { try !merged.contains($0) })
    }

    @Test(arguments: ["near", "far", "halves"]) func `unevenly distributed keys are found`(way: String) throws {
        let keys = (0..<20_000).map { (number: UInt64) in
            switch way {
            case "near": number
            case "far": .max - number * number
            default: number % 2 == 0 ? number << 20 : .max - number << 3
            }
        }
        let run = try run(keys, "1")
        for key in keys { #expect(try run.contains(key)) }
        for key in keys where key > 0 && key % 8 == 0 && way != "near" { #expect(try !run.contains(key - 1)) }
    }

    @Test func `an empty run contains nothing`() throws {
        #expect(try !run([], "1").contains(7))
    }
}
