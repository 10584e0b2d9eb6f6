// SPDX-License-Identifier: Apache-2.0

import Platform
import SQLite
import TestSupport
import Testing

@testable import ingestd

/// Batches without writes, which end the number of a batch whose request may still arrive.
@Suite struct EmptyBatchTests {
    private static let kept = 10_000

    @Test func `clients that write nothing make no other client wait, and the oldest of them are forgotten`() async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock(AccountWorld.now))
        let (keys, key) = try await withDaemon(in: folder, clock: clock.clock) { live async throws in
            let made = try await DocumentClient.make(live)
            return (made.keys, made.key)
        }
        try Self.addClients(folder, app: keys.app, at: clock.now)
        try await withDaemon(in: folder, clock: clock.clock) { live async throws in
            let client = DocumentClient(live: live, keys: keys, key: key)
            func send(_ writes: String, _ name: String) async throws -> Reply {
                try await client.send("commit", #"{"writes": [\#(writes)], "client": "\#(name)", "batch": 1}"#)
            }
            func set(_ id: String) -> String { #"{"set": "a/\#(id)", "fields": {}}"# }
            let ended = try await send("", "new")
            #expect(ended.status == 200, "\(ended.text)")
            #expect(try await send(set("writer"), "writer").status == 200)
            // An earlier request of a client that ended its number is not applied, unless the client is one of the oldest.
            let late = try await send(set("late"), "new")
            #expect(late.status == 200 && late.text == ended.text)
            let known = try await send(set("known"), "idle \(Self.kept)")
            #expect(try known.status == 200 && JSON(known)["results"].items.isEmpty)
            let forgotten = try await send(set("forgotten"), "idle 1")
            #expect(try forgotten.status == 200 && JSON(forgotten)["results"].items.count == 1)
            #expect(try await client.paths(#"{"from": "a"}"#) == ["a/forgotten", "a/writer"])
        }
        let rows = try Connection(folder.path + "/documents.db", .read).statement("SELECT count(*) FROM clients WHERE without_writes = 1").first {
            $0.int(0)
        }
        #expect(try #require(rows) <= Self.kept)
    }

    /// Adds as many clients as are kept, the first of which is the oldest, as if each had sent one batch without writes.
    private static func addClients(_ folder: TemporaryFolder, app: Int64, at now: Timestamp) throws {
        let forgotten = now - .days(180)
        try Connection(folder.path + "/documents.db", .write).execute(
            """
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(kept))
            INSERT INTO clients (app, client, batch, stamp, answer, at, without_writes)
                SELECT \(app), 'idle ' || n, 1, 1, CAST('[]' AS BLOB), \(forgotten.milliseconds) + 60000 + n, 1 FROM numbers
            """)
    }
}
