// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Signalbox

/// Files at a daemon, under storage rules.
@Suite struct FileTests {
    /// A signed-in user of a daemon that is reached through a forwarder.
    private struct Scene {
        let world: World
        let forwarder: Forwarder
        let app: SignalboxApp
        let user: AccountUser

        var files: any Files { app.files }
        var home: String { "users/\(user.id)" }

        /// Starts the app again.
        func again() async throws -> SignalboxApp {
            await app.close()
            return try SignalboxApp({ $0.address = URL(string: "http://127.0.0.1:\(forwarder.port)") ?? $0.address }, of: world)
        }
    }

    private func use(_ environment: [String: String] = [:], _ body: (Scene) async throws -> Void) async throws {
        let world = try await World.withAccounts(environment.merging(["INGESTD_FILES_RESERVE": "0"]) { $1 })
        try await world.setFileRules()
        let forwarder = try Forwarder(to: world.api.port)
        let (app, user) = try await world.signedUp { $0.address = URL(string: "http://127.0.0.1:\(forwarder.port)") ?? $0.address }
        try await body(Scene(world: world, forwarder: forwarder, app: app, user: user))
        await app.close()
        _ = await world.daemon.stop()
    }

    private func write(_ data: Data, _ name: String, in folder: TemporaryFolder) throws -> URL {
        let file = URL(fileURLWithPath: folder.path + "/" + name)
        try data.write(to: file)
        return file
    }

    @Test func `an upload whose file waits for a function succeeds and says so`() async throws {
        try await use { scene in
            try await scene.world.setPendingRules()
            let (files, folder, path) = (scene.files, TemporaryFolder(), "open/scanned/a")
            let (data, film) = (Data("hello".utf8), World.bytes(Int(FileUpload.pieceBytes) + 1))
            let options = UploadOptions(contentType: "text/plain", metadata: ["album": "a"])
            let stored = try await files.upload(data, to: path, options: options)
            #expect(stored.pendingUntil == "scan" && stored.size == 5 && stored.contentType == "text/plain" && stored.metadata == ["album": "a"])
            #expect(stored.owner == scene.user.id && stored.crc32c == CRC32C.of(data).hexadecimal)
            await #expect(throws: FilesError.notFound) { try await files.metadata(path) }
            let long = try await files.upload(file: try write(film, "film", in: folder), to: "open/scanned/film")
            #expect(long.pendingUntil == "scan" && files.unfinishedUploads.isEmpty)
            await #expect(throws: FilesError.pending(until: "scan")) { try await files.uploadFile(data, path) }
            let waiting = try await scene.world.pendingFiles()
            #expect(waiting == [path: stored.crc32c, "open/scanned/film": CRC32C.of(film).hexadecimal])
        }
    }

