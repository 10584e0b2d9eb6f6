// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Signalbox

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Transfers in the background: a later object, as of a later launch, goes on with those of an earlier one.
@Suite struct TransferTests {
    private struct Scene {
        let world: World
        let forwarder: Forwarder
        let folder = TemporaryFolder()

        func url(_ name: String) -> URL { URL(fileURLWithPath: folder.path + "/" + name) }

        func write(_ data: Data, _ name: String) throws -> URL {
            try data.write(to: url(name))
            return url(name)
        }

        /// Starts the app, without a user unless one is stored.
        func launch(_ change: (inout SignalboxOptions) -> Void = { _ in }) throws -> SignalboxApp {
            try SignalboxApp(
                {
                    $0.address = URL(string: "http://127.0.0.1:\(forwarder.port)") ?? $0.address
                    $0.app = "shop"
                    change(&$0)
                }, of: world)
        }

        /// The number of uploads that the daemon has begun.
        var creations: Int {
            get async {
                await world.daemon.readLog()
                return world.daemon.loggedLines.filter { $0.contains("route=/v1/uploads/") && $0.contains("status=201 ") }.count
            }
        }
    }

    private static let film = World.bytes(Int(FileUpload.pieceBytes) * 3 + 12_345)
    private static let source = World.bytes(Int(FileDownload.pieceBytes) * 2 + 1)

    private func use(_ body: (Scene) async throws -> Void) async throws {
        let world = try await World.withAccounts(["INGESTD_FILES_RESERVE": "0"])
        try await world.setFileRules()
        let scene = Scene(world: world, forwarder: try Forwarder(to: world.api.port))
        try await body(scene)
        _ = await world.daemon.stop()
    }

    private func breaksOff(_ app: SignalboxApp, after bytes: Int64, _ scene: Scene) async throws -> Bool {
        try await eventually { scene.forwarder.isDown && app.files.transfers.contains { $0.progress.completedBytes >= bytes } }
    }

    /// Stores `open/source` and starts its download to `copy`, which breaks off within the second piece.
    private func startDownloadThatBreaksOff(_ scene: Scene) async throws -> (app: SignalboxApp, started: FileTransfer) {
        let app = try scene.launch()
        try await app.files.upload(file: try scene.write(Self.source, "source"), to: "open/source")
        scene.forwarder.goDown(after: Int(FileDownload.pieceBytes) * 3 / 2)
        let started = try await app.files.startDownload("open/source", to: scene.url("copy"))
        #expect(try await breaksOff(app, after: FileDownload.pieceBytes, scene))
        return (app, started)
    }

    private func ends(_ app: SignalboxApp, _ state: FileTransfer.State = .finished) async throws -> Bool {
        try await eventually { app.files.transfers.allSatisfy { $0.state == state } }
    }

    @Test func `an upload that breaks off goes on in a later launch from the last byte that the daemon has`() async throws {
        try await use { scene in
            let (first, file) = (try scene.launch(), try scene.write(Self.film, "film"))
            scene.forwarder.goDown(after: Int(FileUpload.pieceBytes) * 2)
            let options = UploadOptions(contentType: "video/quicktime", metadata: ["album": "a"])
            let started = try await first.files.startUpload(file: file, to: "open/film", options: options)
            #expect(try await breaksOff(first, after: FileUpload.pieceBytes, scene))
            await first.close()
            await scene.world.daemon.killHard()
            try await scene.world.restart()
            scene.forwarder.mend()

            let second = try scene.launch()
            let known = try #require(second.files.transfers.first)
            #expect(known.id == started.id && known.options == options && known.progress.completedBytes >= FileUpload.pieceBytes)
            #expect(try await ends(second))
            let stored = try await second.files.metadata("open/film")
            #expect(stored.crc32c == CRC32C.of(Self.film).hexadecimal && stored.contentType == "video/quicktime" && stored.metadata == ["album": "a"])
            #expect(second.files.transfers.first?.progress.fractionCompleted == 1)
            #expect(await scene.creations == 0, "the upload was begun anew")
            await second.close()

            let third = try scene.launch()
            #expect(third.files.transfers.map(\.state) == [.finished])
            try await third.files.removeTransfer(started.id)
            #expect(third.files.transfers.isEmpty)
            await third.close()
        }
    }

