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

/// Write errors of the crash file only, injected into the daemon's system calls.
@Suite(.enabled("needs strace and the permission to attach it", SystemCallFaults.isPossible), .serialized)
struct CrashFaultTests {
    private static func files(_ folder: TemporaryFolder) -> [String] {
        let file = StorePaths(root: folder.path).crashes
        return [file, file + "-wal"]
    }

    @Test(arguments: [("ENOSPC", "storage_full"), ("EIO", "storage_failed")])
    func `a failed write stores nothing of its request, events are accepted, and crashes recover`(
        error: String, code: String
    ) async throws {
        let folder = TemporaryFolder()
        let child = try await DaemonProcess.start(in: folder.path)
        var sent = SentCrashes(try await child.api.makeApp())
        #expect(try await sent.post(child.api).status == 200)
        for number in FailingWrites.writes {
            let before = try await SentCrashes.failedCommits(child.api)
            let faults = try await SystemCallFaults.begin(.init("pwrite64", error, from: number, in: Self.files(folder)), in: child.pid)
            let refusal = try #require(try await sent.postUntilRefused(child.api), "write \(number)")
            #expect(refusal.status == 503, "write \(number)")
            #expect(try JSON(refusal)["code"].text == code, "write \(number)")
            #expect(refusal.headers["retry-after"].flatMap { Int($0) } ?? 0 >= 1)
            let event = try await child.api.post("/v1/events", key: sent.keys.ingest, #"[{"name": "a"}]"#)
            #expect(try Taken(event) == Taken(accepted: 1), "write \(number)")
            // An error is stored as event and crash, or not at all.
            let problem = #"[{"id": "error", "name": "app_error", "params": {"error_description": "E"}}]"#
            #expect(try await child.api.post("/v1/events", key: sent.keys.ingest, problem).status == 503, "write \(number)")
            await faults.end()
            #expect(try await SentCrashes.failedCommits(child.api) > before, "write \(number)")
            #expect(try Taken(await sent.post(child.api)) == Taken(accepted: SentCrashes.batchSize), "write \(number)")
            #expect(try await sent.postFirstAgain(child.api) == Taken(duplicates: SentCrashes.batchSize))
        }
        #expect(await child.stop() == 0)
        #expect(try sent.verify(folder.path) == [])
        #expect(try Recount(of: folder.path).problems == [])
    }

    @Test func `a failed sync ends the process before anything unsynced is acknowledged`() async throws {
        for number in FailingWrites.syncs {
            let folder = TemporaryFolder()
            let child = try await DaemonProcess.start(in: folder.path)
            var sent = SentCrashes(try await child.api.makeApp())
            #expect(try await sent.post(child.api).status == 200)
            let faults = try await SystemCallFaults.begin(.init("fdatasync", "EIO", from: number, in: Self.files(folder)), in: child.pid)
            // There is no response, so the client sends the request again.
            await #expect(throws: (any Error).self) { try await sent.postUntilRefused(child.api) }
            #expect(await child.exitCode() == 1)
            let last = await child.wholeLog().split(separator: "\n").last ?? ""
            #expect(last.contains("storage failed; stopping") && last.contains("the disk failed to sync"), "\(last)")
            await faults.end()

            let next = try await DaemonProcess.start(in: folder.path)
            #expect(try await sent.post(next.api).status == 200)
            #expect(try await sent.postFirstAgain(next.api) == Taken(duplicates: SentCrashes.batchSize))
            #expect(await next.stop() == 0)
            #expect(try sent.verify(folder.path) == [])
        }
    }
}
