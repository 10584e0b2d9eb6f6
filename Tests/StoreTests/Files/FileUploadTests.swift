// SPDX-License-Identifier: Apache-2.0

import Crypto
import Files
import Platform
import SQLite
import Synchronization
import TestSupport
import Testing

@testable import Database
@testable import FileStore

@Suite struct FileUploadTests {
    private static let sizes = [0, 1, 16_384, 16_385, 3_000_000]

    @Test(arguments: sizes)
    func `an uploaded file has its bytes, sums and row, also after a restart`(size: Int) async throws {
        let folder = TemporaryFolder()
        let bytes = FileWorld.some(size)
        let stored = try await FileWorld.run(in: folder) { world in
            var request = try world.request("users/ann/a.bin", length: size, owner: "ann")
            request.details = FileDetails(type: "image/png")
            (request.details.cacheControl, request.details.contentLanguage) = ("max-age=60", "de")
            request.details.metadata = [.init("k", "\"v\"\n"), .init("e\u{301}", "1"), .init("\u{e9}", "2")]
            let upload = try await world.store.begin(request)
            for start in stride(from: 0, to: size, by: 100_000) { try upload.write(Array(bytes[start..<min(start + 100_000, size)]).span) }
            let stored = try await upload.finish()
            #expect(stored.details == request.details && stored.owner == "ann" && stored.size == size && stored.metageneration == 1)
            #expect(stored.sums == FileSums(of: bytes))
            #expect(try await world.bytes("users/ann/a.bin") == bytes)
            try await world.expectRightUsage()
            try await world.expectNoOrphans()
            #expect(try world.onDisk.count == (size > 16_384 ? 1 : 0))
            return stored
        }
        try await FileWorld.run(in: folder) { world async throws in
            #expect(try await world.file("users/ann/a.bin") == stored)
            #expect(try await world.bytes("users/ann/a.bin") == bytes)
        }
    }

    @Test(arguments: sizes, sizes)
    func `a replaced file leaves no bytes, and who reads it keeps them`(old: Int, new: Int) async throws {
        try await FileWorld.run { world in
            let (before, after) = (FileWorld.some(old, 1), FileWorld.some(new, 2))
            let first = try await world.put("a", before, owner: "ann")
            let opened = try #require(try await world.store.open(FileWorld.path("a"), app: world.app))
            let second = try await world.put("a", after, owner: "bob")
            #expect(second.generation > first.generation && second.etag != first.etag)
            try await world.expectNoOrphans()
            #expect(try FileWorld.bytes(opened) == before)
            #expect(try await world.bytes("a") == after)
            try await world.expectRightUsage()
            try await world.store.delete(FileWorld.path("a"), app: world.app)
            #expect(try await world.bytes("a") == nil)
            try await world.expectNoOrphans()
            try await world.expectRightUsage()
            let changes = try await world.store.changes(of: world.app, after: 0)
            #expect(changes.map(\.kind) == [.finalized, .finalized, .deleted])
            #expect(changes.map(\.generation) == [first.generation, second.generation, second.generation])
            let left = "SELECT (SELECT count(*) FROM contents) + (SELECT count(*) FROM leaving)"
            let isEmpty = try await eventually { try await world.store.read { try $0.uncached(left).first { $0.int(0) } } == 0 }
            #expect(isEmpty)
        }
    }

