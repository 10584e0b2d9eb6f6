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

@Suite struct FileRemovalTests {
    @Test func `files that a kill left without a row go at the next start, and others stay`() async throws {
        let folder = TemporaryFolder()
        let id = try await FileWorld.run(in: folder) { world in
            try await world.put("kept", FileWorld.some(20_000))
            let id = try await world.create("open", length: 50_000)
            let turn = try await world.take(id)
            try turn.write(FileWorld.some(20_000).span)
            _ = try await turn.pause()
            return id
        }
        // What kills leave: uploads without a row, and moved files whose commit did not happen.
        for name in [BlobName.random(), .random()] {
            try Folder.makeAll("\(folder.path)/files/1/\(name.folder)")
            for path in [StorePaths.blob(name, app: 1), "incoming/\(BlobName.random().text)"] { try File("\(folder.path)/\(path)", .new).write([1]) }
        }
        try File("\(folder.path)/incoming/not-ours", .new).write([1])
        try await FileWorld.run(in: folder) { world in
            let upload = try #require(try await world.store.upload(id, app: world.app))
            let kept = try #require(try await world.file("kept"))
            guard case .blob(let blob) = kept.place else { throw FileStoreError.damaged }
            let expected: Set = [StorePaths.blob(blob, app: 1), "incoming/\(upload.blob.text)", "incoming/not-ours"]
            let isSwept = try await eventually(within: .seconds(20)) { try world.onDisk == expected }
            let found = try world.onDisk
            #expect(isSwept, "\(found)")
        }
    }

    @Test func `a sweep beside uploads removes none of theirs`() async throws {
        try await FileWorld.run { world async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for seed in 0..<40 {
                    group.addTask { try await world.put("a/\(seed)", FileWorld.some(20_000, UInt8(seed))) }
                    group.addTask { world.store.sweep() }
                }
                try await group.waitForAll()
            }
            for seed in 0..<40 { #expect(try await world.bytes("a/\(seed)") == FileWorld.some(20_000, UInt8(seed))) }
        }
    }

    @Test func `files that are held stay until they are released`() async throws {
        try await FileWorld.run { world in
            try await world.put("a", FileWorld.some(20_000, 1))
            world.store.holdBlobs()
            try await world.put("a", FileWorld.some(20_000, 2))
            await world.store.removeLeavingBlobs()
            #expect(try world.onDisk.count == 2)
            world.store.releaseBlobs()
            try await world.expectNoOrphans()
        }
    }

    @Test func `a planted link is neither followed nor written through`() async throws {
        let (folder, outside) = (TemporaryFolder(), TemporaryFolder())
        try await FileWorld.run(in: folder) { world in
            try File(outside.path + "/secret", .new).write([9])
            let stored = try await world.put("a", FileWorld.some(20_000))
            guard case .blob(let blob) = stored.place else { throw FileStoreError.damaged }
            let path = "\(folder.path)/\(StorePaths.blob(blob, app: 1))"
            try Folder.remove(path)
            #expect(symlink(outside.path + "/secret", path) == 0)
            await #expect(throws: FileError.self) { try await world.bytes("a") }
            // A folder that is a link is not entered.
            let inner = "\(folder.path)/files/1"
            try Folder.rename(inner, to: outside.path + "/1")
            #expect(symlink(outside.path + "/1", inner) == 0)
            await #expect(throws: (any Error).self) { try await world.bytes("a") }
            await #expect(throws: (any Error).self) { try await world.put("b", FileWorld.some(20_000)) }
            #expect(try File(outside.path + "/secret", .read).read(at: 0, count: 9) == [9])
        }
    }

