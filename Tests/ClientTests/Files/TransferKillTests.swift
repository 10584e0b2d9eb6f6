// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

@testable import Signalbox

/// Kills of an app before the calls that change its files, while it uploads and downloads in the background.
///
/// A response of the daemon changes the list or the partial file, so there is a kill after each request too.
@Suite(.namesFaultSeed) struct TransferKillTests {
    /// With this variable of `scripts/faults` every call is tried.
    private static let isWhole = ProcessInfo.processInfo.environment["SIGNALBOX_FAULT_CLIENT"] != nil
    private static let film = World.bytes(Int(FileUpload.pieceBytes) * 2 + 5)
    private static let source = World.bytes(Int(FileDownload.pieceBytes) + 5)

    /// The folders of an app that is killed and launched again.
    private final class Round: Sendable {
        let folder = TemporaryFolder()
        let shim: FaultShim
        let number: Int

        init(_ number: Int) throws {
            self.number = number
            shim = FaultShim(watching: folder.path)
            try FileManager.default.createDirectory(atPath: folder.path + "/files", withIntermediateDirectories: true)
            try TransferKillTests.film.write(to: URL(fileURLWithPath: folder.path + "/files/film"))
        }

        var path: String { "open/film-\(number)" }

        /// Runs the app to its end.
        func run(_ world: World, _ environment: [String: String] = [:]) async throws -> ProgramUnderTest.Ended {
            try await ProgramUnderTest.loggingApp.run(
                [folder.path + "/app", "transferring", world.address, world.keys.ingest, path, "open/source", folder.path + "/files"],
                environment: environment)
        }
    }

    @Test func `after a kill at any step a later launch ends both transfers, and stores nothing twice`() async throws {
        let world = try await World.start(["INGESTD_FILES_RESERVE": "0"])
        try await world.setFileRules()
        let app = try SignalboxApp({ $0.app = "shop" }, of: world)
        try await app.files.upload(Self.source, to: "open/source", options: UploadOptions())

        let whole = try Round(0)
        whole.shim.kill(at: .max)
        let ended = try await whole.run(world, whole.shim.environment)
        try #require(ended.code == 0, "\(ended.complaint)")
        try await expectWhole(whole, ended, app.files, "no kill")
        let calls = whole.shim.calls
        #expect(calls > 20)

        var kills = 0
        for call in KilledCalls.some(of: calls, isWhole: Self.isWhole) {
            let round = try Round(call)
            round.shim.kill(at: call)
            let killed = try await round.run(world, round.shim.environment)
            // The two transfers run side by side, so a run may have fewer calls than the first one.
            guard killed.code != 0 else { continue }
            #expect(killed.code == 128 + SIGKILL)
            kills += 1
            let earlier = try? await app.files.metadata(round.path)
            let later = try await round.run(world)
            try await expectWhole(round, later, app.files, "kill at \(call) of \(calls), \(String(describing: round.shim.failedCall))")
            guard let earlier else { continue }
            #expect(try await app.files.metadata(round.path).generation == earlier.generation, "stored twice, kill at \(call)")
        }
        #expect(kills > 0, "\(calls) calls")
        await app.close()
        _ = await world.daemon.stop()
    }

    private func expectWhole(_ round: Round, _ ended: ProgramUnderTest.Ended, _ files: any Files, _ comment: String) async throws {
        #expect(ended.output.split(separator: "\n").sorted() == ["download finished", "upload finished"], "\(comment): \(ended.complaint)")
        let stored = try await files.metadata(round.path)
        #expect(stored.crc32c == CRC32C.of(Self.film).hexadecimal && stored.size == Int64(Self.film.count), "\(comment)")
        let copy = try Data(contentsOf: URL(fileURLWithPath: round.folder.path + "/files/copy"))
        #expect(copy == Self.source, "\(comment)")
        let left = try FileManager.default.contentsOfDirectory(atPath: round.folder.path + "/files").sorted()
        #expect(left == ["copy", "film"], "\(comment)")
    }
}