    @Test func `of clients that create one path, one wins, and the others leave nothing`() async throws {
        try await FileWorld.run { world in
            let winners = await withTaskGroup(of: Bool.self) { group in
                for seed in 0..<16 {
                    group.addTask {
                        await FileWorld.fault { try await world.put("a", FileWorld.some(20_000, UInt8(seed)), if: .absent) } == nil
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(winners == 1)
            try await world.expectNoOrphans()
            try await world.expectRightUsage()
        }
    }

    @Test func `preconditions are judged in the commit`() async throws {
        try await FileWorld.run { world in
            #expect(await FileWorld.fault { try await world.put("a", [1], if: .present) } == .conditionFailed)
            let first = try await world.put("a", [1], if: .absent)
            #expect(await FileWorld.fault { try await world.put("a", [2], if: .absent) } == .conditionFailed)
            let second = try await world.put("a", [2], if: .generation(first.generation))
            #expect(await FileWorld.fault { try await world.put("a", [3], if: .generation(first.generation)) } == .conditionFailed)
            let path = try FileWorld.path("a")
            #expect(await FileWorld.fault { try await world.store.delete(path, app: world.app, if: .generation(1)) } == .conditionFailed)
            let details = FileDetails(type: "text/plain")
            let changed = try await world.store.editDetails(of: path, app: world.app, if: .generation(second.generation)) { $0 = details }
            #expect(changed.generation == second.generation && changed.metageneration == 2 && changed.etag != second.etag)
            #expect(try await world.file("a") == changed)
            #expect(try await world.bytes("a") == [2])
        }
    }

    @Test func `bytes that are not the promised ones become no file`() async throws {
        try await FileWorld.run { world in
            let bytes = FileWorld.some(20_000)
            let sums = FileSums(of: bytes, withMD5: true)
            for wrong in [
                ExpectedSums(sha256: Array(repeating: 1, count: 32)), ExpectedSums(crc32c: sums.crc32c ^ 1), ExpectedSums(md5: sums.sha256),
            ] {
                var request = try world.request("a", length: bytes.count)
                request.expected = wrong
                let upload = try await world.store.begin(request)
                try upload.write(bytes.span)
                #expect(await FileWorld.fault { _ = try await upload.finish() } == .checksumMismatch)
                let late = try await world.store.begin(world.request("a", length: bytes.count))
                try late.write(bytes.span)
                if wrong.md5 == nil { #expect(await FileWorld.fault { _ = try await late.finish(UploadEnd(wrong)) } == .checksumMismatch) }
            }
            #expect(try await world.file("a") == nil)
            var request = try world.request("a")
            request.expected = ExpectedSums(sha256: sums.sha256, crc32c: sums.crc32c, md5: sums.md5)
            let upload = try await world.store.begin(request)
            try upload.write(bytes.span)
            #expect(try await upload.finish().sums == sums)
            try await world.expectNoOrphans()
        }
    }

    @Test func `an abandoned upload leaves nothing`() async throws {
        try await FileWorld.run { world in
            do {
                let upload = try await world.store.begin(world.request("a", length: 50_000))
                try upload.write(FileWorld.some(40_000).span)
                #expect(try world.onDisk.count == 1)
                #expect(await FileWorld.fault { _ = try await upload.finish() } == .upload(.incomplete(received: 40_000)))
            }
            try await world.expectNoOrphans()
            let cancelled = try await world.store.begin(world.request("a", length: 50_000))
            try cancelled.write(FileWorld.some(40_000).span)
            try await cancelled.cancel()
            try await world.expectNoOrphans()
        }
    }

    @Test func `more bytes than declared or allowed are refused`() async throws {
        try await FileWorld.run(.init(FileWorld.start), .ofTest { $0.fileBytes = 1_000 }) { world in
            let declared = try await world.store.begin(world.request("a", length: 10))
            #expect(await FileWorld.fault { try declared.write(FileWorld.some(11).span) } == .upload(.tooLong))
            let open = try await world.store.begin(world.request("a"))
            #expect(await FileWorld.fault { try open.write(FileWorld.some(1_001).span) } == .upload(.tooLong))
            #expect(await FileWorld.fault { _ = try await world.store.begin(world.request("a", length: 1_001)) } == .tooLarge)
            var limited = try world.request("a")
            limited.limit = 5
            let upload = try await world.store.begin(limited)
            #expect(await FileWorld.fault { try upload.write(FileWorld.some(6).span) } == .upload(.tooLong))
        }
    }

    @Test func `a copy has the bytes and outlives its source`() async throws {
        try await FileWorld.run { world in
            for size in [100, 100_000] {
                let bytes = FileWorld.some(size)
                let source = try await world.put("source", bytes, owner: "ann")
                let copy = try await world.store.copy(FileWorld.path("source"), to: FileWorld.path("copy"), app: world.app, owner: .caller("bob"))
                #expect(copy.sums == source.sums && copy.owner == "bob" && copy.generation > source.generation && copy.place != source.place)
                try await world.expectRightUsage()
                try await world.store.delete(FileWorld.path("source"), app: world.app)
                try await world.expectNoOrphans()
                #expect(try await world.bytes("copy") == bytes)
                #expect(
                    await FileWorld.fault {
                        _ = try await world.store.copy(FileWorld.path("source"), to: FileWorld.path("copy"), app: world.app)
                    } == .notFound)
                #expect(
                    await FileWorld.fault {
                        _ = try await world.store.copy(FileWorld.path("copy"), to: FileWorld.path("copy"), app: world.app, if: .absent)
                    } == .conditionFailed)
            }
            try await world.expectNoOrphans()
        }
    }

    @Test(arguments: [100, 100_000], [100, 100_000])
    func `a copy whose source changes while rules are asked is one of the new source, which they judged`(before: Int, after: Int) async throws {
        try await FileWorld.run { world in
            let (old, new) = (FileWorld.some(before), FileWorld.some(after, 9))
            try await world.put("source", old)
            let judged = Mutex<[Int64]>([])
            let copy = try await world.store.copy(
                FileWorld.path("source"), to: FileWorld.path("copy"), app: world.app, owner: .caller("ann"),
                by: { _, _, written in
                    judged.withLock { $0.append(written?.size ?? 0) }
                    if judged.withLock({ $0.count }) == 1 { try await world.put("source", new) }
                })
            #expect(copy.sums == FileSums(of: new) && copy.size == Int64(after))
            #expect(judged.withLock { $0 } == [Int64(before), Int64(after)])
            #expect(try await world.bytes("copy") == new)
            #expect(
                await FileWorld.fault {
                    _ = try await world.store.copy(
                        FileWorld.path("source"), to: FileWorld.path("other"), app: world.app,
                        by: { _, _, _ in try? await world.store.delete(FileWorld.path("source"), app: world.app) })
                } == .notFound)
            #expect(try await world.file("other") == nil)
            try await world.expectNoOrphans()
            try await world.expectRightUsage()
        }
    }

    @Test func `tokens are changed of the file that was read, and of no later one`() async throws {
        try await FileWorld.run { world in
            let seen = try await world.put("a", [1])
            let path = try FileWorld.path("a")
            try await world.put("a", [2])
            #expect(
                await FileWorld.fault { _ = try await world.store.editTokens(of: path, app: world.app, seen: seen) { $0 = "t" } } == .conditionFailed)
            #expect(try await world.file("a")?.tokens == nil)
            let current = try #require(try await world.file("a"))
            #expect(try await world.store.editTokens(of: path, app: world.app, seen: current) { $0 = "t" }.tokens == "t")
        }
    }

    @Test func `a read between a replacement and the removal of its bytes finds the new ones`() async throws {
        try await FileWorld.run { world in
            try await world.put("a", FileWorld.some(20_000, 1))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for seed in 2..<40 { try await world.put("a", FileWorld.some(20_000, UInt8(seed))) } }
                for _ in 0..<200 { group.addTask { () async throws in #expect(try await world.bytes("a")?.count == 20_000) } }
                try await group.waitForAll()
            }
        }
    }
}