    @Test func `a deleted app leaves no rows and no bytes`() async throws {
        let folder = TemporaryFolder()
        try await FileWorld.run(in: folder, .init(FileWorld.start), .ofTest { $0.removedAtOnce = 7 }) { world in
            for number in 0..<20 { try await world.put("a/\(number)", FileWorld.some(number % 2 == 0 ? 10 : 20_000), owner: "ann") }
            let turn = try await world.take(world.create("open", length: 100_000, owner: "ann"))
            try turn.write(FileWorld.some(20_000).span)
            _ = try await turn.pause()
            let path = try FileWorld.path("a/1")
            _ = try await world.store.makeLink(to: path, app: world.app, expires: world.clock.now + .hours(1), isRevocable: true)
            try await world.store.setPersonPaths([try #require(PersonFolder("users/{uid}/"))], app: world.app)
            let other = try await world.stores.events.createAppWithKeys(named: "other").0.id
            var request = UploadRequest(path, app: other)
            request.owner = "ann"
            let kept = try await world.store.begin(request)
            try kept.write(FileWorld.some(20_000).span)
            _ = try await kept.finish()
            try await world.stores.deleteApp(world.app)
            let left = try await world.store.read { file in
                try ["objects", "uploads", "usage", "links", "changes", "settings"].map { table in
                    try file.uncached("SELECT count(*) FROM \(table) WHERE app = ?").first(.integer(world.app.rawValue)) { $0.int(0) } ?? -1
                }
            }
            #expect(left == [0, 0, 0, 0, 0, 0])
            try await world.expectNoOrphans()
            try await world.expectRightUsage()
            #expect(try await world.store.open(path, app: other) != nil)
        }
    }

    // MARK: Persons

    @Test(arguments: [true, false])
    func `an erasure or anonymization removes the files and uploads of the person alone`(isErasure: Bool) async throws {
        try await FileWorld.run(.init(FileWorld.start), .ofTest { $0.removedAtOnce = 3 }) { world in
            try await world.store.setPersonPaths([try #require(PersonFolder("users/{uid}/"))], app: world.app)
            for (path, owner) in [
                ("users/ann/1", "ann"), ("users/ann/2", nil), ("users/ann/deep/3", "bob"), ("shared/4", "ann"), ("shared/5", "ann"),
                ("shared/6", "ann"), ("shared/7", "ann"), ("users/anna/1", nil), ("users/an", nil), ("shared/8", "bob"), ("users/ann", nil),
                ("shared/9", nil),
            ] as [(String, String?)] { try await world.put(path, FileWorld.some(path.utf8.count % 2 == 0 ? 10 : 20_000), owner: owner) }
            try await world.put("shared/gone", [1], owner: "ann")
            try await world.store.delete(FileWorld.path("shared/gone"), app: world.app)
            for (path, owner) in [("users/ann/open", nil), ("shared/open", "ann"), ("shared/open-bob", "bob")] as [(String, String?)] {
                _ = try await world.create(path, length: 10, owner: owner)
            }
            let ann = PersonID(.user, "ann")
            #expect(try await world.store.files(of: "ann", app: world.app).count == 7)
            if isErasure {
                #expect(try await world.stores.erase(ann, of: world.app, dryRun: true)[.files] == 7)
                #expect(try await world.stores.erase(ann, of: world.app)[.files] == 7)
                #expect(try await world.stores.erase(ann, of: world.app)[.files] == 0)
            } else {
                #expect(try await world.stores.anonymise(ann, of: world.app)[.files] == 7)
            }
            #expect(try await world.paths() == ["shared/8", "shared/9", "users/an", "users/ann", "users/anna/1"])
            #expect(try await world.store.uploads(of: world.app).map(\.request.path?.text) == ["shared/open-bob"])
            let changes = try await world.store.changes(of: world.app, after: 0)
            #expect(Set(changes.map(\.path.text)) == ["shared/8", "shared/9", "users/an", "users/ann", "users/anna/1"])
            try await world.expectNoOrphans()
            try await world.expectRightUsage()
        }
    }

    @Test func `a file that is allowed during the erasure of its person goes, too`() async throws {
        try await FileWorld.run(.init(FileWorld.start), .ofTest { $0.removedAtOnce = 1 }) { world async throws in
            let files = (0..<60).map { $0 % 2 == 0 ? "users/ann/\($0)" : "shared/\($0)" }
            var held: [StoredFile] = []
            for (number, path) in files.enumerated() {
                held.append(try await world.hold(path, FileWorld.some(number % 3 == 0 ? 20_000 : 10), owner: "ann"))
            }
            let ann = PersonID(.user, "ann")
            #expect(try await world.stores.erase(ann, of: world.app, dryRun: true)[.files] == 60)
            let removed = try await withThrowingTaskGroup(of: Int.self) { [held] group in
                group.addTask { try await world.stores.erase(ann, of: world.app)[.files] }
                group.addTask {
                    // The erasure has removed some.
                    _ = try await eventually { try await world.store.pendingFiles(of: world.app, limit: 100).count < 60 }
                    for file in held.reversed() {
                        let fault = await FileWorld.fault {
                            _ = try await world.store.decide(file.path, generation: file.generation, allow: true, app: world.app)
                        }
                        #expect(fault == nil || fault == .notFound)
                    }
                    return 0
                }
                return try await group.reduce(0, +)
            }
            #expect(removed == 60)
            #expect(try await world.paths().isEmpty)
            #expect(try await world.store.pendingFiles(of: world.app, limit: 100).isEmpty)
            try await world.expectNoOrphans()
            try await world.expectRightUsage()
        }
    }

    @Test func `an export of a person goes through all files in pages`() async throws {
        try await FileWorld.run { world in
            try await world.store.setPersonPaths([try #require(PersonFolder("users/{uid}/"))], app: world.app)
            for number in 0..<9 { try await world.put(number % 2 == 0 ? "users/ann/\(number)" : "all/\(number)", [1], owner: "ann") }
            var (found, last): ([String], FilePath?) = ([], nil)
            while case let page = try await world.store.files(of: "ann", app: world.app, after: last, limit: 2), !page.isEmpty {
                found += page.map(\.path.text)
                last = page.last?.path
            }
            #expect(found == ["all/1", "all/3", "all/5", "all/7", "users/ann/0", "users/ann/2", "users/ann/4", "users/ann/6", "users/ann/8"])
            #expect(try await world.store.files(of: "a/../b", app: world.app).isEmpty)
        }
    }

    @Test func `a folder of persons ends with the mark`() {
        for text in ["users/{uid}/", "{uid}/", "a/b/{uid}/"] { #expect(PersonFolder(text)?.description == text) }
        let others = ["", "/", "{uid}", "users/{uid}", "users/x{uid}/", "{uid}/{uid}/", "/{uid}/", "a//{uid}/", "../{uid}/", "users/{name}/"]
        for text in others + ["a\n/{uid}/"] {
            #expect(PersonFolder(text) == nil, "\(text)")
        }
        for text in HostileText.around("users/{uid}/").dropFirst() {
            guard let folder = PersonFolder(text) else { continue }
            #expect(Array(folder.description.utf8) == Array(text.utf8))
        }
    }
}
