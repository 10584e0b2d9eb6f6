// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import SQLite
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

/// Kills of the daemon during an erasure or anonymisation.
@Suite struct PersonRemovalKillTests {
    private static let events = 12_000

    @Test(arguments: ["DELETE /v1/users/leaving", "POST /v1/users/leaving/anonymise"])
    func `an interrupted removal leaves a consistent folder and completes when repeated`(request: String) async throws {
        let folder = TemporaryFolder()
        let child = try await DaemonProcess.start(in: folder.path)
        let keys = try await child.api.makeApp()
        for first in stride(from: 0, to: Self.events, by: 2_000) {
            let events = (first..<first + 2_000).map { number in
                let user = number < 20 ? "" : #","user_id":"leaving""#
                return
                    #"{"id":"e-\#(number)","name":"screen_view","installation_id":"theirs","session_id":"\#(number / 500)"\#(user),"params":{"screen_name":"S\#(number % 9)"}}"#
            }
            #expect(try Taken(await child.api.post("/v1/events", key: keys.ingest, "[\(events.joined(separator: ","))]")).accepted == 2_000)
        }
        let left = try await Self.killInTheMiddle(request, child, keys, folder.path)
        // On a busy machine the daemon may have finished first; the following holds as well.
        #expect(left < Self.events)
        let isErasure = request.hasPrefix("DELETE")
        #expect(try Recount(of: folder.path, isAfterErasure: isErasure, isRenamed: !isErasure).problems == [])

        let next = try await DaemonProcess.start(in: folder.path)
        let parts = request.split(separator: " ").map(String.init)
        // The entry was durable before the first row was removed.
        let outcomes = { try JSON(await next.api.get("/v1/audit?user=leaving", key: keys.admin))["items"].items.map { $0["outcome"].text } }
        let first = try await outcomes()
        #expect(first.count == 1 && (left == 0 || first == ["unfinished"]))
        let report = try JSON(await next.api.request(parts[0], parts[1], key: keys.admin))
        #expect(report["events"].number == left)
        #expect(try await outcomes() == ["done"] + first)
        #expect(try await next.api.get("/v1/users/leaving", key: keys.read).status == 404)
        #expect(try await next.api.get("/v1/users/theirs?by=installation", key: keys.read).status == 404)
        #expect(await next.stop() == 0)
        #expect(try Recount(of: folder.path, isAfterErasure: isErasure, isRenamed: !isErasure).problems == [])
        let file = try Self.file(folder.path)
        let kept = try file.statement("SELECT count(*), count(DISTINCT user), count(DISTINCT installation) FROM events").first {
            [$0.int(0), $0.int(1), $0.int(2)]
        }
        #expect(kept == (isErasure ? [0, 0, 0] : [Self.events, 2, 1]))
        #expect(try Connection(folder.path + "/main.db", .read).statement("SELECT count(*) FROM departures").first { $0.int(0) } == 0)
    }

    /// Kills the daemon after some rows were removed and returns the number of remaining ones.
    private static func killInTheMiddle(_ request: String, _ child: DaemonProcess, _ keys: AppKeys, _ folder: String) async throws -> Int {
        let user = try #require(try file(folder).statement("SELECT user FROM events WHERE user != 0 LIMIT 1").first { $0.key(0) })
        let parts = request.split(separator: " ").map(String.init)
        let connection = try child.api.connect()
        try await connection.send(TestClient.bytes(parts[0], parts[1], key: keys.admin))
        try await waitUntilSomeHaveGone(user, folder)
        await child.killHard()
        // No process has the file open now, so opening it recovers every commit from its log.
        let installation = try Connection(folder + "/main.db", .read).statement("SELECT key FROM departures WHERE kind = 2").first { $0.key(0) }
        return try file(folder).statement("SELECT count(*) FROM events WHERE user = ? OR installation = ?")
            .first(.key(user), .key(installation ?? 0)) { $0.int(0) } ?? 0
    }

    private static func waitUntilSomeHaveGone(_ user: UInt64, _ folder: String) async throws {
        let find = try file(folder).statement("SELECT count(*), sum(user = ?) FROM events")
        let end = ContinuousClock.now + .seconds(30)
        while try find.first(.key(user), row: { [$0.int(0), $0.int(1)] }) == [events, events - 20], .now < end { await Task.yield() }
    }

    private static func file(_ folder: String) throws -> Connection {
        let paths = StorePaths(root: folder)
        return try Connection(paths.file(of: try #require(try paths.days().last)), .read)
    }
}
