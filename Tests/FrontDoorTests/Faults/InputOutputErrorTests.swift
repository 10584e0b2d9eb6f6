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

/// Write errors, injected into the daemon's system calls.
@Suite(.enabled("needs strace and the permission to attach it", SystemCallFaults.isPossible), .serialized)
struct InputOutputErrorTests {
    @Test(arguments: [("ENOSPC", "storage_full", "the disk is full"), ("EIO", "storage_failed", "the last commit failed")])
    func `a failed write stores nothing of its request, and events are accepted once writes succeed`(
        error: String, code: String, reason: String
    ) async throws {
        var sender = try await FaultySender()
        for number in FailingWrites.writes {
            #expect(try await sender.postNext() == 200)
            let faults = try await SystemCallFaults.begin(.init("pwrite64", error, from: number, in: sender.allFiles), in: sender.child.pid)
            try await sender.postUntilRefused()
            let refusal = try #require(sender.refusal, "write \(number)")
            #expect(refusal.status == 503, "write \(number)")
            #expect(try JSON(refusal)["code"].text == code, "write \(number)")
            #expect(refusal.headers["retry-after"].flatMap { Int($0) } ?? 0 >= 1)
            // An earlier checkpoint may have failed too.
            #expect(try await sender.reasons().contains(reason), "write \(number)")
            await faults.end()
            #expect(try await sender.postRefusedAgain() == Taken(accepted: FaultySender.batchSize), "write \(number)")
            // Its response follows the upkeep of the previous commit.
            #expect(try await sender.postFirstAgain() == Taken(duplicates: FaultySender.batchSize))
            #expect(try await sender.reasons() == [], "write \(number)")
        }
        #expect(await sender.child.stop() == 0)
        #expect(try sender.verify() == [])
    }

    @Test func `a failed sync of the WAL ends the process before anything unsynced is acknowledged`() async throws {
        for number in FailingWrites.syncs {
            var sender = try await FaultySender()
            #expect(try await sender.postNext() == 200)
            let fault = SystemCallFaults.Fault("fdatasync", "EIO", from: number, in: try sender.allFiles)
            try await sender.expectEnd(by: fault)
            try await sender.expectAllAfterRestart()
        }
    }

    @Test(arguments: [("ENOSPC", "the disk is full"), ("EIO", "the last checkpoint failed")])
    func `a failed checkpoint fails no request and makes the daemon unready until one succeeds`(
        error: String, reason: String
    ) async throws {
        var sender = try await FaultySender()
        for number in FailingWrites.writes.prefix(20) {
            let faults = try await SystemCallFaults.begin(.init("pwrite64", error, from: number, in: sender.databases), in: sender.child.pid)
            var reasons: [String] = []
            for _ in 0..<100 where reasons.isEmpty {
                #expect(try await sender.postNext() == 200, "write \(number)")
                reasons = try await sender.reasons()
            }
            #expect(reasons == [reason], "write \(number)")
            await faults.end()
            // Upkeep follows the responses of a commit, so the second response follows the first upkeep.
            for _ in 0..<2 { #expect(try await sender.postNext() == 200) }
            #expect(try await sender.reasons() == [], "write \(number)")
        }
        #expect(await sender.child.stop() == 0)
        #expect(try sender.verify() == [])
    }

    @Test func `a failed sync of a checkpoint ends the process, and the WAL has everything`() async throws {
        var sender = try await FaultySender()
        try await sender.expectEnd(by: .init("fdatasync", "EIO", in: sender.databases))
        try await sender.expectAllAfterRestart()
    }

    @Test func `a failed sync of the last checkpoint ends the process with an error`() async throws {
        let sender = try await FaultySender()
        let faults = try await SystemCallFaults.begin(.init("fdatasync", "EIO", in: sender.databases), in: sender.child.pid)
        #expect(await sender.child.stop() == 1)
        #expect(await sender.child.wholeLog().contains("storage failed; stopping"))
        await faults.end()
    }
}

/// A daemon with small WALs, and a client that remembers acknowledged events.
private struct FaultySender {
    static let batchSize = 20
    private static let environment = ["INGESTD_STORAGE_CHECKPOINT_PAGES": "100"]
    private let folder = TemporaryFolder()
    private(set) var child: DaemonProcess
    private let keys: AppKeys
    private var next = 0
    private var acknowledged: Set<String> = []
    private(set) var refusal: Reply?