    @Test func `a download that breaks off goes on in a later launch by range`() async throws {
        try await use { scene in
            let (first, _) = try await startDownloadThatBreaksOff(scene)
            await first.close()
            let completed = try #require(first.files.transfers.first).progress.completedBytes
            scene.forwarder.mend()

            let second = try scene.launch()
            let seen = Heard<Int64>()
            for await list in second.files.transferUpdates() {
                list.first.map { seen.hear($0.progress.completedBytes) }
                if list.first?.state == .finished { break }
            }
            let read = try Data(contentsOf: scene.url("copy"))
            #expect(read == Self.source && seen.all.allSatisfy { $0 >= completed })
            #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder.path).sorted() == ["copy", "source"])
            await second.close()
        }
    }

    @Test func `a download of a file that was replaced begins with the new version and leaves nothing of the old one`() async throws {
        try await use { scene in
            let (first, _) = try await startDownloadThatBreaksOff(scene)
            await first.close()
            scene.forwarder.mend()
            let other = Data(Self.source.reversed())
            let between = try SignalboxApp(
                {
                    $0.app = "shop"
                    $0.folder = scene.url("other")
                }, of: scene.world)
            try await between.files.upload(file: try scene.write(other, "source"), to: "open/source")
            await between.close()

            let second = try scene.launch()
            #expect(try await ends(second))
            let read = try Data(contentsOf: scene.url("copy"))
            #expect(read == other)
            #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder.path).sorted() == ["copy", "other", "source"])
            await second.close()
        }
    }

