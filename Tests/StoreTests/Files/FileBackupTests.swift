// SPDX-License-Identifier: Apache-2.0

import Files
import Glibc
import Platform
import SQLite
import TestSupport
import Testing

@testable import AcrossStores
@testable import AppDirectory
@testable import Database
@testable import EventStore
@testable import FileStore

@Suite struct FileBackupTests {
    private static let passphrase = BackupKey.passphrase(ofFile: Array("a long passphrase".utf8))

    /// Two files on the disk, one in the database, and an open upload.
    private static func fill(_ world: FileWorld) async throws -> UploadID {
        try await world.put("large", FileWorld.some(100_000, 1), owner: "ann")
        try await world.put("other", FileWorld.some(20_000, 2))
        try await world.put("small", FileWorld.some(10, 3))
        let id = try await world.create("open", length: 50_000, owner: "ann")
        let turn = try await world.take(id)
        try turn.write(FileWorld.some(20_000).span)
        _ = try await turn.pause()
        return id
    }

    private static func expectRestored(_ folder: TemporaryFolder) async throws {
        try await FileWorld.run(in: folder) { world in
            #expect(try await world.bytes("large") == FileWorld.some(100_000, 1))
            #expect(try await world.bytes("other") == FileWorld.some(20_000, 2))
            #expect(try await world.bytes("small") == FileWorld.some(10, 3))
            #expect(try await world.store.uploads(of: world.app).isEmpty)
            try await world.expectRightUsage()
            try await world.expectNoOrphans()
            try await world.put("large", FileWorld.some(30_000, 4))
        }
    }