    init() async throws {
        child = try await DaemonProcess.start(in: folder.path, environment: Self.environment)
        keys = try await child.api.makeApp()
        #expect(try await postNext() == 200)
    }

    // MARK: Files

    var databases: [String] {
        get throws {
            let paths = StorePaths(root: folder.path)
            return [paths.main] + (try paths.days().map(paths.file))
        }
    }

    var allFiles: [String] {
        get throws { try databases.flatMap { [$0, $0 + "-wal"] } }
    }

    // MARK: Requests

    /// Sends the next events with new IDs and returns the status.
    mutating func postNext() async throws -> Int {
        let reply = try await post(next)
        if reply.status == 200 { noteAcknowledged() }
        return reply.status
    }

    private mutating func noteAcknowledged() {
        acknowledged.formUnion(Self.ids(next).map { "\(keys.app)/\($0)" })
        next += 1
    }

    mutating func postUntilRefused() async throws {
        refusal = nil
        for _ in 0..<200 where refusal == nil {
            let reply = try await post(next)
            if reply.status == 200 { noteAcknowledged() } else { refusal = reply }
        }
    }

    mutating func postRefusedAgain() async throws -> Taken {
        let taken = try Taken(await post(next))
        if taken.status == 200 { noteAcknowledged() }
        return taken
    }

    func postFirstAgain() async throws -> Taken {
        try Taken(await post(0))
    }

    /// The reasons for not being ready; empty if ready.
    func reasons() async throws -> [String] {
        let reply = try await child.api.get("/readyz")
        #expect(reply.status == 200 || reply.status == 503)
        return reply.status == 200 ? [] : try JSON(reply)["reasons"].items.map(\.text)
    }

    private func post(_ number: Int) async throws -> Reply {
        let filler = String(repeating: "x", count: 400)
        let events = Self.ids(number).enumerated().map { place, id in
            #"{"id": "\#(id)", "name": "event_\#(number % 7)", "user_id": "u\#(number)-\#(place)", "params": {"p": "\#(filler)"}}"#
        }
        return try await child.api.post("/v1/events", key: keys.ingest, "[\(events.joined(separator: ","))]")
    }

    private static func ids(_ number: Int) -> [String] {
        (0..<batchSize).map { "\(number)-\($0)" }
    }

    // MARK: End of the process

    /// Sends requests until one gets no response because the process ended with a final log line. All earlier ones must be accepted.
    mutating func expectEnd(by fault: SystemCallFaults.Fault) async throws {
        let faults = try await SystemCallFaults.begin(fault, in: child.pid)
        var answers: [Int?] = []
        for _ in 0..<200 where answers.last != .some(nil) {
            // There is no response, so a client would repeat the request.
            answers.append(try? await postNext())
        }
        #expect(answers.last == .some(nil), "\(fault)")
        #expect(answers.dropLast().allSatisfy { $0 == 200 }, "\(fault): \(answers)")
        #expect(await child.exitCode() == 1, "\(fault)")
        let last = await child.wholeLog().split(separator: "\n").last ?? ""
        #expect(last.contains("storage failed; stopping") && last.contains("the disk failed to sync"), "\(last)")
        await faults.end()
    }

    /// Restarts the daemon, repeats the unanswered request and checks the stored events.
    mutating func expectAllAfterRestart() async throws {
        child = try await DaemonProcess.start(in: folder.path, environment: Self.environment)
        #expect(try await reasons() == [])
        #expect(try await postNext() == 200)
        #expect(try await postFirstAgain() == Taken(duplicates: Self.batchSize))
        #expect(await child.stop() == 0)
        #expect(try verify() == [])
    }

    /// The differences between the stored and the acknowledged events.
    func verify() throws -> [String] {
        let recount = try Recount(of: folder.path)
        let stored = Set(recount.ids.keys)
        var problems = recount.problems
        if stored != acknowledged {
            problems.append("\(acknowledged.subtracting(stored).count) lost, \(stored.subtracting(acknowledged).count) not acknowledged")
        }
        return problems
    }
}