    @Test(arguments: [Forwarder.Cut.beforeTheRequest, .inTheRequest, .beforeTheAnswer])
    func `transfers are started without a network and end when there is one`(cut: Forwarder.Cut) async throws {
        try await use { scene in
            let first = try scene.launch()
            try await first.files.uploadFile(Data("there".utf8), "open/there")
            scene.forwarder.cut(cut)
            try await first.files.startUpload(file: try scene.write(Data("small".utf8), "small"), to: "open/small")
            try await first.files.startDownload("open/there", to: scene.url("copy"))
            #expect(try await eventually { scene.forwarder.cuts >= 6 })
            #expect(first.files.transfers.map(\.state) == [.running, .running])
            scene.forwarder.mend()
            #expect(try await ends(first))
            let stored = try await first.files.downloadFile("open/small")
            let copied = try Data(contentsOf: scene.url("copy"))
            #expect(stored == Data("small".utf8) && copied == Data("there".utf8))
            // Without the response, the file was stored by the request that seemed to fail, and not again.
            if cut == .beforeTheAnswer { #expect(await scene.creations == 2) }
            await first.close()
        }
    }

    @Test func `transfers in a pause after a failure leave their places to others`() async throws {
        try await use { scene in
            let app = try scene.launch { $0.backoff = Backoff(first: 3_600, longest: 3_600) }
            let file = try scene.write(Data("small".utf8), "small")
            // The user at the start is another chance, too, so it must be known before the pauses begin.
            try await app.files.startUpload(file: file, to: "open/first")
            #expect(try await ends(app))
            scene.forwarder.goDown()
            for number in 0..<TransferRunner.maxRuns { try await app.files.startUpload(file: file, to: "open/\(number)") }
            let runner = try #require(app.files as? LiveFiles).runner
            let areResting = try await eventually { await runner.resting == TransferRunner.maxRuns }
            #expect(areResting)
            scene.forwarder.mend()
            try await app.files.startUpload(file: file, to: "open/last")
            #expect(try await eventually { app.files.transfers.last?.state == .finished })
            #expect(app.files.transfers.dropFirst().dropLast().allSatisfy { $0.state == .running })
            // Another chance ends the pauses.
            await runner.retryNow()
            #expect(try await ends(app))
            await app.close()
        }
    }

    @Test func `a transfer waits for its user and asks nothing meanwhile`() async throws {
        try await use { scene in
            let world = scene.world
            let (app, user) = try await world.signedUp {
                $0.address = URL(string: "http://127.0.0.1:\(scene.forwarder.port)") ?? $0.address
                $0.backoff = Backoff(first: 3_600, longest: 3_600)
            }
            scene.forwarder.goDown()
            try await app.files.startUpload(file: try scene.write(Self.film, "film"), to: "users/\(user.id)/film")
            // An attempt that is under way is still one of its user.
            let runner = try #require(app.files as? LiveFiles).runner
            let isResting = try await eventually { await runner.resting == 1 }
            #expect(isResting)
            app.accounts.clearStoredCredentials()
            scene.forwarder.mend()
            try await app.accounts.signIn(with: .anonymous)
            // The daemon has seen no request for the file when the requests of the other user are answered.
            _ = try? await app.files.list()
            #expect(await scene.creations == 0 && app.files.transfers.map(\.state) == [.running])
            app.accounts.clearStoredCredentials()
            try await app.accounts.signIn(email: World.email, password: World.password)
            #expect(try await ends(app))
            let stored = try await app.files.metadata("users/\(user.id)/film")
            #expect(stored.owner == user.id)
            await app.close()
        }
    }

    @Test func `a download that finds the disk full waits for space`() async throws {
        try await use { scene in
            let app = try scene.launch()
            let stored = try await app.files.upload(Data("there".utf8), to: "open/there", options: UploadOptions())
            // Writes to the partial file find no space.
            let part = PartialFile.url(for: scene.url("copy"), generation: stored.generation)
            try FileManager.default.createSymbolicLink(atPath: part.path, withDestinationPath: "/dev/full")
            try await app.files.startDownload("open/there", to: scene.url("copy"))
            let runner = try #require(app.files as? LiveFiles).runner
            let isWaiting = try await eventually { await runner.waiting == 1 }
            #expect(isWaiting && app.files.transfers.map(\.state) == [.running])
            try FileManager.default.removeItem(at: part)
            await runner.retryNow()
            #expect(try await ends(app))
            let copied = try Data(contentsOf: scene.url("copy"))
            #expect(copied == Data("there".utf8))
            await app.close()
        }
    }

    @Test func `transfers that cannot succeed fail with a reason, also in a later launch`() async throws {
        try await use { scene in
            let first = try scene.launch()
            let file = try scene.write(Data("x".utf8), "file")
            try await first.files.startUpload(file: file, to: "denied/file")
            try await first.files.startDownload("open/absent", to: scene.url("copy"))
            let reasons = ["permissionDenied", "notFound"]
            #expect(try await eventually { first.files.transfers.map(\.state) == reasons.map { .failed(reason: $0) } })
            let absent = await #expect(throws: FilesError.self) { try await first.files.startUpload(file: scene.url("absent"), to: "open/a") }
            guard case .fileUnusable = absent else { throw try #require(absent) }
            await #expect(throws: FilesError.badPath) { try await first.files.startUpload(file: file, to: "a//b") }
            scene.forwarder.goDown()
            let changed = try await first.files.startUpload(file: file, to: "open/file")
            await first.close()
            try Data("other".utf8).write(to: file)
            scene.forwarder.mend()
            let second = try scene.launch()
            #expect(try await eventually { second.files.transfers.last?.state == .failed(reason: "The file changed during the upload.") })
            #expect(
                second.files.transfers.last?.id == changed.id && second.files.transfers.prefix(2).map(\.state) == reasons.map { .failed(reason: $0) })
            await second.close()
        }
    }

    @Test func `an upload whose file waits for a function ends as pending, also over an earlier file and after a lost response`() async throws {
        try await use { scene in
            let first = try scene.launch()
            try await first.files.upload(Data("earlier".utf8), to: "open/scanned/small", options: UploadOptions())
            try await scene.world.setPendingRules()
            scene.forwarder.cut(.beforeTheAnswer)
            try await first.files.startUpload(file: try scene.write(Data("small".utf8), "small"), to: "open/scanned/small")
            #expect(try await eventually { scene.forwarder.cuts >= 3 })
            scene.forwarder.mend()
            #expect(try await ends(first, .pending(until: "scan")))
            try await first.files.startUpload(file: try scene.write(Self.film, "film"), to: "open/scanned/film")
            #expect(try await ends(first, .pending(until: "scan")))
            #expect(first.files.transfers.allSatisfy { $0.progress.fractionCompleted == 1 })
            await first.close()

            let second = try scene.launch()
            #expect(second.files.transfers.map(\.state) == [.pending(until: "scan"), .pending(until: "scan")])
            let runner = try #require(second.files as? LiveFiles).runner
            let rest = await runner.handOver()
            #expect(rest.isEmpty)
            let sums = ["small": Data("small".utf8), "film": Self.film].map { ("open/scanned/\($0)", CRC32C.of($1).hexadecimal) }
            let waiting = try await scene.world.pendingFiles()
            #expect(waiting == Dictionary(uniqueKeysWithValues: sums))
            let readable = try await second.files.downloadFile("open/scanned/small")
            #expect(readable == Data("earlier".utf8))
            await second.close()
        }
    }

    @Test func `a removed transfer ends and leaves no bytes`() async throws {
        try await use { scene in
            let (app, started) = try await startDownloadThatBreaksOff(scene)
            try await app.files.removeTransfer(started.id)
            #expect(app.files.transfers.isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder.path) == ["source"])
            await app.close()
        }
    }

    @Test func `requests that a system service carries out while the app does not run finish the transfers`() async throws {
        try await use { scene in
            let first = try scene.launch()
            try await first.files.upload(file: try scene.write(Self.source, "source"), to: "open/source")
            // Too few for either of them to end.
            scene.forwarder.goDown(after: Int(FileUpload.pieceBytes) * 3)
            try await first.files.startUpload(file: try scene.write(Self.film, "film"), to: "open/film")
            try await first.files.startDownload("open/source", to: scene.url("copy"))
            #expect(try await eventually { scene.forwarder.isDown })
            let runner = try #require(first.files as? LiveFiles).runner
            await runner.pause()
            scene.forwarder.mend()
            let rest = await runner.handOver()
            for request in rest { try await carryOut(request, runner) }
            let creations = await scene.creations
            await first.close()

            let second = try scene.launch()
            #expect(try await ends(second))
            let (stored, copy) = (try await second.files.metadata("open/film"), try Data(contentsOf: scene.url("copy")))
            #expect(stored.crc32c == CRC32C.of(Self.film).hexadecimal && copy == Self.source)
            #expect(await scene.creations == creations)
            let left = try FileManager.default.contentsOfDirectory(atPath: scene.world.appFolder.path)
            #expect(!left.contains { $0.hasSuffix(".rest") })
            await second.close()
        }
    }

    /// Carries out a request as a background session does: from a file, or into one.
    private func carryOut(_ request: BackgroundRequest, _ runner: TransferRunner) async throws {
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        if let body = request.body {
            let (_, response) = try await session.upload(for: request.request, fromFile: body)
            #expect((response as? HTTPURLResponse).map { [201, 204].contains($0.statusCode) } == true)
        } else {
            let (file, response) = try await session.download(for: request.request)
            let status = try #require(response as? HTTPURLResponse).statusCode
            #expect(status == 206)
            await runner.take(file, of: request.id, from: request.offset, status: status)
        }
    }
}