    @Test(arguments: [false, true])
    func `a restored backup has all files, and no open uploads`(isEncrypted: Bool) async throws {
        let (data, backup, restored) = (TemporaryFolder(), TemporaryFolder(), TemporaryFolder())
        let key = isEncrypted ? Self.passphrase : nil
        try await FileWorld.run(in: data) { world in
            _ = try await Self.fill(world)
            let manifest = try await world.stores.backUp(to: backup.path + "/b", key)
            #expect(manifest.entries.count { $0.path.description.hasPrefix("files/1/") } == 2)
        }
        if key == nil { #expect(try Backup.verify(backup.path + "/b").entries.count == 11) }
        _ = try Backup.restore(backup.path + "/b", key, into: restored.path)
        try await Self.expectRestored(restored)
    }

    @Test func `a file that is replaced while a backup runs is in the backup`() async throws {
        let (data, backup, restored) = (TemporaryFolder(), TemporaryFolder(), TemporaryFolder())
        try await FileWorld.run(in: data) { world in
            _ = try await Self.fill(world)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try await world.stores.backUp(to: backup.path + "/b") }
                for seed in UInt8(10)..<30 { try await world.put("replaced", FileWorld.some(20_000, seed)) }
                try await group.waitForAll()
            }
            try await world.expectNoOrphans()
        }
        _ = try Backup.restore(backup.path + "/b", into: restored.path)
        try await FileWorld.run(in: restored) { world in
            let (row, bytes) = (try await world.file("replaced"), try await world.bytes("replaced"))
            #expect(row?.sums == bytes.map { FileSums(of: $0) })
        }
    }

    @Test func `a flipped bit of a file is found`() async throws {
        let (data, backup) = (TemporaryFolder(), TemporaryFolder())
        let place = try await FileWorld.run(in: data) { world in
            _ = try await Self.fill(world)
            let manifest = try await world.stores.backUp(to: backup.path + "/b")
            return try #require(manifest.entries.last { $0.path.description.hasPrefix("files/") }).path.description
        }
        let file = try File("\(backup.path)/b/\(place)", .keep)
        var bytes = try file.read(at: 0, count: 1)
        bytes[0] ^= 1
        try file.write(bytes.span, at: 0)
        let refusal = #expect(throws: Refusal.self) { try Backup.verify(backup.path + "/b") }
        #expect(refusal?.detail.hasPrefix(place) == true)
    }

    // MARK: Updates

    /// The number of the file's node on the disk.
    private static func node(_ path: String) -> UInt {
        var info = stat()
        return stat(path, &info) == 0 ? UInt(info.st_ino) : 0
    }

    @Test func `an update copies only files that are new, and drops those that are gone`() async throws {
        let (data, backup, restored) = (TemporaryFolder(), TemporaryFolder(), TemporaryFolder())
        let folder = backup.path + "/b"
        try await FileWorld.run(in: data) { world in
            _ = try await Self.fill(world)
            try await world.put("gone", FileWorld.some(40_000, 9))
            let first = try await world.stores.backUp(to: folder, updates: true)
            let names = first.entries.map(\.path.description).filter { $0.hasPrefix("files/") }
            // Copies of the backup's own, which an update must keep.
            for name in names {
                try Backup.copyFile("\(folder)/\(name)", to: "\(folder)/copy")
                try Folder.rename("\(folder)/copy", to: "\(folder)/\(name)")
            }
            let before = Dictionary(uniqueKeysWithValues: names.map { ($0, Self.node("\(folder)/\($0)")) })
            try await world.store.delete(FileWorld.path("gone"), app: world.app)
            try await world.put("new", FileWorld.some(50_000, 5))
            await #expect(throws: Refusal.self) { try await world.stores.backUp(to: folder) }
            let second = try await world.stores.backUp(to: folder, updates: true)
            #expect(try Backup.verify(folder) == second)
            let kept = second.entries.map(\.path.description).filter { before[$0] != nil }
            #expect(kept.count == 2 && kept.allSatisfy { before[$0] == Self.node("\(folder)/\($0)") })
            #expect(second.entries.count { $0.path.description.hasPrefix("files/") } == 3)
            #expect(!Folder.exists("\(folder)/\(BackupUpdate.folderName)"))
        }
        _ = try Backup.restore(folder, into: restored.path)
        try await FileWorld.run(in: restored) { world async throws in
            #expect(try await world.bytes("new") == FileWorld.some(50_000, 5))
            #expect(try await world.bytes("gone") == nil)
        }
    }

    @Test func `an update that was decided is completed by whatever uses the backup next`() async throws {
        let (data, backup) = (TemporaryFolder(), TemporaryFolder())
        let folder = backup.path + "/b"
        try await FileWorld.run(in: data) { world in
            _ = try await Self.fill(world)
            let first = try await world.stores.backUp(to: folder)
            try await world.put("new", FileWorld.some(50_000, 5))
            let other = backup.path + "/other"
            let second = try await world.stores.backUp(to: other)
            // As an update leaves it that was killed before its manifest: the backup is the old one.
            let next = "\(folder)/\(BackupUpdate.folderName)"
            try Folder.rename(other, to: next)
            try Folder.rename("\(next)/MANIFEST", to: "\(folder)/MANIFEST.kept")
            try Folder.rename("\(folder)/MANIFEST.kept", to: backup.path + "/MANIFEST")
            #expect(try Backup.verify(folder) == first)
            // And killed after it, with a part of the moves done.
            try Folder.rename(backup.path + "/MANIFEST", to: "\(next)/MANIFEST")
            try Folder.remove("\(folder)/MANIFEST")
            try Folder.rename("\(next)/main.db", to: "\(folder)/main.db")
            #expect(try Backup.verify(folder) == second)
            #expect(!Folder.exists(next))
            #expect(try await world.stores.backUp(to: folder, updates: true).entries.count == second.entries.count)
        }
    }

    @Test func `a backup of another data folder, or an encrypted one, is not updated`() async throws {
        let (data, other, backup) = (TemporaryFolder(), TemporaryFolder(), TemporaryFolder())
        let folder = backup.path + "/b"
        let made = try await FileWorld.run(in: data) { world in try await world.stores.backUp(to: folder) }
        try await FileWorld.run(in: other) { world in
            await #expect(throws: Refusal.self) { try await world.stores.backUp(to: folder, updates: true) }
            let key = try #require(Self.passphrase)
            await #expect(throws: Refusal.self) { try await world.stores.backUp(to: backup.path + "/c", key, updates: true) }
            try Folder.make(backup.path + "/strange")
            try File(backup.path + "/strange/file", .new).write([1])
            await #expect(throws: Refusal.self) { try await world.stores.backUp(to: backup.path + "/strange", updates: true) }
        }
        #expect(try Backup.verify(folder) == made)
    }
}