    @Test func `bytes are stored, described, linked, listed and deleted`() async throws {
        try await use { scene in
            let (files, path) = (scene.files, scene.home + "/Ä b/#?%25+&=;.txt")
            let data = Data("hello".utf8)
            let stored = try await files.upload(data, to: path, options: UploadOptions(contentType: "text/plain", metadata: ["album": "Sommer ☀"]))
            #expect(stored.path == path && stored.size == 5 && stored.contentType == "text/plain" && stored.metadata == ["album": "Sommer ☀"])
            #expect(stored.owner == scene.user.id && stored.sha256.count == 64)
            let read = try await files.downloadFile(path)
            let details = try await files.metadata(path)
            #expect(read == data && details == stored)
            let limited = await #expect(throws: FilesError.self) { try await files.download(path, maxBytes: 4) }
            #expect(limited == .tooLarge(bytes: 5))

            let endless = try await files.downloadURL(path, expiresIn: .infinity)
            #expect(endless.query?.isEmpty == false, "until the longest time that the daemon allows")
            let url = try await files.uploadFile(Data(), scene.home + "/empty")
            let empty = try await scene.world.api.get(String(url.absoluteString.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }))
            #expect(empty.status == 200 && empty.body.isEmpty)
            let nothing = try await files.downloadFile(scene.home + "/empty")
            #expect(nothing.isEmpty)

            let home = try await files.list(scene.home + "/")
            #expect(home.items.map(\.path) == [scene.home + "/empty"] && home.folders == [scene.home + "/Ä b/"] && home.next == nil)
            let first = try await files.list(scene.home + "/", limit: 1, after: nil)
            let second = try await files.list(scene.home + "/", limit: 1, after: first.next)
            #expect(first.items.count + first.folders.count == 1 && second.items.count + second.folders.count == 1)
            #expect(Set(first.folders + first.items.map(\.path)).isDisjoint(with: second.folders + second.items.map(\.path)))

            try await files.deleteFile(path)
            let missing = await #expect(throws: FilesError.self) { try await files.downloadFile(path) }
            #expect(missing == .notFound)
        }
    }

    @Test func `rejections have types`() async throws {
        try await use(["INGESTD_FILES_USER_SIZE": "1KiB"]) { scene in
            let files = scene.files
            let denied = await #expect(throws: FilesError.self) { try await files.uploadFile(Data(), "users/other/a") }
            #expect(denied == .permissionDenied)
            let unread = await #expect(throws: FilesError.self) { try await files.downloadFile("users/other/a") }
            #expect(unread == .permissionDenied)
            let full = await #expect(throws: FilesError.self) { try await files.uploadFile(Data(count: 1_025), scene.home + "/a") }
            #expect(full == .quotaExceeded)
            for path in ["", "/a", "a//b", "a/../b", ".", "a/", "a\nb", String(repeating: "a", count: 1_025)] {
                let bad = await #expect(throws: FilesError.self) { try await files.downloadFile(path) }
                #expect(bad == .badPath)
                let badUpload = await #expect(throws: FilesError.self) { try await files.uploadFile(Data(), path) }
                #expect(badUpload == .badPath)
            }
            for name in ["", "path", "type", "a b", "a,b", "Ä", "a\r\nX-Other:"] {
                let options = UploadOptions(metadata: [name: "x"])
                let unnameable = await #expect(throws: FilesError.self) { try await files.upload(Data(), to: scene.home + "/a", options: options) }
                guard case .signalbox(.rejected("bad_metadata", _)) = unnameable else { throw try #require(unnameable) }
            }
            let unusable = await #expect(throws: FilesError.self) { try await files.upload(file: URL(fileURLWithPath: "/absent"), to: "open/a") }
            guard case .fileUnusable("/absent", _) = unusable else { throw try #require(unusable) }
            try await scene.app.accounts.signOut()
            let unnamed = await #expect(throws: FilesError.self) { try await files.downloadFile("open/a") }
            #expect(unnamed == .appUnknown)
        }
    }

    @Test func `without a user the key and the rules decide`() async throws {
        try await use { scene in
            await scene.app.close()
            try FileManager.default.removeItem(atPath: scene.world.appFolder.path + "/credentials.json")
            let app = try SignalboxApp({ $0.app = "shop" }, of: scene.world)
            try await app.files.uploadFile(Data("x".utf8), "open/a")
            let read = try await app.files.downloadFile("open/a")
            #expect(read == Data("x".utf8))
            let denied = await #expect(throws: FilesError.self) { try await app.files.downloadFile(scene.home + "/a") }
            #expect(denied == .permissionDenied)
            await app.close()
        }
    }

    @Test func `an upload goes on after the end of the app, and after a kill of the daemon`() async throws {
        try await use { scene in
            let folder = TemporaryFolder()
            let data = World.bytes(Int(FileUpload.pieceBytes) * 3 + 12_345)
            let file = try write(data, "film", in: folder)
            let path = scene.home + "/film"
            let (world, forwarder, home) = (scene.world, scene.forwarder, scene.home)
            let seen = Heard<Int64>()
            let broken = await #expect(throws: FilesError.self) {
                try await scene.files.upload(file: file, to: path) { progress in
                    seen.hear(progress.completedBytes)
                    if progress.completedBytes >= FileUpload.pieceBytes { forwarder.goDown() }
                }
            }
            #expect(broken?.isTransient == true, "\(String(describing: broken))")
            #expect(scene.files.unfinishedUploads == [UnfinishedUpload(file: file, path: path)])
            await world.daemon.killHard()
            try await world.restart()
            forwarder.mend()

            let again = try await scene.again()
            #expect(again.files.unfinishedUploads.map(\.path) == [path])
            let resumed = Heard<Int64>()
            let stored = try await again.files.upload(file: file, to: path) { resumed.hear($0.completedBytes) }
            #expect(stored.size == Int64(data.count) && stored.crc32c == CRC32C.of(data).hexadecimal)
            #expect(resumed.all.first == FileUpload.pieceBytes, "the first piece was not sent again: \(resumed.all)")
            #expect(resumed.all.last == Int64(data.count) && resumed.all == resumed.all.sorted())
            #expect(again.files.unfinishedUploads.isEmpty)

            let copy = URL(fileURLWithPath: folder.path + "/copy")
            try await again.files.download(path, to: copy)
            let (read, list) = (try Data(contentsOf: copy), try await again.files.list(home + "/"))
            #expect(read == data && list.items.map(\.path) == [path])
            await again.close()
        }
    }

    @Test func `a file that changed is uploaded from its beginning`() async throws {
        try await use { scene in
            let folder = TemporaryFolder()
            let file = try write(World.bytes(Int(FileUpload.pieceBytes) * 2), "film", in: folder)
            let (path, forwarder) = (scene.home + "/film", scene.forwarder)
            _ = try? await scene.files.upload(file: file, to: path) { if $0.completedBytes > 0 { forwarder.goDown() } }
            #expect(scene.files.unfinishedUploads.count == 1)
            forwarder.mend()
            let other = Data(World.bytes(Int(FileUpload.pieceBytes) * 2).reversed())
            try other.write(to: file)
            let stored = try await scene.files.upload(file: file, to: path)
            #expect(stored.crc32c == CRC32C.of(other).hexadecimal)
            #expect(scene.files.unfinishedUploads.isEmpty)
        }
    }

    @Test func `a file that changes during the upload is not stored`() async throws {
        try await use { scene in
            let folder = TemporaryFolder()
            let file = try write(World.bytes(Int(FileUpload.pieceBytes) * 2), "film", in: folder)
            let path = scene.home + "/film"
            let changed = await #expect(throws: FilesError.self) {
                try await scene.files.upload(file: file, to: path) {
                    if $0.completedBytes == FileUpload.pieceBytes { try? Data(count: 8 << 20).write(to: file) }
                }
            }
            guard case .fileUnusable = changed else { throw try #require(changed) }
            let missing = await #expect(throws: FilesError.self) { try await scene.files.metadata(path) }
            #expect(missing == .notFound && scene.files.unfinishedUploads.isEmpty)
        }
    }

    @Test func `a cancelled upload can go on`() async throws {
        try await use { scene in
            let folder = TemporaryFolder()
            let data = World.bytes(Int(FileUpload.pieceBytes) * 3)
            let file = try write(data, "film", in: folder)
            let (path, files) = (scene.home + "/film", scene.files)
            let running = Locked<Task<FileMetadata, any Error>?>(nil)
            let task = Task { () async throws -> FileMetadata in
                try await files.upload(file: file, to: path) { if $0.completedBytes > 0 { running.withLock { $0?.cancel() } } }
            }
            running.withLock { $0 = task }
            let cancelled = await #expect(throws: FilesError.self) { try await task.value }
            #expect(cancelled == .cancelled && files.unfinishedUploads.count == 1)
            let stored = try await files.upload(file: file, to: path)
            #expect(stored.crc32c == CRC32C.of(data).hexadecimal)
        }
    }

    @Test func `an upload is that of the user who began it`() async throws {
        try await use { scene in
            let folder = TemporaryFolder()
            let file = try write(World.bytes(Int(FileUpload.pieceBytes) * 3), "film", in: folder)
            await scene.app.close()
            // With the name of the app and these rules, the key alone may store the file, too.
            let app = try SignalboxApp({ $0.app = "shop" }, of: scene.world)
            let isBegun = Locked(false)
            let broken = await #expect(throws: FilesError.self) {
                try await app.files.upload(file: file, to: "open/film") { progress in
                    if progress.completedBytes > 0, !isBegun.withLock({ $0 }) {
                        isBegun.withLock { $0 = true }
                        app.accounts.clearStoredCredentials()
                    }
                }
            }
            #expect(broken == .userChanged && app.files.unfinishedUploads.count == 1)
            let missing = await #expect(throws: FilesError.self) { try await app.files.metadata("open/film") }
            #expect(missing == .notFound)
            try await app.accounts.signIn(email: World.email, password: World.password)
            let resumed = Heard<Int64>()
            let stored = try await app.files.upload(file: file, to: "open/film") { resumed.hear($0.completedBytes) }
            #expect(stored.owner == scene.user.id && resumed.all.first == FileUpload.pieceBytes)
            await app.close()
        }
    }

    @Test func `a download goes on where it was, and a damaged one is noticed`() async throws {
        try await use { scene in
            let folder = TemporaryFolder()
            let data = World.bytes(Int(FileDownload.pieceBytes) * 2 + 1)
            let file = try write(data, "film", in: folder)
            let (path, copy) = (scene.home + "/film", URL(fileURLWithPath: folder.path + "/copy"))
            let stored = try await scene.files.upload(file: file, to: path)
            let part = URL(fileURLWithPath: folder.path + "/.copy.\(stored.generation).part")

            try data.prefix(100).write(to: part)
            let seen = Heard<Int64>()
            try await scene.files.download(path, to: copy) { seen.hear($0.completedBytes) }
            let read = try Data(contentsOf: copy)
            #expect(read == data && seen.all.first == 100 && seen.all.last == Int64(data.count))
            #expect(!FileManager.default.fileExists(atPath: part.path))

            try Data(count: 100).write(to: part)
            let damaged = await #expect(throws: FilesError.self) { try await scene.files.download(path, to: copy) }
            #expect(damaged == .checksum && !FileManager.default.fileExists(atPath: part.path))
            let kept = try Data(contentsOf: copy)
            #expect(kept == data, "the earlier file stays until the new one is whole")
            try await scene.files.download(path, to: copy)
        }
    }

    @Test func `bytes come from the host of their own`() async throws {
        let world = try await World.withAccounts(["INGESTD_FILES_RESERVE": "0"])
        try await world.setFileRules()
        await world.daemon.killHard()
        // The app reaches the API as 127.0.0.1.
        try await world.restart(["INGESTD_FILES_ORIGIN": "http://localhost:\(world.api.port)"])
        let (app, user) = try await world.signedUp()
        let path = "users/\(user.id)/a"
        try await app.files.uploadFile(Data("x".utf8), path)
        let read = try await app.files.downloadFile(path)
        #expect(read == Data("x".utf8))
        await app.close()
        _ = await world.daemon.stop()
    }
}
