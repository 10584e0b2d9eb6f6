// SPDX-License-Identifier: Apache-2.0

import Events
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

/// Prefetch: IDs are looked up in runs before their job reaches the writer.
@Suite struct PrefetchTests {
    private static let day = Day(number: 1)

    /// Returns keys of which the first 100 are in a run.
    private static func sealed(in folder: TemporaryFolder) throws -> (seen: DedupeIndex, keys: [UInt64]) {
        let keys = (1...200).map { UInt64($0) &* 0x9e37_79b9_7f4a_7c15 }
        var seen = DedupeIndex()
        try KeyRun.write(keys[..<100].sorted(), rows: 1...1, to: folder.path + "/1.run")
        seen.add(try #require(try KeyRun(folder.path + "/1.run")), of: day)
        return (seen, keys)
    }

    @Test func `an ID counts once whether its prefetch found it or not`() throws {
        var (seen, keys) = try Self.sealed(in: TemporaryFolder())
        let board = SealedBoard()
        board.post(seen)
        let asked = try #require(board.prefetch(keys))
        #expect(asked.known == Set(keys[..<100]))
        for (place, key) in keys.enumerated() { #expect(try seen.insert(key, asked) == (place >= 100)) }
        for key in keys { #expect(try !seen.insert(key, asked)) }
    }

    @Test func `prefetch is used only if it avoids file reads`() throws {
        var (seen, _) = try Self.sealed(in: TemporaryFolder())
        let board = SealedBoard()
        #expect(!board.readsFiles)
        board.post(seen)
        #expect(!board.readsFiles)
        seen.keepFilters(within: 0)
        board.post(seen)
        #expect(board.readsFiles)
    }

    @Test func `a prefetch older than a run is checked again`() throws {
        let folder = TemporaryFolder()
        var (seen, keys) = try Self.sealed(in: folder)
        let board = SealedBoard()
        board.post(seen)
        let asked = try #require(board.prefetch(keys))
        // Another submission's keys are inserted, frozen, and become a run.
        for key in keys[100...] { #expect(try seen.insert(key)) }
        let sealing = seen.startSealing(atLeast: 1, of: Self.day)
        let frozen = try #require(sealing)
        for key in keys[100...] { #expect(try !seen.insert(key, asked)) }
        try KeyRun.write(frozen.keys.sorted(), rows: 2...2, to: folder.path + "/2.run")
        _ = seen.finishSealing(try #require(try KeyRun(folder.path + "/2.run")), of: Self.day)
        for key in keys[100...] { #expect(try !seen.insert(key, asked)) }
    }

    /// Without memory for filters each lookup reads files, so IDs are prefetched.
    @Test(arguments: [0, DedupeIndex.filterMemory])
    func `concurrent requests with the same IDs count each once while runs change`(filterMemory: Int) async throws {
        var options = EventStoreOptions()
        (options.recentKeys, options.filterMemory) = (50, filterMemory)
        let now = Timestamp(milliseconds: 1_790_000_000_000)
        try await withStore(options: StoreOptions(events: options), clock: ManualClock(now).clock) { store in
            let accepted = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        var accepted = 0
                        for batch in 0..<40 {
                            var request = SubmissionBuilder(store: store, received: now)
                            for id in batch * 20..<batch * 20 + 60 { request.add("a", id: "event \(id)") }
                            accepted += try await store.events.submit(request.submission()).accepted
                        }
                        return accepted
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(accepted == 39 * 20 + 60)
        }
    }
}
