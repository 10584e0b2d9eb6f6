// SPDX-License-Identifier: Apache-2.0

import Files
import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import AppDirectory
@testable import Database
@testable import EventStore
@testable import FileStore

/// Uploads of several requests.
@Suite struct ResumedUploadTests {
    @Test(arguments: [1_000, 16_384, 16_385, 500_000])
    func `an upload in pieces becomes a file`(size: Int) async throws {
        try await FileWorld.run { world in
            let bytes = FileWorld.some(size)
            let id = try await world.create("a", length: size, owner: "ann")
            try await world.expectRightUsage()
            let third = size / 3
            for range in [0..<third, third..<2 * third, 2 * third..<size] {
                let turn = try await world.take(id)
                #expect(turn.received == range.lowerBound)
                try turn.write(Array(bytes[range]).span)
                #expect(try await turn.pause() == range.upperBound)
            }
            let last = try await world.take(id)
            #expect(last.isComplete)
            let stored = try await last.finish()
            #expect(stored.sums == FileSums(of: bytes) && stored.owner == "ann")
            #expect(try await world.bytes("a") == bytes)
            // A repeated last request gets the same response.
            let repeated = try await world.take(id)
            #expect(repeated.isOver)
            #expect(try await repeated.finish() == stored)
            try await world.expectNoOrphans()
            try await world.expectRightUsage()
            #expect(try await world.store.upload(id, app: world.app) == nil)
        }
    }

    @Test(arguments: [(0, 40_000), (20_000, 0), (20_000, 40_000), (1_500_000, 40_000), (2_097_152, 0), (2_500_000, 0)])
    func `after a restart an upload goes on at its committed offset`(committed: Int, lost: Int) async throws {
        let folder = TemporaryFolder()
        let bytes = FileWorld.some(2_500_000)
        let id = try await FileWorld.run(in: folder) { world in
            let id = try await world.create("a", length: bytes.count)
            let turn = try await world.take(id)
            try turn.write(Array(bytes[..<committed]).span)
            #expect(try await turn.pause() == committed)
            // Bytes of a request that the end of the process cuts off.
            try turn.write(FileWorld.some(lost, 99).span)
            return id
        }
        try await FileWorld.run(in: folder) { world in
            let turn = try await world.take(id)
            #expect(turn.received == committed)
            try turn.write(Array(bytes[committed...]).span)
            #expect(try await turn.finish().sums == FileSums(of: bytes))
            #expect(try await world.bytes("a") == bytes)
            try await world.expectNoOrphans()
        }
    }

    @Test func `an upload that was killed between its move and its row goes on`() async throws {
        let folder = TemporaryFolder()
        let bytes = FileWorld.some(100_000)
        let id = try await FileWorld.run(in: folder) { world in
            let id = try await world.create("a", length: bytes.count)
            let turn = try await world.take(id)
            try turn.write(bytes.span)
            _ = try await turn.pause()
            let blob = try #require(try await world.store.upload(id, app: world.app)).blob
            try world.store.blobs.move(blob, to: blob, app: world.app)
            return id
        }
        try await FileWorld.run(in: folder) { world in
            let turn = try await world.take(id)
            #expect(turn.isComplete)
            #expect(try await turn.finish().sums == FileSums(of: bytes))
            try await world.expectNoOrphans()
        }
    }

    @Test func `a later request takes an upload over`() async throws {
        try await FileWorld.run { world in
            let id = try await world.create("a", length: 30)
            let first = try await world.take(id)
            try first.write(FileWorld.some(10).span)
            let second = try await world.take(id)
            #expect(second.received == 10)
            #expect(await FileWorld.fault { try first.write([1].span) } == .superseded)
            #expect(await FileWorld.fault { _ = try await first.pause() } == .superseded)
            #expect(await FileWorld.fault { _ = try await first.finish() } == .superseded)
            #expect(await FileWorld.fault { try first.cut() } == .superseded)
            try second.write(FileWorld.some(20).span)
            #expect(try await second.finish().size == 30)
        }
    }

    @Test func `a piece that is cut leaves the bytes before it`() async throws {
        try await FileWorld.run { world in
            let bytes = FileWorld.some(60_000)
            let id = try await world.create("a", length: bytes.count)
            let turn = try await world.take(id)
            try turn.write(Array(bytes[..<20_000]).span)
            _ = try await turn.pause()
            try turn.write(FileWorld.some(30_000, 9).span)
            try turn.cut()
            #expect(turn.received == 20_000)
            #expect(try turn.overlap(from: 10_000) == 10_000)
            #expect(await FileWorld.fault { _ = try turn.overlap(from: 20_001) } == .upload(.wrongOffset(received: 20_000)))
            try turn.write(Array(bytes[20_000...]).span)
            #expect(try await turn.finish().sums == FileSums(of: bytes))
            #expect(try await world.bytes("a") == bytes)
        }
    }

