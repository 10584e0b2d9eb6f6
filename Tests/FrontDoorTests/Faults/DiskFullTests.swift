// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@Suite struct DiskFullTests {
    @Test(.enabled(if: SmallDisk.isPossible, "needs root to mount a small disk"))
    func `a full disk rejects new events, keeps acknowledged ones and recovers`() async throws {
        let disk = try #require(SmallDisk(bytes: 6 << 20))
        let environment = ["INGESTD_STORAGE_MIN_FREE_DISK": "0"]
        let child = try await DaemonProcess.start(in: disk.folder.path, environment: environment)
        let keys = try await child.api.makeApp()
        let ballast = disk.folder.path + "/ballast"
        try File(ballast, .create).write([UInt8](repeating: 1, count: 2 << 20))

        var acknowledged = 0
        var refused: Reply?
        while refused == nil, acknowledged < 1_000 {
            let reply = try await child.api.post("/v1/events", key: keys.ingest, Self.batch(acknowledged))
            if reply.status == 200 { acknowledged += 1 } else { refused = reply }
        }
        let refusal = try #require(refused)
        #expect(refusal.status == 503)
        #expect(try JSON(refusal)["code"].text == "storage_full")
        #expect(refusal.headers["retry-after"].flatMap { Int($0) } ?? 0 >= 1)
        let readiness = try await child.api.get("/readyz")
        #expect(readiness.status == 503)
        #expect(try JSON(readiness)["reasons"].items.map(\.text) == ["the disk is full"])
        #expect(try await child.api.get("/healthz").status == 200)
        #expect(try await Self.lines(child, keys) == acknowledged * 100)

        try Folder.remove(ballast)
        #expect(try Taken(await child.api.post("/v1/events", key: keys.ingest, Self.batch(acknowledged))) == Taken(accepted: 100))
        #expect(try Taken(await child.api.post("/v1/events", key: keys.ingest, Self.batch(0))) == Taken(duplicates: 100))
        // Upkeep follows the responses of a commit, so the second response follows the first upkeep.
        #expect(try await child.api.get("/readyz").status == 200)
        #expect(try await Self.lines(child, keys) == (acknowledged + 1) * 100)
        #expect(await child.stop() == 0)

        let again = try await DaemonProcess.start(in: disk.folder.path, environment: environment)
        #expect(try await Self.lines(again, keys) == (acknowledged + 1) * 100)
        #expect(await again.stop() == 0)
        #expect(try Recount(of: disk.folder.path).problems == [])
    }

    @Test(.enabled(if: SmallDisk.isPossible, "needs root to mount a small disk"), arguments: [(true, "full"), (false, "are free")])
    func `a backup that does not fit is rejected with the reason and leaves nothing`(
        isServing: Bool, reason: String
    ) async throws {
        let folder = TemporaryFolder()
        let child = try await DaemonProcess.start(in: folder.path)
        let keys = try await child.api.makeApp()
        for number in 0..<40 { #expect(try await child.api.post("/v1/events", key: keys.ingest, Self.batch(number)).status == 200) }
        if !isServing { #expect(await child.stop() == 0) }
        let disk = try #require(SmallDisk(bytes: 1 << 20))
        let target = disk.folder.path + "/copy"
        let ended = try await ProgramUnderTest.ingestd.run(["backup", target, "--data", folder.path])
        #expect(ended.code == 1 && ended.complaint.contains(reason), "\(ended)")
        #expect(try !Folder.exists(target) || Folder.names(in: target).isEmpty)
        if isServing { #expect(await child.stop() == 0) }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "needs root to mount a small disk"))
    func `a full disk rejects crashes and symbols, keeps acknowledged ones and recovers`() async throws {
        let disk = try #require(SmallDisk(bytes: 8 << 20))
        let environment = ["INGESTD_STORAGE_MIN_FREE_DISK": "0"]
        let child = try await DaemonProcess.start(in: disk.folder.path, environment: environment)
        var sent = SentCrashes(try await child.api.makeApp())
        let ballast = disk.folder.path + "/ballast"
        try File(ballast, .create).write([UInt8](repeating: 1, count: 2 << 20))

        let refusal = try #require(try await sent.postUntilRefused(child.api))
        #expect(refusal.status == 503)
        #expect(try JSON(refusal)["code"].text == "storage_full")
        #expect(try await SentCrashes.failedCommits(child.api) > 0)
        let symbols = "MODULE Linux x86_64 7193BEE0742A21DB8CC905FCE5275ED00 Probe\nFUNC 10 10 0 entry\n" + String(repeating: "\n", count: 1 << 18)
        func bring() async throws -> Int {
            let path = "/v1/symbols/7193bee0-742a-21db-8cc9-05fce5275ed0"
            return try await child.api.request("PUT", path, key: sent.keys.admin, body: Array(symbols.utf8)).status
        }
        #expect(try await bring() == 503)
        #expect(try await sent.postFirstAgain(child.api) == Taken(duplicates: SentCrashes.batchSize))

        try Folder.remove(ballast)
        #expect(try Taken(await sent.post(child.api)) == Taken(accepted: SentCrashes.batchSize))
        // The upload needs twice the file's size.
        #expect(try await bring() == 201)
        #expect(try Folder.names(in: disk.folder.path + "/uploads") == [])
        #expect(try Folder.names(in: disk.folder.path + "/symbols/incoming") == [])
        #expect(try await sent.postFirstAgain(child.api) == Taken(duplicates: SentCrashes.batchSize))
        #expect(await child.stop() == 0)
        #expect(try sent.verify(disk.folder.path) == [])
    }

    private static func batch(_ number: Int) -> String {
        let filler = String(repeating: "x", count: 90)
        return "["
            + (0..<100).map { #"{"id": "\#(number)-\#($0)", "name": "a", "user_id": "u\#($0)", "params": {"p": "\#(filler)"}}"# }.joined(
                separator: ",")
            + "]"
    }

    private static func lines(_ child: DaemonProcess, _ keys: AppKeys) async throws -> Int {
        try await child.api.get("/v1/export", key: keys.read).body.count { $0 == 0x0a }
    }
}
