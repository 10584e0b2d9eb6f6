// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Signalbox
import TestSupport
import Testing

@testable import SignalboxDocuments

/// Kills of an app before the calls that change the file of its queue and cache.
@Suite(.namesFaultSeed) struct DocumentKillTests {
    /// With this variable of `scripts/faults` every call is tried.
    private static let isWhole = ProcessInfo.processInfo.environment["SIGNALBOX_FAULT_CLIENT"] != nil
    private static let writes = 8

    private func run(_ world: DocumentWorld, _ folder: String, _ name: String, _ numbers: Range<Int>, _ environment: [String: String] = [:])
        async throws -> ProgramUnderTest.Ended
    {
        try await ProgramUnderTest.writingApp.run(
            [
                folder + "/app", "http://127.0.0.1:\(world.api.port)", world.keys.ingest, name, String(numbers.lowerBound),
                String(numbers.upperBound),
            ], environment: environment)
    }

    /// Kills an app at a call, launches it again, and compares what the daemon has. Returns the number of calls if there was no kill.
    private func round(_ world: DocumentWorld, killing call: Int) async throws -> Int {
        let folder = TemporaryFolder()
        let shim = FaultShim(watching: folder.path)
        let name = "r\(call == .max ? 0 : call)"
        shim.kill(at: call)
        let killed = try await run(world, folder.path, name, 0..<Self.writes, shim.environment)
        #expect(killed.code == (call == .max ? 0 : 128 + SIGKILL), "\(killed.complaint)")
        let queued = killed.output.split(separator: "\n").compactMap { Int($0) }
        let later = try await run(world, folder.path, name, 100..<102)
        #expect(later.output.hasSuffix("done\n"), "kill at \(call): \(later.complaint)")

        let reader = try world.device("reader-\(name)") { $0.isPersistent = false }
        let all = try await reader.collection(name).order("n").get(source: .server)
        let numbers = all.documents.compactMap { $0["n"]?.int }
        // One more may have been queued before its number was printed.
        #expect(
            [queued + [100, 101], queued + [queued.count, 100, 101]].contains(numbers), "kill at \(call), \(String(describing: shim.failedCall))")
        let sum = try await reader.document("sums/\(name)").get(source: .server)["n"]
        #expect(sum == .integer(Int64(numbers.count)), "kill at \(call): a write was applied twice or not at all")
        await reader.close()
        return shim.calls
    }

    @Test func `after a kill at any step of the queue each write is applied once`() async throws {
        let world = try await DocumentWorld.start()
        let calls = try await round(world, killing: .max)
        #expect(calls > Self.writes)
        // The last calls depend on the times of responses, so a run may not have them.
        for call in KilledCalls.some(of: calls * 3 / 4, isWhole: Self.isWhole) {
            _ = try await round(world, killing: call)
        }
    }
}