    @Test func `an upload that ended, of another app or of a random ID is not found`() async throws {
        try await FileWorld.run { world in
            let id = try await world.create("a", length: 30)
            #expect(try await world.store.take(id, app: AppID(rawValue: 99)) == nil)
            #expect(try await world.store.take(UploadID(), app: world.app) == nil)
            let turn = try await world.take(id)
            try turn.write(FileWorld.some(10).span)
            _ = try await turn.pause()
            try await turn.cancel()
            #expect(try await world.store.take(id, app: world.app) == nil)
            #expect(turn.isOver)
            try await world.expectNoOrphans()
            try await world.expectRightUsage()
        }
        #expect(UploadID("") == nil && UploadID(String(repeating: "A", count: 32)) == nil && UploadID(String(repeating: "0", count: 31)) == nil)
        #expect(UploadID(String(repeating: "0a", count: 16))?.text == String(repeating: "0a", count: 16))
    }

    @Test func `a request that lasts longer than an idle upload is kept goes on`() async throws {
        let clock = ManualClock(FileWorld.start)
        try await FileWorld.run(clock) { world in
            let bytes = FileWorld.some(60_000)
            let id = try await world.create("a", length: bytes.count)
            let turn = try await world.take(id)
            for part in 0..<3 {
                try turn.write(Array(bytes[part * 20_000..<(part + 1) * 20_000]).span)
                clock.advance(by: .hours(20))
                _ = try await world.store.retain([])
            }
            #expect(try await turn.finish().sums == FileSums(of: bytes))
            // One that receives nothing for a day ends, also within a request.
            let idle = try await world.take(try await world.create("b", length: 100))
            try idle.write([1].span)
            clock.advance(by: .hours(20))
            _ = try await world.store.retain([])
            clock.advance(by: .hours(5))
            _ = try await world.store.retain([])
            #expect(try await world.store.uploads(of: world.app).isEmpty)
            try await world.expectNoOrphans()
        }
    }

    @Test func `an upload that is erased between its move and its row leaves no bytes`() async throws {
        try await FileWorld.run { world in
            let bytes = FileWorld.some(60_000)
            let turn = try await world.take(try await world.create("users/ann/a", length: bytes.count, owner: "ann"))
            try turn.write(bytes.span)
            let end = UploadEnd(by: { _, _, _ in _ = try await world.stores.erase(PersonID(.user, "ann"), of: world.app) })
            #expect(await FileWorld.fault { _ = try await turn.finish(end) } == .uploadGone)
            try await world.expectNoOrphans()
            try await world.expectRightUsage()
        }
    }

    @Test func `an upload that is erased while it is written leaves no bytes`() async throws {
        try await FileWorld.run { world in
            let id = try await world.create("users/ann/a", length: 60_000, owner: "ann")
            let turn = try await world.take(id)
            try turn.write(FileWorld.some(20_000).span)
            // The row goes, and the request does not know of it yet.
            try await world.store.change(world.app) { context in try context.file.removeUpload(id) }
            #expect(await FileWorld.fault { _ = try await turn.pause() } == .uploadGone)
            #expect(try world.onDisk.isEmpty)
        }
    }

    @Test func `an idle upload expires, and each piece keeps it longer`() async throws {
        let clock = ManualClock(FileWorld.start)
        try await FileWorld.run(clock) { world in
            let (idle, used) = (try await world.create("a", length: 30), try await world.create("b", length: 30))
            clock.advance(by: .hours(23))
            let turn = try await world.take(used)
            try turn.write(FileWorld.some(10).span)
            _ = try await turn.pause()
            clock.advance(by: .hours(2))
            _ = try await world.store.retain([])
            #expect(try await world.store.take(idle, app: world.app) == nil)
            #expect(try await world.take(used).received == 10)
            try await world.expectRightUsage()
            clock.advance(by: .hours(25))
            _ = try await world.store.retain([])
            #expect(await FileWorld.fault { _ = try await turn.finish() } != nil)
            #expect(try await world.store.take(used, app: world.app) == nil)
            try await world.expectNoOrphans()
        }
    }
}
